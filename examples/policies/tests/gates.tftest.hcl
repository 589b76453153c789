# terraform test: each run plans from nothing, and applies nothing.

run "everything_fits" {
  command = plan

  assert {
    condition     = length(stowage_placement.prod.unplaced) == 0 && stowage_placement.prod.steady_state
    error_message = "Not everything fits: ${stowage_placement.prod.summary}"
  }

  assert {
    condition     = stowage_placement.prod.headroom["web"] >= 3
    error_message = "There is room for only ${stowage_placement.prod.headroom["web"]} more tasks of web."
  }

  assert {
    condition     = alltrue([for zone, n in stowage_placement.prod.placements_by_zone["web"] : n <= 1])
    error_message = "A zone has more than one task of web."
  }
}

# A finding that is an error fails the resource that found it, and expect_failures can't name that: let it warn, and assert.
run "twenty_do_not_fit" {
  command = plan

  variables {
    findings = "warn"
    web      = { desired_count = 20, max_replicas = 20 }
  }

  assert {
    condition     = stowage_placement.prod.unplaced["web"] == 2
    error_message = "18 of 20 tasks fit: 3 on each of 6 instances."
  }

  expect_failures = [check.survives_the_loss_of_a_zone, terraform_data.release]
}

run "a_deployment_that_cannot_start_is_refused" {
  command = plan

  variables {
    web = { desired_count = 1, maximum_percent = 150 }
  }

  expect_failures = [var.web]
}
