// Package docs holds the tests that keep what the documentation shows equal to what Terraform prints.
//
// In README.md and under templates/, a comment says what the fenced block after it shows:
//
//	<!-- plan: quickstart | stowage_placement.prod summary placements | output summary -->
//	<!-- change: quickstart draining=["general-0"] | stowage_placement.prod rollouts -->
//	<!-- refused: quickstart draining=["nowhere"] -->
//
// The first word after the colon is a directory under examples/, the next ones set its variables. "plan" shows a first
// plan; "change" the plan of other variables after an apply with the defaults; "refused" the complaint where such a plan
// fails. After each bar comes a resource, or "output", and the attributes to show of it; name:3 shows three lines only.
//
//	go test ./internal/docs -update
//
// writes the blocks anew; make generate then carries them into docs/.
package docs
