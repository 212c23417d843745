package scenario

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"muster/perf/measure"
)

// Size asks for a scenario in another size. Zero values keep its own.
type Size struct {
	// Nodes in the cluster.
	Nodes int
	// Scale multiplies the number of groups (not their sizes); 0 is 1. Any other is refused where no measured group follows
	// it (Scenario.Scales): the load would be the same under another name.
	Scale float64
}

// ErrSize is wrapped where a size cannot be had.
var ErrSize = errors.New("the scenario cannot be run at this size")

// Scales reports whether a scale changes what is measured: some measured group follows it, and not the nodes alone.
func (s Scenario) Scales() bool {
	return slices.ContainsFunc(s.Phases, func(p Phase) bool {
		return p.Measured && slices.ContainsFunc(p.Groups, func(g Group) bool { return g.factor(1, 2) != 1 })
	})
}

// Nobody runs more than this on one machine, and sums of less do not overflow.
const (
	maxNodes = 1_000_000
	maxPods  = 10_000_000
)

// Sized is a scenario whose numbers are final: Nodes, Count and the numbers of pods are what will be created.
type Sized struct {
	Scenario
	Scale float64
	// Own is the scenario's own figure where Figure is another (By); empty where it is not.
	Own Figure `json:"own,omitempty"`
}

// Ends reports whether pods come to an end in any of the phases; otherwise nobody needs them to run.
func (s *Sized) Ends() bool {
	return slices.ContainsFunc(s.Phases, func(p Phase) bool { return p.Finish || p.LivesSeconds > 0 })
}

// At resolves a scenario for a size. The error wraps ErrSize and says what no longer makes sense.
func (s Scenario) At(size Size) (*Sized, error) {
	if size.Nodes < 0 || size.Nodes > maxNodes || size.Scale < 0 || math.IsNaN(size.Scale) || math.IsInf(size.Scale, 0) {
		return nil, fmt.Errorf("%w: %d nodes, scale %v", ErrSize, size.Nodes, size.Scale)
	}
	out := &Sized{Scenario: s, Scale: size.Scale}
	if out.Scale == 0 {
		out.Scale = 1
	}
	if out.Scale != 1 && !s.Scales() {
		return nil, fmt.Errorf("%w: a scale of %v changes nothing that %s measures: its load follows the number of nodes alone; leave --scale away and take fewer nodes (muster list perf says which scenarios scale)",
			ErrSize, size.Scale, s.Name)
	}
	ratio := 1.0
	if size.Nodes > 0 {
		ratio = float64(size.Nodes) / float64(s.Nodes)
		out.Nodes = size.Nodes
	}
	out.Node.Count = out.Nodes
	if s.Multiple > 0 && out.Nodes%s.Multiple != 0 {
		return nil, fmt.Errorf("%w: %s needs a multiple of %d nodes, and %d is none", ErrSize, s.Name, s.Multiple, out.Nodes)
	}
	out.Phases = nil
	for _, p := range s.Phases {
		groups := p.Groups
		p.Groups = nil
		for _, g := range groups {
			if n := g.estimate(ratio, out.Scale); n > maxPods {
				return nil, fmt.Errorf("%w: group %s of %s would have %.0f pods", ErrSize, g.Name, s.Name, n)
			}
			g = g.at(ratio, out.Scale)
			if g.Count > 0 && g.Size() > 0 {
				p.Groups = append(p.Groups, g)
			}
		}
		out.Phases = append(out.Phases, p)
	}
	if err := out.check(); err != nil {
		return nil, fmt.Errorf("%w: %s with %d nodes and scale %v: %w", ErrSize, s.Name, out.Nodes, out.Scale, err)
	}
	return out, nil
}

// estimate is about how many pods the group would have; in floating point, which does not overflow.
func (g Group) estimate(ratio, scale float64) float64 {
	n := float64(g.Count) * float64(g.Size()) * float64(g.Leaves()) * g.factor(ratio, scale)
	if g.SizePerNode {
		n *= ratio
	}
	return n
}

// factor is what the number of groups is multiplied with.
func (g Group) factor(ratio, scale float64) float64 {
	switch {
	case g.Fixed:
		return 1
	case g.PerNode && g.Scaled:
		return ratio * scale
	case g.PerNode:
		return ratio
	}
	return scale
}

// at is the group for a cluster ratio times as large as the scenario's own, and a scale.
func (g Group) at(ratio, scale float64) Group {
	g.Count = max(int(math.Round(float64(g.Count)*g.factor(ratio, scale))), 1)
	if !g.SizePerNode {
		return g
	}
	whole := g.Size()
	g.Pods = slices.Clone(g.Pods)
	for i := range g.Pods {
		// A little slack, so that 300 × 0.1 is 30. What is one pod too large for the cluster must stay so.
		n := float64(g.Pods[i].Count) * ratio
		if g.Unbound {
			g.Pods[i].Count = int(math.Ceil(n - 1e-9))
		} else {
			g.Pods[i].Count = int(math.Floor(n + 1e-9))
		}
	}
	if g.Policy == Gang {
		// All members needed before is all members needed now.
		g.Quorum = max(g.Quorum*g.Size()/whole, 1)
	}
	return g
}

// Counts are what a sized scenario creates.
type Counts struct {
	Pods, Groups, Composites int
	// Unbound pods are meant to stay so, Background pods are of phases that are not measured, Devices are those claimed.
	Unbound, Background, Devices int
}

// Counts adds up all phases.
func (s *Sized) Counts() (c Counts) {
	for _, p := range s.Phases {
		for _, g := range p.Groups {
			groups := g.Count * g.Leaves()
			pods := groups * g.Size()
			c.Pods += pods
			if g.Policy != Plain {
				c.Groups += groups
			}
			level := 1
			for i := range g.Tree {
				if i > 0 {
					level *= g.Tree[i-1]
				}
				c.Composites += g.Count * level
			}
			if g.Unbound {
				c.Unbound += pods
			}
			if !p.Measured {
				c.Background += pods
			}
			for _, shape := range g.Pods {
				c.Devices += groups * shape.Count * shape.Devices
			}
		}
	}
	return c
}

// Plan is what the run must show to have been created. Its arrival is that of the measured phases; of several open loops
// the rate is that of all their pods over all their time. The optima are in GPUs: what perfect phases are about.
func (s *Sized) Plan() measure.Plan {
	c := s.Counts()
	p := measure.Plan{Pods: c.Pods, Gangs: c.Groups, Unbound: c.Unbound}
	pods, seconds := 0.0, 0.0
	for _, ph := range s.Phases {
		if !ph.Measured {
			continue
		}
		p.Arrival = measure.Arrival(ph.Arrival)
		if ph.Perfect {
			optimum := int64(0)
			for _, g := range ph.Groups {
				for _, shape := range g.Pods {
					optimum += int64(g.Count*g.Leaves()) * int64(shape.Count) * int64(shape.GPUs)
				}
			}
			p.Optima = append(p.Optima, optimum)
		}
		if ph.Rate > 0 {
			n := 0
			for _, g := range ph.Groups {
				n += g.Count * g.Leaves() * g.Size()
			}
			pods += float64(n)
			seconds += float64(n) / ph.Rate
		}
	}
	if seconds > 0 {
		p.Rate = pods / seconds
	}
	return p
}

// Shape says what was run, for comparisons: figures of different shapes are not compared.
func (s *Sized) Shape() string {
	return fmt.Sprintf("%s nodes=%d scale=%v", s.Name, s.Nodes, s.Scale)
}
