# Every autoscaler's maximum fits: found by placing it, in a stowage_drill whose count is that maximum. To compare two numbers
# isn't enough, since memory that is free in total may be free nowhere.
package stowage.autoscaler_maximum_fits

import data.stowage.plan

deny contains message if {
	some autoscaler in plan.resources("stowage_autoscaler")
	some drill in drills(autoscaler)
	tasks := plan.value(drill, "unplaced")[target(autoscaler)]
	message := sprintf("%s: at its maximum of %d, %d tasks of %s find no place (%s)", [autoscaler.address, autoscaler.change.after.max_replicas, tasks, target(autoscaler), drill.address])
}

deny contains message if {
	some autoscaler in plan.resources("stowage_autoscaler")
	count(drills(autoscaler)) == 0
	message := sprintf("%s: no stowage_drill places it at its maximum, or its outcome isn't known before the apply", [autoscaler.address])
}

target(autoscaler) := autoscaler.change.after.scale_target.name

# drills place the autoscaler at its maximum.
drills(autoscaler) := [drill |
	some drill in plan.resources("stowage_drill")
	plan.value(drill, "count_owners")[target(autoscaler)] == autoscaler.change.after.name
	plan.value(drill, "desired_counts")[target(autoscaler)] == autoscaler.change.after.max_replicas
	plan.value(drill, "unplaced")
]
