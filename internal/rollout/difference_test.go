package rollout

import (
	"reflect"
	"testing"
)

func TestDifferences(t *testing.T) {
	state := func(sets ...map[string]int64) State {
		s := ServiceState{}
		for _, p := range sets {
			s.Tasks = append(s.Tasks, TaskSet{Placements: p})
		}
		return State{Services: map[string]ServiceState{"web": s}}
	}
	type counts = map[string]map[string]int64
	for _, c := range []struct {
		name        string
		before      State
		after, want counts
	}{
		{"from empty", State{}, counts{"web": {"a": 2}}, counts{}},
		{"unchanged", state(map[string]int64{"a": 2}), counts{"web": {"a": 2}}, counts{}},
		{"moved", state(map[string]int64{"a": 2, "b": 1}), counts{"web": {"a": 1, "b": 1, "c": 1}}, counts{"web": {"a": -1, "c": 1}}},
		{"two revisions to one", state(map[string]int64{"a": 1}, map[string]int64{"a": 1}), counts{"web": {"a": 1}}, counts{"web": {"a": -1}}},
		{"stopped, and another began", state(map[string]int64{"a": 2}), counts{"api": {"b": 1}}, counts{"web": {"a": -2}, "api": {"b": 1}}},
	} {
		changes := map[string]string{"web": "+1", "api": "+1"}
		if got := differences(c.before, c.after, changes); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestDifferencesOfARunAreItsChanges(t *testing.T) {
	web, api := replica("web", 1, "r1"), replica("api", 1, "r1")
	r := mustRun(t, Input{
		Cluster: fleet(t, 2, 1000, 1000), Services: []Service{web, api}, State: running(replica("web", 3, "r1"), "i-0:2", "i-1").and(running(api, "i-1")),
	})
	// first from i-0, which has most, then from the first of the tied
	want := map[string]map[string]int64{"web": {"i-0": -2}}
	if !reflect.DeepEqual(r.ChangesByInstance, want) {
		t.Errorf("changes by instance = %v, want %v", r.ChangesByInstance, want)
	}
}
