package ceiling

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	corehelpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
)

// view is the nodes that pods of one selector, affinity and set of tolerations may go to, and how far they have got.
type view struct {
	sample  *corev1.Pod // what it is built by
	version int         // of the world's nodes when it was built
	all     domain
	// by topology key, in the order in which their first nodes were seen.
	domains map[string]*domains
}

type domain struct {
	value  string
	nodes  []*node
	cursor int
}

type domains struct {
	list   []*domain
	cursor int
}

// viewKey tells pods apart by what decides where they may go.
func viewKey(p *corev1.Pod) string {
	if len(p.Spec.NodeSelector) == 0 && len(p.Spec.Tolerations) == 0 && p.Spec.Affinity == nil {
		return ""
	}
	var b strings.Builder
	for _, k := range slices.Sorted(maps.Keys(p.Spec.NodeSelector)) {
		b.WriteString(k + "=" + p.Spec.NodeSelector[k] + ",")
	}
	for _, t := range p.Spec.Tolerations {
		b.WriteString("|" + t.Key + " " + string(t.Operator) + " " + t.Value + " " + string(t.Effect))
	}
	if a := p.Spec.Affinity; a != nil && a.NodeAffinity != nil {
		fmt.Fprintf(&b, "|%s", a.NodeAffinity.String())
	}
	return b.String()
}

// view of a pod, built again where nodes have changed since.
func (w *world) view(key string, p *corev1.Pod) *view {
	v := w.views[key]
	if v == nil {
		v = &view{sample: p, version: -1}
		w.views[key] = v
	}
	if v.version == w.version {
		return v
	}
	v.version, v.domains = w.version, map[string]*domains{}
	v.all = domain{cursor: v.all.cursor}
	allowed := nodeaffinity.GetRequiredNodeAffinity(v.sample)
	for _, n := range w.ordered {
		if n.obj == nil || n.obj.Spec.Unschedulable {
			continue
		}
		if ok, err := allowed.Match(n.obj); err != nil || !ok {
			continue
		}
		if _, repelled := corehelpers.FindMatchingUntoleratedTaint(klog.Background(), n.obj.Spec.Taints, v.sample.Spec.Tolerations, repels, false); !repelled {
			v.all.nodes = append(v.all.nodes, n)
		}
	}
	return v
}

func repels(t *corev1.Taint) bool {
	return t.Effect == corev1.TaintEffectNoSchedule || t.Effect == corev1.TaintEffectNoExecute
}

// split the view's nodes by a label. Nodes without it are in no domain.
func (v *view) split(key string) *domains {
	if d := v.domains[key]; d != nil {
		return d
	}
	out, by := &domains{}, map[string]*domain{}
	for _, n := range v.all.nodes {
		value, ok := n.obj.Labels[key]
		if !ok {
			continue
		}
		d := by[value]
		if d == nil {
			d = &domain{value: value}
			by[value] = d
			out.list = append(out.list, d)
		}
		d.nodes = append(d.nodes, n)
	}
	v.domains[key] = out
	return out
}

// next is the next node from the cursor on that has room for a pod; nil for none.
func (d *domain) next(p *pod, ports map[int]bool) *node {
	for i := range d.nodes {
		at := (d.cursor + i) % len(d.nodes)
		if n := d.nodes[at]; n.fits(p, ports) {
			d.cursor = at
			return n
		}
	}
	return nil
}
