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
		if got := differences(c.before, c.after); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
