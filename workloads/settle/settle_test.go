package settle

import (
	"math"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		root, base float64
		want       string
	}{
		{10, 5, ""}, {0, 1, ""}, {1, 0, ""}, {0, 86400, ""}, {864, 0, ""},
		{0, 0, "at least 1s"}, {0, 0.5, "at least 1s"},
		{-1, 5, "settleRoot is -1"}, {5, -1, "settleBase is -1"}, {-5, -5, "negative"},
		{1e300, 5, "more than 24h"}, {0, 86401, "more than 24h"}, {865, 0, "more than 24h"},
		{math.Inf(1), 5, "settleRoot is +Inf"}, {5, math.Inf(-1), "settleBase is -Inf"}, {math.NaN(), 5, "settleRoot is NaN"},
	} {
		err := Check(c.root, c.base)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%g, %g: %v, want %q", c.root, c.base, err, c.want)
		}
	}
}

func TestBound(t *testing.T) {
	if got := Bound(10, 5, 4); got != 25*time.Second {
		t.Errorf("4 members: %v", got)
	}
	if got := Bound(10, 5, 0); got != 15*time.Second {
		t.Errorf("no member counts as one: %v", got)
	}
}

// Whatever it is given, the bound neither is negative nor overflows, and does not shrink with the group.
func TestBoundSaturates(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.OneOf(rapid.Float64(), rapid.SampledFrom([]float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300}))
		root, base := number.Draw(t, "root"), number.Draw(t, "base")
		m := rapid.IntRange(0, 1_000_000).Draw(t, "members")
		got := Bound(root, base, m)
		if got < 0 || got > ceiling {
			t.Fatalf("Bound(%g, %g, %d) = %v", root, base, m, got)
		}
		if Check(root, base) == nil && Bound(root, base, m+1) < got {
			t.Fatalf("Bound(%g, %g) shrinks from %d members on", root, base, m)
		}
	})
}
