package engine

import (
	"cmp"
	"slices"

	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// CompositeInitiallyScheduled is the condition of a CompositePodGroup whose requirement was satisfied once, as the API of
// scheduling.k8s.io/v1alpha3 documents it; it declares no constant for it.
const CompositeInitiallyScheduled = "CompositePodGroupInitiallyScheduled"

// groupKey tells a PodGroup from a CompositePodGroup of the same name.
type groupKey struct {
	kind Kind
	Key
}

// demands is what decisions depend on of a group's object.
type demands struct {
	exists   bool
	uid      types.UID
	gang     bool
	min      int    // minCount or minGroupCount; 1 for the basic policy
	topology string // key; empty for no constraint
	priority int32
	policy   preemption
	claims   string // the resource claims its members share, as text
	all      bool   // disruption mode all: what is below is only disrupted together
	met      bool   // its quorum was met once
	parent   *group
}

// preemption is a preemption policy.
type preemption uint8

const (
	unsaid preemption = iota // by the group; then the pods must agree among themselves
	lower
	never
)

// group is a PodGroup or a CompositePodGroup. It is kept as soon as a pod or a child names it, with or without object.
type group struct {
	groupKey
	demands
	generation int64
	created    int64

	children []*group // by creation, then name

	waiting []*pod            // pending and gated members
	jumbled bool              // waiting is not in order of age
	settled []*pod            // bound (assumed too) and finished members that had a node
	bound   int               // of settled, those alive
	assumed int               // of bound, those whose bind is not confirmed
	others  int               // members that neither wait nor stand
	ghosts  int               // members that are gone and go on counting; see Fault.Ghosts
	shares  map[string]source // resource claims that members share, by the name of the entry
}

func (e *Engine) groupFor(k groupKey) *group {
	g := e.groups[k]
	if g == nil {
		g = &group{groupKey: k, demands: demands{min: 1}}
		e.groups[k] = g
	}
	return g
}

// dropGroup forgets a group that has no object and that nobody names.
func (e *Engine) dropGroup(g *group) {
	if g.exists || len(g.waiting)+len(g.settled)+g.others+len(g.children) > 0 || e.groups[g.groupKey] != g {
		return
	}
	delete(e.groups, g.groupKey)
	e.adopt(g, nil)
}

// adopt moves a group under another parent.
func (e *Engine) adopt(g, parent *group) {
	old := g.parent
	if old == parent {
		return
	}
	g.parent = parent
	if parent != nil {
		parent.children = append(parent.children, g)
		parent.sort()
	}
	if old != nil {
		old.children = slices.DeleteFunc(old.children, func(c *group) bool { return c == g })
		e.dropGroup(old)
	}
}

func (g *group) sort() {
	slices.SortFunc(g.children, func(a, b *group) int {
		return cmp.Or(cmp.Compare(a.created, b.created), cmp.Compare(a.kind, b.kind), cmp.Compare(a.Name, b.Name))
	})
}

// UpsertGroup tells that a PodGroup exists and what it looks like.
func (e *Engine) UpsertGroup(obj *schedulingv1beta1.PodGroup) Root {
	g := e.groupFor(groupKey{KindPodGroup, Key{obj.Namespace, obj.Name}})
	was := g.demands
	e.readMeta(g, &obj.ObjectMeta, obj.Spec.ParentCompositePodGroupName)
	g.gang, g.min = obj.Spec.SchedulingPolicy.Gang != nil, 1
	if g.gang {
		g.min = int(obj.Spec.SchedulingPolicy.Gang.MinCount)
	}
	g.all = obj.Spec.DisruptionMode != nil && obj.Spec.DisruptionMode.All != nil
	g.topology = ""
	if c := obj.Spec.SchedulingConstraints; c != nil && len(c.Topology) > 0 {
		g.topology = c.Topology[0].Key
	}
	g.priority = orZero(obj.Spec.Priority)
	g.policy = unsaid
	if p := obj.Spec.PreemptionPolicy; p != nil {
		g.policy = policyOf(*p == schedulingv1beta1.PreemptNever)
	}
	g.readClaims(obj.Spec.ResourceClaims)
	g.metBy(obj.Status.Conditions)
	return e.changedGroup(g, was)
}

// UpsertComposite tells that a CompositePodGroup exists and what it looks like.
func (e *Engine) UpsertComposite(obj *schedulingv1alpha3.CompositePodGroup) Root {
	g := e.groupFor(groupKey{KindComposite, Key{obj.Namespace, obj.Name}})
	was := g.demands
	e.readMeta(g, &obj.ObjectMeta, obj.Spec.ParentCompositePodGroupName)
	g.gang, g.min = obj.Spec.SchedulingPolicy.Gang != nil, 1
	if g.gang {
		g.min = int(obj.Spec.SchedulingPolicy.Gang.MinGroupCount)
	}
	g.all = obj.Spec.DisruptionMode != nil && obj.Spec.DisruptionMode.All != nil
	g.topology = ""
	if c := obj.Spec.SchedulingConstraints; c != nil && len(c.Topology) > 0 {
		g.topology = c.Topology[0].Key
	}
	g.priority = orZero(obj.Spec.Priority)
	g.policy = unsaid
	if p := obj.Spec.PreemptionPolicy; p != nil {
		g.policy = policyOf(*p == schedulingv1alpha3.PreemptNever)
	}
	g.metBy(obj.Status.Conditions)
	return e.changedGroup(g, was)
}

func policyOf(isNever bool) preemption {
	if isNever {
		return never
	}
	return lower
}

func orZero(p *int32) int32 {
	if p == nil {
		return 0
	}
	return *p
}

func (e *Engine) readMeta(g *group, m *metav1.ObjectMeta, parent *string) {
	if g.exists && g.uid != m.UID {
		g.met = false // another object of the same name
	}
	g.exists, g.uid, g.generation, g.created = true, m.UID, m.Generation, m.CreationTimestamp.Unix()
	var to *group
	if parent != nil {
		to = e.groupFor(groupKey{KindComposite, Key{m.Namespace, *parent}})
	}
	if g.parent != to {
		e.wakeTree(g) // the tree it leaves
	}
	e.adopt(g, to)
	if to != nil {
		to.sort()
	}
}

// metBy takes the word of a condition that was written before this engine began.
func (g *group) metBy(conditions []metav1.Condition) {
	for _, c := range conditions {
		if (c.Type == schedulingv1beta1.PodGroupInitiallyScheduled || c.Type == CompositeInitiallyScheduled) && c.Status == metav1.ConditionTrue {
			g.met = true
		}
	}
}

// changedGroup wakes who is concerned, unless nothing changed that decisions depend on.
func (e *Engine) changedGroup(g *group, was demands) Root {
	g.check()
	if g.claims != was.claims {
		e.refit(g)
	}
	if g.demands != was {
		e.wakeTree(g)
	}
	return e.rootOfGroup(g)
}

// wakeTree wakes the root of g, and those of the groups below, which a change of g may have made roots of their own.
func (e *Engine) wakeTree(g *group) {
	e.waiting.wake(e.rootOfGroup(g))
	e.walk(g, 0, func(c *group) { e.waiting.wake(e.rootOfGroup(c)) })
}

// walk visits g and what lies below, no deeper than trees may be.
func (e *Engine) walk(g *group, depth int, visit func(*group)) {
	visit(g)
	if depth > maxDepth {
		return
	}
	for _, c := range g.children {
		e.walk(c, depth+1, visit)
	}
}

// DeleteGroup tells that a PodGroup is gone. Its members wait for another of its name.
func (e *Engine) DeleteGroup(k Key) { e.deleteGroup(groupKey{KindPodGroup, k}) }

// DeleteComposite tells that a CompositePodGroup is gone.
func (e *Engine) DeleteComposite(k Key) { e.deleteGroup(groupKey{KindComposite, k}) }

func (e *Engine) deleteGroup(k groupKey) {
	g := e.groups[k]
	if g == nil || !g.exists {
		return
	}
	e.wakeTree(g)
	*g = group{groupKey: g.groupKey, demands: demands{min: 1, parent: g.parent}, children: g.children, waiting: g.waiting, jumbled: g.jumbled, settled: g.settled, bound: g.bound, assumed: g.assumed, others: g.others}
	e.adopt(g, nil)
	e.refit(g)
	e.wakeTree(g)
	e.dropGroup(g)
}
