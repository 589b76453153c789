package rollout

import (
	"fmt"
	"testing"
)

// traced runs an input and writes down what a service runs, "old,new" before the first pass and then after each half of
// a pass that changed it: first the stops, then the starts, as the Amazon ECS documentation tells rollouts.
func traced(t testing.TB, in Input, name string) (string, *machine) {
	t.Helper()
	if err := in.check(); err != nil {
		t.Fatal(err)
	}
	m, err := newMachine(&in)
	if err != nil {
		t.Fatal(err)
	}
	var s *service
	for _, o := range m.services {
		if o.spec.Name == name {
			s = o
		}
	}
	last := fmt.Sprintf("%d,%d", s.outgoing(), s.target.on.n)
	text := last
	add := func(old, now int64) {
		if next := fmt.Sprintf("%d,%d", old, now); next != last {
			text, last = text+" "+next, next
		}
	}
	m.observe = func(*machine) {
		fresh := int64(len(s.target.fresh))
		add(s.outgoing(), s.target.on.n-fresh)
		add(s.outgoing(), s.target.on.n)
	}
	m.run()
	return text, m
}

// Amazon ECS Developer Guide, "Best practices for Amazon ECS service parameters" and "Rolling update".
func TestRolloutFollowsTheDocumentedTraces(t *testing.T) {
	tests := map[string]struct {
		desired, room    int64 // room in tasks of 100 CPU units on one instance
		minimum, maximum int64
		want             string
	}{
		// lower = 4, upper = 8: all four start at once
		"desired 4 at 100/200 with room": {4, 8, 100, 200, "4,0 4,4 0,4"},
		// lower = 2, upper = 4: two stop before two start
		"desired 4 at 50/100": {4, 4, 50, 100, "4,0 2,0 2,2 0,2 0,4"},
		// lower = 6, upper = 12, but only two more fit
		"desired 6, room for 8, 100/200": {6, 8, 100, 200, "6,0 6,2 4,2 4,4 2,4 2,6 0,6"},
		// lower = 3, upper = 6
		"desired 6, room for 6, 50/100": {6, 6, 50, 100, "6,0 3,0 3,3 0,3 0,6"},
		// lower = 3, upper = 12
		"desired 6, room for 10, 50/200": {6, 10, 50, 200, "6,0 3,0 3,6 0,6"},
		// lower = ceil(3) = 3, upper = 4: one at a time
		"desired 4 at 75/100": {4, 8, 75, 100, "4,0 3,0 3,1 2,1 2,2 1,2 1,3 0,3 0,4"},
		// lower = 4, upper = floor(5) = 5
		"desired 4 at 100/125": {4, 8, 100, 125, "4,0 4,1 3,1 3,2 2,2 2,3 1,3 1,4 0,4"},
		// lower = 0, upper = 1: the only task is gone for a while
		"desired 1 at 0/100": {1, 8, 0, 100, "1,0 0,0 0,1"},
		// lower = 1, upper = floor(1.34) = 1
		"desired 1 at 100/134 never moves": {1, 8, 100, 134, "1,0"},
		// lower = upper = 3
		"desired 3 at 100/125 never moves": {3, 8, 100, 125, "3,0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			before := replica("web", test.desired, "r1").at(test.minimum, test.maximum)
			after := before
			after.Revision = "r2"
			in := Input{
				Cluster: fleet(t, 1, test.room*100, 100_000), Services: []Service{after},
				State: running(before, fmt.Sprint("i-0:", test.desired)),
			}
			if got, _ := traced(t, in, "web"); got != test.want {
				t.Errorf("trace %s, want %s", got, test.want)
			}
		})
	}
}
