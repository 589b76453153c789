package autoscaling

import (
	"errors"
	"reflect"
	"testing"
)

func TestValidate_Vectors_FindWhatTheAPIServerFinds(t *testing.T) {
	type validation struct {
		ID     string
		Errors []string
	}
	want := map[string][]string{}
	for _, a := range readLines[validation](t, "testdata/hpa-validation-answers.jsonl") {
		want[a.ID] = a.Errors
	}
	vectors := readLines[vector](t, "testdata/hpa-validation.jsonl")
	if len(vectors) != 43 || len(want) != 43 {
		t.Fatalf("%d specs and %d answers, want 43", len(vectors), len(want))
	}
	for _, v := range vectors {
		t.Run(v.ID, func(t *testing.T) {
			got := []string{}
			for _, e := range Validate(v.spec(t), v.config().ScaleToZero) {
				got = append(got, e.Error())
			}
			if !reflect.DeepEqual(got, want[v.ID]) {
				t.Errorf("got\n%q\nwant\n%q", got, want[v.ID])
			}
		})
	}
}

func TestValidate_ContainerResourceName_FollowsCoreRules(t *testing.T) {
	for name, want := range map[string][]string{
		"cpu":                      nil,
		"hugepages-2Mi":            nil,
		"nvidia.com/gpu":           nil,
		"pods":                     {`must be a standard resource for containers`},
		"requests.hugepages-2Mi":   {`must be a standard resource for containers`},
		"requests.example.com/gpu": {`doesn't follow extended resource name standard`},
		"gpu": {
			`must be a standard resource for containers`,
			`must be a standard resource type or fully qualified`,
		},
	} {
		spec := Spec{MaxReplicas: 3, ScaleTarget: Deployment("web"), Metrics: []Metric{{
			Type: ContainerResourceMetricType,
			ContainerResource: &ContainerResourceMetric{
				Name: name, Container: "main",
				Target: Target{Type: UtilizationTarget, AverageUtilization: new(int32(50))},
			},
		}}}
		var got []string
		for _, e := range Validate(spec, true) {
			if e.Path != "spec.metrics[0].containerResource.name" {
				t.Errorf("%s: unexpected %s", name, e)
			}
			got = append(got, e.Detail)
		}
		for i := range want {
			want[i] = `Invalid value: "` + name + `": ` + want[i]
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestFieldErrors_JoinedError_ListsEveryFault(t *testing.T) {
	a, b := FieldError{"a", "x"}, FieldError{"b", "y"}
	if got := FieldErrors(errors.Join(a, errors.Join(b))); !reflect.DeepEqual(got, []FieldError{a, b}) {
		t.Errorf("got %v", got)
	}
	if got := FieldErrors(nil); got != nil {
		t.Errorf("nil gives %v", got)
	}
}
