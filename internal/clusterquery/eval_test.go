package clusterquery_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/clusterquery"
)

func TestEval(t *testing.T) {
	type instance = map[string]string
	type answer struct {
		instance instance
		want     bool
	}
	tests := []struct {
		name, text string
		answers    []answer
	}{
		// The examples of the Developer Guide, "cluster-query-language" and "constraint-examples".
		{"pattern selects a family of types", "attribute:ecs.instance-type =~ t2.*", []answer{
			{instance{"ecs.instance-type": "t2.small"}, true},
			{instance{"ecs.instance-type": "t2.medium"}, true},
			{instance{"ecs.instance-type": "t3.small"}, false},
			{instance{"ecs.instance-type": "m5.large"}, false},
		}},
		{"compound", "attribute:ecs.instance-type =~ g2.* and attribute:ecs.availability-zone != us-east-1d", []answer{
			{instance{"ecs.instance-type": "g2.2xlarge", "ecs.availability-zone": "us-east-1a"}, true},
			{instance{"ecs.instance-type": "g2.2xlarge", "ecs.availability-zone": "us-east-1d"}, false},
			{instance{"ecs.instance-type": "m4.large", "ecs.availability-zone": "us-east-1a"}, false},
		}},
		{"list", "attribute:ecs.availability-zone in [us-east-1a, us-east-1b]", []answer{
			{instance{"ecs.availability-zone": "us-east-1a"}, true},
			{instance{"ecs.availability-zone": "us-east-1b"}, true},
			{instance{"ecs.availability-zone": "us-east-1c"}, false},
			{instance{}, false},
		}},
		{"affinity", "task:group == service:production", []answer{
			{instance{"task:group": "service:production"}, true},
			{instance{"task:group": "service:web,service:production"}, true},
			{instance{"task:group": "service:web"}, false},
			{instance{}, false},
		}},
		{"anti-affinity", "not(task:group == database)", []answer{
			{instance{"task:group": "database,service:web"}, false},
			{instance{"task:group": "service:web"}, true},
			{instance{}, true},
		}},
		{"task count", "runningTasksCount == 1", []answer{
			{instance{"runningTasksCount": "0"}, false},
			{instance{"runningTasksCount": "1"}, true},
			{instance{"runningTasksCount": "2"}, false},
		}},
		{"agent version", "agentVersion < 1.14.5", []answer{
			{instance{"agentVersion": "1.14.4"}, true},
			{instance{"agentVersion": "1.14.5"}, false},
			{instance{"agentVersion": "1.15.0"}, false},
		}},
		{"registration time", "registeredAt < 2018-02-13", []answer{
			{instance{"registeredAt": "2018-02-12T23:59:59Z"}, true},
			{instance{"registeredAt": "2018-02-13"}, false},
			{instance{"registeredAt": "2018-02-14"}, false},
		}},
		{"instance ids", "ec2InstanceId in ['i-abcd1234', 'i-wxyx7890']", []answer{
			{instance{"ec2InstanceId": "i-abcd1234"}, true},
			{instance{"ec2InstanceId": "i-wxyx7890"}, true},
			{instance{"ec2InstanceId": "i-abcd1235"}, false},
		}},

		// A missing attribute fails every comparison (aws/containers-roadmap#486).
		{"missing attribute with ==", "attribute:a == ''", []answer{{instance{}, false}, {instance{"a": ""}, true}}},
		{"missing attribute with !=", "attribute:a != b", []answer{{instance{}, false}, {instance{"a": ""}, true}, {instance{"a": "b"}, false}}},
		{"missing attribute with !in", "attribute:a !in [b, c]", []answer{{instance{}, false}, {instance{"a": "d"}, true}, {instance{"a": "c"}, false}}},
		{"missing attribute with !~", "attribute:a !~ b.*", []answer{{instance{}, false}, {instance{"a": "c"}, true}, {instance{"a": "bc"}, false}}},
		{"missing attribute with <", "attribute:a < 5", []answer{{instance{}, false}, {instance{"a": "4"}, true}}},
		{"missing attribute with >=", "attribute:a >= 5", []answer{{instance{}, false}, {instance{"a": "5"}, true}}},
		{"missing attribute under not", "not(attribute:a == b)", []answer{{instance{}, true}, {instance{"a": "b"}, false}}},
		{"the remedy for a missing attribute", "attribute:a !exists or attribute:a != b", []answer{{instance{}, true}, {instance{"a": "c"}, true}, {instance{"a": "b"}, false}}},
		{"exists", "attribute:a exists", []answer{{instance{}, false}, {instance{"a": ""}, true}, {instance{"a": "b"}, true}}},
		{"not exists", "attribute:a !exists", []answer{{instance{}, true}, {instance{"a": ""}, false}}},

		{"equality is case-sensitive", "attribute:a == b", []answer{{instance{"a": "B"}, false}}},
		{"names are case-sensitive", "attribute:a == b", []answer{{instance{"A": "b"}, false}}},
		{"equality is of text even for numbers", "attribute:a == 4", []answer{{instance{"a": "4.0"}, false}, {instance{"a": "4"}, true}}},
		{"value with a space", "attribute:a == 'b c'", []answer{{instance{"a": "b c"}, true}}},

		{"attributes that are numbers are ordered as such", "attribute:a > 9", []answer{
			{instance{"a": "10"}, true}, {instance{"a": "9.0"}, false}, {instance{"a": "9.01"}, true}, {instance{"a": "-10"}, false}, {instance{"a": "009.5"}, true}}},
		{"equal numbers", "attribute:a <= +4.50", []answer{{instance{"a": "4.5"}, true}, {instance{"a": "4.51"}, false}, {instance{"a": ".5"}, true}}},
		{"negative numbers", "attribute:a < -1.5", []answer{{instance{"a": "-1.6"}, true}, {instance{"a": "-1.4"}, false}, {instance{"a": "-12"}, true}}},
		{"negative zero is zero", "attribute:a >= 0", []answer{{instance{"a": "-0.0"}, true}}},
		{"numbers beyond 64 bits", "attribute:a > 100000000000000000000000000000000", []answer{
			{instance{"a": "100000000000000000000000000000001"}, true}, {instance{"a": "99999999999999999999999999999999"}, false}}},
		{"one side not a number orders as text", "attribute:a > 9", []answer{{instance{"a": "10x"}, false}, {instance{"a": "x"}, true}, {instance{"a": "1e3"}, false}}},
		{"text orders by bytes", "attribute:a < b", []answer{{instance{"a": "a"}, true}, {instance{"a": "B"}, true}, {instance{"a": "b"}, false}, {instance{"a": "10"}, true}}},

		{"version parts are numbers", "agentVersion > 1.9", []answer{{instance{"agentVersion": "1.14.5"}, true}, {instance{"agentVersion": "1.9.1"}, true}, {instance{"agentVersion": "1.9"}, false}}},
		{"version parts left out are 0", "agentVersion == 1.14", []answer{{instance{"agentVersion": "1.14.0"}, true}, {instance{"agentVersion": "01.14"}, true}, {instance{"agentVersion": "1.14.1"}, false}}},
		{"version inequality", "agentVersion != 1.14", []answer{{instance{"agentVersion": "1.14.0"}, false}, {instance{"agentVersion": "1.15"}, true}, {instance{}, false}}},
		{"version bounds", "agentVersion >= 1.2 and agentVersion <= 1.3", []answer{{instance{"agentVersion": "1.2.0"}, true}, {instance{"agentVersion": "1.3.0"}, true}, {instance{"agentVersion": "1.3.1"}, false}}},

		{"time with an offset", "registeredAt == 2018-06-18T22:28:28+02:00", []answer{{instance{"registeredAt": "2018-06-18T20:28:28Z"}, true}}},
		{"time without a zone is UTC", "registeredAt == 2018-06-18T22:28:28", []answer{{instance{"registeredAt": "2018-06-18T22:28:28Z"}, true}}},
		{"date is midnight UTC", "registeredAt == 2018-06-18", []answer{{instance{"registeredAt": "2018-06-18T00:00:00+00:00"}, true}, {instance{"registeredAt": "2018-06-18T00:00:01"}, false}}},
		{"unknown time", "registeredAt != 2018-06-18", []answer{{instance{}, false}, {instance{"registeredAt": "2018-06-19"}, true}}},

		{"count bounds", "runningTasksCount greater_than 1 and runningTasksCount less_than_equal 3", []answer{
			{instance{"runningTasksCount": "1"}, false}, {instance{"runningTasksCount": "2"}, true}, {instance{"runningTasksCount": "3"}, true}, {instance{"runningTasksCount": "4"}, false}}},
		{"unknown count", "runningTasksCount >= 0 or runningTasksCount < 0", []answer{{instance{}, false}}},

		{"agent connected", "agentConnected == true", []answer{{instance{"agentConnected": "true"}, true}, {instance{"agentConnected": "false"}, false}, {instance{}, false}}},
		{"agent not connected", "agentConnected !in [true]", []answer{{instance{"agentConnected": "true"}, false}, {instance{"agentConnected": "false"}, true}, {instance{}, false}}},
		{"agent connection as a pattern", "agentConnected =~ f.*", []answer{{instance{"agentConnected": "false"}, true}}},
		{"instance id as a pattern", "ec2InstanceId !~ i-0.*", []answer{{instance{"ec2InstanceId": "i-1"}, true}, {instance{"ec2InstanceId": "i-01"}, false}, {instance{}, false}}},

		// One hosted task that satisfies the comparison is enough.
		{"group != looks for another group", "task:group != a", []answer{{instance{"task:group": "a"}, false}, {instance{"task:group": "a,b"}, true}, {instance{}, false}}},
		{"group in", "task:group in [a, b]", []answer{{instance{"task:group": "c,b"}, true}, {instance{"task:group": "c"}, false}}},
		{"group !in", "task:group !in [a, b]", []answer{{instance{"task:group": "a,b"}, false}, {instance{"task:group": "a,c"}, true}, {instance{}, false}}},
		{"group as a pattern", "task:group =~ service:.*", []answer{{instance{"task:group": "a,service:b"}, true}, {instance{"task:group": "a"}, false}}},
		{"group not as a pattern", "task:group !~ service:.*", []answer{{instance{"task:group": "service:b"}, false}, {instance{"task:group": "service:b,a"}, true}, {instance{}, false}}},
		{"group exists", "task:group exists", []answer{{instance{"task:group": "a"}, true}, {instance{"task:group": ""}, false}, {instance{}, false}}},
		{"group does not exist", "task:group !exists", []answer{{instance{"task:group": "a"}, false}, {instance{}, true}}},

		{"a key with attribute: is an attribute", "attribute:agentVersion == x and agentVersion == 1", []answer{
			{instance{"attribute:agentVersion": "x", "agentVersion": "1"}, true}}},

		{"or", "attribute:a exists or attribute:b exists", []answer{{instance{"a": ""}, true}, {instance{"b": ""}, true}, {instance{}, false}}},
		{"and binds closer than or", "attribute:a exists or attribute:b exists and attribute:c exists", []answer{{instance{"a": ""}, true}, {instance{"b": ""}, false}}},
		{"not binds closer than and", "not attribute:a exists and attribute:b exists", []answer{{instance{"b": ""}, true}, {instance{}, false}}},
		{"parentheses bind closest", "(attribute:a exists or attribute:b exists) and attribute:c exists", []answer{{instance{"a": ""}, false}, {instance{"a": "", "c": ""}, true}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			x := mustParse(t, tt.text)
			for _, a := range tt.answers {
				if got := x.Eval(lookup(t, a.instance)); got != a.want {
					t.Errorf("%q over %q is %t, want %t", tt.text, a.instance, got, a.want)
				}
			}
		})
	}
}

// The version of an instance that isn't made of numbers compares with nothing.
func TestEvalOddVersion(t *testing.T) {
	for _, op := range []string{"==", "!=", "<", "<=", ">", ">="} {
		if mustParse(t, "agentVersion "+op+" 1.0").Eval(oddVersion{lookup(t, nil)}) {
			t.Errorf("%s holds", op)
		}
	}
}

type oddVersion struct{ clusterquery.Lookup }

func (oddVersion) AgentVersion() (string, bool) { return "1.0-rc1", true }

func TestMapLookupRefuses(t *testing.T) {
	_, err := clusterquery.MapLookup(map[string]string{
		"stack":             "production",
		"agentConnected":    "yes",
		"agentVersion":      "latest",
		"registeredAt":      "today",
		"runningTasksCount": "-1",
		"a":                 "1",
		"attribute:a":       "2",
		"attribute:stack":   "production",
	})
	want := `agentConnected = "yes": must be true or false
agentVersion = "latest": must be dotted numbers such as 1.14.5
attribute:a = "2": is "1" under another key for the same attribute; give it once
registeredAt = "today": must be a date or time such as 2018-06-18 or 2018-06-18T22:28:28Z
runningTasksCount = "-1": must be a whole number from 0`
	if err == nil || err.Error() != want {
		t.Errorf("error is\n%v\nwant\n%s", err, want)
	}
	var e *clusterquery.ValueError
	if !errors.As(err, &e) || e.Key != "agentConnected" || e.Value != "yes" {
		t.Errorf("no *ValueError for agentConnected in %v", err)
	}
}

func TestMapLookupKeepsNothing(t *testing.T) {
	values := map[string]string{"a": "1"}
	instance := lookup(t, values)
	values["a"] = "2"
	if !mustParse(t, "attribute:a == 1").Eval(instance) {
		t.Error("a change of the map changed the instance")
	}
}

func TestEvalDoesNotAllocate(t *testing.T) {
	instance := lookup(t, richInstance)
	for _, text := range richExpressions {
		x := mustParse(t, text)
		if n := testing.AllocsPerRun(100, func() { x.Eval(instance) }); n != 0 {
			t.Errorf("%s: %v allocations", text, n)
		}
	}
}

var (
	richInstance = map[string]string{
		"ecs.instance-type": "m5.2xlarge", "ecs.availability-zone": "us-east-1b", "rank": "17.5",
		"agentConnected": "true", "agentVersion": "1.91.2", "ec2InstanceId": "i-0123456789abcdef0",
		"registeredAt": "2026-03-01T12:00:00Z", "runningTasksCount": "7", "task:group": "service:web,service:db",
	}
	richExpressions = []string{
		"attribute:ecs.availability-zone != us-east-1a",
		"attribute:ecs.availability-zone in [us-east-1a, us-east-1b]",
		"attribute:ecs.instance-type =~ m5.*",
		"attribute:ecs.instance-type =~ '(?i).*[0-9]+XLARGE|t3.*'",
		"attribute:rank >= 17.25 and attribute:ecs.gpu !exists",
		"agentConnected == true and agentVersion >= 1.14.5 and registeredAt < 2026-06-01",
		"not(task:group == service:cache) and runningTasksCount < 10 or task:group =~ family:.*",
		"ec2InstanceId in ['i-abcd1234', 'i-0123456789abcdef0'] and task:group exists",
	}
)

// BenchmarkEval evaluates one expression against one instance. Compare two states with
//
//	go test -run '^$' -bench Eval -count 10 ./internal/clusterquery > new.txt && benchstat old.txt new.txt
func BenchmarkEval(b *testing.B) {
	instance := lookup(b, richInstance)
	for _, text := range richExpressions {
		b.Run(text, func(b *testing.B) {
			x := mustParse(b, text)
			if !x.Eval(instance) {
				b.Fatal("the expression should hold")
			}
			b.ReportAllocs()
			for b.Loop() {
				x.Eval(instance)
			}
		})
	}
}

// BenchmarkParse parses a short expression and one with the largest pattern.
func BenchmarkParse(b *testing.B) {
	for _, bb := range []struct{ name, text string }{
		{"short", richExpressions[0]},
		{"largest pattern", "attribute:a =~ " + strings.Repeat(`.{1000}`, 10)},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				mustParse(b, bb.text)
			}
		})
	}
}
