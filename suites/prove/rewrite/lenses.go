package rewrite

import (
	"maps"
	"slices"

	"muster/fakes/faults"
)

// Object is an object as JSON has it.
type Object = map[string]any

// At is what stands at a path of fields; nil where there is nothing.
func At(o Object, path ...string) any {
	var at any = o
	for _, p := range path {
		m, ok := at.(Object)
		if !ok {
			return nil
		}
		at = m[p]
	}
	return at
}

// With is a copy of the object with another value at the path; nil takes the field away.
func With(o Object, value any, path ...string) Object {
	out := maps.Clone(o)
	if out == nil {
		out = Object{}
	}
	if len(path) > 1 {
		inner, _ := out[path[0]].(Object)
		out[path[0]] = With(inner, value, path[1:]...)
	} else if value == nil {
		delete(out, path[0])
	} else {
		out[path[0]] = value
	}
	return out
}

// OwnedBy picks objects that refer to an owner of that name.
func OwnedBy(name string) func(Object) bool {
	return func(o Object) bool {
		refs, _ := At(o, "metadata", "ownerReferences").([]any)
		return slices.ContainsFunc(refs, func(r any) bool {
			ref, _ := r.(Object)
			return ref["name"] == name
		})
	}
}

// Change shows the objects picked with another value at the path; nil: without the field.
func Change(pick func(Object) bool, value any, path ...string) faults.Lens {
	return faults.Lens{Show: func(o Object) Object {
		if !pick(o) {
			return o
		}
		return With(o, value, path...)
	}}
}

// Hide does not show the objects picked.
func Hide(pick func(Object) bool) faults.Lens {
	return faults.Lens{Show: func(o Object) Object {
		if pick(o) {
			return nil
		}
		return o
	}}
}

// Both picks objects that both pick.
func Both(a, b func(Object) bool) func(Object) bool {
	return func(o Object) bool { return a(o) && b(o) }
}

// Named picks objects by their names.
func Named(names ...string) func(Object) bool {
	return func(o Object) bool {
		name, _ := At(o, "metadata", "name").(string)
		return slices.Contains(names, name)
	}
}
