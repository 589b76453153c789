package autoscaling

import "math"

// Conversions of out-of-range floats are left to the implementation by the Go
// specification. The controller's answers are those of amd64, where the
// result is the smallest integer, and so are ours on every platform.

func toInt32(f float64) int32 {
	if f > math.MinInt32-1 && f < math.MaxInt32+1 {
		return int32(f)
	}
	return math.MinInt32 // also NaN
}

func toInt64(f float64) int64 {
	if f >= -(1<<63) && f < 1<<63 {
		return int64(f)
	}
	return math.MinInt64 // also NaN
}

// toInt32Clamped is toInt32 where upstream caps at the upper end only.
func toInt32Clamped(f float64) int32 {
	if f > math.MaxInt32 {
		return math.MaxInt32
	}
	return toInt32(f)
}
