variables {
  desired_count = 6
}

run "six_copies_fit_with_room_for_two_more" {
  command = plan

  assert {
    condition     = length(stowage_placement.prod.unplaced) == 0
    error_message = "Not everything fits."
  }
  assert {
    condition     = stowage_placement.prod.headroom["shop"] >= 2
    error_message = "There is room for ${stowage_placement.prod.headroom["shop"]} more, and two are wanted."
  }
}
