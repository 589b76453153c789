package provider

// What the tests that run Terraform share with those that don't.
var (
	ReadVectors = readVectors
	Declaration = declaration
	ListOf      = listOf
)

// ScaleTargetVectors are the validation vectors without a counterpart.
var ScaleTargetVectors = scaleTargetVectors
