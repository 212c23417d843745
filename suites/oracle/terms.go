package oracle

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// term is a required pod (anti-)affinity term of one pod, parsed.
type term struct {
	key           string
	selector      labels.Selector
	namespaces    []string
	allNamespaces bool
}

// matches reports whether the term speaks about pod p.
func (t term) matches(p *corev1.Pod) bool {
	return (t.allNamespaces || slices.Contains(t.namespaces, p.Namespace)) && t.selector.Matches(labels.Set(p.Labels))
}

// parseTerms reads the terms of owner, leaving out those with a namespace selector (see Unmodelled).
func parseTerms(owner *corev1.Pod, terms []corev1.PodAffinityTerm) ([]term, error) {
	var out []term
	for _, t := range terms {
		if selectsSomeNamespaces(t.NamespaceSelector) {
			continue
		}
		sel, err := metav1.LabelSelectorAsSelector(t.LabelSelector)
		if err != nil {
			return nil, fmt.Errorf("parsing the affinity term on %s of pod %s/%s: %w", t.TopologyKey, owner.Namespace, owner.Name, err)
		}
		// The API server merges these keys into the selector it stores; doing it again changes nothing there and is
		// right for objects that never passed through one.
		sel = requireKeys(sel, owner.Labels, t.MatchLabelKeys, false)
		sel = requireKeys(sel, owner.Labels, t.MismatchLabelKeys, true)
		p := term{key: t.TopologyKey, selector: sel, namespaces: t.Namespaces, allNamespaces: t.NamespaceSelector != nil}
		if len(p.namespaces) == 0 {
			p.namespaces = []string{owner.Namespace}
		}
		out = append(out, p)
	}
	return out, nil
}

// requireKeys adds to the selector that the owner's value of each key is shared (or, mismatch, not shared).
func requireKeys(sel labels.Selector, owner map[string]string, keys []string, mismatch bool) labels.Selector {
	for _, k := range keys {
		v, ok := owner[k]
		if !ok {
			continue
		}
		op := "="
		if mismatch {
			op = "!="
		}
		if req, err := labels.ParseToRequirements(k + op + v); err == nil {
			sel = sel.Add(req...)
		}
	}
	return sel
}

// spread is a DoNotSchedule topology spread constraint, parsed.
type spread struct {
	key                      string
	maxSkew, minDomains      int
	selector                 labels.Selector
	ignoreAffinity, byTaints bool
}

func parseSpreads(pod *corev1.Pod) ([]spread, error) {
	var out []spread
	for _, c := range pod.Spec.TopologySpreadConstraints {
		if c.WhenUnsatisfiable != corev1.DoNotSchedule {
			continue
		}
		sel, err := metav1.LabelSelectorAsSelector(c.LabelSelector)
		if err != nil {
			return nil, fmt.Errorf("parsing the spread constraint on %s of pod %s/%s: %w", c.TopologyKey, pod.Namespace, pod.Name, err)
		}
		s := spread{
			key: c.TopologyKey, maxSkew: int(c.MaxSkew), minDomains: 1,
			selector:       requireKeys(sel, pod.Labels, c.MatchLabelKeys, false),
			ignoreAffinity: c.NodeAffinityPolicy != nil && *c.NodeAffinityPolicy == corev1.NodeInclusionPolicyIgnore,
			byTaints:       c.NodeTaintsPolicy != nil && *c.NodeTaintsPolicy == corev1.NodeInclusionPolicyHonor,
		}
		if c.MinDomains != nil {
			s.minDomains = int(*c.MinDomains)
		}
		out = append(out, s)
	}
	return out, nil
}

// counts reports whether a placed pod counts for the constraint of a pod in namespace ns.
func (s spread) counts(p *corev1.Pod, ns string) bool {
	return p.DeletionTimestamp == nil && p.Namespace == ns && !s.selector.Empty() && s.selector.Matches(labels.Set(p.Labels))
}
