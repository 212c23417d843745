package history

import (
	"bytes"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Folded is an event with what follows from it and the events before it. Everything in it is shared and read-only.
type Folded struct {
	Event
	// At is its place in the total order.
	At Stamp
	// Whole is the object's whole form after the event (for a deletion: its last form); nil for events that are not
	// about an object.
	Whole map[string]any
	// Pod and Node are Whole decoded, for pods and nodes.
	Pod  *corev1.Pod
	Node *corev1.Node
	// Gaps that became known with this event. Their To is set when they end, so look at them last.
	Gaps []*Gap
}

// Folder turns a stream of events into whole objects, orders them and finds the gaps. It takes events in the order
// of receipt: of a file with Fold, of a recorder, that has whole objects and wants patches, with Record.
// It is not safe for concurrent use.
type Folder struct {
	order   *ordering
	objects map[objectKey]*object
	gaps    gapFinder
	sharing sharing
}

type objectKey struct{ stream, uid string }

// object is the last known form of an object.
type object struct {
	whole map[string]any
	pod   *corev1.Pod
	node  *corev1.Node
	// rv is the version of the last event that told of it.
	rv string
}

// NewFolder for the events of one history.
func NewFolder(h *Header) *Folder {
	return &Folder{
		order:   newOrdering(h.Storage),
		objects: map[objectKey]*object{},
		gaps:    gapFinder{slice: h.Slice != "", streams: map[string]*stream{}, made: map[string]map[string]bool{}},
	}
}

// Fold takes the next event of a stored history. An error means that the event makes no sense after those before it
// (a patch without the object it changes, an object that is not one); the event is then still placed and counted as
// a gap of its resource, and folding can go on.
func (f *Folder) Fold(e Event) (Folded, error) {
	if !e.isObject() {
		return f.finish(e, nil, nil), nil
	}
	key := objectKey{e.Stream, e.UID}
	next, err := f.next(f.objects[key], &e)
	return f.finish(e, next, err), err
}

// next is the form after the event.
func (f *Folder) next(old *object, e *Event) (*object, error) {
	switch {
	case len(e.Object) > 0:
		whole, err := e.decoded(e.Object)
		if err != nil {
			return nil, fmt.Errorf("reading the object of event %d (%s %s/%s): %w", e.Seq, e.Resource, e.Namespace, e.Name, err)
		}
		return f.first(e, whole)
	case old == nil && e.Verb == VerbDeleted && len(e.Patch) == 0:
		return nil, nil // the end of something this record never saw
	case old == nil:
		return nil, fmt.Errorf("event %d patches %s %s/%s (uid %s), which stream %q has not shown before",
			e.Seq, e.Resource, e.Namespace, e.Name, e.UID, e.Stream)
	case len(e.Patch) == 0:
		return old, nil
	}
	patch, err := e.decoded(e.Patch)
	if err != nil {
		return nil, fmt.Errorf("reading the patch of event %d (%s %s/%s): %w", e.Seq, e.Resource, e.Namespace, e.Name, err)
	}
	return newObject(e, old, Apply(old.whole, patch), patch, &f.sharing)
}

// first decodes a form of which nothing is known yet.
func (f *Folder) first(e *Event, whole map[string]any) (*object, error) {
	if e.pod != nil {
		return &object{whole: whole, pod: e.pod}, nil
	}
	return newObject(e, nil, whole, nil, &f.sharing)
}

// Record takes the next event of a recorder: whole is the object's form (without nulls; nil for events without an
// object). It fills in e's Object or Patch, whichever the history needs.
func (f *Folder) Record(e Event, whole map[string]any) (Folded, error) {
	if !e.isObject() {
		return f.finish(e, nil, nil), nil
	}
	next, err := f.record(f.objects[objectKey{e.Stream, e.UID}], &e, whole)
	return f.finish(e, next, err), err
}

func (f *Folder) record(old *object, e *Event, whole map[string]any) (*object, error) {
	var err error
	if old == nil {
		if whole == nil {
			return nil, nil
		}
		if e.Object, err = encode(whole); err != nil {
			return nil, fmt.Errorf("writing %s %s/%s: %w", e.Resource, e.Namespace, e.Name, err)
		}
		return f.first(e, whole)
	}
	if whole == nil {
		return old, nil
	}
	patch := Diff(old.whole, whole)
	if patch == nil {
		return old, nil
	}
	if e.Patch, err = encode(patch); err != nil {
		return nil, fmt.Errorf("writing the change of %s %s/%s: %w", e.Resource, e.Namespace, e.Name, err)
	}
	e.Prev = old.rv
	// What a reader will have is the old object with the patch, so that is kept: unchanged parts stay shared.
	return newObject(e, old, Apply(old.whole, patch), patch, &f.sharing)
}

// finish places the event and keeps the object for the next one.
func (f *Folder) finish(e Event, next *object, err error) Folded {
	out := Folded{Event: e, At: Stamp{Order: f.order.place(&e), Seq: e.Seq, Wall: e.Wall, Mono: e.Mono}}
	if next != nil {
		out.Whole, out.Pod, out.Node = next.whole, next.pod, next.node
	}
	if e.isObject() {
		key := objectKey{e.Stream, e.UID}
		if e.Verb == VerbDeleted || next == nil {
			delete(f.objects, key)
		} else {
			next.rv = e.RV
			f.objects[key] = next
		}
	}
	out.Gaps = f.gaps.see(&e, out.At, err)
	return out
}

// Finish says that no event follows, and returns the gaps that this itself reveals: streams that do not end with
// their closing list, since a record that was cut off looks like a cluster in which nothing more happened.
func (f *Folder) Finish() []*Gap { return f.gaps.finish() }

// Objects calls f for every object a stream holds now, in no order.
func (f *Folder) Objects(stream string, each func(uid string, whole map[string]any)) {
	for k, o := range f.objects {
		if k.stream == stream {
			each(k.uid, o.whole)
		}
	}
}

// Preparer does what can be done for events before those in front of them are known, so that it can be done beside them, by
// another goroutine.
type Preparer struct{ sharing sharing }

// Prepare decodes what an event tells. What is wrong with it will be said when its turn comes.
func (p *Preparer) Prepare(e *Event) {
	raw := e.Object
	if len(raw) == 0 {
		raw = e.Patch
	}
	if !e.isObject() || len(raw) == 0 {
		return
	}
	if e.body == nil {
		e.body, _ = decode(raw)
	}
	if e.body == nil || len(e.Object) == 0 || !e.isPod() {
		return
	}
	pod := &corev1.Pod{}
	if p.sharing.decode(e.body, pod) == nil {
		e.pod = pod
	}
}

// isPod reports whether the event is about a pod.
func (e *Event) isPod() bool { return e.Group == "" && e.Resource == "pods" }

// decoded is the object or patch of the event.
func (e *Event) decoded(raw json.RawMessage) (map[string]any, error) {
	if e.body != nil {
		return e.body, nil
	}
	return decode(raw)
}

func decode(raw json.RawMessage) (map[string]any, error) {
	var out map[string]any
	if err := utiljson.Unmarshal(raw, &out); err != nil {
		return nil, err
	}
	if out == nil {
		return nil, fmt.Errorf("it is null, not an object")
	}
	return out, nil
}

// encode writes JSON as the reader expects it: without HTML escapes and without a newline.
func encode(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}
