package autoscaling

const cpu = "cpu"

// position is where a metric's ratio lies, seen from the tolerance.
type position uint8

const (
	positionBelow position = iota
	positionWithin
	positionAbove
	// positionOverflow is above, by so much that the count doesn't fit.
	positionOverflow
)
