package historytest

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/fakes/nodes"
	"muster/suites/history"
)

// NodeOption changes a node before it is created.
type NodeOption = func(*corev1.Node)

// Has sets what a node has, as "name=quantity"; what is not named keeps its default (64 CPUs, 512Gi, 110 pods).
func Has(amounts ...string) NodeOption {
	return func(n *corev1.Node) { set(n.Status.Allocatable, amounts) }
}

// NodeLabel sets a label on a node.
func NodeLabel(key, value string) NodeOption {
	return func(n *corev1.Node) { n.Labels[key] = value }
}

func set(list corev1.ResourceList, amounts []string) {
	for _, a := range amounts {
		name, q, ok := strings.Cut(a, "=")
		if !ok {
			panic(fmt.Sprintf("historytest: %q is not name=quantity", a))
		}
		list[corev1.ResourceName(name)] = resource.MustParse(q)
	}
}

// Node creates a node of the pool.
func (b *Builder) Node(name string, opts ...NodeOption) *Builder {
	n := &corev1.Node{ObjectMeta: metav1.ObjectMeta{
		Labels: map[string]string{nodes.PoolLabel: PoolName, corev1.LabelHostname: name},
	}}
	n.Status.Allocatable = corev1.ResourceList{}
	set(n.Status.Allocatable, []string{"cpu=64", "memory=512Gi", "pods=110"})
	for _, f := range opts {
		f(n)
	}
	return b.put(&object{stream: stream{"", "v1", "nodes"}, name: name, uid: b.uid(name), value: n}, history.VerbAdded)
}

// Nodes creates n nodes node-0, node-1, … (the numbers go on).
func (b *Builder) Nodes(n int, opts ...NodeOption) *Builder {
	for range n {
		b.Node(fmt.Sprintf("node-%d", b.next("node")), opts...)
	}
	return b
}

func (b *Builder) next(prefix string) int {
	n := b.numbered[prefix]
	b.numbered[prefix]++
	return n
}

// ChangeNode changes a node.
func (b *Builder) ChangeNode(name string, opts ...NodeOption) *Builder {
	o := b.find("nodes", "", name)
	n := o.value.(*corev1.Node).DeepCopy()
	for _, f := range opts {
		f(n)
	}
	o.value = n
	return b.put(o, history.VerbModified)
}

// NodeGone deletes a node.
func (b *Builder) NodeGone(name string) *Builder {
	return b.put(b.find("nodes", "", name), history.VerbDeleted)
}

// GangOption changes a PodGroup's decoded object before it is created.
type GangOption = func(map[string]any)

// GangPriority gives the group a priority.
func GangPriority(n int32) GangOption {
	return func(g map[string]any) { g["spec"].(map[string]any)["priority"] = n }
}

// OneDomain demands one value of the node label for all members.
func OneDomain(key string) GangOption {
	return func(g map[string]any) {
		g["spec"].(map[string]any)["schedulingConstraints"] = map[string]any{"topology": []any{map[string]any{"key": key}}}
	}
}

// Gang creates a PodGroup with the gang policy.
func (b *Builder) Gang(name string, quorum int32, opts ...GangOption) *Builder {
	return b.group(name, map[string]any{"gang": map[string]any{"minCount": quorum}}, opts)
}

// Basic creates a PodGroup with the basic policy.
func (b *Builder) Basic(name string, opts ...GangOption) *Builder {
	return b.group(name, map[string]any{"basic": map[string]any{}}, opts)
}

func (b *Builder) group(name string, policy map[string]any, opts []GangOption) *Builder {
	g := map[string]any{
		"metadata": map[string]any{"generation": int64(1)},
		"spec":     map[string]any{"schedulingPolicy": policy},
		"status":   map[string]any{},
	}
	for _, f := range opts {
		f(g)
	}
	return b.put(&object{stream: stream{"scheduling.k8s.io", "v1beta1", "podgroups"},
		namespace: Namespace, name: name, uid: b.uid(name), value: g}, history.VerbAdded)
}

func (b *Builder) changeGroup(name string, f func(meta, spec, status map[string]any)) *Builder {
	o := b.find("podgroups", Namespace, name)
	g := o.value.(map[string]any)
	f(g["metadata"].(map[string]any), g["spec"].(map[string]any), g["status"].(map[string]any))
	return b.put(o, history.VerbModified)
}

// Quorum changes a gang's minCount.
func (b *Builder) Quorum(gang string, n int32) *Builder {
	return b.changeGroup(gang, func(meta, spec, _ map[string]any) {
		spec["schedulingPolicy"] = map[string]any{"gang": map[string]any{"minCount": n}}
		meta["generation"] = meta["generation"].(int64) + 1
	})
}

// Satisfied writes the group's PodGroupInitiallyScheduled condition, observed at the present generation.
func (b *Builder) Satisfied(gang, status, reason string) *Builder {
	return b.changeGroup(gang, func(meta, _, st map[string]any) {
		st["conditions"] = []any{condition(status, reason, meta["generation"].(int64), b)}
	})
}

// SatisfiedAt is Satisfied with an observedGeneration of its own.
func (b *Builder) SatisfiedAt(gang, status, reason string, generation int64) *Builder {
	return b.changeGroup(gang, func(_, _, st map[string]any) {
		st["conditions"] = []any{condition(status, reason, generation, b)}
	})
}

// Unsaid removes the group's conditions.
func (b *Builder) Unsaid(gang string) *Builder {
	return b.changeGroup(gang, func(_, _, st map[string]any) { delete(st, "conditions") })
}

func condition(status, reason string, generation int64, b *Builder) map[string]any {
	return map[string]any{
		"type": "PodGroupInitiallyScheduled", "status": status, "reason": reason, "message": "",
		"observedGeneration": generation, "lastTransitionTime": started.Add(b.now).Format("2006-01-02T15:04:05Z"),
	}
}

// GangDeleting marks a group as being deleted (its finalizer holds it); GangGone removes it.
func (b *Builder) GangDeleting(name string) *Builder {
	return b.changeGroup(name, func(meta, _, _ map[string]any) {
		meta["deletionTimestamp"] = started.Add(b.now).Format("2006-01-02T15:04:05Z")
	})
}

// GangGone removes a group's object.
func (b *Builder) GangGone(name string) *Builder {
	return b.put(b.find("podgroups", Namespace, name), history.VerbDeleted)
}
