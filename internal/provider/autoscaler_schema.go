package provider

import (
	"maps"
	"math"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
	"github.com/hashicorp/terraform-plugin-framework/schema/validator"
	"github.com/hashicorp/terraform-plugin-framework/types"

	"github.com/terraform-provider-stowage/terraform-provider-stowage/internal/autoscaling"
)

const quantityForm = "A Kubernetes quantity such as `250m`, `1Gi` or `90`."

func int32Attribute(description string) schema.NumberAttribute {
	return schema.NumberAttribute{
		CustomType: wholeNumberType{}, Optional: true, MarkdownDescription: description,
		Validators: []validator.Number{numberBetween{math.MinInt32, math.MaxInt32}},
	}
}

// countAttribute is a number of replicas or of seconds.
func countAttribute(description string) schema.NumberAttribute {
	a := int32Attribute(description)
	a.Validators = []validator.Number{numberBetween{0, math.MaxInt32}}
	return a
}

func inputText(description string) schema.StringAttribute {
	return schema.StringAttribute{Optional: true, MarkdownDescription: description}
}

func inputObject(description string, attributes map[string]schema.Attribute) schema.SingleNestedAttribute {
	return schema.SingleNestedAttribute{Optional: true, MarkdownDescription: description, Attributes: attributes}
}

func inputList(description string, attributes map[string]schema.Attribute) schema.ListNestedAttribute {
	return schema.ListNestedAttribute{
		Optional: true, MarkdownDescription: description,
		NestedObject: schema.NestedAttributeObject{Attributes: attributes},
	}
}

func quantityMap(description string) schema.MapAttribute {
	return schema.MapAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: description}
}

func outputTexts(description string) schema.ListAttribute {
	return schema.ListAttribute{ElementType: types.StringType, Computed: true, MarkdownDescription: description}
}

func autoscalerSchema() schema.Schema {
	attributes := map[string]schema.Attribute{
		"name": schema.StringAttribute{
			Required:            true,
			MarkdownDescription: "What `stowage_placement` calls this autoscaler where it says who owns a count.",
		},
		"scale_target": schema.SingleNestedAttribute{
			Required: true,
			MarkdownDescription: "The service to scale, given whole: `scale_target = stowage_service.web`. " +
				"A DAEMON service, which has no count, is refused, and so is what isn't a service.",
			Attributes: map[string]schema.Attribute{
				"name":                inputText("The service's name."),
				"desired_count":       int32Attribute("The service's own count, from which the autoscaler starts."),
				"scheduling_strategy": inputText("`REPLICA`; a `DAEMON` service can't be scaled."),
				"requirements":        targetRequirements(),
			},
		},
		"metrics": metricsAttribute(true),
		"pods":    podsAttribute(),
		"current_replicas": schema.NumberAttribute{
			CustomType: wholeNumberType{}, Optional: true, Computed: true,
			Validators: []validator.Number{numberBetween{0, math.MaxInt32}},
			MarkdownDescription: "How many replicas the target was set to when the metrics were observed. " +
				"If omitted it is the target's `desired_count` at create and when `scale_target.name` changes; the previous `desired_replicas` " +
				"when the observation changes; and otherwise what it was. So a new observation is one tick of the controller from where it stood, " +
				"and a second plan is empty. The observation is the parsed `current` of each metric, the `pods`, and `observed_at`: " +
				"another target value, another spelling of a quantity, an added or removed metric is none. " +
				"Removing an explicit value keeps it; `-replace` starts anew.",
		},
		"observed_at": inputText("When the observation was made, in any form: any new value makes the same readings a new observation."),
		"status_replicas": countAttribute("How many pods exist, where that differs from `current_replicas` (the default), as while pods start or stop. " +
			"Object and External metrics with an AverageValue target divide by it."),
		"recommendations": rememberedAttribute("replicas", "The earlier recommendations that the stabilization windows look at", "The size that metrics asked for."),
		"scale_up_events": rememberedAttribute("change", "The earlier scale-ups that `behavior`'s rate policies look at", "By how many replicas."),
		"scale_down_events": rememberedAttribute("change", "The earlier scale-downs that `behavior`'s rate policies look at",
			"By how many replicas."),
		"scaled_to_zero": schema.BoolAttribute{
			Optional: true,
			MarkdownDescription: "Whether it was the autoscaler that set a size of 0. From there it comes back by itself, whereas a size of 0 " +
				"set by hand switches it off. Overrides what the resource remembers.",
		},
		"seconds_since_last_observation": countAttribute("How long after the previous observation this one was made. Then what the resource " +
			"remembers takes part, aged by it, and windows and rate policies hold as in the controller. " +
			"If omitted: long enough that nothing remembered matters, so that no window and no rate policy delays the answer."),
		"memory": schema.SingleNestedAttribute{
			Computed:            true,
			MarkdownDescription: "What is remembered after this decision, in the form of the inputs of the same names. Ages are seconds before this observation.",
			Attributes: map[string]schema.Attribute{
				"recommendations":   memoryList("replicas", "The sizes that metrics asked for, in the controller's own order: it re-uses the slots of expired ones."),
				"scale_up_events":   memoryList("change", "Sizes raised; kept only with `behavior`."),
				"scale_down_events": memoryList("change", "Sizes lowered; kept only with `behavior`."),
				"scaled_to_zero":    schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the autoscaler set the size of 0."},
			},
		},
		"desired_replicas": schema.NumberAttribute{
			CustomType: wholeNumberType{}, Computed: true,
			MarkdownDescription: "The answer: the size that the autoscaler sets, or the current one if it leaves it or can't tell.",
		},
		"proposals": schema.ListAttribute{
			ElementType: wholeNumberType{}, Computed: true,
			MarkdownDescription: "Each metric's own answer in the order of `metrics`, before windows and limits; null for a metric that is invalid. " +
				"Empty where the controller decides without reading metrics.",
		},
		"reason": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "The controller's text for why the size should change, such as `cpu resource utilization (percentage of request) above target`; " +
				"empty if nothing calls for a change. It is there, too, when a window or a limit then holds the size.",
		},
		"conditions": schema.MapAttribute{
			ElementType: types.StringType, Computed: true,
			MarkdownDescription: "The conditions " + choices(autoscaling.ConditionTypes()) + ", each as its reason, with the status appended where it isn't the usual one: " +
				"`SucceededRescale`, `ScaleDownStabilized`, `TooManyReplicas=True`, `FailedGetResourceMetric=False`. `AbleToScale` is the one after a successful write.",
		},
		"condition_messages": schema.MapAttribute{
			ElementType: types.StringType, Computed: true,
			MarkdownDescription: "The messages of the conditions, by the same keys.",
		},
		"events": outputTexts("The events, as `kubectl describe hpa` shows them: `New size: 6; reason: …`, and for a warning its type and reason before the message."),
		"error": schema.StringAttribute{
			Computed: true,
			MarkdownDescription: "What the controller would report as an error, or null. " +
				"If no metric is usable `desired_replicas` is the current size; if some are, they may still raise it.",
		},
		"thresholds": outputTexts("For a single metric with a declared `current`: where the answer would change around it, in steps of the metric's own grain " +
			"(one whole percent for a utilization, otherwise one thousandth): `3 from 20 to 25`, `no change from 45 to 55`, `7 from 56 to 58`. " +
			"Up to four ranges on either side of the present one, in ascending order; otherwise empty."),
	}
	maps.Copy(attributes, specAttributes())
	minReplicas := int32Attribute("The least that the autoscaler sets, 1 by default. 0 needs at least one Object or External metric, " +
		"since without pods nothing else can be measured.")
	minReplicas.Computed = true
	attributes["min_replicas"] = minReplicas
	maxReplicas := int32Attribute("The most that the autoscaler sets.")
	maxReplicas.Optional, maxReplicas.Required = false, true
	attributes["max_replicas"] = maxReplicas
	return schema.Schema{
		MarkdownDescription: "How many replicas the Kubernetes Horizontal Pod Autoscaler (HPA, version 1.37.2) would set for a declared observation, to the digit, and why. An HPA holds a metric, such as the share of the requested CPU " +
			"that replicas use, near a target by changing their number. " +
			"Arguments are those of `autoscaling/v2` in snake case, so that they can be moved from and to `kubernetes_horizontal_pod_autoscaler_v2`; " +
			"validation, reasons, conditions and events are the API server's and the controller's. Give it to a `stowage_placement`, and its target's count is the autoscaler's.\n\n" +
			"The resource remembers, in its state, the size and what the controller would remember: a changed observation is one more tick from there.",
		Attributes: attributes,
	}
}

// specAttributes are the declaration of an autoscaler but for its bounds and metrics, which a timeline takes as well.
func specAttributes() map[string]schema.Attribute {
	return map[string]schema.Attribute{
		"behavior": inputObject("How fast the size may move. Without it the controller applies its older limits: up to twice the size, but at least 4, at each tick. "+
			"Empty (`{}`) it means the API's defaults, which aren't the same: up by the larger of 4 pods and 100 % per 15 seconds.",
			map[string]schema.Attribute{
				"scale_up":   rulesAttribute("Rules for raising the size. Defaults: no window; the larger of 4 pods and 100 % per 15 seconds."),
				"scale_down": rulesAttribute("Rules for lowering the size. Defaults: the window of `downscale_stabilization_seconds`; 100 % per 15 seconds."),
			}),
		"tolerance": schema.NumberAttribute{
			Optional:            true,
			MarkdownDescription: "How far the ratio of the observed to the target value may be from 1 without effect, the controller's setting for all autoscalers: 0.1 by default, which leaves the size alone from 90 % to 110 % of the target.",
		},
		"downscale_stabilization_seconds": countAttribute("For how many seconds the size stays at the highest one that was recommended, so that it doesn't fall and rise again: 300 by default, a setting of the controller."),
		"initial_readiness_delay_seconds": countAttribute("How long after its start a pod that turns unready counts as never having been ready: " +
			"30 by default, a setting of the controller."),
		"cpu_initialization_period_seconds": countAttribute("How long after its start a pod's CPU samples count only if it was ready while they were taken: " +
			"300 by default, a setting of the controller."),
		"scale_to_zero": schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether the cluster lets autoscalers set 0 (feature gate `HPAScaleToZero`): true by default.",
		},
	}
}

func targetRequirements() schema.SingleNestedAttribute {
	return inputObject("What one task of the service needs; every `stowage_service` has it.", map[string]schema.Attribute{
		"cpu":    int32Attribute("CPU units; 1024 are one vCPU."),
		"memory": int32Attribute("Memory in MiB."),
	})
}

func metricsAttribute(observed bool) schema.ListNestedAttribute {
	identifier := func(description string) schema.SingleNestedAttribute {
		return inputObject(description, map[string]schema.Attribute{
			"name": inputText("The metric's name."),
			"selector": inputObject("Labels that select the metric's series. They appear in texts only, since an observation is declared for the metric as a whole.",
				map[string]schema.Attribute{
					"match_labels": schema.MapAttribute{ElementType: types.StringType, Optional: true, MarkdownDescription: "Label to value."},
				}),
		})
	}
	metric := map[string]schema.Attribute{
		"type": inputText("The kind of the metric, " + choices(autoscaling.MetricTypes()) + ". Exactly the object of the same name must be given, such as `container_resource` for `ContainerResource`."),
		"resource": inputObject("CPU or memory over all containers of each pod.", map[string]schema.Attribute{
			"name":   inputText("`cpu` or `memory`."),
			"target": targetAttribute(),
		}),
		"container_resource": inputObject("CPU or memory of one container of each pod.", map[string]schema.Attribute{
			"name":      inputText("`cpu` or `memory`."),
			"container": inputText("The container's name."),
			"target":    targetAttribute(),
		}),
		"pods": inputObject("A metric of each pod, such as requests per second.", map[string]schema.Attribute{
			"metric": identifier("Which metric."),
			"target": targetAttribute(),
		}),
		"object": inputObject("A metric of one object, such as the requests per second of an Ingress.", map[string]schema.Attribute{
			"described_object": inputObject("Which object.", map[string]schema.Attribute{
				"api_version": inputText("Such as `networking.k8s.io/v1`."),
				"kind":        inputText("Such as `Ingress`."),
				"name":        inputText("The object's name."),
			}),
			"metric": identifier("Which metric."),
			"target": targetAttribute(),
		}),
		"external": inputObject("A metric from outside the cluster, such as the length of a queue.", map[string]schema.Attribute{
			"metric": identifier("Which metric."),
			"target": targetAttribute(),
		}),
	}
	if observed {
		metric["current"] = inputObject("The declared observation, as an autoscaler's `status.currentMetrics` shows it. For metrics of pods it stands for "+
			"\"all current pods are ready and measured, and this is their mean\"; null means to read it from `pods`. "+
			"For Object and External metrics null means that the metric is missing.", map[string]schema.Attribute{
			"average_utilization": int32Attribute("Mean use in percent of the request; a Utilization target is compared with it."),
			"average_value": inputText("Mean per pod; an AverageValue target is compared with it. For Object and External metrics it is multiplied by the number of pods. " +
				quantityForm),
			"value": inputText("The value of an Object or External metric as a whole. " + quantityForm),
		})
	}
	return inputList("What is measured, and the value it is held at. Each metric proposes a size and the largest wins. "+
		"Omitted or empty means CPU at 80 % of the request, as the API server defaults it.", metric)
}

func targetAttribute() schema.SingleNestedAttribute {
	return inputObject("The value that the metric is held at.", map[string]schema.Attribute{
		"type":                inputText(choices(autoscaling.TargetTypes()) + "."),
		"average_utilization": int32Attribute("Percent of the pods' requests."),
		"average_value":       inputText("Mean per pod. " + quantityForm),
		"value":               inputText("The metric as a whole. " + quantityForm),
	})
}

func rulesAttribute(description string) schema.SingleNestedAttribute {
	return inputObject(description, map[string]schema.Attribute{
		"stabilization_window_seconds": int32Attribute("For how many seconds earlier recommendations hold the size, 0 to 3600: going up it is the lowest of them, going down the highest. 0 by default for `scale_up`, `downscale_stabilization_seconds` for `scale_down`."),
		"select_policy": inputText("Which policy counts: the one that allows the most (`Max`, the default) or the least change (`Min`), " +
			"or `Disabled` for no change in this direction."),
		"policies": inputList("How much the size may change within a time, each policy by its own measure.", map[string]schema.Attribute{
			"type":           inputText("What `value` counts, " + choices(autoscaling.PolicyTypes()) + "."),
			"value":          int32Attribute("How many pods, or percent of the pods, the size may change by within the period: more than 0."),
			"period_seconds": int32Attribute("The period in seconds, 1 to 1800. What was changed within it already is counted."),
		}),
		"tolerance": inputText("Replaces the controller's `tolerance` in this direction. A Kubernetes quantity such as `0.05` or `50m`."),
	})
}

func podsAttribute() schema.MapNestedAttribute {
	return schema.MapNestedAttribute{
		Optional: true,
		MarkdownDescription: "The full observation, by pod name, for metrics without a `current`: which pods exist, which are ready, what each uses. " +
			"Null means as many pods as `status_replicas` (else `current_replicas`) says, all Running and Ready; `{}` means no pods.",
		NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
			"phase": schema.StringAttribute{
				Optional: true, Validators: []validator.String{oneOf(autoscaling.PodPhases())},
				MarkdownDescription: choices(autoscaling.PodPhases()) + "; `Running` by default.",
			},
			"ready": schema.StringAttribute{
				Optional: true, Validators: []validator.String{oneOf(autoscaling.ReadinessValues())},
				MarkdownDescription: "The status of the pod's Ready condition, " + choices(autoscaling.ReadinessValues()) + "; `True` by default, `None` if it has no such condition.",
			},
			"deleting": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether the pod is being deleted: false by default."},
			"age_seconds": countAttribute("How long ago the pod started. Null is a pod without a start time, which counts as not ready for CPU metrics, " +
				"so give it for every pod that runs."),
			"ready_transition_seconds_ago": countAttribute("How long ago the Ready condition last changed. Null means before everything else."),
			"sample_age_seconds":           countAttribute("How old the pod's samples are: 0 by default."),
			"sample_window_seconds":        countAttribute("Over which time the samples were taken: 30 by default."),
			"containers": schema.MapNestedAttribute{
				Optional: true, MarkdownDescription: "The pod's containers, by name.",
				NestedObject: schema.NestedAttributeObject{Attributes: map[string]schema.Attribute{
					"requests": quantityMap("Resource to the quantity requested."),
					"usage":    quantityMap("Resource to the quantity used. Null means that there is no sample of this container."),
				}},
			},
			"requests": quantityMap("The short form for a pod with one container, which is called `main`: resource to the quantity requested."),
			"usage":    quantityMap("The short form for a pod with one container: resource to the quantity used. Null means that there is no sample."),
			"metrics":  quantityMap("Metric to the pod's own value, for metrics of type Pods."),
		}},
	}
}

func rememberedAttribute(what, purpose, description string) schema.ListNestedAttribute {
	entry := map[string]schema.Attribute{
		what:          countAttribute(description),
		"age_seconds": countAttribute("How long before this observation."),
	}
	if what == "change" {
		entry["outdated"] = schema.BoolAttribute{
			Optional:            true,
			MarkdownDescription: "Whether the controller has marked the entry for its next event to overwrite: false by default. Limits don't look at it.",
		}
	}
	return inputList(purpose+". Overrides what the resource remembers, whatever `seconds_since_last_observation` says.", entry)
}

func memoryList(what, description string) schema.ListNestedAttribute {
	entry := map[string]schema.Attribute{
		what:          schema.NumberAttribute{CustomType: wholeNumberType{}, Computed: true, MarkdownDescription: "How many replicas."},
		"age_seconds": schema.NumberAttribute{CustomType: wholeNumberType{}, Computed: true, MarkdownDescription: "How long before this observation."},
	}
	if what == "change" {
		entry["outdated"] = schema.BoolAttribute{Computed: true, MarkdownDescription: "Whether the next event overwrites the entry."}
	}
	return schema.ListNestedAttribute{
		Computed: true, MarkdownDescription: description, NestedObject: schema.NestedAttributeObject{Attributes: entry},
	}
}
