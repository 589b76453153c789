# No Availability Zone has more than half of a service's tasks. A service of one task can't help it, and a daemon is where the
# instances are.
package stowage.no_zone_with_more_than_half

import data.stowage.plan

deny contains message if {
	some placement in plan.resources("stowage_placement")
	owners := plan.value(placement, "count_owners")
	some service, zones in plan.value(placement, "placements_by_zone")
	owners[service] != "daemon"
	total := sum([tasks | some tasks in zones])
	total > 1
	some zone, tasks in zones
	tasks * 2 > total
	message := sprintf("%s: %s has %d of %d tasks in %s", [placement.address, service, tasks, total, zone])
}

deny contains message if some message in plan.unseen("stowage_placement", "placements_by_zone")

deny contains message if some message in plan.unseen("stowage_placement", "count_owners")
