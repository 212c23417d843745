package answer

import (
	"maps"
	"slices"

	"muster/suites/history"
)

// lose changes an object by as little as makes it not show what is wanted any more; ok is false where nothing does. It
// tries what a server would do wrong, in this order: to keep everything that was sent, to have another number somewhere, to
// leave a field out, and to delete the object.
func (w want) lose(o, sent Object) (Object, bool) {
	kept := history.Apply(o, sent)
	if !w.shows(kept) {
		return kept, true
	}
	for _, change := range []func(any) (any, bool){another, nothing} {
		for _, path := range paths(o) {
			if changed, ok := at(o, path, change); ok && !w.shows(changed) {
				return changed, true
			}
		}
	}
	deleted := history.Apply(o, Object{"metadata": Object{"deletionTimestamp": "2026-03-01T12:00:00Z"}})
	return deleted, !w.shows(deleted)
}

// another is a number that is one more.
func another(v any) (any, bool) {
	n, ok := v.(float64)
	return n + 1, ok
}

// nothing takes a field away: nil.
func nothing(any) (any, bool) { return nil, true }

// paths are those of all fields of an object, what lies inside a field before the field itself, in order of their names.
// Elements of lists have none.
func paths(o Object) [][]string {
	var out [][]string
	for _, k := range slices.Sorted(maps.Keys(o)) {
		if inner, ok := o[k].(Object); ok {
			for _, p := range paths(inner) {
				out = append(out, append([]string{k}, p...))
			}
		}
		out = append(out, []string{k})
	}
	return out
}

// at is the object with the field at a path changed; nil takes it away. ok is false where the change does not apply.
func at(o Object, path []string, change func(any) (any, bool)) (Object, bool) {
	out := maps.Clone(o)
	v, ok := o[path[0]], true
	if len(path) > 1 {
		v, ok = at(o[path[0]].(Object), path[1:], change)
	} else if v, ok = change(v); ok && v == nil {
		delete(out, path[0])
		return out, true
	}
	out[path[0]] = v
	return out, ok
}
