package engine

import (
	"fmt"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
)

// rules are what a shape demands or prefers with regard to other pods, and the nodes it prefers.
type rules struct {
	affinity []*term // required: one per topology key term, all with the selections of all
	anti     []*term // required
	spreads  []spread
	soft     []spread
	near     []weighted // preferred pod affinity; anti-affinity with negative weight
	nodes    *nodeaffinity.PreferredSchedulingTerms
}

type weighted struct {
	*term
	weight int64
}

// spread is a topology spread constraint.
type spread struct {
	*term
	maxSkew, minDomains      int32
	ignoreAffinity, byTaints bool
}

// terms are all terms of the rules, once per reference.
func (r *rules) terms() []*term {
	out := slices.Concat(r.affinity, r.anti)
	for _, s := range slices.Concat(r.spreads, r.soft) {
		out = append(out, s.term)
	}
	for _, w := range r.near {
		out = append(out, w.term)
	}
	return out
}

func hasRules(p *corev1.Pod) bool {
	a := p.Spec.Affinity
	return len(p.Spec.TopologySpreadConstraints) > 0 || a != nil && (a.PodAffinity != nil || a.PodAntiAffinity != nil ||
		a.NodeAffinity != nil && len(a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution) > 0)
}

// allTerms are the pod (anti-)affinity terms of a pod, required and preferred.
func allTerms(p *corev1.Pod) []corev1.PodAffinityTerm {
	var out []corev1.PodAffinityTerm
	add := func(required []corev1.PodAffinityTerm, preferred []corev1.WeightedPodAffinityTerm) {
		out = append(out, required...)
		for _, w := range preferred {
			out = append(out, w.PodAffinityTerm)
		}
	}
	if a := p.Spec.Affinity; a != nil && a.PodAffinity != nil {
		add(a.PodAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	if a := p.Spec.Affinity; a != nil && a.PodAntiAffinity != nil {
		add(a.PodAntiAffinity.RequiredDuringSchedulingIgnoredDuringExecution, a.PodAntiAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
	}
	return out
}

// appendRules adds to a shape's key everything the rules are made of.
func appendRules(b []byte, p *corev1.Pod) []byte {
	b = append(append(b, 'R'), p.Namespace...)
	if a := p.Spec.Affinity; a != nil {
		b = appendJSON(b, []any{a.PodAffinity, a.PodAntiAffinity})
		if a.NodeAffinity != nil {
			b = appendJSON(b, a.NodeAffinity.PreferredDuringSchedulingIgnoredDuringExecution)
		}
	}
	b = appendJSON(b, p.Spec.TopologySpreadConstraints)
	value := func(keys []string) {
		for _, k := range keys {
			b = appendPair(b, k, p.Labels[k])
		}
	}
	for _, t := range allTerms(p) {
		value(t.MatchLabelKeys)
		value(t.MismatchLabelKeys)
	}
	for _, c := range p.Spec.TopologySpreadConstraints {
		value(c.MatchLabelKeys)
	}
	return b
}

// rulesOf reads the rules of a pod. Everything is read before the first term is made, so that an error leaves none.
func (e *Engine) rulesOf(p *corev1.Pod) (*rules, error) {
	for _, t := range allTerms(p) {
		if _, err := selectionOf(p, t); err != nil {
			return nil, err
		}
	}
	spreadSelectors := make([]labels.Selector, len(p.Spec.TopologySpreadConstraints))
	for i, c := range p.Spec.TopologySpreadConstraints {
		sel, err := metav1.LabelSelectorAsSelector(c.LabelSelector)
		if err != nil {
			return nil, fmt.Errorf("reading its spread constraint on %s: %w", c.TopologyKey, err)
		}
		if sel = withKeys(sel, p.Labels, c.MatchLabelKeys, "="); sel.Empty() { // spreads nothing: upstream counts no pod for it
			sel = labels.Nothing()
		}
		spreadSelectors[i] = sel
	}
	r := &rules{}
	if a := p.Spec.Affinity; a != nil {
		if n := a.NodeAffinity; n != nil && len(n.PreferredDuringSchedulingIgnoredDuringExecution) > 0 {
			terms, err := nodeaffinity.NewPreferredSchedulingTerms(n.PreferredDuringSchedulingIgnoredDuringExecution)
			if err != nil {
				return nil, fmt.Errorf("reading its preferred node affinity: %w", err)
			}
			r.nodes = terms
		}
		e.podTerms(r, p, a)
	}
	for i, c := range p.Spec.TopologySpreadConstraints {
		s := spread{
			term:    e.term(c.TopologyKey, true, selection{in: []string{p.Namespace}, selector: spreadSelectors[i]}),
			maxSkew: c.MaxSkew, minDomains: 1,
			ignoreAffinity: c.NodeAffinityPolicy != nil && *c.NodeAffinityPolicy == corev1.NodeInclusionPolicyIgnore,
			byTaints:       c.NodeTaintsPolicy != nil && *c.NodeTaintsPolicy == corev1.NodeInclusionPolicyHonor,
		}
		if c.MinDomains != nil {
			s.minDomains = *c.MinDomains
		}
		if c.WhenUnsatisfiable == corev1.DoNotSchedule {
			r.spreads = append(r.spreads, s)
		} else {
			r.soft = append(r.soft, s)
		}
	}
	return r, nil
}

func (e *Engine) podTerms(r *rules, p *corev1.Pod, a *corev1.Affinity) {
	one := func(t corev1.PodAffinityTerm) *term {
		s, _ := selectionOf(p, t) // read before
		return e.term(t.TopologyKey, false, s)
	}
	if pa := a.PodAffinity; pa != nil {
		var all []selection
		for _, t := range pa.RequiredDuringSchedulingIgnoredDuringExecution {
			s, _ := selectionOf(p, t)
			all = append(all, s)
		}
		for _, t := range pa.RequiredDuringSchedulingIgnoredDuringExecution {
			r.affinity = append(r.affinity, e.term(t.TopologyKey, false, all...))
		}
		for _, w := range pa.PreferredDuringSchedulingIgnoredDuringExecution {
			r.near = append(r.near, weighted{one(w.PodAffinityTerm), int64(w.Weight)})
		}
	}
	if pa := a.PodAntiAffinity; pa != nil {
		for _, t := range pa.RequiredDuringSchedulingIgnoredDuringExecution {
			r.anti = append(r.anti, one(t))
			r.anti[len(r.anti)-1].carried++
		}
		for _, w := range pa.PreferredDuringSchedulingIgnoredDuringExecution {
			r.near = append(r.near, weighted{one(w.PodAffinityTerm), -int64(w.Weight)})
		}
	}
}

// selectionOf reads whom a term speaks about.
func selectionOf(p *corev1.Pod, t corev1.PodAffinityTerm) (selection, error) {
	sel, err := metav1.LabelSelectorAsSelector(t.LabelSelector)
	if err != nil {
		return selection{}, fmt.Errorf("reading its pod affinity term on %s: %w", t.TopologyKey, err)
	}
	// The API server has merged these keys into the selector; doing it again is harmless, and right for other objects.
	sel = withKeys(sel, p.Labels, t.MatchLabelKeys, "=")
	sel = withKeys(sel, p.Labels, t.MismatchLabelKeys, "!=")
	s := selection{in: slices.Clone(t.Namespaces), selector: sel}
	switch n := t.NamespaceSelector; {
	case n == nil && len(s.in) == 0:
		s.in = []string{p.Namespace}
	case n != nil && len(n.MatchLabels)+len(n.MatchExpressions) == 0:
		s.all = true
	case n != nil:
		if s.spaces, err = metav1.LabelSelectorAsSelector(n); err != nil {
			return selection{}, fmt.Errorf("reading the namespaceSelector of its pod affinity term on %s: %w", t.TopologyKey, err)
		}
	}
	slices.Sort(s.in)
	return s, nil
}

func withKeys(sel labels.Selector, owner map[string]string, keys []string, op string) labels.Selector {
	for _, k := range keys {
		if v, ok := owner[k]; ok {
			if req, err := labels.ParseToRequirements(k + op + v); err == nil {
				sel = sel.Add(req...)
			}
		}
	}
	return sel
}

// term interns the term that these selections on a key make.
func (e *Engine) term(key string, lively bool, selections ...selection) *term {
	var id strings.Builder
	fmt.Fprint(&id, key, lively)
	for _, s := range selections {
		fmt.Fprintf(&id, "|%v %q %s", s.all, s.in, s.selector)
		if s.spaces != nil {
			fmt.Fprintf(&id, " in %s", s.spaces)
		}
	}
	return e.termFor(id.String(), key, lively, selections)
}
