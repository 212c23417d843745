package history

import "reflect"

// Diff is the JSON merge patch (RFC 7386) that turns one decoded object into the other; nil when they are equal.
// Neither may contain nulls, which a merge patch cannot say: see WithoutNulls.
//
// It works on decoded objects because the recorder has both of them decoded already; a patch library that takes
// bytes would decode and encode each object once more for every event.
func Diff(from, to map[string]any) map[string]any {
	var patch map[string]any
	set := func(k string, v any) {
		if patch == nil {
			patch = map[string]any{}
		}
		patch[k] = v
	}
	for k := range from {
		if _, ok := to[k]; !ok {
			set(k, nil)
		}
	}
	for k, v := range to {
		old, ok := from[k]
		if !ok {
			set(k, v)
			continue
		}
		om, oldIsMap := old.(map[string]any)
		vm, isMap := v.(map[string]any)
		switch {
		case oldIsMap && isMap:
			if sub := Diff(om, vm); sub != nil {
				set(k, sub)
			}
		case !reflect.DeepEqual(old, v):
			set(k, v)
		}
	}
	return patch
}

// Apply is the object with a merge patch applied. The object is left as it is; the result shares with it, and with
// the patch, what did not change, so both are read-only from then on.
func Apply(obj, patch map[string]any) map[string]any {
	out := make(map[string]any, len(obj)+len(patch))
	for k, v := range obj {
		out[k] = v
	}
	for k, v := range patch {
		pm, isMap := v.(map[string]any)
		switch {
		case v == nil:
			delete(out, k)
		case isMap:
			old, _ := out[k].(map[string]any)
			out[k] = Apply(old, pm)
		default:
			out[k] = v
		}
	}
	return out
}

// WithoutNulls removes every null member of every map, in place, also inside lists: absent and null mean the same in
// the Kubernetes API.
func WithoutNulls(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, e := range v {
			if e == nil {
				delete(v, k)
				continue
			}
			WithoutNulls(e)
		}
	case []any:
		for _, e := range v {
			WithoutNulls(e)
		}
	}
}
