package provider_test

import (
	"flag"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-go/tfprotov6"
	"github.com/hashicorp/terraform-plugin-go/tftypes"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/provider"
)

var (
	hostileSeeds = flag.Int("hostile.seeds", 24, "how many random configurations to plan and apply; half of them are valid")
	hostileFirst = flag.Uint64("hostile.first", 1, "the first seed")
)

// Half of the worlds are valid by construction and must plan. The others have something hostile in them and must plan or
// be refused, with an error that names an attribute. What plans is applied, planned again without a change, changed, and
// destroyed; see [client] for what is checked on the way. "make hostile SEEDS=10000" tries more of them.
func TestHostileConfigurationsPlanOrAreRefused(t *testing.T) {
	server, framework := newServer(), provider.FrameworkServer("test")()
	schemas := schemasOf(t, server)
	planned, refused := 0, 0
	for seed := *hostileFirst; seed < *hostileFirst+uint64(*hostileSeeds); seed++ {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			d := newDraw(seed)
			tf := &client{t: t, provider: server, framework: framework, schemas: schemas, states: map[string]state{}, draw: d}
			before, after := newWorld(seed), newWorld(seed)
			if d.chance(50) {
				after = newWorld(seed + 1<<32)
				after.rename(before)
			}
			d.nudge(after)
			if seed%2 == 0 {
				d.damage(tf, before)
				d.damage(tf, after)
			}
			for _, w := range []*world{before, after} {
				p, r := tf.live(w, d)
				planned, refused = planned+p, refused+r
			}
			tf.destroy(before)
			if t.Failed() {
				t.Logf("again with: go test ./internal/provider -run TestHostile -hostile.first=%d -hostile.seeds=1", seed)
			}
		})
	}
	if planned == 0 && *hostileSeeds > 1 || refused == 0 && *hostileSeeds > 1 {
		t.Errorf("%d resources were planned and %d refused: the generator is not what it should be", planned, refused)
	}
	t.Logf("%d resources were planned, %d refused", planned, refused)
}

func newServer() tfprotov6.ProviderServer { return provider.Server("test")() }

func schemasOf(t *testing.T, server tfprotov6.ProviderServer) map[string]*tfprotov6.Schema {
	resp, err := server.GetProviderSchema(t.Context(), &tfprotov6.GetProviderSchemaRequest{})
	if err != nil {
		t.Fatal(err)
	}
	return resp.ResourceSchemas
}

// rename gives the resources the addresses of another world.
func (w *world) rename(like *world) {
	old, prefix := fmt.Sprintf("w%d_", w.seed), fmt.Sprintf("w%d_", like.seed)
	var recur func(v any) any
	recur = func(v any) any {
		switch v := v.(type) {
		case reference:
			typ, _, _ := strings.Cut(v.address, ".")
			return reference{typ + "." + prefix + v.address[len(typ)+1+len(old):], v.path}
		case object:
			out := object{}
			for name, e := range v {
				out[name] = recur(e)
			}
			return out
		case list:
			out := list{}
			for _, e := range v {
				out = append(out, recur(e))
			}
			return out
		}
		return v
	}
	for _, r := range w.resources {
		r.name = prefix + r.name[len(old):]
		r.config = recur(r.config).(object)
	}
	w.seed = like.seed
}

// dispensable are arguments of any resource without which it is as valid.
var dispensable = []string{
	"draining", "desired_count", "scheduling_strategy", "deployment_minimum_healthy_percent", "deployment_maximum_percent", "triggers", "placement_constraints",
	"ordered_placement_strategy", "min_replicas", "current_replicas", "observed_at", "behavior", "pods", "recommendations", "seconds_since_last_observation",
	"precedence", "seed", "autoscalers", "initial_placements",
}

// nudge changes little things, as a pull request does.
func (d draw) nudge(w *world) {
	for _, r := range w.resources {
		switch r.typ {
		case "stowage_service":
			d.maybe(30, r.config, "triggers", object{"build": "next"})
			if r.config["scheduling_strategy"] != "DAEMON" {
				d.maybe(30, r.config, "desired_count", d.IntN(9))
			}
		case "stowage_autoscaler":
			d.maybe(20, r.config, "observed_at", "later")
			d.observe(r.config)
		}
		for _, name := range dispensable { // what the state had from an argument must not outlive it
			if d.chance(10) {
				delete(r.config, name)
			}
		}
	}
}

// observe changes what the metrics of an autoscaler show.
func (d draw) observe(autoscaler object) {
	metrics, _ := autoscaler["metrics"].(list)
	for _, m := range metrics {
		if current := asObject(m.(object)["current"]); current["average_utilization"] != nil {
			d.maybe(50, current, "average_utilization", d.IntN(200))
		}
	}
}

// damage does one to three hostile things to a world.
func (d draw) damage(tf *client, w *world) {
	w.hostile = true
	for range d.between(1, 3) {
		r := oneOf(d, w.resources...)
		d.spoil(r.config, tf.typeOf(r))
	}
}

// live validates, plans, applies and plans again every resource of a world, in the order in which they refer to each
// other. Those that refer to a refused one are left out, as Terraform does.
func (tf *client) live(w *world, d draw) (planned, refused int) {
	tf.world = w
	early, settled := map[string]tftypes.Value{}, map[string]tftypes.Value{}
	unknown := oneOf(d, 0, 5, 20)
	for _, r := range w.resources {
		if !resolvable(r.config, settled) {
			continue
		}
		prior, ok := tf.states[r.address()]
		if !ok {
			prior.value = tftypes.NewValue(tf.typeOf(r), nil)
		}
		config := d.postpone(r.config, unknown)
		final := tf.value(tf.typeOf(r), config, settled, true)

		tf.doing = "validating " + r.address()
		tf.validate(r, tf.value(tf.typeOf(r), config, nil, false))
		tf.doing = "planning " + r.address()
		first, unready := tf.plan(r, tf.value(tf.typeOf(r), config, early, false), prior)
		tf.doing = "applying " + r.address()
		second, errs := tf.plan(r, final, prior)
		if len(errs) > 0 {
			refused++
			if !w.hostile && !slices.ContainsFunc(errs, excused) {
				tf.failf("it is valid, but refused: %v", errs)
			}
			continue
		}
		if len(unready) > 0 {
			if !slices.ContainsFunc(unready, readOnly) { // an unknown value for an output, which turns out to be null
				tf.failf("it is refused for what isn't known yet: %v", unready)
			}
			continue
		}
		if !keeps(first.value, second.value) {
			tf.failf("Terraform would call the final plan inconsistent: %s", difference(first.value, second.value))
		}
		planned++
		applied := tf.apply(r, final, prior, second)
		tf.states[r.address()], early[r.address()], settled[r.address()] = applied, first.value, applied.value

		tf.doing = "planning again " + r.address()
		if again, errs := tf.plan(r, final, applied); len(errs) > 0 {
			tf.failf("what was applied is refused: %v", errs)
		} else if !again.value.Equal(applied.value) {
			tf.failf("a second plan isn't empty: %s", difference(applied.value, again.value))
		}
	}
	return planned, refused
}

// excused tells the errors of a drill whose faults or tasks are more than what runs or fits, and of a timeline whose target
// reserves no CPU, which the generator doesn't look at.
func excused(err string) bool {
	return strings.Contains(err, "name at most as many") || strings.Contains(err, "wants a percentage: give what each pod requests") ||
		strings.Contains(err, "more than it has for the tasks that run there")
}

func readOnly(err string) bool { return strings.Contains(err, "marked it as read-only") }

// resolvable reports whether all that a value refers to is there.
func resolvable(v any, values map[string]tftypes.Value) bool {
	switch v := v.(type) {
	case reference:
		_, ok := values[v.address]
		return ok
	case later:
		return resolvable(v.value, values)
	case object:
		for e := range maps.Values(v) {
			if !resolvable(e, values) {
				return false
			}
		}
	case list:
		for _, e := range v {
			if !resolvable(e, values) {
				return false
			}
		}
	}
	return true
}

// destroy plans and applies the end of every resource.
func (tf *client) destroy(w *world) {
	for _, r := range w.resources {
		prior, ok := tf.states[r.address()]
		if !ok {
			continue
		}
		tf.doing = "destroying " + r.address()
		none := tftypes.NewValue(tf.typeOf(r), nil)
		resp, err := tf.provider.PlanResourceChange(tf.t.Context(), &tfprotov6.PlanResourceChangeRequest{
			TypeName: r.typ, Config: tf.encode(none), PriorState: tf.encode(prior.value), ProposedNewState: tf.encode(none), PriorPrivate: prior.private,
		})
		if errs := tf.errors(resp.Diagnostics, err); len(errs) > 0 || !tf.decode(resp.PlannedState, tf.typeOf(r)).IsNull() {
			tf.failf("the plan to destroy is %v, %v", resp.PlannedState, errs)
		}
	}
}
