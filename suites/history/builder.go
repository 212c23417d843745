package history

import (
	"slices"

	corev1 "k8s.io/api/core/v1"
)

// Builder makes a View event by event, at a small constant cost for each, so that a condition can be evaluated after
// every one of them. A judged view is made by the same code from the stored events.
//
// After the scenario's end (its end event) the view no longer changes, save for events that lie before the end and
// are received later: what the clean-up deletes is not what the scheduler evicted.
//
// It is not safe for concurrent use, and neither is its view while events are added.
type Builder struct {
	view   View
	reader Dialect
	folder *Folder

	pods  map[string]*podTrack
	gangs map[string]*gangTrack
	nodes map[string]*nodeTrack
	// composites by UID.
	composites map[string]*compositeTrack
	// claims by UID.
	claims map[string]*claimTrack
	// nodeNames of the scope's nodes, of all incarnations.
	nodeNames map[string]bool
	outside   outsiders
	driver    attribution
	gaps      []*Gap
}

// NewBuilder for the view of a scope; the zero scope is the whole history. reader may be nil: then there are no gangs.
func NewBuilder(h *Header, reader Dialect, scope Scope) *Builder {
	b := &Builder{
		reader:     reader,
		folder:     NewFolder(h),
		pods:       map[string]*podTrack{},
		gangs:      map[string]*gangTrack{},
		nodes:      map[string]*nodeTrack{},
		composites: map[string]*compositeTrack{},
		claims:     map[string]*claimTrack{},
		nodeNames:  map[string]bool{},
		outside:    outsiders{events: map[string][]*Folded{}, on: map[string][]string{}},
		driver:     newAttribution(),
	}
	b.view = View{Header: h, Scope: scope, data: newViewData()}
	return b
}

// Add takes the next event of a history. An error says that it cannot be folded; it has then become a gap of its
// resource, and adding can go on.
func (b *Builder) Add(e Event) error {
	f, err := b.folder.Fold(e)
	b.AddFolded(&f)
	return err
}

// AddFolded takes an event that was folded already: a recorder folds once for all its subscribers. A builder is given
// either events or folded ones, never both. f is kept.
func (b *Builder) AddFolded(f *Folded) {
	b.gaps = append(b.gaps, f.Gaps...)
	if end := b.view.End; !end.IsZero() && f.At.After(end) {
		return
	}
	if f.At.After(b.view.data.now) || b.view.data.now.IsZero() {
		b.view.data.now = f.At
	}
	switch {
	case f.Origin == Driver:
		b.action(f)
	case f.Origin == Sampling:
		b.sample(f)
	case !f.isObject() || f.Whole == nil:
	case f.Pod != nil:
		b.pod(f)
	case f.Node != nil:
		b.node(f)
	case f.Resource == claimsResource && f.Group == claimsGroup:
		b.claim(f)
	default:
		b.gang(f)
		b.composite(f)
	}
}

// View is the view of what was added so far. It is always the same one and changes with the next event added.
func (b *Builder) View() *View {
	v := &b.view
	v.Gaps = v.Gaps[:0]
	for _, g := range b.gaps {
		if v.touchedBy(g) {
			v.Gaps = append(v.Gaps, *g)
		}
	}
	return v
}

// NewView makes the view of a scope of a stored history; the zero scope is the whole. A scope that only names its
// scenario is completed from the record. The reader may be nil: then there are no gangs.
func NewView(h *History, reader Dialect, scope Scope) *View {
	if h.whole != nil && scope.IsWhole() {
		return h.whole
	}
	if scope.Scenario != "" {
		h = h.of(scope.Scenario)
	}
	if scope.onlyNamed() {
		if recorded, ok := h.FindScope(scope.Scenario); ok {
			scope = recorded
		}
	}
	b := NewBuilder(&h.Header, reader, scope)
	folded, gaps := h.fold()
	for i := range folded {
		b.AddFolded(&folded[i])
	}
	b.gaps = append(b.gaps, gaps...)
	return b.View()
}

func (b *Builder) action(f *Folded) {
	b.driver.see(f, b)
	v := &b.view
	if !v.Scope.IsWhole() && (f.Action == nil || f.Action.Scenario != v.Scope.Scenario) {
		return
	}
	v.Actions = insertAt(v.Actions, At[Event]{f.At, f.Event})
	if v.Scope.IsWhole() {
		return
	}
	switch f.Verb {
	case VerbBegin:
		v.Begin = f.At
	case VerbEnd:
		v.End = f.At
	}
}

func (b *Builder) sample(f *Folded) {
	if f.Sample == nil {
		return
	}
	v := &b.view
	switch f.Verb {
	case VerbCrash:
		// A crash before the scenario began is not its own.
		if f.Sample.Process == ProcessScheduler && (v.Scope.IsWhole() || !v.Begin.IsZero()) {
			v.Crashes = insertAt(v.Crashes, At[Sample]{f.At, *f.Sample})
		}
	case VerbCanary:
		v.data.canaries = append(v.data.canaries, At[Sample]{f.At, *f.Sample})
		v.Canary = median(v.data.canaries)
	}
}

// insertAt keeps a timeline in order; nearly always the new one is the last.
func insertAt[T any](tl []At[T], a At[T]) []At[T] {
	i := len(tl)
	for i > 0 && tl[i-1].Stamp.After(a.Stamp) {
		i--
	}
	return slices.Insert(tl, i, a)
}

// nodeOf is where a pod is bound.
func nodeOf(p *corev1.Pod) string { return p.Spec.NodeName }
