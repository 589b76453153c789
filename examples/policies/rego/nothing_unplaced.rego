# Every task finds a place.
package stowage.nothing_unplaced

import data.stowage.plan

deny contains message if {
	some placement in plan.resources("stowage_placement")
	some service, tasks in plan.value(placement, "unplaced")
	message := sprintf("%s: %d tasks of %s find no place", [placement.address, tasks, service])
}

deny contains message if some message in plan.unseen("stowage_placement", "unplaced")
