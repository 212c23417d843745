package history

import (
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
)

// newObject decodes the whole form for the resources that checks read as typed objects. With the former object and
// the patch that led here, only the parts that the patch touches are decoded again: most events change a status.
func newObject(e *Event, old *object, whole, patch map[string]any, shared *sharing) (*object, error) {
	o := &object{whole: whole}
	if e.Group != "" {
		return o, nil
	}
	var err error
	switch e.Resource {
	case "pods":
		o.pod = &corev1.Pod{}
		if old != nil && old.pod != nil {
			*o.pod = *old.pod
			err = decodeParts(whole, patch, o.pod, part{"metadata", &o.pod.ObjectMeta, func() { o.pod.ObjectMeta = zeroMeta }, plainly("resourceVersion", &o.pod.ResourceVersion)},
				part{"spec", &o.pod.Spec, func() { o.pod.Spec = corev1.PodSpec{} }, plainly("nodeName", &o.pod.Spec.NodeName)},
				part{"status", &o.pod.Status, func() { o.pod.Status = corev1.PodStatus{} }, progress(&o.pod.Status)})
		} else {
			err = shared.decode(whole, o.pod)
		}
	case "nodes":
		o.node = &corev1.Node{}
		if old != nil && old.node != nil {
			*o.node = *old.node
			err = decodeParts(whole, patch, o.node, part{"metadata", &o.node.ObjectMeta, func() { o.node.ObjectMeta = zeroMeta }, plainly("resourceVersion", &o.node.ResourceVersion)},
				part{"spec", &o.node.Spec, func() { o.node.Spec = corev1.NodeSpec{} }, nil},
				part{"status", &o.node.Status, func() { o.node.Status = corev1.NodeStatus{} }, nil})
		} else {
			err = convert(whole, o.node)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("decoding %s %s/%s of event %d: %w", e.Resource, e.Namespace, e.Name, e.Seq, err)
	}
	return o, nil
}

var zeroMeta = corev1.Pod{}.ObjectMeta

// part of an object: where its value goes, and how to empty that first.
type part struct {
	key   string
	into  any
	clear func()
	// plain takes a patch of one field that is often patched alone; it says no to any other.
	plain func(patch any) bool
}

// plainly sets the one field that a patch sets to a text; it does nothing where the patch does anything else.
func plainly(key string, field *string) func(any) bool {
	return func(patch any) bool {
		m, ok := patch.(map[string]any)
		if !ok || len(m) != 1 {
			return false
		}
		text, ok := m[key].(string)
		if ok {
			*field = text
		}
		return ok
	}
}

// decodeParts decodes the parts that the patch touches, or everything where it touches something else too.
func decodeParts(whole, patch map[string]any, obj any, parts ...part) error {
	known := 0
	for _, p := range parts {
		if _, ok := patch[p.key]; ok {
			known++
		}
	}
	if known < len(patch) {
		return convert(whole, obj)
	}
	for _, p := range parts {
		if _, ok := patch[p.key]; !ok {
			continue
		}
		if p.plain != nil && p.plain(patch[p.key]) {
			continue
		}
		p.clear()
		v, ok := whole[p.key]
		if !ok {
			continue
		}
		m, ok := v.(map[string]any)
		if !ok {
			return fmt.Errorf("%s is %T, not an object", p.key, v)
		}
		if err := convert(m, p.into); err != nil {
			return fmt.Errorf("%s: %w", p.key, err)
		}
	}
	return nil
}

// convert fills a zeroed typed value from decoded JSON. Unlike a round trip through bytes it makes no garbage of
// the size of the object.
func convert(m map[string]any, into any) error {
	return runtime.DefaultUnstructuredConverter.FromUnstructured(m, into)
}
