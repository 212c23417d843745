package oracle

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/labels"
	v1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/klog/v2"
)

// selects reports whether the constraint's selector matches the pod itself.
func (s spread) selects(p *corev1.Pod) bool { return s.selector.Matches(labels.Set(p.Labels)) }

// spreadReach says which sites count for each spread constraint of each shape: those that carry all its keys and pass
// the constraint's node inclusion policies.
func (p *problem) spreadReach() [][][]bool {
	out := make([][][]bool, len(p.shapes))
	for i, sh := range p.shapes {
		out[i] = make([][]bool, len(sh.spreads))
		for c, sp := range sh.spreads {
			out[i][c] = make([]bool, len(p.sites))
			for n, st := range p.sites {
				out[i][c][n] = p.inReach(st, sh, sp)
			}
		}
	}
	return out
}

func (p *problem) inReach(st *site, sh *shape, sp spread) bool {
	for _, o := range sh.spreads {
		if _, ok := st.node.Labels[o.key]; !ok {
			return false
		}
	}
	if !sp.ignoreAffinity {
		if ok, err := sh.where.Match(st.node); err != nil || !ok {
			return false
		}
	}
	return !sp.byTaints || toleratesAll(st.node, func(t *corev1.Taint) bool {
		return v1helpers.TolerationsTolerateTaint(klog.Background(), sh.pod.Spec.Tolerations, t, true)
	})
}

// symmetry gives interchangeable sites the same name: equal free amounts, equal permissions, equal pods placed before,
// and for every topology key the rules use either the same domain or each a domain of its own.
func (p *problem) symmetry() []string {
	var keys []string
	for _, sh := range p.shapes {
		for _, t := range slices.Concat(sh.affinity, sh.anti) {
			keys = append(keys, t.key)
		}
		for _, sp := range sh.spreads {
			keys = append(keys, sp.key)
		}
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	sharing := map[[2]string]int{}
	for _, st := range p.sites {
		for _, k := range keys {
			if v, ok := st.node.Labels[k]; ok {
				sharing[[2]string{k, v}]++
			}
		}
	}
	out := make([]string, len(p.sites))
	for n, st := range p.sites {
		name := st.class()
		for _, k := range keys {
			v, ok := st.node.Labels[k]
			switch {
			case !ok:
				name += "/-"
			case sharing[[2]string{k, v}] == 1:
				name += "/own"
			default:
				name += fmt.Sprintf("/%q", v)
			}
		}
		for _, sh := range p.shapes {
			for _, sp := range sh.spreads {
				name += fmt.Sprint(p.inReach(st, sh, sp), countOf(st, sp, sh.pod.Namespace))
			}
			hosting := 0
			for _, e := range st.placed {
				if len(sh.affinity) > 0 && matchesAll(sh.affinity, e) {
					hosting++
				}
			}
			name += fmt.Sprint(" ", hosting)
		}
		out[n] = name
	}
	return out
}

func countOf(st *site, sp spread, ns string) int {
	n := 0
	for _, e := range st.placed {
		if sp.counts(e, ns) {
			n++
		}
	}
	return n
}
