package history

// attribution knows what the driver bound, so that nobody takes it for the scheduler's doing. An action's record and
// the watch event of its effect come in either order.
type attribution struct {
	// binds and creations by namespace/name of the pod.
	binds   map[string][]*Folded
	creates map[string][]*Folded
}

func newAttribution() attribution {
	return attribution{binds: map[string][]*Folded{}, creates: map[string][]*Folded{}}
}

// see takes a driver's event of any scenario, and corrects pods that were seen to be bound before it.
func (a *attribution) see(f *Folded, b *Builder) {
	if f.Action == nil || f.Group != "" || f.Resource != "pods" || !f.Action.mayHaveWorked() {
		return
	}
	key := f.Namespace + "/" + f.Name
	switch f.Verb {
	case VerbBind:
		a.binds[key] = append(a.binds[key], f)
	case VerbCreate:
		a.creates[key] = append(a.creates[key], f)
	default:
		return
	}
	for _, p := range b.view.data.podsByName[key] {
		if !p.Bound.IsZero() && !p.ByDriver {
			p.ByDriver = a.did(p)
		}
	}
}

// mayHaveWorked: a request without an answer (the connection broke) may have had its effect. Where the effect is
// there, it is taken for the driver's: the scheduler is never accused of what muster may have done.
func (a *Action) mayHaveWorked() bool { return a.Response.OK() || a.Response.Code == 0 }

// did reports whether the driver bound the pod where it is bound, or created it bound.
func (a *attribution) did(p *Pod) bool {
	key := p.Namespace + "/" + p.Name
	if p.BornBound {
		for _, f := range a.creates[key] {
			if uid := f.Action.Response.UID; uid == "" || uid == p.UID {
				return true
			}
		}
		return false
	}
	for _, f := range a.binds[key] {
		uid := f.UID
		if uid == "" {
			uid = f.Action.Response.UID
		}
		if f.Action.Node == p.Node && (uid == p.UID || uid == "" && !f.At.Before(p.Created)) {
			return true
		}
	}
	return false
}
