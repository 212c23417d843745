package engine

import "slices"

// maxDepth is how many levels of CompositePodGroups may lie above a PodGroup: the API allows trees of four levels,
// the PodGroup's own included.
const maxDepth = 3

// rootOf is what a pod is decided with.
func (e *Engine) rootOf(p *pod) Root {
	if p.group == nil {
		return Root{KindPod, p.Key}
	}
	return e.rootOfGroup(p.group)
}

// rootOfGroup climbs to the topmost group. A chain that is too deep or runs in a circle has no top: then each group is
// its own root, and is refused.
func (e *Engine) rootOfGroup(g *group) Root {
	top, _ := climb(g)
	if top == nil {
		top = g
	}
	return Root{top.kind, top.Key}
}

// climb finds the topmost group, or says why there is none. Trees deeper than allowed end in a flaw of the deep ones.
func climb(g *group) (*group, Reason) {
	top := g
	for depth := 0; top.parent != nil; depth++ {
		top = top.parent
		if top == g {
			return nil, Reason{Code: ParentCycle, Object: g.Key.String()}
		}
		if depth >= maxDepth {
			if loop := findLoop(g); loop != nil {
				return nil, Reason{Code: ParentCycle, Object: loop.Key.String()}
			}
			return nil, Reason{Code: ParentTooDeep, Need: maxDepth + 1}
		}
	}
	return top, Reason{}
}

// findLoop is a group above g that is its own ancestor, if any.
func findLoop(g *group) *group {
	slow, fast := g, g
	for fast != nil && fast.parent != nil {
		slow, fast = slow.parent, fast.parent.parent
		if slow == fast {
			return slow
		}
	}
	return nil
}

// RootInfo is what a queue needs to know of a root.
type RootInfo struct {
	Priority int32 // of the topmost group, or of the pod
	Created  int64 // when the oldest pending pod was created, in seconds since 1970
	Pending  int   // pods without node and without gate
	Gated    int   // pods without node and with a gate
	// Schedulers are the schedulerNames of the pending and gated pods, each once.
	Schedulers []string
}

// Info describes a root; ok is false when nothing of it is pending or gated.
func (e *Engine) Info(r Root) (info RootInfo, ok bool) {
	note := func(p *pod) {
		switch p.phase {
		case pending:
			info.Pending++
		case gated:
			info.Gated++
		default:
			return
		}
		if !ok || p.created < info.Created {
			info.Created = p.created
		}
		if !slices.Contains(info.Schedulers, p.scheduler) {
			info.Schedulers = append(info.Schedulers, p.scheduler)
		}
		ok = true
	}
	if r.Kind == KindPod {
		p := e.pods[r.Key]
		if p == nil || p.group != nil {
			return info, false
		}
		info.Priority = p.priority
		note(p)
		return info, ok
	}
	g := e.groups[groupKey{r.Kind, r.Key}]
	if g == nil || e.rootOfGroup(g) != r {
		return info, false
	}
	info.Priority = g.priority
	e.walk(g, 0, func(c *group) {
		if e.rootOfGroup(c) != r {
			return
		}
		for _, p := range c.waiting {
			note(p)
			if !g.exists && p.priority > info.Priority {
				info.Priority = p.priority
			}
		}
	})
	return info, ok
}

// Lookup is the root a pod belongs to; ok is false for a pod that is not known.
func (e *Engine) Lookup(pod Key) (r Root, ok bool) {
	p := e.pods[pod]
	if p == nil {
		return Root{}, false
	}
	return e.rootOf(p), true
}
