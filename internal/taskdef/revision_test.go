package taskdef_test

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/taskdef"
)

func ExampleRevision() {
	td := taskdef.TaskDefinition{Family: "web", ContainerDefinitions: `[{"name": "web", "image": "nginx:1.27", "memory": 128}]`}
	spelledOut := td
	spelledOut.NetworkMode = taskdef.Bridge
	spelledOut.ContainerDefinitions = `[{"memory":128,"image":"nginx:1.27","name":"web","essential":true,"cpu":0,"environment":[]}]`
	updated := td
	updated.ContainerDefinitions = `[{"name": "web", "image": "nginx:1.28", "memory": 128}]`

	first := taskdef.Revision(td, nil)
	fmt.Println(first == taskdef.Revision(spelledOut, nil), first == taskdef.Revision(updated, nil))
	fmt.Println(first == taskdef.Revision(td, map[string]string{"restart": "1"}))
	// Output:
	// true false
	// false
}

func full() taskdef.TaskDefinition {
	return taskdef.TaskDefinition{
		Family: "web", CPU: 256, Memory: 512, NetworkMode: taskdef.Host, RequiresAttributes: []string{"b", "a"},
		PlacementConstraints: []taskdef.Constraint{{Type: taskdef.MemberOf, Expression: ptr("attribute:a exists")}},
		RuntimePlatform:      taskdef.RuntimePlatform{OperatingSystemFamily: taskdef.Linux, CPUArchitecture: taskdef.ARM64},
		ContainerDefinitions: `[
			{"name":"web","image":"nginx","memory":256,"cpu":100,"essential":true,"command":["a","b"],
			 "environment":[{"name":"A","value":"1"},{"name":"B","value":"2"}],"secrets":[{"name":"X","valueFrom":"arn:x"},{"name":"Y","valueFrom":"arn:y"}],
			 "portMappings":[{"containerPort":80,"hostPort":80,"protocol":"tcp"}],
			 "healthCheck":{"command":["CMD","true"],"interval":30,"retries":3},"mountPoints":[{"sourceVolume":"v","containerPath":"/v","readOnly":false}]},
			{"name":"log","image":"fluent","memory":64,"essential":false,"dockerLabels":{"a":"1"}}
		]`,
	}
}

// The revision is in users' states: another value for the same definition deploys every service anew.
func TestRevisionIsTheSameInEveryRelease(t *testing.T) {
	for want, td := range map[string]taskdef.TaskDefinition{
		"b716ebc6": full(),
		"6355ff73": {Family: "web", CPU: 256, Memory: 512, GPU: 1, PortMappings: []taskdef.PortMapping{{ContainerPort: 80, HostPort: 8080}}},
	} {
		got := taskdef.Revision(td, map[string]string{"b": "2", "a": "1"})
		if got != want || !regexp.MustCompile(`^[0-9a-f]{8}$`).MatchString(got) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestRevisionOverlooksSpelling(t *testing.T) {
	want := taskdef.Revision(full(), nil)
	for name, change := range map[string]func(*taskdef.TaskDefinition){
		"order of attributes": func(td *taskdef.TaskDefinition) { td.RequiresAttributes = []string{"a", "b", "a"} },
		"other JSON": func(td *taskdef.TaskDefinition) {
			td.ContainerDefinitions = `[
				{"essential":false,"memory":6.4e1,"image":"fluent","name":"log","dockerLabels":{"a":"1"},"privileged":false,"links":[],"ulimits":null},
				{"Image":"nginx","Name":"web","CPU":100.0,"memory":256,"Command":["a","b"],"user":null,
				 "Environment":[{"name":"B","value":"2"},{"Name":"A","value":"1"}],"secrets":[{"name":"Y","valueFrom":"arn:y"},{"name":"X","valueFrom":"arn:x"}],
				 "portMappings":[{"containerPort":80}],
				 "healthCheck":{"command":["CMD","true"],"timeout":5},"mountPoints":[{"sourceVolume":"v","containerPath":"/v"}]}
			]`
		},
	} {
		td := full()
		change(&td)
		if got := taskdef.Revision(td, map[string]string{}); got != want {
			t.Errorf("%s: got %s, want %s", name, got, want)
		}
	}
	short := taskdef.TaskDefinition{Memory: 1, NetworkMode: taskdef.Host, PortMappings: []taskdef.PortMapping{{ContainerPort: 80}}}
	spelled := taskdef.TaskDefinition{Memory: 1, NetworkMode: taskdef.Host, PortMappings: []taskdef.PortMapping{{ContainerPort: 80, HostPort: 80, Protocol: taskdef.TCP}}}
	if taskdef.Revision(short, nil) != taskdef.Revision(spelled, nil) {
		t.Error("the defaults of a port make a difference")
	}
}

func TestRevisionSeesEveryDifference(t *testing.T) {
	replace := func(pattern, by string) func(*taskdef.TaskDefinition) {
		return func(td *taskdef.TaskDefinition) {
			before := td.ContainerDefinitions
			td.ContainerDefinitions = regexp.MustCompile(pattern).ReplaceAllString(before, by)
			if td.ContainerDefinitions == before {
				panic("nothing replaced: " + pattern)
			}
		}
	}
	seen := map[string]string{taskdef.Revision(full(), nil): "the original"}
	for name, change := range map[string]func(*taskdef.TaskDefinition){
		"family":       func(td *taskdef.TaskDefinition) { td.Family = "api" },
		"cpu":          func(td *taskdef.TaskDefinition) { td.CPU++ },
		"memory":       func(td *taskdef.TaskDefinition) { td.Memory++ },
		"gpu":          func(td *taskdef.TaskDefinition) { td.GPU++ },
		"network mode": func(td *taskdef.TaskDefinition) { td.NetworkMode = taskdef.Bridge },
		"ports":        func(td *taskdef.TaskDefinition) { td.PortMappings = []taskdef.PortMapping{{ContainerPort: 1}} },
		"protocol": func(td *taskdef.TaskDefinition) {
			td.PortMappings = []taskdef.PortMapping{{ContainerPort: 1, Protocol: taskdef.UDP}}
		},
		"constraints":      func(td *taskdef.TaskDefinition) { td.PlacementConstraints = nil },
		"expression":       func(td *taskdef.TaskDefinition) { td.PlacementConstraints[0].Expression = ptr("attribute:b exists") },
		"attributes":       func(td *taskdef.TaskDefinition) { td.RequiresAttributes = []string{"a"} },
		"operating system": func(td *taskdef.TaskDefinition) { td.RuntimePlatform.OperatingSystemFamily = "" },
		"architecture":     func(td *taskdef.TaskDefinition) { td.RuntimePlatform.CPUArchitecture = taskdef.X8664 },
		"Fargate":          func(td *taskdef.TaskDefinition) { td.Fargate = true },
		"image":            replace("nginx", "nginx:2"),
		"order of command": replace(`"a","b"`, `"b","a"`),
		"an environment":   replace(`"value":"2"`, `"value":"3"`),
		"a secret":         replace("arn:y", "arn:z"),
		"a label":          replace(`"a":"1"`, `"A":"1"`),
		"essential":        replace(`"essential":true`, `"essential":false`),
		"an unknown field": replace(`"memory":64`, `"memory":64,"someday":1`),
		"a container less": replace(`(?s),\s*\{"name":"log".*\}\s*\]$`, "]"),
		"not JSON at all":  func(td *taskdef.TaskDefinition) { td.ContainerDefinitions = "{" },
		"no containers":    func(td *taskdef.TaskDefinition) { td.ContainerDefinitions = "" },
	} {
		td := full()
		change(&td)
		got := taskdef.Revision(td, nil)
		if same, ok := seen[got]; ok {
			t.Errorf("%s has the revision of %s", name, same)
		}
		seen[got] = name
	}
	for _, triggers := range []map[string]string{{"a": "1"}, {"a": "2"}, {"b": "1"}, {"a": "1", "b": ""}} {
		got := taskdef.Revision(full(), triggers)
		if same, ok := seen[got]; ok {
			t.Errorf("triggers %v have the revision of %s", triggers, same)
		}
		seen[got] = fmt.Sprint(triggers)
	}
}

// Written in another order of keys and containers, and indented, a definition asks for the same and is the same revision.
func TestRevisionAndRequirementsDontDependOnOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.StringMatching(`[a-z]{1,8}`), 1, 5, rapid.ID[string]).Draw(t, "names")
		var list []map[string]any
		for i, name := range names {
			list = append(list, map[string]any{
				"name": name, "memory": rapid.IntRange(6, 4096).Draw(t, "memory"), "cpu": rapid.IntRange(0, 2048).Draw(t, "cpu"),
				"image": rapid.String().Draw(t, "image"), "essential": i == 0 || rapid.Bool().Draw(t, "essential"),
				"portMappings": []map[string]any{{"containerPort": 1000 + i, "hostPort": rapid.SampledFrom([]int{0, 2000 + i}).Draw(t, "host port")}},
			})
		}
		write := func() taskdef.TaskDefinition {
			text, err := json.Marshal(list)
			if err != nil {
				t.Fatal(err)
			}
			return taskdef.TaskDefinition{ContainerDefinitions: string(text)}
		}
		a := write()
		slices.Reverse(list)
		b := write()
		var indented any
		if err := json.Unmarshal([]byte(b.ContainerDefinitions), &indented); err != nil {
			t.Fatal(err)
		}
		text, err := json.MarshalIndent(indented, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		b.ContainerDefinitions = string(text)

		reqA, errA := taskdef.Compute(a)
		reqB, errB := taskdef.Compute(b)
		if errA != nil || errB != nil || fmt.Sprint(reqA) != fmt.Sprint(reqB) {
			t.Fatalf("%v, %v\n%v, %v", reqA, errA, reqB, errB)
		}
		if x, y := taskdef.Revision(a, nil), taskdef.Revision(b, nil); x != y {
			t.Fatalf("%s differs from %s", x, y)
		}
	})
}

func FuzzContainerDefinitions(f *testing.F) {
	f.Fuzz(func(t *testing.T, text, mode string) {
		td := taskdef.TaskDefinition{NetworkMode: taskdef.NetworkMode(mode), ContainerDefinitions: text}
		req, err := taskdef.Compute(td)
		if err == nil && text != "" && (req.Memory < 6 || req.CPU < 0 || req.CPU > taskdef.MaxSize || req.Memory > taskdef.MaxSize || req.GPU < 0) {
			t.Errorf("accepted with %+v", req)
		}
		if err != nil && len(faults(t, err)) == 0 {
			t.Error("an error without a fault")
		}
		if again, err2 := taskdef.Compute(td); fmt.Sprint(again, err2) != fmt.Sprint(req, err) {
			t.Error("the second answer differs")
		}
		if a, b := taskdef.Revision(td, nil), taskdef.Revision(td, nil); a != b || len(a) != 8 {
			t.Errorf("revisions %q and %q", a, b)
		}
	})
}
