package provider

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/terraform-plugin-framework/diag"
	"github.com/hashicorp/terraform-plugin-framework/path"
)

// scaleTargetVectors are about the reference to the scale target, which here is a service and always valid.
var scaleTargetVectors = []string{"V41", "V42", "V43"}

// atAttribute says an error of the API server as it should appear here: where, and with which text.
func atAttribute(text string) string {
	field, detail, _ := strings.Cut(strings.TrimPrefix(text, "spec."), ": ")
	field = regexp.MustCompile(`[A-Z]`).ReplaceAllStringFunc(field, func(c string) string { return "_" + strings.ToLower(c) })
	element := regexp.MustCompile(`^\w+(\[\d+\])?`).FindString(field)
	if element == field {
		return field + "| " + detail + "."
	}
	return element + "| " + field + ": " + detail + "."
}

func faultsOf(t testing.TB, config object) []string {
	t.Helper()
	typ := autoscalerSchema().Type().TerraformType(context.Background())
	var diags diag.Diagnostics
	readAutoscaler(value{raw: protocolValue(t, typ, config), at: path.Empty()}, &diags)
	faults := []string{}
	for _, d := range diags {
		at := ""
		if d, ok := d.(diag.DiagnosticWithPath); ok {
			at = d.Path().String()
		}
		faults = append(faults, at+"| "+d.Detail())
	}
	return faults
}

func TestAutoscalerValidate_Vectors_SayWhatTheAPIServerSaysAtTheAttribute(t *testing.T) {
	want := map[any][]any{}
	for _, a := range readVectors(t, "hpa-validation-answers.jsonl") {
		want[a["id"]] = listOf(a["errors"])
	}
	ran := 0
	for _, v := range readVectors(t, "hpa-validation.jsonl") {
		id := v["id"].(string)
		if slices.Contains(scaleTargetVectors, id) {
			continue
		}
		ran++
		t.Run(id, func(t *testing.T) {
			expected := []string{}
			for _, text := range want[id] {
				expected = append(expected, atAttribute(text.(string)))
			}
			if got := faultsOf(t, declaration(v)); !slices.Equal(got, expected) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(expected, "\n"))
			}
		})
	}
	if ran != 40 {
		t.Errorf("%d specs were tried, want 40", ran)
	}
}

func cpuTarget(more object) object {
	target := object{"type": "Utilization", "average_utilization": number(50)}
	for k, v := range more {
		target[k] = v
	}
	return object{"type": "Resource", "resource": object{"name": "cpu", "target": target}}
}

func webAt(count any, more object) object {
	config := object{
		"name":         "web",
		"scale_target": object{"name": "web", "desired_count": count, "requirements": object{}},
		"max_replicas": number(10),
	}
	for k, v := range more {
		config[k] = v
	}
	return config
}

func TestAutoscalerValidate_UnknownValues_AreNotJudged(t *testing.T) {
	metrics := func(m ...any) object { return object{"metrics": m} }
	for name, config := range map[string]object{
		"the whole target":                 {"scale_target": unknownYet{}},
		"the target's requirements":        {"scale_target": object{"name": "web", "requirements": unknownYet{}}},
		"the target's strategy":            {"scale_target": object{"scheduling_strategy": unknownYet{}, "requirements": object{}}},
		"a bound and the other":            {"min_replicas": unknownYet{}, "max_replicas": number(3)},
		"a small maximum, minimum unknown": {"min_replicas": unknownYet{}, "max_replicas": number(1)},
		"the metrics, at minimum 0":        {"min_replicas": number(0), "metrics": unknownYet{}},
		"a metric, at minimum 0":           {"min_replicas": number(0), "metrics": []any{unknownYet{}}},
		"a metric's type":                  metrics(object{"type": unknownYet{}, "resource": object{"name": "cpu", "target": object{"type": "Value", "average_utilization": number(1)}}}),
		"a metric's body":                  metrics(object{"type": "Resource", "resource": unknownYet{}}),
		"a target's only value":            metrics(cpuTarget(object{"average_utilization": unknownYet{}})),
		"a target's other value":           metrics(cpuTarget(object{"average_utilization": nil, "average_value": unknownYet{}})),
		"a target's type":                  metrics(cpuTarget(object{"type": unknownYet{}})),
		"a gate":                           {"min_replicas": number(1), "scale_to_zero": unknownYet{}},
		"policies":                         {"behavior": object{"scale_up": object{"policies": unknownYet{}}}},
		"a policy":                         {"behavior": object{"scale_up": object{"policies": []any{object{"type": unknownYet{}, "value": unknownYet{}, "period_seconds": unknownYet{}}}}}},
		"a recommendation":                 {"recommendations": []any{unknownYet{}}},
		"pods":                             {"pods": unknownYet{}},
		"a pod's usage":                    {"pods": object{"a": object{"usage": object{"cpu": unknownYet{}}}}},
	} {
		t.Run(name, func(t *testing.T) {
			if faults := faultsOf(t, webAt(number(3), config)); len(faults) > 0 {
				t.Errorf("%q", faults)
			}
		})
	}
}

func TestAutoscalerValidate_KnownBesideUnknown_IsJudged(t *testing.T) {
	metric := cpuTarget(object{"average_utilization": number(0)})
	metric["current"] = object{"average_utilization": unknownYet{}}
	got := faultsOf(t, webAt(unknownYet{}, object{"metrics": []any{metric}}))
	want := []string{"metrics[0]| metrics[0].resource.target.average_utilization: Invalid value: 0: must be greater than 0."}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestAutoscalerValidate_OwnFaults_NameValueAndRemedy(t *testing.T) {
	for name, c := range map[string]struct {
		config object
		want   string
	}{
		"a daemon": {
			object{"scale_target": object{"name": "log", "scheduling_strategy": "DAEMON", "requirements": object{}}},
			`scale_target| "log" is a DAEMON service: it runs one task on each instance and has no count to scale; ` +
				`remove the autoscaler, or set the service's scheduling_strategy to REPLICA.`,
		},
		"a cluster": {
			object{"scale_target": object{"name": "prod"}},
			`scale_target| "prod" isn't a service: it has no requirements; give a whole service, as in scale_target = stowage_service.web.`,
		},
		"a nameless object": {
			object{"scale_target": object{}},
			`scale_target| This object isn't a service: it has no requirements; give a whole service, as in scale_target = stowage_service.web.`,
		},
		"a target's quantity": {
			object{"metrics": []any{cpuTarget(object{"average_value": "1 m"})}},
			`metrics[0]| metrics[0].resource.target.average_value: "1 m": quantities must match the regular expression ` +
				`'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'; write it like "250m", "1Gi" or "90".`,
		},
		"a suffix": {
			object{"pods": object{"a": object{"usage": object{"cpu": "1mm"}}}},
			`pods["a"]| pods["a"].usage["cpu"]: "1mm": unable to parse quantity's suffix; write it like "250m", "1Gi" or "90".`,
		},
		"a recommendation without age": {
			object{"recommendations": []any{object{"replicas": number(3)}}},
			`recommendations[0]| recommendations[0].age_seconds: age_seconds must be given.`,
		},
		"both forms of a pod": {
			object{"pods": object{"a": object{"usage": object{}, "containers": object{}}}},
			`pods["a"]| A pod has either containers, or the short form for one container: requests and usage; remove one of them.`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			if got := faultsOf(t, webAt(number(3), c.config)); !slices.Equal(got, []string{c.want}) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), c.want)
			}
		})
	}
}

// The core names a field as the API does; keys of maps are left as they are.
func TestAttributeNames_EveryForm_LeadsToTheAttribute(t *testing.T) {
	for field, want := range map[string]string{
		"spec.maxReplicas": "max_replicas",
		"spec.metrics[0].resource.target.averageUtilization": "metrics|0|resource|target|average_utilization",
		"spec.behavior.scaleUp.policies[12].periodSeconds":   "behavior|scale_up|policies|12|period_seconds",
		"spec.scaleTargetRef.apiVersion":                     "scale_target|api_version",
		`trace[3].load["cpu/Main.x[1]"]`:                     `trace|3|load|cpu/Main.x[1]`,
		`pod_requests["a\"b"]`:                               `pod_requests|a"b`,
		"pod_requests":                                       "pod_requests",
	} {
		if got := strings.Join(attributeNames(field), "|"); got != want {
			t.Errorf("%s: %s, want %s", field, got, want)
		}
	}
}
