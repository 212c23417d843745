package preemption

import (
	"slices"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/premise"
)

// story is what nearly every judge has before it: a preemptor and the pods that may be evicted for it.
type story struct {
	v *history.View
	// preemptor are the pods that want to run, of which need have to at the same time.
	preemptor []*history.Pod
	need      int
	// legal are the victims with which gone the preemptor fits.
	legal []*history.Pod
}

// gang is the story of a gang that wants its quorum.
func gang(v *history.View, name string, legal ...*history.Pod) story {
	return story{v: v, preemptor: v.Members(name), need: max(1, kit.Quorum(v, name)), legal: legal}
}

// lone is the story of a plain pod.
func lone(v *history.View, name string, legal ...*history.Pod) story {
	return story{v: v, preemptor: kit.Named(v, name), need: 1, legal: legal}
}

// opened is a case whose premises are that when the stage was set the preemptor did not fit, and that it would have
// without the legal victims.
func (s story) opened(id string) *kit.Case {
	c := s.short(id)
	s.fits(c, s.legal, true, "room for %d of %d pods with %d victims gone", s.need, len(s.preemptor), len(s.legal))
	c.Premise(len(s.legal) > 0, nil, "there are victims")
	return c
}

// hopeless is a case whose premises are that the preemptor did not fit, nor would have without the pods named.
func (s story) hopeless(id string) *kit.Case {
	c := s.short(id)
	s.fits(c, s.legal, false, "no room for %d of %d pods even with %d pods gone", s.need, len(s.preemptor), len(s.legal))
	return c
}

// short is a case whose premise is that the preemptor did not fit when the stage was set.
func (s story) short(id string) *kit.Case {
	c := kit.For(s.v, id)
	c.Mark(ready)
	s.fits(c, nil, false, "no room for %d of %d pods", s.need, len(s.preemptor))
	return c
}

func (s story) fits(c *kit.Case, without []*history.Pod, want bool, format string, args ...any) {
	at, ok := s.v.Mark(ready)
	if !ok {
		return // noted where the mark was looked up
	}
	c.Premise(len(s.preemptor) >= s.need, nil, "there are %d pods to place (seen: %d)", s.need, len(s.preemptor))
	for _, p := range without {
		c.Premise(p.BoundAt(at), nil, "pod %s stands on a node", p.Name)
	}
	s.fitsWithout(c, at, without, want, format, args...)
}

// fitsWithout adds the premise that the preemptor fits, or does not, at the stamp with these pods gone.
func (s story) fitsWithout(c *kit.Case, at history.Stamp, gone []*history.Pod, want bool, format string, args ...any) {
	if at.IsZero() {
		return // noted where the mark was looked up
	}
	state := s.v.StateAt(at)
	for _, p := range gone {
		delete(state.Pods, p.UID)
	}
	got, err := premise.FeasibleIn(state, s.preemptor, s.need)
	c.Premise(got == want, err, format, args...)
}

// preempted are those of the pods that a scheduler had preempted by the stamp.
func preempted(v *history.View, pods []*history.Pod, by history.Stamp) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(pods), func(p *history.Pod) bool { return !v.Evicted(p) || p.Deleting.After(by) })
}

// hit closes a case with "so many of the pods were preempted".
func (s story) hit(c *kit.Case, pods []*history.Pod, least, most int, why string) suites.Finding {
	at := c.Mark(settled)
	gone := preempted(s.v, pods, at)
	return c.About(at, kit.Objects(gone)...).Holds(len(gone) >= least && len(gone) <= most,
		"%d of %d pods preempted %s; expected %d to %d", len(gone), len(pods), why, least, most)
}

// spared closes a case with "none of the pods was preempted".
func (s story) spared(c *kit.Case, pods []*history.Pod, why string) suites.Finding {
	c.Premise(len(pods) > 0, nil, "there are pods to be spared")
	return s.hit(c, pods, 0, 0, why)
}

// bound closes a case with "so many of the preemptor's pods stand on nodes in the end".
func (s story) bound(c *kit.Case, n int) suites.Finding {
	at := c.Mark(settled)
	placed := slices.DeleteFunc(slices.Clone(s.preemptor), func(p *history.Pod) bool { return !p.BoundAt(at) })
	return c.About(at, kit.Objects(s.preemptor)...).Holds(len(placed) == n,
		"%d of %d pods of higher priority bound in the end; expected %d", len(placed), len(s.preemptor), n)
}

// untouchedFor adds the premise that the story was watched for the settle bound of n pods after the preemptor came.
func untouchedFor(c *kit.Case, n int) *kit.Case {
	c.Watched("came", settled, n)
	return c
}

// podsOf are the last incarnations of pods by name; what is missing is missing from the list.
func podsOf(v *history.View, names ...string) []*history.Pod { return kit.Named(v, names...) }
