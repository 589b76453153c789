package provider

import (
	"errors"
	"math"
	"math/big"
	"strings"
)

// quantityUnit is one way to write an amount: how many 1/per of the result one unit is, as a fraction.
type quantityUnit struct {
	suffix   string
	anyCase  bool // ECS compares its units so; those of Kubernetes differ by case (m and M)
	num, den int64
}

// maxQuantityLength is well over what any sensible amount needs, and keeps the arithmetic short.
const maxQuantityLength = 64

var (
	errQuantityForm = errors.New("has none of the accepted forms")
	errQuantitySize = errors.New("is too large")
)

// parseQuantity is the amount that text names, rounded up to a whole number: a reservation is never less than was asked
// for. The arithmetic is exact. A number without a unit must be whole.
func parseQuantity(text string, units []quantityUnit) (int64, error) {
	text = strings.TrimSpace(text)
	if text == "" || len(text) > maxQuantityLength {
		return 0, errQuantityForm
	}
	end := strings.IndexFunc(text, func(r rune) bool { return (r < '0' || r > '9') && r != '.' })
	if end < 0 {
		end = len(text)
	}
	number, suffix := text[:end], strings.TrimLeft(text[end:], " ")
	if strings.Count(number, ".") > 1 || strings.Trim(number, ".") == "" {
		return 0, errQuantityForm
	}
	if suffix == "" && strings.Contains(number, ".") {
		return 0, errQuantityForm
	}
	for _, u := range units {
		if suffix != u.suffix && (!u.anyCase || !strings.EqualFold(suffix, u.suffix)) {
			continue
		}
		amount, ok := new(big.Rat).SetString(number)
		if !ok {
			return 0, errQuantityForm
		}
		amount.Mul(amount, big.NewRat(u.num, u.den))
		// ceil(num / den) = (num + den − 1) / den, both being positive.
		whole := new(big.Int).Add(amount.Num(), amount.Denom())
		whole.Sub(whole, big.NewInt(1)).Quo(whole, amount.Denom())
		if !whole.IsInt64() || whole.Int64() > math.MaxInt32 {
			return 0, errQuantitySize
		}
		return whole.Int64(), nil
	}
	return 0, errQuantityForm
}
