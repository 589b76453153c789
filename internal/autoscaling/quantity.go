package autoscaling

import (
	"errors"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Quantity is a Kubernetes quantity ("250m", "1Gi"), kept exactly down to
// 1e-9. Its MilliValue is what enters the arithmetic here.
type Quantity = resource.Quantity

// The library computes powers of ten of any size, so a short text could keep
// it busy for hours. Nothing sensible comes near these bounds.
const (
	maxQuantityLength   = 256
	maxQuantityExponent = 1000
)

var (
	errQuantityLength   = errors.New("quantities are limited to 256 characters")
	errQuantityExponent = errors.New("the exponent of a quantity must be between -1000 and 1000")
)

// ParseQuantity parses a Kubernetes quantity. Errors are those of
// k8s.io/apimachinery, and two of our own for texts longer than 256
// characters and exponents beyond ±1000.
func ParseQuantity(text string) (Quantity, error) {
	if len(text) > maxQuantityLength {
		return Quantity{}, errQuantityLength
	}
	if i := strings.LastIndexAny(text, "eE"); i > 0 && i+1 < len(text) {
		exponent, err := strconv.ParseInt(text[i+1:], 10, 64)
		if errors.Is(err, strconv.ErrRange) || exponent > maxQuantityExponent || exponent < -maxQuantityExponent {
			return Quantity{}, errQuantityExponent
		}
	}
	return resource.ParseQuantity(text)
}

// ParseMilli parses a quantity into thousandths, rounded away from zero, as
// every value enters the controller (resource.Quantity.MilliValue, with its
// results for values beyond 9.2e15). Errors are those of [ParseQuantity].
func ParseMilli(text string) (int64, error) {
	q, err := ParseQuantity(text)
	if err != nil {
		return 0, err
	}
	return q.MilliValue(), nil
}

// formatMilli prints thousandths as the controller does in the status:
// horizontal.go, buildQuantity.
func formatMilli(milli int64, binary bool) string {
	format := resource.DecimalSI
	if binary {
		format = resource.BinarySI
	}
	return resource.NewMilliQuantity(milli, format).String()
}

// canonical is the quantity as the API server stores it. Its float
// approximation can differ in the last bit from that of the text as written:
// 0.35 is stored as 350m.
func canonical(q *Quantity) Quantity {
	if stored, err := resource.ParseQuantity(q.String()); err == nil {
		return stored
	}
	return *q
}
