run "says_it_back" {
  command = plan

  variables {
    greeting = "hello"
  }

  assert {
    condition     = output.text == "hello"
    error_message = "The module said ${output.text}."
  }
}
