package rewrite

import (
	"encoding/json"
	"sync"

	"muster/fakes/faults"
)

// Beyond picks, of the objects picked, those that are not among the first n of their namespace that were looked at. It
// remembers which those were, so that it answers for one object always the same; each trial needs one of its own.
func Beyond(n int, pick func(Object) bool) func(Object) bool {
	var mu sync.Mutex
	late, first := map[any]bool{}, map[any]int{}
	return func(o Object) bool {
		if !pick(o) {
			return false
		}
		uid, namespace := At(o, "metadata", "uid"), At(o, "metadata", "namespace")
		mu.Lock()
		defer mu.Unlock()
		is, known := late[uid]
		if !known {
			is = first[namespace] >= n
			late[uid] = is
			first[namespace]++
		}
		return is
	}
}

// Ever picks objects that are picked, or were when they were looked at before. Each trial needs one of its own.
func Ever(pick func(Object) bool) func(Object) bool {
	var mu sync.Mutex
	was := map[any]bool{}
	return func(o Object) bool {
		uid := At(o, "metadata", "uid")
		mu.Lock()
		defer mu.Unlock()
		was[uid] = was[uid] || pick(o)
		return was[uid]
	}
}

// Frozen shows of the objects picked what stood at the path when it was good for the first time, for ever. Each trial needs
// one of its own.
func Frozen(pick, good func(Object) bool, path ...string) faults.Lens {
	var mu sync.Mutex
	kept := map[any][]byte{}
	return faults.Lens{Show: func(o Object) Object {
		if !pick(o) {
			return o
		}
		uid := At(o, "metadata", "uid")
		mu.Lock()
		defer mu.Unlock()
		if raw, ok := kept[uid]; ok {
			var value any
			if err := json.Unmarshal(raw, &value); err != nil {
				panic(err) // it was written here
			}
			return With(o, value, path...)
		}
		if good(o) {
			raw, err := json.Marshal(At(o, path...))
			if err != nil {
				panic(err) // it came from JSON
			}
			kept[uid] = raw
		}
		return o
	}}
}
