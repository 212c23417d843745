package kit

import (
	"fmt"
	"strings"

	"muster/suites"
	"muster/suites/history"
)

// Case judges one requirement on one view: premises first, then the claim.
type Case struct {
	v        *history.View
	id       string
	unproven []string
	objects  []string
	at       history.Stamp
}

// For opens the case of a requirement. A record with gaps decides nothing: what was not seen may have happened.
func For(v *history.View, id string) *Case {
	c := &Case{v: v, id: id}
	for _, g := range v.Gaps {
		what := g.Resource
		if what == "" {
			what = "the whole record"
		}
		c.unproven = append(c.unproven, fmt.Sprintf("events of %s may be missing: %s", what, g.Why))
	}
	return c
}

// Premise notes that something had to be the case. When it was not, or could not be decided (err), the case is
// Inconclusive and says so in the words given.
func (c *Case) Premise(ok bool, err error, format string, args ...any) {
	what := fmt.Sprintf(format, args...)
	switch {
	case err != nil:
		c.unproven = append(c.unproven, fmt.Sprintf("%s: cannot be decided: %v", what, err))
	case !ok:
		c.unproven = append(c.unproven, what+": not so in the record")
	}
}

// Mark is the driver's named point. Where it was never reached the case is Inconclusive, and the stamp is zero.
func (c *Case) Mark(name string) history.Stamp {
	s, ok := c.v.Mark(name)
	c.Premise(ok, nil, "the driver reached %q", name)
	return s
}

// Watched are two marks, between which at least the settle bound of a group of n members must lie.
func (c *Case) Watched(from, to string, n int) (history.Stamp, history.Stamp) {
	a, b := c.Mark(from), c.Mark(to)
	if !a.IsZero() && !b.IsZero() {
		need, had := c.v.Settle(n), b.Mono-a.Mono
		c.Premise(had >= need, nil, "the record was watched for %s from %q (settle bound %s)", suites.Seconds(had), from, suites.Seconds(need))
	}
	return a, b
}

// About names the objects the finding is about and where in the history it shows.
func (c *Case) About(at history.Stamp, objects ...string) *Case {
	c.at, c.objects = at, append(c.objects, objects...)
	return c
}

// Holds closes the case of a judged requirement with one message for both outcomes: what was seen, and what had to be.
func (c *Case) Holds(ok bool, format string, args ...any) suites.Finding {
	if len(c.unproven) > 0 {
		return c.inconclusive()
	}
	return suites.Holds(ok, c.id, format, args...).With(c.at, c.objects...)
}

// Saw closes the case of a MAY with its value.
func (c *Case) Saw(value, format string, args ...any) suites.Finding {
	if len(c.unproven) > 0 {
		return c.inconclusive()
	}
	return suites.Saw(c.id, value, format, args...).With(c.at, c.objects...)
}

func (c *Case) inconclusive() suites.Finding {
	return suites.Unproven(c.id, "%s", strings.Join(c.unproven, "; ")).With(c.at, c.objects...)
}
