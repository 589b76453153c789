# The loss of any one Availability Zone leaves every service at its minimum, and every task with a place: simulated by a
# stowage_resilience, which must be there.
package stowage.survives_zone_loss

import data.stowage.plan

deny contains message if {
	some resilience in plan.resources("stowage_resilience")
	plan.value(resilience, "survives_any_zone_loss") == false
	some zone, harm in plan.value(resilience, "zone_losses")
	message := sprintf("%s: without %s: %s", [resilience.address, zone, harm])
}

deny contains message if {
	some placement in plan.resources("stowage_placement")
	count(plan.resources("stowage_resilience")) == 0
	message := sprintf("%s: there is no stowage_resilience that tells what the loss of a zone does", [placement.address])
}

deny contains message if some message in plan.unseen("stowage_resilience", "survives_any_zone_loss")
