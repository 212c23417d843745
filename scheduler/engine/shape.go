package engine

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math/bits"
	"slices"

	corev1 "k8s.io/api/core/v1"
	v1helpers "k8s.io/component-helpers/scheduling/corev1"
	"k8s.io/component-helpers/scheduling/corev1/nodeaffinity"
	"k8s.io/klog/v2"
)

// shape is what pods have in common that are equal for placement.
type shape struct {
	id       string
	refs     int
	requests []amount
	extra    uint64 // extended resources it asks for, by bit
	ports    []port
	// selective: node selector or required node affinity is set, so that nodes must be asked.
	selective bool
	where     nodeaffinity.RequiredNodeAffinity
	// reads are the labels that selector and required affinity look at; byName: the latter look at names, too.
	reads       []string
	byName      bool
	tolerations []corev1.Toleration
	features    []string // that a node must declare
	rules       *rules   // about other pods and preferences; nil for most
	// flaw says why pods of the shape are refused: what cannot be read, or is not supported.
	flaw  Reason
	table *table
	// When a table was dropped, or a root began to wait without one: Engine.freed when it was last up to date, and whether
	// it had grown unnoticed.
	freed  uint64
	untold bool
	looked int // cohorts that were looked at for those who wait, since there was no table
	// blocked are the roots that wait for room for this shape.
	blocked map[Root]int
	devices shapeDevices
}

// shapeOf interns the shape of a pod; the caller owns one reference.
func (e *Engine) shapeOf(p *corev1.Pod) *shape {
	var few [8]amount
	requests := e.resources.amounts(requestsOf(p), few[:0])
	b := e.buf[:0]
	b = binary.AppendUvarint(b, uint64(len(requests)))
	for _, a := range requests {
		b = binary.AppendUvarint(b, uint64(a.res))
		b = binary.AppendUvarint(b, uint64(a.v))
	}
	ports := portsOf(p)
	b = appendConstraints(b, p, ports)
	declared := featuresOf(p)
	for _, f := range declared {
		b = append(append(b, 'F'), f...)
	}
	b = e.appendExtended(b, p, requests)
	if refused := unsupported(p); refused != "" {
		b = append(append(b, "!"...), refused...)
	}
	ruled := hasRules(p)
	if ruled {
		b = appendRules(b, p)
	}
	e.buf = b
	if s := e.shapes[string(b)]; s != nil {
		s.refs++
		return s
	}
	s := &shape{id: string(b), refs: 1, requests: slices.Clone(requests), ports: ports, tolerations: p.Spec.Tolerations, features: declared}
	for _, a := range requests {
		s.extra |= e.resources.bit(a.res)
	}
	e.shapes[s.id] = s
	e.readExtended(s, p)
	if refused := unsupported(p); refused != "" {
		s.flaw = Reason{Code: Unsupported, Detail: refused}
	}
	if err := s.readAffinity(p); err != nil {
		s.flaw = Reason{Code: Invalid, Detail: err.Error()}
	}
	if ruled { // read of flawed pods, too: others have placed some, and what these keep out is kept out
		r, err := e.rulesOf(p)
		if err != nil {
			s.flaw = Reason{Code: Invalid, Detail: err.Error()}
		}
		s.rules = r
	}
	return s
}

func (s *shape) readAffinity(p *corev1.Pod) error {
	a := p.Spec.Affinity
	required := a != nil && a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil
	if !required && len(p.Spec.NodeSelector) == 0 {
		return nil
	}
	s.selective = true
	if required {
		if _, err := nodeaffinity.NewNodeSelector(a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution); err != nil {
			return fmt.Errorf("reading its node affinity: %w", err)
		}
	}
	s.where = nodeaffinity.GetRequiredNodeAffinity(p)
	s.readKeys(p, required)
	return nil
}

func (e *Engine) dropShape(s *shape) {
	if s.refs--; s.refs > 0 {
		return
	}
	delete(e.shapes, s.id)
	if s.table != nil {
		e.dropTable(s.table)
	}
	if s.devices.base != nil {
		e.dropShape(s.devices.base)
		return
	}
	if s.rules != nil {
		for _, t := range s.rules.anti {
			t.carried--
		}
		for _, t := range s.rules.terms() {
			e.dropTerm(t)
		}
	}
}

// appendConstraints adds to a key what a pod demands of a node besides amounts.
func appendConstraints(b []byte, p *corev1.Pod, ports []port) []byte {
	for _, pt := range ports {
		b = fmt.Appendf(b, "P%s/%s/%d", pt.ip, pt.protocol, pt.number)
	}
	if len(p.Spec.NodeSelector) > 0 {
		keys := make([]string, 0, len(p.Spec.NodeSelector))
		for k := range p.Spec.NodeSelector {
			keys = append(keys, k)
		}
		slices.Sort(keys)
		for _, k := range keys {
			b = append(b, 'S')
			b = appendPair(b, k, p.Spec.NodeSelector[k])
		}
	}
	if a := p.Spec.Affinity; a != nil && a.NodeAffinity != nil && a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution != nil {
		b = appendJSON(append(b, 'A'), a.NodeAffinity.RequiredDuringSchedulingIgnoredDuringExecution)
	}
	for i := range p.Spec.Tolerations {
		t := &p.Spec.Tolerations[i]
		if t.Effect == corev1.TaintEffectNoExecute && (t.Key == corev1.TaintNodeNotReady || t.Key == corev1.TaintNodeUnreachable) && t.TolerationSeconds != nil {
			b = append(b, 'T', t.Key[len(t.Key)-1]) // every pod has these two; a NoExecute taint is tolerated for a while
			continue
		}
		b = append(b, 't')
		b = append(b, t.Operator...)
		b = append(b, '/')
		b = append(b, t.Effect...)
		b = appendPair(b, t.Key, t.Value)
	}
	return b
}

func appendJSON(b []byte, v any) []byte {
	j, err := json.Marshal(v)
	if err != nil { // API types always marshal
		panic(fmt.Sprintf("encoding %T: %v", v, err))
	}
	return append(b, j...)
}

// unsupported names what a pod asks for and this engine cannot give; empty if nothing.
func unsupported(p *corev1.Pod) string {
	if p.Spec.Resources != nil && len(p.Spec.Resources.Claims) > 0 {
		return "spec.resources.claims"
	}
	for i := range p.Spec.Volumes {
		v := &p.Spec.Volumes[i]
		switch {
		case v.GCEPersistentDisk != nil:
			return "volume " + v.Name + " (gcePersistentDisk)"
		case v.AWSElasticBlockStore != nil:
			return "volume " + v.Name + " (awsElasticBlockStore)"
		case v.RBD != nil:
			return "volume " + v.Name + " (rbd)"
		case v.ISCSI != nil:
			return "volume " + v.Name + " (iscsi)"
		}
	}
	return ""
}

// allowed looks at what the node says about itself: existence, reservation, cordon, taints, selector and node affinity.
func (e *Engine) allowed(s *shape, n *node) bool {
	if !n.exists || n.shunned || e.closed(n) {
		return false
	}
	if n.cordon && !s.tolerates(&corev1.Taint{Key: corev1.TaintNodeUnschedulable, Effect: corev1.TaintEffectNoSchedule}) {
		return false
	}
	for i := range n.taints {
		t := &n.taints[i]
		if t.Effect != corev1.TaintEffectPreferNoSchedule && !s.tolerates(t) {
			return false
		}
	}
	return n.declares(s) && (!s.selective || e.selected(s, n))
}

func (s *shape) tolerates(t *corev1.Taint) bool {
	return len(s.tolerations) > 0 && v1helpers.TolerationsTolerateTaint(klog.Background(), s.tolerations, t, true)
}

// selected reports whether selector and required affinity allow the node. They were parsed before; no error is left.
func (e *Engine) selected(s *shape, n *node) bool {
	e.scratch.Name, e.scratch.Labels = n.name, n.labels
	ok, err := s.where.Match(&e.scratch)
	return ok && err == nil
}

// copies is how many more pods of the shape the node takes, its own properties and what it holds considered.
func (e *Engine) copies(s *shape, n *node) int32 {
	c := int64(n.slots - n.count)
	for _, a := range s.requests {
		if c <= 0 {
			return 0
		}
		free := at(n.alloc, a.res) - at(n.used, a.res)
		if free < a.v {
			if e.backed(s, n, a.res) {
				continue // by devices
			}
			return 0
		}
		if over, all := bits.Mul64(uint64(a.v), uint64(c)); over > 0 || all > uint64(free) {
			c = free / a.v
		}
	}
	if c <= 0 || !e.allowed(s, n) {
		return 0
	}
	if len(s.ports) > 0 {
		if clashes(s.ports, n.ports) {
			return 0
		}
		c = 1
	}
	return e.deviceCopies(s, n, int32(c))
}
