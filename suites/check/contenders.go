package check

import (
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history"
)

// wave is a set of preempted pods whose deletions began close together: what one decision, or several at about the same
// time, cost.
type wave struct {
	pods []*history.Pod
	// from and to are the first and the last of their deletions.
	from, to history.Stamp
}

// wavesOf cuts the preempted pods into waves. Deletions less than lag apart belong together.
func wavesOf(v *history.View) []wave {
	var out []wave
	for _, p := range v.PreemptedPods() {
		if n := len(out); n > 0 && p.Deleting.Since(out[n-1].to) <= lag {
			out[n-1].pods, out[n-1].to = append(out[n-1].pods, p), p.Deleting
			continue
		}
		out = append(out, wave{pods: []*history.Pod{p}, from: p.Deleting, to: p.Deleting})
	}
	return out
}

// contender is who may have caused a wave: a gang or a pod that waited at about that time.
type contender struct {
	name     string
	gang     *history.Gang // nil for a pod that stands for itself
	pods     []*history.Pod
	need     int
	priority int32
}

// outranks reports whether a contender may evict at a priority.
func (c contender) outranks(priority int32) bool { return c.priority > priority }

// contendersAt are all that waited at a stamp, or a little before. known is false where somebody waited of whom this
// package cannot say what it needs: a part of a composite group, or a group nobody could read.
func contendersAt(v *history.View, from, to history.Stamp) (out []contender, known bool) {
	known = true
	for _, g := range v.Gangs {
		if reached(g.Gone, from) || g.Created.After(to) {
			continue
		}
		members := membersOf(v, g)
		pods := waitingBetween(members, from, to)
		if len(pods) == 0 {
			continue
		}
		if g.Parent != "" || unreadable(g) {
			known = false
			continue
		}
		c := contender{name: kind(g) + " " + g.Name, gang: g, pods: pods, need: 1, priority: g.Priority}
		if !g.Basic {
			quorum, ok := quorumFrom(g, from, to)
			if !ok {
				continue
			}
			standing := slices.DeleteFunc(bound(members, to), func(p *history.Pod) bool { return slices.Contains(pods, p) })
			c.need = max(1, int(quorum)-len(standing))
		}
		if c.need <= len(pods) {
			out = append(out, c)
		}
	}
	for _, p := range v.Pods {
		if p.Gang == "" && len(waitingBetween([]*history.Pod{p}, from, to)) == 1 {
			out = append(out, contender{name: "pod " + p.Name, pods: []*history.Pod{p}, need: 1, priority: p.Priority})
		}
	}
	return out, known
}

// waitingBetween are the pods that, at some time from a little before one stamp to the other, the scheduler under test
// could have wanted to place, and that may preempt.
func waitingBetween(pods []*history.Pod, from, to history.Stamp) (out []*history.Pod) {
	ended := func(s history.Stamp) bool { return !s.IsZero() && from.Since(s) > lag }
	for _, p := range pods {
		if !p.Ours || p.BornBound || p.Created.After(to) || ended(p.Bound) || ended(p.Deleting) || ended(p.Gone) || ended(p.Finished) {
			continue
		}
		if gated, _ := history.ValueAt(p.Gated, to); gated || policyOf(p) == string(corev1.PreemptNever) {
			continue
		}
		out = append(out, p)
	}
	return out
}

// standingOf is the priority at which a running pod may be evicted: that of its group where it has one. known is false
// where the record does not say.
func standingOf(v *history.View, p *history.Pod, at history.Stamp) (priority int32, known bool) {
	g := groupOf(v, p, at)
	switch {
	case p.Gang == "":
		return p.Priority, true
	case g == nil:
		return p.Priority, false // a scheduler may fall back to the pod's own; no sentence says so
	case g.Parent != "" || unreadable(g):
		return g.Priority, false
	}
	return g.Priority, true
}

// groupOf is the pod's group as it existed at a stamp; nil for none.
func groupOf(v *history.View, p *history.Pod, at history.Stamp) *history.Gang {
	if p.Gang == "" {
		return nil
	}
	for _, g := range v.GangsNamed(p.Namespace + "/" + p.Gang) {
		if reached(g.Created, at) && !reached(g.Gone, at) {
			return g
		}
	}
	return nil
}

// without is the state that the wave met, with its victims and everything that was ending already taken away.
func (w wave) without(s *history.State) *history.State {
	for _, p := range w.pods {
		delete(s.Pods, p.UID)
	}
	for uid, p := range s.Pods {
		if p.Deleting {
			delete(s.Pods, uid)
		}
	}
	return s
}

// calmBefore reports whether nothing but pods placed by schedulers changed for lag before the stamp: what was true then
// was also known.
func calmBefore(v *history.View, at history.Stamp) bool {
	if _, changed := driverChanged(v, at); changed {
		return false
	}
	for _, p := range v.Pods {
		if gone := earliest(p.Gone, p.Finished); !gone.IsZero() && gone.Before(at) && at.Since(gone) <= lag {
			return false
		}
	}
	for _, n := range v.Nodes {
		if n.Created.Before(at) && at.Since(n.Created) <= lag {
			return false
		}
	}
	return true
}

// copied is a state whose pods can be taken away without changing the other.
func copied(s *history.State) *history.State {
	return &history.State{At: s.At, Nodes: s.Nodes, Pods: maps.Clone(s.Pods), Gangs: s.Gangs}
}
