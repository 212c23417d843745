package settle

import (
	"fmt"
	"math"
	"time"
)

const (
	// Least is the shortest bound for one member, Most the longest for Many members.
	Least = time.Second
	Most  = 24 * time.Hour
	Many  = 10_000

	// ceiling of any bound: far above Most, and far below what overflows when it is added to a time.
	ceiling = 365 * 24 * time.Hour
)

// Bound of a group of so many members; root and base are seconds. It is between 0 and a year, whatever they are: what
// is not a number counts as endless.
func Bound(root, base float64, members int) time.Duration {
	s := root*math.Sqrt(float64(max(members, 1))) + base
	switch {
	case s <= 0:
		return 0
	case s < ceiling.Seconds():
		return time.Duration(s * float64(time.Second))
	}
	return ceiling
}

// Check says what is wrong with a bound.
func Check(root, base float64) error {
	for _, p := range []struct {
		name  string
		value float64
	}{{"settleRoot", root}, {"settleBase", base}} {
		switch {
		case math.IsNaN(p.value), math.IsInf(p.value, 0):
			return fmt.Errorf("%s is %g: it must be a finite number of seconds", p.name, p.value)
		case p.value < 0:
			return fmt.Errorf("%s is %g: it must not be negative", p.name, p.value)
		}
	}
	one, many := Bound(root, base, 1), Bound(root, base, Many)
	switch {
	case one < Least:
		return fmt.Errorf("the settle bound of %g × √members + %g seconds gives %v for one member: it must be at least %v",
			root, base, one, Least)
	case many > Most:
		return fmt.Errorf("the settle bound of %g × √members + %g seconds gives more than %v for %d members: nothing would ever be late",
			root, base, Most, Many)
	}
	return nil
}
