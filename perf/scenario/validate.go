package scenario

import (
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
)

func (s *Scenario) defaults() {
	s.Node = s.Node.WithDefaults()
	for i := range s.Phases {
		p := &s.Phases[i]
		if p.Arrival == "" {
			p.Arrival = Burst
		}
		for j := range p.Groups {
			g := &p.Groups[j]
			if g.Policy == "" {
				g.Policy = Gang
			}
			if g.Policy == Gang && g.Quorum == 0 {
				g.Quorum = g.Size()
			}
		}
	}
}

// Validate says what is wrong with a scenario, whatever its size.
func (s *Scenario) Validate() error {
	figures := Figures[:len(Figures)-2] // scenario's own
	switch {
	case s.Name == "" || s.About == "":
		return errors.New("it needs a name and a sentence about it")
	case !slices.Contains(figures, s.Figure):
		return fmt.Errorf("figure %q is none of %v", s.Figure, figures)
	case s.Nodes <= 0 || s.Nodes > maxNodes:
		return fmt.Errorf("%d nodes", s.Nodes)
	case s.Node.Name != "" || s.Node.Count != 0:
		return errors.New("its node is a shape: name and count are not its own")
	case (s.Differs != "") && s.Upstream == "":
		return errors.New("it differs from an upstream case that it does not name")
	case !slices.ContainsFunc(s.Phases, func(p Phase) bool { return p.Measured }):
		return errors.New("no phase is measured")
	}
	names, measured := map[string]bool{}, false
	for _, p := range s.Phases {
		if measured && !p.Measured {
			return fmt.Errorf("phase %q prepares the cluster after something was measured", p.Name)
		}
		measured = p.Measured
		if p.Measured && (s.Figure == Occupancy) != p.Perfect {
			return fmt.Errorf("phase %q: occupancy is the figure of loads whose measured phases are all perfect, and of no others", p.Name)
		}
		if err := p.validate(names); err != nil {
			return fmt.Errorf("phase %q: %w", p.Name, err)
		}
	}
	return nil
}

func (p *Phase) validate(names map[string]bool) error {
	switch {
	case p.Arrival != Burst && p.Arrival != Backlog && p.Arrival != Open:
		return fmt.Errorf("arrival %q is none of burst, backlog and open", p.Arrival)
	case (p.Arrival == Open) != (p.Rate > 0):
		return errors.New("an open loop, and nothing else, has a rate")
	case p.LivesSeconds < 0 || p.LivesSeconds > 0 && p.Finish:
		return errors.New("its pods either live for a time or end with the phase")
	case len(p.Groups) == 0:
		return errors.New("it creates nothing")
	}
	for _, g := range p.Groups {
		if names[g.Name] || g.Name == "" {
			return fmt.Errorf("group %q: names are needed, and only once in a scenario", g.Name)
		}
		names[g.Name] = true
		if err := g.validate(); err != nil {
			return fmt.Errorf("group %q: %w", g.Name, err)
		}
	}
	return nil
}

func (g *Group) validate() error {
	switch {
	case g.Count <= 0 || g.Size() <= 0:
		return errors.New("it has no pods")
	case g.Count > maxPods || g.Size() > maxPods || g.Leaves() > maxPods:
		return fmt.Errorf("more than %d of something", maxPods)
	case g.PerNode && g.Fixed:
		return errors.New("it cannot both grow with the cluster and be fixed")
	case g.Scaled && !g.PerNode:
		return errors.New("scaled is for groups that grow with the cluster: the others follow the scale already, or are fixed")
	case !slices.Contains([]Policy{Plain, Gang, Basic}, g.Policy):
		return fmt.Errorf("policy %q is none of plain, gang and basic", g.Policy)
	case g.Policy == Gang && (g.Quorum < 1 || g.Quorum > g.Size()):
		return fmt.Errorf("a quorum of %d of %d pods", g.Quorum, g.Size())
	case g.Policy != Gang && g.Quorum != 0:
		return errors.New("only gangs have a quorum")
	case g.Policy == Plain && (g.Topology != "" || g.DisruptAll || len(g.Tree) > 0):
		return errors.New("plain pods have no topology, disruption mode or tree")
	case g.Topology != "" && g.Topology != "rack" && g.Topology != "zone":
		return fmt.Errorf("topology %q is neither rack nor zone", g.Topology)
	case g.Bound != "" && g.Bound != "spread" && g.Bound != "pack":
		return fmt.Errorf("bound %q is neither spread nor pack", g.Bound)
	case g.Bound != "" && g.Unbound:
		return errors.New("it cannot be both bound and never bound")
	case len(g.Tree) > 3:
		return errors.New("trees have at most three levels of composites (the API's limit is four levels in all)")
	case slices.ContainsFunc(g.Tree, func(n int) bool { return n < 1 || n > 1000 }):
		return fmt.Errorf("a tree of %v: every level has 1…1000 children", g.Tree)
	}
	for _, p := range g.Pods {
		for _, q := range []string{p.CPU, p.Memory} {
			if q == "" {
				continue
			}
			if _, err := resource.ParseQuantity(q); err != nil {
				return fmt.Errorf("quantity %q: %w", q, err)
			}
		}
		if p.Count < 0 || p.GPUs < 0 || p.Devices < 0 {
			return errors.New("negative numbers")
		}
	}
	return nil
}
