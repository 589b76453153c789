package provider

import (
	"context"
	"encoding/xml"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-go/tftypes"
	"pgregory.net/rapid"
)

func load(at int64, amounts ...any) object {
	loads := object{}
	for i := 0; i < len(amounts); i += 2 {
		loads[amounts[i].(string)] = amounts[i+1]
	}
	return object{"at_seconds": number(at), "load": loads}
}

// autoscalerOf is an autoscaler's state as a timeline receives it: what the timeline's schema doesn't name is dropped.
func autoscalerOf(config object, current int64) object {
	out := object{"current_replicas": number(current)}
	for _, k := range []string{
		"scale_target", "min_replicas", "max_replicas", "metrics", "behavior", "tolerance", "downscale_stabilization_seconds",
		"initial_readiness_delay_seconds", "cpu_initialization_period_seconds", "scale_to_zero", "scaled_to_zero",
	} {
		if given, ok := config[k]; ok {
			out[k] = given
		}
	}
	target := out["scale_target"].(object)
	out["scale_target"] = object{"name": target["name"], "requirements": target["requirements"]}
	return out
}

func replay(t failer, config object) value {
	t.Helper()
	return newLifetime(timelinePlanner{}, timelineSchema()).apply(t, config)
}

// unfolded are a timeline's ticks with a line for each.
func unfolded(timeline value, period int64) []string {
	var lines []string
	for _, line := range timeline.attr("ticks").texts() {
		when, what, _ := strings.Cut(line, " ")
		from, to, isRun := strings.Cut(when, "-")
		if !isRun {
			to = from
		}
		var first, last int64
		if _, err := fmt.Sscanf(from+to, "%ds%ds", &first, &last); err != nil {
			panic(fmt.Sprintf("tick %q: %v", when, err))
		}
		for at := first; at <= last; at += period {
			lines = append(lines, fmt.Sprintf("%ds %s", at, what))
		}
	}
	return lines
}

// The vectors of several ticks, told as a load trace. In L01 the vectors say 20 percent of 100m for each of the 6 pods,
// 120m in all, and again 20 percent for the 3 that are left in the end.
func TestTimelinePlan_Vectors_AnswerAsTheControllerTickByTick(t *testing.T) {
	traces := map[string]object{
		"L01": {
			"trace":        []any{load(0, "cpu", "270m"), load(15, "cpu", "120m"), load(330, "cpu", "60m")},
			"pod_requests": object{"cpu": "100m"},
		},
		"L02": {"trace": []any{load(0, "queue", "1000")}},
		"L03": {"trace": []any{load(0, "queue", "1000")}},
		"L04": {"trace": []any{load(0, "queue", "0")}},
		"L05": {"trace": []any{load(0, "queue", "100"), load(20, "queue", "120"), load(40, "queue", "10")}, "sync_period_seconds": number(20)},
		"L06": {"trace": []any{load(0, "queue", "100"), load(15, "queue", "20")}, "resizes": []any{object{"at_seconds": number(15), "replicas": number(4)}}},
	}
	answers := map[any]object{}
	for _, a := range readVectors(t, "hpa-answers.jsonl") {
		answers[a["id"]] = a
	}
	ran := 0
	for _, v := range readVectors(t, "hpa-vectors.jsonl") {
		id := v["id"].(string)
		config, listed := traces[id]
		if !listed {
			continue
		}
		ran++
		t.Run(id, func(t *testing.T) {
			ticks := listOf(answers[id]["ticks"])
			config["autoscaler"] = autoscalerOf(declaration(v), whole(ticks[0].(object)["specReplicas"]))
			config["duration_seconds"] = ticks[len(ticks)-1].(object)["at"]
			var lines, reasons []string
			for _, tick := range ticks {
				tick := tick.(object)
				size := tick["specReplicas"]
				if scaled, ok := tick["scaledTo"]; ok {
					size = scaled
					message := listOf(tick["events"])[0].(object)["message"].(string)
					_, reason, _ := strings.Cut(message, "; reason: ")
					reasons = append(reasons, fmt.Sprintf("%vs %v to %v: %s", tick["at"], tick["specReplicas"], size, reason))
				}
				proposal := listOf(tick["proposals"])[0].(object)["replicas"]
				lines = append(lines, fmt.Sprintf("%vs %v %v * %v", tick["at"], tick["specReplicas"], proposal, size))
			}
			out := replay(t, config)
			got := unfolded(out, 15)
			if p, ok := config["sync_period_seconds"]; ok {
				got = unfolded(out, whole(p))
			}
			for i, line := range got { // the answers don't say what the windows left
				columns := strings.Fields(line)
				columns[3] = "*"
				got[i] = strings.Join(columns, " ")
			}
			if !slices.Equal(got, lines) {
				t.Errorf("ticks\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(lines, "\n"))
			}
			if got := out.attr("reasons").texts(); !slices.Equal(got, reasons) {
				t.Errorf("reasons\n%q\nwant\n%q", got, reasons)
			}
		})
	}
	if ran != 6 {
		t.Errorf("%d vectors were run, want L01 to L06", ran)
	}
}

// A chain of applies, each with the seconds since the one before, is the timeline: the first starts with the current size
// remembered, and each later one observes the load at the size that the one before left.
func TestAutoscalerPlan_ChainOfApplies_EqualsTheTimeline(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		period := rapid.SampledFrom([]int64{5, 15, 60}).Draw(t, "period")
		loads := rapid.SliceOfN(rapid.Int64Range(0, 40), 1, 10).Draw(t, "loads")
		least := rapid.Int64Range(0, 3).Draw(t, "min")
		config := merged(webAt(number(0), nil), object{"min_replicas": number(least), "max_replicas": number(least + rapid.Int64Range(1, 20).Draw(t, "more"))})
		if behavior := drawBehavior(t); behavior != nil {
			config["behavior"] = behavior
		}
		if rapid.Bool().Draw(t, "short window") {
			config["downscale_stabilization_seconds"] = number(30)
		}
		start := rapid.Int64Range(1, 12).Draw(t, "start")
		ofCPU := least > 0 && rapid.Bool().Draw(t, "cpu")
		metric := queueReads(nil)
		if ofCPU {
			metric = cpuTarget(nil)
		}
		delete(metric, "current")

		var trace []any
		for i, n := range loads {
			if ofCPU { // each 100m of load is a pod's request
				trace = append(trace, load(int64(i)*period, "cpu", fmt.Sprintf("%dm", 50*n)))
			} else {
				trace = append(trace, load(int64(i)*period, "queue", number(5*n)))
			}
		}
		timeline := replay(t, object{
			"autoscaler": autoscalerOf(merged(config, onMetrics(metric)), start), "trace": trace, "pod_requests": object{"cpu": "100m"},
			"sync_period_seconds": number(period), "duration_seconds": number(period * int64(len(loads)-1)),
		})

		l, size := anAutoscaler(), start
		var chain []string
		for i, n := range loads {
			current := object{"value": number(5 * n)}
			if ofCPU {
				current = object{"average_utilization": number(50 * n * 100 / (100 * size))}
			}
			tick := merged(config, object{"observed_at": fmt.Sprint(i), "metrics": []any{reading(metric, current)}})
			if i == 0 {
				tick["current_replicas"] = number(start)
				tick["recommendations"] = []any{object{"replicas": number(start), "age_seconds": number(0)}}
			} else {
				tick["seconds_since_last_observation"] = number(period)
			}
			got := l.apply(t, tick)
			from, proposal := got.attr("current_replicas").number(), "-"
			if p := got.attr("proposals").items(); len(p) == 1 {
				proposal = fmt.Sprint(p[0].number())
			}
			size = got.attr("desired_replicas").number()
			chain = append(chain, fmt.Sprintf("%ds %d %s %d", int64(i)*period, from, proposal, size))
		}
		ticks := unfolded(timeline, period)
		for i, line := range ticks {
			columns := strings.Fields(line)
			ticks[i] = strings.Join(slices.Delete(columns, 3, 4), " ")
		}
		if !slices.Equal(chain, ticks) {
			t.Fatalf("applies\n%s\nticks\n%s", strings.Join(chain, "\n"), strings.Join(ticks, "\n"))
		}
	})
}

func drawBehavior(t *rapid.T) object {
	if rapid.Bool().Draw(t, "without behavior") {
		return nil
	}
	rules := func(name string) any {
		if rapid.Bool().Draw(t, name+" defaults") {
			return nil
		}
		policies := []any{}
		for range rapid.IntRange(1, 2).Draw(t, name+" policies") {
			policies = append(policies, object{
				"type":           rapid.SampledFrom([]string{"Pods", "Percent"}).Draw(t, name+" type"),
				"value":          number(rapid.Int64Range(1, 120).Draw(t, name+" value")),
				"period_seconds": number(rapid.SampledFrom([]int64{5, 15, 40, 120}).Draw(t, name+" period")),
			})
		}
		return object{
			"stabilization_window_seconds": number(rapid.SampledFrom([]int64{0, 15, 45}).Draw(t, name+" window")),
			"select_policy":                rapid.SampledFrom([]string{"Max", "Min", "Disabled"}).Draw(t, name+" select"),
			"policies":                     policies,
		}
	}
	return object{"scale_up": rules("up"), "scale_down": rules("down")}
}

func webTimeline(more object) object {
	config := object{
		"autoscaler": object{
			"max_replicas": number(10), "current_replicas": number(3), "metrics": []any{cpuTarget(nil)},
			"scale_target": object{"name": "web", "requirements": object{"cpu": number(256), "memory": number(512)}},
		},
		"trace": []any{load(0, "cpu", "1")}, "duration_seconds": number(30),
	}
	for k, v := range more {
		config[k] = v
	}
	return config
}

// 256 CPU units are 250m. 1 CPU over 3 pods is 133 % of 3*250m: ceil(3*133/50) = 8, which max(2*3, 4) = 6 delays, and is 66 %
// of 6*250m: ceil(6*66/50) = 8; then 50 %.
func TestTimelinePlan_PodRequests_AreTheTargetsRequirements(t *testing.T) {
	got := replay(t, webTimeline(nil)).attr("ticks").texts()
	if want := []string{"0s 3 8 8 6", "15s 6 8 8 8", "30s 8 8 8 8"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	// 1024 units, asked for with 100 of them: 97.65625m counts as 98m.
	if got := requestsOf(value{raw: protocolValue(t, timelineType("autoscaler", "scale_target", "requirements"), object{"cpu": number(100), "memory": number(1)})}); fmt.Sprint(got) != "[{cpu 98} {memory 1048576000}]" {
		t.Errorf("%v", got)
	}
}

func timelineType(way ...string) tftypes.Type {
	typ := timelineSchema().Type().TerraformType(context.Background())
	for _, step := range way {
		typ = typ.(tftypes.Object).AttributeTypes[step]
	}
	return typ
}

// A load of 3 CPUs for 5 seconds between two ticks is seen by none of them, but is overload.
func TestTimelinePlan_SpikeBetweenTicks_IsOverloadOnly(t *testing.T) {
	got := replay(t, webTimeline(object{"trace": []any{load(0, "cpu", "300m"), load(3, "cpu", "3"), load(8, "cpu", "300m")}}))
	if n := got.attr("overload_seconds").number(); n != 5 {
		t.Errorf("%d seconds of overload, want 5", n)
	}
	if n := got.attr("peak_replicas").number(); n != 3 || len(got.attr("reasons").items()) > 0 {
		t.Errorf("peak %d, %v", n, got.attr("reasons").texts())
	}
}

// A size of 0 comes back only if the autoscaler set it.
func TestTimelinePlan_StartAtZero_ComesBackIfSetByTheAutoscaler(t *testing.T) {
	metric := queueReads(nil)
	delete(metric, "current")
	for name, c := range map[string]struct {
		more object
		want int64
	}{
		"declared":               {object{"scaled_to_zero": true}, 3},
		"declared not":           {object{"scaled_to_zero": false, "memory": object{"scaled_to_zero": true}}, 0},
		"remembered":             {object{"memory": object{"scaled_to_zero": true}}, 3},
		"on its way back":        {object{"desired_replicas": number(2)}, 3},
		"set by someone by hand": {object{"memory": object{"scaled_to_zero": false}, "desired_replicas": number(0)}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			autoscaler := merged(webTimeline(nil)["autoscaler"].(object), merged(c.more, object{
				"min_replicas": number(0), "current_replicas": number(0), "metrics": []any{metric},
			}))
			got := replay(t, webTimeline(object{"autoscaler": autoscaler, "trace": []any{load(0, "queue", "30")}}))
			if n := got.attr("peak_replicas").number(); n != c.want {
				t.Errorf("peak %d, want %d", n, c.want)
			}
		})
	}
}

func TestTimelinePlan_MissingLoad_IsAnErrorToldOnce(t *testing.T) {
	got := replay(t, webTimeline(object{"trace": []any{load(0, "cpu", "300m"), load(15), load(30, "cpu", "300m")}, "duration_seconds": number(45)}))
	lines := got.attr("errors").texts()
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "15s: ") || !strings.Contains(lines[0], "Deployment/default/web: invalid metrics (1 invalid out of 1)") {
		t.Errorf("%q", lines)
	}
	if ticks := got.attr("ticks").texts(); ticks[1] != "15s 3 - - 3" {
		t.Errorf("%q", ticks)
	}
}

func TestTimelinePlan_Faults_AreAtTheAttribute(t *testing.T) {
	for name, c := range map[string]struct {
		more object
		want string
	}{
		"not an autoscaler":  {object{"autoscaler": object{"scale_target": object{"name": "x"}}}, "autoscaler| The object isn't an autoscaler: it has no max_replicas or no current_replicas; give a whole autoscaler, as in autoscaler = stowage_autoscaler.web."},
		"a late first entry": {object{"trace": []any{load(5, "cpu", "1")}}, "trace[0]| trace[0].at_seconds: 5: the first entry must be at 0, where the timeline starts."},
		"no time":            {object{"trace": []any{object{"load": object{}}}}, "trace[0]| trace[0].at_seconds: at_seconds must be given."},
		"another metric":     {object{"trace": []any{load(0, "memory", "1")}}, `trace[0]| trace[0].load["memory"]: the autoscaler has no such metric: it has cpu.`},
		"a bad quantity":     {object{"trace": []any{load(0, "cpu", "1 m")}}, `trace[0]| trace[0].load["cpu"]: "1 m": quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'; write it like "250m", "1Gi" or "90".`},
		"no request":         {object{"pod_requests": object{"memory": "1Gi"}}, "pod_requests| Has no cpu, of which metrics[0] wants a percentage: give what each pod requests."},
		"too many ticks":     {object{"duration_seconds": number(2_000_000)}, "duration_seconds| 2000000 seconds are 133333 ticks of 15 seconds, more than 100000: shorten the duration or lengthen the sync period."},
		"an invalid bound":   {object{"autoscaler": merged(webTimeline(nil)["autoscaler"].(object), object{"min_replicas": number(11)})}, "autoscaler| autoscaler.max_replicas: Invalid value: 10: must be greater than or equal to `minReplicas`."},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, diags := newLifetime(timelinePlanner{}, timelineSchema()).plan(t, webTimeline(c.more))
			if len(diags) != 1 {
				t.Fatalf("%v", diags)
			}
			if got := diags[0].(diag.DiagnosticWithPath).Path().String() + "| " + diags[0].Detail(); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

func TestTimelinePlan_UnknownInput_HidesTheOutputsThatDependOnIt(t *testing.T) {
	autoscaler := func(more object) object {
		return object{"autoscaler": merged(webTimeline(nil)["autoscaler"].(object), more)}
	}
	target := func(requirements any) object {
		return autoscaler(object{"scale_target": object{"name": "web", "requirements": requirements}})
	}
	for name, c := range map[string]struct {
		more  object
		known bool
	}{
		"the autoscaler":              {object{"autoscaler": unknownYet{}}, false},
		"its size":                    {autoscaler(object{"current_replicas": unknownYet{}}), false},
		"its answer":                  {autoscaler(object{"desired_replicas": unknownYet{}, "memory": unknownYet{}}), true},
		"its answer, from 0":          {autoscaler(object{"desired_replicas": unknownYet{}, "current_replicas": number(0)}), false},
		"the target's requirements":   {target(unknownYet{}), false},
		"the same, requests declared": {merged(target(unknownYet{}), object{"pod_requests": object{"cpu": "250m"}}), true},
		"a load":                      {object{"trace": []any{load(0, "cpu", unknownYet{})}}, false},
		"the duration":                {object{"duration_seconds": unknownYet{}}, false},
	} {
		t.Run(name, func(t *testing.T) {
			planned, _, diags := newLifetime(timelinePlanner{}, timelineSchema()).plan(t, webTimeline(c.more))
			if diags.HasError() {
				t.Fatal(diags)
			}
			for _, output := range timelineOutputs {
				if got := planned.attr(output).raw.IsFullyKnown(); got != c.known {
					t.Errorf("%s is known: %v, want %v", output, got, c.known)
				}
			}
		})
	}
}

func TestTimelinePlan_Chart_IsAPictureOfTheTicks(t *testing.T) {
	named := func(name any) object {
		return object{"autoscaler": merged(webTimeline(nil)["autoscaler"].(object), object{"name": name})}
	}
	got := replay(t, webTimeline(named("web <1>"))).attr("chart").text()
	for _, text := range []string{"<svg", "Autoscaler timeline: web &lt;1&gt;", "</svg>"} {
		if !strings.Contains(got, text) {
			t.Errorf("the chart has no %s", text)
		}
	}
	if err := xml.Unmarshal([]byte(got), new(struct{})); err != nil || strings.Contains(got, "\n") {
		t.Errorf("the chart is no XML in one line: %v", err)
	}
	planned, _, diags := newLifetime(timelinePlanner{}, timelineSchema()).plan(t, webTimeline(named(unknownYet{})))
	if diags.HasError() || planned.attr("chart").raw.IsKnown() || !planned.known("ticks", "replicas", "reasons") {
		t.Errorf("an unknown name hides more than the chart: %v", diags)
	}
}

// A day of ticks, 5761 of them.
func TestTimelinePlan_ADay_IsANormalInput(t *testing.T) {
	var trace []any
	for hour := range int64(24) {
		trace = append(trace, load(hour*3600, "cpu", fmt.Sprintf("%dm", 100+150*min(hour, 23-hour))))
	}
	got := replay(t, webTimeline(object{"trace": trace, "duration_seconds": number(86400)}))
	if n := len(got.attr("replicas").items()); n != 86400/15+1 {
		t.Errorf("%d ticks", n)
	}
	if n := len(got.attr("ticks").items()); n > 200 {
		t.Errorf("%d lines", n)
	}
	// 1750m at the peak is 70 % of 10*250m, and at 50 % would need 14 pods.
	if n := got.attr("peak_replicas").number(); n != 10 {
		t.Errorf("peak %d, want 10", n)
	}
}
