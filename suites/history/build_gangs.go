package history

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/workloads/dialect"
)

// gangTrack is a gang of the view while it is built.
type gangTrack struct {
	gang *Gang
	seen seen
}

// nodeTrack is a node of the view while it is built.
type nodeTrack struct {
	node *Node
	seen seen
}

// gang takes an object that may be a gang's in the dialect of the view.
func (b *Builder) gang(f *Folded) {
	if !b.view.Scope.hasNamespace(f.Namespace) {
		return
	}
	gvr := schema.GroupVersionResource{Group: f.Group, Version: f.Version, Resource: f.Resource}
	read, name, ok := readGang(b.reader, f.Whole, gvr)
	if !ok {
		return
	}
	t := b.gangs[f.UID]
	if t == nil {
		t = &gangTrack{gang: &Gang{
			Namespace: f.Namespace, Name: f.Name, UID: f.UID, Dialect: name,
			Created: f.At, Conditions: map[string][]At[Condition]{},
		}}
		b.gangs[f.UID] = t
		b.view.addGang(t.gang)
	}
	if !t.seen.news(f) {
		return
	}
	t.gang.advance(f, read)
	b.view.data.note(change{at: f.At, gang: t.gang, quorum: read.Quorum, gone: !t.gang.Gone.IsZero()})
}

func (g *Gang) advance(f *Folded, read dialect.Group) {
	g.Basic = read.Basic
	g.Priority, g.PriorityClass = read.Priority, read.PriorityClass
	g.Parent, g.TopologyKey, g.DisruptAll = read.Parent, read.TopologyKey, read.DisruptAll
	if !read.Basic {
		g.Quorum = changed(g.Quorum, f.At, read.Quorum)
	}
	for _, p := range read.Problems {
		g.Problems = append(g.Problems, At[string]{f.At, p})
	}
	obj := unstructured.Unstructured{Object: f.Whole}
	g.Generation = changed(g.Generation, f.At, obj.GetGeneration())
	if g.Deleting.IsZero() && (obj.GetDeletionTimestamp() != nil || f.Verb == VerbDeleted) {
		g.Deleting = f.At
	}
	if f.Verb == VerbDeleted {
		g.Gone = f.At
	}
	g.noteGenerated(f)
	satisfied := neutral(read.Satisfied)
	if len(g.Satisfied) > 0 || satisfied.Status != "" {
		g.Satisfied = changed(g.Satisfied, f.At, satisfied)
	}
	conditions := make(map[string]Condition, len(read.Conditions))
	for kind, c := range read.Conditions {
		conditions[kind] = neutral(c)
	}
	noteConditions(g.Conditions, f.At, conditions)
}

// neutral is a dialect's condition in the view's type; times are in UTC, so that equal ones compare equal.
func neutral(c dialect.Condition) Condition {
	out := Condition(c)
	out.LastTransition = out.LastTransition.UTC()
	return out
}

func (b *Builder) node(f *Folded) {
	t := b.nodes[f.UID]
	if t == nil {
		pool := f.Node.Labels[nodes.PoolLabel]
		if !b.view.Scope.hasPool(pool) || f.Verb == VerbDeleted {
			return
		}
		t = &nodeTrack{node: &Node{Name: f.Node.Name, UID: f.UID, Pool: pool, Created: f.At}}
		b.nodes[f.UID] = t
		b.view.addNode(t.node)
		if name := t.node.Name; !b.nodeNames[name] {
			b.nodeNames[name] = true
			b.admitOn(name)
		}
	}
	if !t.seen.news(f) {
		return
	}
	n := t.node
	if f.Verb == VerbDeleted {
		n.Gone = f.At
	}
	if last, _ := Latest(n.Object); last != f.Node && n.Gone.IsZero() {
		n.Object = append(n.Object, At[*corev1.Node]{f.At, f.Node})
	}
	b.view.data.note(change{at: f.At, node: n, nodeNow: f.Node, gone: !n.Gone.IsZero()})
}
