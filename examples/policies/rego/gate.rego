# All policies together: opa eval --fail-defined -d rego -i plan.json 'data.stowage.gate.deny[_]'
package stowage.gate

import data.stowage.autoscaler_maximum_fits
import data.stowage.no_stuck_rollout
import data.stowage.no_zone_with_more_than_half
import data.stowage.nothing_unplaced
import data.stowage.survives_zone_loss

deny := ((((nothing_unplaced.deny | no_stuck_rollout.deny) | no_zone_with_more_than_half.deny) | survives_zone_loss.deny) | autoscaler_maximum_fits.deny)
