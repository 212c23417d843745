package history

import (
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// compositeTrack is a composite group of the view while it is built.
type compositeTrack struct {
	composite *Composite
	seen      seen
}

// composite takes an object that may be a composite group's in the dialect of the view.
func (b *Builder) composite(f *Folded) {
	reader, ok := b.reader.(Composites)
	if !ok || !b.view.Scope.hasNamespace(f.Namespace) {
		return
	}
	read, ok := reader.ReadComposite(f.Whole, schema.GroupVersionResource{Group: f.Group, Version: f.Version, Resource: f.Resource})
	if !ok {
		return
	}
	t := b.composites[f.UID]
	if t == nil {
		t = &compositeTrack{composite: &Composite{
			Namespace: f.Namespace, Name: f.Name, UID: f.UID, Created: f.At, Conditions: map[string][]At[Condition]{},
		}}
		b.composites[f.UID] = t
		b.view.addComposite(t.composite)
	}
	if !t.seen.news(f) {
		return
	}
	c := t.composite
	c.Basic, c.Quorum = read.Basic, read.Quorum
	c.Priority, c.PriorityClass = read.Priority, read.PriorityClass
	c.Parent, c.TopologyKey, c.DisruptAll = read.Parent, read.TopologyKey, read.DisruptAll
	for _, p := range read.Problems {
		c.Problems = append(c.Problems, At[string]{f.At, p})
	}
	obj := unstructured.Unstructured{Object: f.Whole}
	if c.Deleting.IsZero() && (obj.GetDeletionTimestamp() != nil || f.Verb == VerbDeleted) {
		c.Deleting = f.At
	}
	if f.Verb == VerbDeleted {
		c.Gone = f.At
	}
	satisfied := neutral(read.Satisfied)
	if len(c.Satisfied) > 0 || satisfied.Status != "" {
		c.Satisfied = changed(c.Satisfied, f.At, satisfied)
	}
	conditions := make(map[string]Condition, len(read.Conditions))
	for kind, one := range read.Conditions {
		conditions[kind] = neutral(one)
	}
	noteConditions(c.Conditions, f.At, conditions)
}

func (v *View) addComposite(c *Composite) {
	created := func(c *Composite) Stamp { return c.Created }
	v.Composites = insertBy(v.Composites, c, created)
	key := c.Namespace + "/" + c.Name
	v.data.compositesByName[key] = insertBy(v.data.compositesByName[key], c, created)
}
