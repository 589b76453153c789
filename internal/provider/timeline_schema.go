package provider

import (
	"maps"

	"github.com/hashicorp/terraform-plugin-framework/resource/schema"
)

func timelineSchema() schema.Schema {
	autoscaler := map[string]schema.Attribute{
		"name":             inputText("Its name, for the chart's title."),
		"min_replicas":     int32Attribute("The least size."),
		"max_replicas":     int32Attribute("The largest size."),
		"current_replicas": int32Attribute("The size at the start."),
		"metrics":          metricsAttribute(false),
		"scale_target": inputObject("The service that is scaled.", map[string]schema.Attribute{
			"name":         inputText("Its name."),
			"requirements": targetRequirements(),
		}),
		"scaled_to_zero":   schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether a size of 0 at the start was set by the autoscaler."},
		"desired_replicas": int32Attribute("The autoscaler's answer."),
		"memory": inputObject("What the autoscaler remembers.", map[string]schema.Attribute{
			"scaled_to_zero": schema.BoolAttribute{Optional: true, MarkdownDescription: "Whether it set the size of 0."},
		}),
	}
	maps.Copy(autoscaler, specAttributes())
	whole := func(description string) schema.NumberAttribute {
		return schema.NumberAttribute{CustomType: wholeNumberType{}, Computed: true, MarkdownDescription: description}
	}
	duration := countAttribute("For how long, in seconds. The last tick is at or before its end; a day (86400) is a usual length.")
	duration.Optional, duration.Required = false, true
	trace := inputList("The load over time, in order, the first entry at 0. An entry holds until the next.", map[string]schema.Attribute{
		"at_seconds": countAttribute("From when on."),
		"load": quantityMap("Metric to its total over all ready pods, which share it evenly; Object and External metrics take the value itself. " +
			"Keys are `cpu`, `memory`, `cpu/<container>`, or the metric's name. A metric that isn't named has no sample then. " + quantityForm),
	})
	trace.Optional, trace.Required = false, true
	return schema.Schema{
		MarkdownDescription: "Replays an autoscaler over a declared load on the controller's ticks, 15 seconds apart: how it rises, what it overlooks, how long it stays high. " +
			"It starts as a controller does after its own start, with the current size remembered as its first recommendation, so the size doesn't fall before the stabilization window is over. " +
			"It remembers nothing: the same inputs give the same answer.",
		Attributes: map[string]schema.Attribute{
			"autoscaler": schema.SingleNestedAttribute{
				Required: true, Attributes: autoscaler,
				MarkdownDescription: "The autoscaler, given whole: `autoscaler = stowage_autoscaler.web`. It starts at its `current_replicas`; its own observation doesn't matter.",
			},
			"trace":            trace,
			"duration_seconds": duration,
			"pod_requests": quantityMap("What each pod requests, for Utilization targets: `cpu`, `memory`, `cpu/<container>` to a quantity. " +
				"By default what a task of the target requires: `cpu` units times 1000/1024 in thousandths of a CPU, and `memory` in Mi."),
			"sync_period_seconds": countAttribute("Seconds between ticks: 15 by default, a setting of the controller."),
			"pod_ready_after_seconds": countAttribute("How long a new pod takes to become ready and measured, 0 by default. Before, it takes no load and has no sample. " +
				"The newest pods are removed first."),
			"resizes": inputList("Sizes set by hand, in order of time, each before the first tick at or after its time.", map[string]schema.Attribute{
				"at_seconds": countAttribute("When."),
				"replicas":   countAttribute("The size."),
			}),
			"ticks": outputTexts("The ticks: their time, the size before, the size that the metrics ask for, what the stabilization windows leave of that, and the size after, " +
				"separated by blanks: `0s 3 6 6 6`. Ticks that follow each other and differ in nothing else share a line: `15s-300s 6 3 6 6`. " +
				"`-` where the autoscaler decided without metrics, or couldn't."),
			"replicas": schema.ListAttribute{
				ElementType: wholeNumberType{}, Computed: true, MarkdownDescription: "The size after each tick, one number a tick.",
			},
			"peak_replicas":     whole("The largest size, that at the start included."),
			"direction_changes": whole("How often a change of size went against the one before: more than a few is flapping."),
			"seconds_to_settle": whole("Seconds from the last change of load to the last change of size after it; 0 if there is none."),
			"overload_seconds": whole("Seconds in which some metric's load per ready pod was above its target, also between ticks: " +
				"a spike shorter than a tick is here and nowhere else."),
			"reasons": outputTexts("One line for each change of size: when, from and to which size, and the controller's reason."),
			"chart": schema.StringAttribute{
				Computed: true,
				MarkdownDescription: "The timeline as an SVG picture: the load per replica against its target; the size that the metrics ask for, " +
					"what the windows leave of it, the size in force, and the bounds.",
			},
			"errors": outputTexts("What the controller would report as errors, and when; empty if nothing."),
		},
	}
}
