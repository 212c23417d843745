package history

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/workloads/dialect"
)

// Dialect is the reading side of a dialect: how objects of some API are understood as gangs. *dialect.Dialect is one.
type Dialect interface {
	Name() string
	// Read understands a decoded object; ok is false for a resource that does not hold gangs.
	Read(obj map[string]any, gvr schema.GroupVersionResource) (g dialect.Group, ok bool)
	// Member is the gang a pod says it belongs to.
	Member(pod *corev1.Pod) (gang string, ok bool)
}

// Composites is what a Dialect can do beside: understand groups of groups.
type Composites interface {
	// ReadComposite understands a decoded object; ok is false for a resource that does not hold composite groups.
	ReadComposite(obj map[string]any, gvr schema.GroupVersionResource) (g dialect.Group, ok bool)
}

// Several reads gangs of several dialects in one history: the first that understands an object, or finds a pod to be
// a member, has it.
func Several(ds ...Dialect) Dialect { return several(ds) }

type several []Dialect

func (s several) Name() string {
	names := make([]string, len(s))
	for i, d := range s {
		names[i] = d.Name()
	}
	return strings.Join(names, "+")
}

func (s several) Read(obj map[string]any, gvr schema.GroupVersionResource) (dialect.Group, bool) {
	g, _, ok := readGang(s, obj, gvr)
	return g, ok
}

func (s several) Member(pod *corev1.Pod) (string, bool) {
	for _, d := range s {
		if gang, ok := d.Member(pod); ok {
			return gang, true
		}
	}
	return "", false
}

func (s several) ReadComposite(obj map[string]any, gvr schema.GroupVersionResource) (dialect.Group, bool) {
	for _, d := range s {
		if c, can := d.(Composites); can {
			if g, ok := c.ReadComposite(obj, gvr); ok {
				return g, true
			}
		}
	}
	return dialect.Group{}, false
}

// readGang also says which dialect understood the object.
func readGang(d Dialect, obj map[string]any, gvr schema.GroupVersionResource) (dialect.Group, string, bool) {
	if ds, ok := d.(several); ok {
		for _, one := range ds {
			if g, name, ok := readGang(one, obj, gvr); ok {
				return g, name, true
			}
		}
		return dialect.Group{}, "", false
	}
	if d == nil {
		return dialect.Group{}, "", false
	}
	g, ok := d.Read(obj, gvr)
	return g, d.Name(), ok
}
