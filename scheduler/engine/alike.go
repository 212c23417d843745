package engine

// Class stands for all roots about which Preempt and Reserve give the same answer as long as the cluster is the same: equally
// many pods of one shape with the same claim to others' room. It is comparable; roots of different classes may be alike all the
// same.
type Class struct {
	shape      *shape
	need, want int
	topology   string
	priority   int32
	never, all bool
}

// Alike is the class of a root; ok is false where its place depends on more than room for its shape: on other pods, on
// claims, on members that stand, or on groups beside its own.
func (e *Engine) Alike(r Root) (c Class, ok bool) {
	var l *leaf
	switch r.Kind {
	case KindPod:
		p := e.pods[r.Key]
		if p == nil || p.group != nil || p.phase != pending {
			return c, false
		}
		l = e.lone(p)
		c.priority, c.never = p.priority, p.never
	case KindPodGroup:
		g := e.groups[groupKey{r.Kind, r.Key}]
		if g == nil || !g.exists || g.parent != nil || len(g.settled) > 0 {
			return c, false
		}
		l = e.leafOf(g, g)
		c.priority, c.topology, c.all = g.priority, g.topology, !g.gang
		c.never = g.policy == never || g.policy == unsaid && len(g.waiting) > 0 && g.waiting[0].never // they agree, or it is an error
	default:
		return c, false
	}
	if l.outcome != Placed || len(l.kinds) != 1 || !l.kinds[0].simple {
		return c, false
	}
	c.shape, c.need, c.want = l.kinds[0].shape, l.need, len(l.pods)
	return c, true
}
