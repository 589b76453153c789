# Every rollout completes.
package stowage.no_stuck_rollout

import data.stowage.plan

deny contains message if {
	some placement in plan.resources("stowage_placement")
	some service, rollout in plan.value(placement, "rollouts")
	rollout.verdict != "completes"
	message := sprintf("%s: the %s of %s is %s", [placement.address, rollout.kind, service, rollout.verdict])
}

deny contains message if some message in plan.unseen("stowage_placement", "rollouts")
