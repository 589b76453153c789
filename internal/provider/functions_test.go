package provider

import (
	"context"
	"fmt"
	"math/big"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/attr"
	"github.com/hashicorp/terraform-plugin-framework/function"
	"github.com/hashicorp/terraform-plugin-framework/types"
	"pgregory.net/rapid"
)

// runFunction calls a function as Terraform does once its arguments are known, and sooner.
func runFunction(t interface {
	Helper()
	Fatalf(string, ...any)
}, f function.Function, arguments ...attr.Value) (attr.Value, *function.FuncError) {
	t.Helper()
	ctx := context.Background()
	var defined function.DefinitionResponse
	f.Definition(ctx, function.DefinitionRequest{}, &defined)
	result, err := defined.Definition.Return.NewResultData(ctx)
	if err != nil {
		t.Fatalf("%v", err)
	}
	resp := function.RunResponse{Result: result}
	f.Run(ctx, function.RunRequest{Arguments: function.NewArgumentsData(arguments)}, &resp)
	return resp.Result.Value(), resp.Error
}

func numberArg(text string) types.Number {
	f, _, err := big.ParseFloat(text, 10, 512, big.ToNearestEven)
	if err != nil {
		panic(err) // a table of this file is wrong
	}
	return types.NumberValue(f)
}

func textsArg(m map[string]string) types.Map {
	out := make(map[string]attr.Value, len(m))
	for k, v := range m {
		out[k] = types.StringValue(v)
	}
	return types.MapValueMust(types.StringType, out)
}

// Every function has a name, texts, and a definition that the framework accepts.
func TestFunctionsAreWellDefined(t *testing.T) {
	ctx := context.Background()
	for _, create := range functions() {
		f := create()
		var meta function.MetadataResponse
		f.Metadata(ctx, function.MetadataRequest{}, &meta)
		var defined function.DefinitionResponse
		f.Definition(ctx, function.DefinitionRequest{}, &defined)
		var checked function.DefinitionValidateResponse
		defined.Definition.ValidateImplementation(ctx, function.DefinitionValidateRequest{FuncName: meta.Name}, &checked)
		if defined.Diagnostics.HasError() || checked.Diagnostics.HasError() {
			t.Errorf("%s: %v %v", meta.Name, defined.Diagnostics, checked.Diagnostics)
		}
		if defined.Definition.Summary == "" || !strings.Contains(defined.Definition.MarkdownDescription, "`") {
			t.Errorf("%s has no summary, or no example in its description", meta.Name)
		}
	}
}

// functionCall is a function's table: its arguments, and the result or the fault and its argument.
type functionCall struct {
	name      string
	arguments []attr.Value
	want      attr.Value
	fault     string
	at        int64
}

func checkCalls(t *testing.T, f function.Function, calls []functionCall) {
	t.Helper()
	for _, c := range calls {
		t.Run(c.name, func(t *testing.T) {
			got, err := runFunction(t, f, c.arguments...)
			switch {
			case c.fault == "" && err != nil:
				t.Fatalf("error: %v", err)
			case c.fault == "" && !got.Equal(c.want):
				t.Errorf("got %v, want %v", got, c.want)
			case c.fault != "" && (err == nil || err.FunctionArgument == nil):
				t.Fatalf("got %v and error %v, want an error at argument %d", got, err, c.at)
			case c.fault != "" && (*err.FunctionArgument != c.at || !strings.Contains(err.Text, c.fault)):
				t.Errorf("error at argument %d: %s\nwant at %d: %s", *err.FunctionArgument, err.Text, c.at, c.fault)
			}
		})
	}
}

func TestDesiredReplicas(t *testing.T) {
	of := func(a, b, c string) []attr.Value { return []attr.Value{numberArg(a), numberArg(b), numberArg(c)} }
	checkCalls(t, newDesiredReplicasFunction(), []functionCall{
		// 3 × 90 / 50 = 5.4
		{name: "above the target rounds up", arguments: of("3", "90", "50"), want: numberArg("6")},
		// 6 × 20 / 50 = 2.4
		{name: "below the target rounds up too", arguments: of("6", "20", "50"), want: numberArg("3")},
		// 55 / 50 = 1.1 and 45 / 50 = 0.9, both within
		{name: "the upper edge of the tolerance changes nothing", arguments: of("3", "55", "50"), want: numberArg("3")},
		{name: "the lower edge of the tolerance changes nothing", arguments: of("30", "45", "50"), want: numberArg("30")},
		// 30 × 56 / 50 = 33.6; 30 × 44 / 50 = 26.4
		{name: "beyond the upper edge", arguments: of("30", "56", "50"), want: numberArg("34")},
		{name: "beyond the lower edge", arguments: of("30", "44", "50"), want: numberArg("27")},
		// 110 / 100 in floats is 1.1, and 1.0 + 0.1 is 1.1: equal
		{name: "the edge in floats", arguments: of("10", "110", "100"), want: numberArg("10")},
		// 1.4 is 7 / 5 in floats, × 5 = 7 exactly
		{name: "no dust where there is none", arguments: of("5", "7", "5"), want: numberArg("7")},
		// 1.15 × 100 = 114.99999999999999 in floats
		{name: "dust rounds as in floats", arguments: of("100", "1.15", "1"), want: numberArg("115")},
		// 0.07 × 100 = 7.000000000000001 in floats, where decimal arithmetic gives 7
		{name: "the controller's dust is kept", arguments: of("100", "0.07", "1"), want: numberArg("8")},
		{name: "no load", arguments: of("3", "0", "50"), want: numberArg("0")},
		{name: "no replicas stay none", arguments: of("0", "90", "50"), want: numberArg("0")},
		{name: "the largest answer", arguments: of("1", "2147483647", "1"), want: numberArg("2147483647")},
		{name: "unknown replicas", arguments: []attr.Value{types.NumberUnknown(), numberArg("1"), numberArg("1")}, want: types.NumberUnknown()},
		{name: "unknown target", arguments: []attr.Value{numberArg("1"), numberArg("1"), types.NumberUnknown()}, want: types.NumberUnknown()},
		{name: "null value", arguments: []attr.Value{numberArg("1"), types.NumberNull(), numberArg("1")}, fault: "must not be null", at: 1},
		{name: "half a replica", arguments: of("2.5", "1", "1"), fault: "must be a whole number from 0 to 2147483647, got 2.5", at: 0},
		{name: "negative replicas", arguments: of("-1", "1", "1"), fault: "got -1", at: 0},
		{name: "too many replicas", arguments: of("2147483648", "1", "1"), fault: "got 2147483648", at: 0},
		{name: "negative value", arguments: of("1", "-1", "1"), fault: "must be 0 or more", at: 1},
		{name: "value beyond floats", arguments: of("1", "1e400", "1"), fault: "must be 0 or more", at: 1},
		{name: "no target", arguments: of("1", "1", "0"), fault: "must be more than 0", at: 2},
		{name: "target below the floats", arguments: of("1", "1", "1e-400"), fault: "must be more than 0", at: 2},
		{name: "negative target", arguments: of("1", "1", "-50"), fault: "got -50", at: 2},
		{name: "more than can be counted", arguments: of("2", "2147483647", "1"), fault: "more replicas than Kubernetes can count", at: 1},
		{name: "an infinite ratio", arguments: of("1", "1e300", "1e-300"), fault: "more replicas than Kubernetes can count", at: 1},
		{name: "an infinite ratio of nothing", arguments: of("0", "1e300", "1e-300"), want: numberArg("0")},
	})
}

func TestDeploymentBounds(t *testing.T) {
	of := func(a, b, c string) []attr.Value { return []attr.Value{numberArg(a), numberArg(b), numberArg(c)} }
	bounds := func(least, most string, canProgress bool) types.Object {
		return types.ObjectValueMust(deploymentBoundsTypes(), map[string]attr.Value{
			"minimum_healthy_tasks": numberArg(least), "maximum_tasks": numberArg(most), "can_progress": types.BoolValue(canProgress),
		})
	}
	checkCalls(t, newDeploymentBoundsFunction(), []functionCall{
		{name: "halves and doubles", arguments: of("4", "50", "200"), want: bounds("2", "8", true)},
		// 1 × 50 % = 0.5, up to 1; 1 × 150 % = 1.5, down to 1
		{name: "one task cannot be half replaced", arguments: of("1", "50", "150"), want: bounds("1", "1", false)},
		// 3 × 125 % = 3.75, down to 3
		{name: "three tasks at 100 and 125", arguments: of("3", "100", "125"), want: bounds("3", "3", false)},
		// 4 × 125 % = 5
		{name: "four tasks at 100 and 125", arguments: of("4", "100", "125"), want: bounds("4", "5", true)},
		// 3 × 34 % = 1.02, up to 2
		{name: "a minimum just above one", arguments: of("3", "34", "100"), want: bounds("2", "3", true)},
		{name: "nothing to replace", arguments: of("0", "100", "100"), want: bounds("0", "0", true)},
		// 2147483647 × 2147483647 / 100
		{name: "the largest", arguments: of("2147483647", "100", "2147483647"), want: bounds("2147483647", "46116860141324206", true)},
		{name: "unknown", arguments: []attr.Value{numberArg("1"), types.NumberUnknown(), numberArg("200")}, want: types.ObjectUnknown(deploymentBoundsTypes())},
		{name: "null", arguments: []attr.Value{numberArg("1"), numberArg("1"), types.NumberNull()}, fault: "must not be null", at: 2},
		{name: "half a task", arguments: of("1.5", "100", "200"), fault: "must be a whole number", at: 0},
		{name: "a minimum above 100", arguments: of("1", "101", "200"), fault: "must be a whole number from 0 to 100, got 101", at: 1},
		{name: "a maximum below 100", arguments: of("1", "100", "99"), fault: "must be a whole number from 100", at: 2},
	})
}

func TestMatchInstance(t *testing.T) {
	of := func(expression string, attributes map[string]string) []attr.Value {
		return []attr.Value{types.StringValue(expression), textsArg(attributes)}
	}
	yes, no := types.BoolValue(true), types.BoolValue(false)
	checkCalls(t, newMatchInstanceFunction(), []functionCall{
		{name: "an attribute matches", arguments: of("attribute:ecs.instance-type =~ m5.*", map[string]string{"ecs.instance-type": "m5.large"}), want: yes},
		{name: "an attribute does not", arguments: of("attribute:ecs.instance-type == t3.small", map[string]string{"ecs.instance-type": "m5.large"}), want: no},
		{name: "nothing has no attribute", arguments: of("not(attribute:stack == canary)", nil), want: yes},
		{name: "a subject has its own key", arguments: of("runningTasksCount < 2", map[string]string{"runningTasksCount": "1"}), want: yes},
		{
			name: "a null attribute is none",
			arguments: []attr.Value{
				types.StringValue("attribute:stack exists"),
				types.MapValueMust(types.StringType, map[string]attr.Value{"stack": types.StringNull()}),
			},
			want: no,
		},
		{
			name: "an unknown attribute",
			arguments: []attr.Value{
				types.StringValue("attribute:stack exists"),
				types.MapValueMust(types.StringType, map[string]attr.Value{"stack": types.StringUnknown()}),
			},
			want: types.BoolUnknown(),
		},
		{name: "an unknown expression", arguments: []attr.Value{types.StringUnknown(), textsArg(nil)}, want: types.BoolUnknown()},
		{name: "null attributes", arguments: []attr.Value{types.StringValue("a"), types.MapNull(types.StringType)}, fault: "must not be null", at: 1},
		{name: "no expression", arguments: of("attribute:a = b", nil), fault: "^", at: 0},
		{name: "a count that is none", arguments: of("runningTasksCount < 2", map[string]string{"runningTasksCount": "many"}), fault: `runningTasksCount = "many": must be a whole number`, at: 1},
	})
}

func TestParseCPU(t *testing.T) {
	var calls []functionCall
	for text, want := range map[string]string{
		"512": "512", "0": "0", "0.5 vCPU": "512", ".5vcpu": "512", "1. VCPU": "1024", "2 vCPU": "2048", "500m": "512", "1000m": "1024",
		" 256 ": "256", "0.25   vCPU": "256", "2147483647": "2147483647",
		"100m":      "103", // 102.4
		"0.3 vCPU":  "308", // 307.2
		"0.1m":      "1",   // 0.1024
		"62.5m":     "64",  // 64 exactly
		"0.0vCPU":   "0",
		"000000512": "512",
	} {
		calls = append(calls, functionCall{name: text, arguments: []attr.Value{types.StringValue(text)}, want: numberArg(want)})
	}
	for _, text := range []string{
		"", " ", ".", "vCPU", "m", "0.5", "-1", "+1", "1e3", "1e3 vCPU", "1/2 vCPU", "0x10", "1_000", "1,5 vCPU", "1..5 vCPU", "1 2", "1 core",
		"500M", "1 vCPUs", "１ vCPU", "1\tvCPU", "NaN", "Inf", strings.Repeat("0", 65),
	} {
		calls = append(calls, functionCall{name: "refuses " + text, arguments: []attr.Value{types.StringValue(text)}, fault: `; write CPU units ("512"), vCPUs ("0.5 vCPU"), or the millicores of Kubernetes ("500m")`})
	}
	calls = append(calls,
		functionCall{name: "too large", arguments: []attr.Value{types.StringValue("2147483648")}, fault: `"2147483648" is too large;`},
		functionCall{name: "far too large", arguments: []attr.Value{types.StringValue(strings.Repeat("9", 60) + "vCPU")}, fault: "is too large;"},
		functionCall{name: "unknown", arguments: []attr.Value{types.StringUnknown()}, want: types.NumberUnknown()},
		functionCall{name: "null", arguments: []attr.Value{types.StringNull()}, fault: "must not be null"},
	)
	checkCalls(t, newParseCPUFunction(), calls)
}

func TestParseMemory(t *testing.T) {
	var calls []functionCall
	for text, want := range map[string]string{
		"512": "512", "2 GB": "2048", "2GB": "2048", "0.5 gb": "512", "1Gi": "1024", "1.5Gi": "1536", "512Mi": "512", "512 MiB": "512",
		"1024Ki": "1", "1Ti": "1048576", "1GiB": "1024",
		"1Ki":        "1",   // 1 / 1024
		"1G":         "954", // 10^9 / 2^20 = 953.67
		"500M":       "477", // 476.84
		"1048576k":   "1000",
		"1T":         "953675", // 953674.3
		"0.001953Gi": "2",      // 1.9999
		"0":          "0",
	} {
		calls = append(calls, functionCall{name: text, arguments: []attr.Value{types.StringValue(text)}, want: numberArg(want)})
	}
	for _, text := range []string{"", "0.5", "512m", "512 MB", "1gi", "1K", "-1Gi", "GB", "1 G B", "1e3", "1.5.5Gi"} {
		calls = append(calls, functionCall{name: "refuses " + text, arguments: []attr.Value{types.StringValue(text)}, fault: `; write MiB ("512"), the GB of ECS`})
	}
	calls = append(calls,
		functionCall{name: "too large", arguments: []attr.Value{types.StringValue("2048Ti")}, fault: "is too large;"}, // 2^31 MiB
		functionCall{name: "unknown", arguments: []attr.Value{types.StringUnknown()}, want: types.NumberUnknown()},
	)
	checkCalls(t, newParseMemoryFunction(), calls)
}

// A whole number of units is itself in every spelling, and a fraction is never rounded down.
func TestParseQuantityIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Range(0, 2_000_000).Draw(t, "n")
		digits := fmt.Sprintf("%d.%03d", n/1000, n%1000)
		got, err := parseQuantity(digits+" vCPU", cpuUnits())
		millis, millisErr := parseQuantity(fmt.Sprintf("%dm", n), cpuUnits())
		// n / 1000 vCPU = n × 1024 / 1000 units, rounded up
		if want := (n*1024 + 999) / 1000; err != nil || millisErr != nil || got != want || millis != want {
			t.Fatalf("%s vCPU is %d (%v), %dm is %d (%v), want %d", digits, got, err, n, millis, millisErr, want)
		}
	})
}

func FuzzParseQuantity(f *testing.F) {
	for _, seed := range []string{"512", "0.5 vCPU", "500m", "2 GB", "1.5Gi", ".", "1..2", "-1", "", "９"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, units := range [][]quantityUnit{cpuUnits(), memoryUnits()} {
			n, err := parseQuantity(text, units)
			if err != nil {
				continue
			}
			again, err := parseQuantity(fmt.Sprint(n), units)
			if n < 0 || err != nil || again != n {
				t.Errorf("%q is %d, and that is %d (%v)", text, n, again, err)
			}
		}
	})
}
