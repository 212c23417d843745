package scenario

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/apimachinery/pkg/api/resource"
)

// amounts by resource; CPU in thousandths.
type amounts map[string]int64

// What the arithmetic knows of. Devices count like a resource of the node.
const (
	cpu, memory, gpus, slots, devices = "cpu", "memory", "gpus", "pods", "devices"
)

func (p Pods) asks() amounts {
	a := amounts{slots: 1}
	if p.CPU != "" {
		q := resource.MustParse(p.CPU)
		a[cpu] = q.MilliValue()
	}
	if p.Memory != "" {
		q := resource.MustParse(p.Memory)
		a[memory] = q.Value()
	}
	if p.GPUs > 0 {
		a[gpus] = int64(p.GPUs)
	}
	if p.Devices > 0 {
		a[devices] = int64(p.Devices)
	}
	return a
}

// node is what one node has.
func (s *Sized) node() amounts {
	c, m := resource.MustParse(s.Node.CPU), resource.MustParse(s.Node.Memory)
	return amounts{cpu: c.MilliValue(), memory: m.Value(), gpus: int64(s.Node.GPUs), slots: int64(s.Node.Pods), devices: int64(s.Devices)}
}

func (a amounts) add(b amounts, n int64) {
	for r, v := range b {
		a[r] += v * n
	}
}

// beyond is the first resource of which there is more in a than in b times n; ok is false where a fits.
func (a amounts) beyond(b amounts, n int64) (string, bool) {
	for _, r := range slices.Sorted(maps.Keys(a)) {
		if a[r] > b[r]*n {
			return r, true
		}
	}
	return "", false
}

// check says what no longer makes sense at this size. It is arithmetic over sums: it finds what cannot be, and leaves it
// to the run's own premises to show what can.
func (s *Sized) check() error {
	node := s.node()
	standing := map[int32]amounts{} // what stays, by priority
	for i := range s.Phases {
		p := &s.Phases[i]
		if len(p.Groups) == 0 {
			return fmt.Errorf("nothing is left of phase %s: take more nodes", p.Name)
		}
		load := amounts{}
		for _, g := range p.Groups {
			if err := s.checkGroup(g, node); err != nil {
				return fmt.Errorf("group %s: %w", g.Name, err)
			}
			if g.Unbound {
				continue
			}
			held := standing[g.Priority]
			if held == nil {
				held = amounts{}
				standing[g.Priority] = held
			}
			groups := int64(g.Count * g.Leaves())
			for _, shape := range g.Pods {
				if p.LivesSeconds == 0 {
					held.add(shape.asks(), groups*int64(shape.Count))
				}
				load.add(shape.asks(), groups*int64(shape.Count))
			}
			// Lower priorities may be evicted, equal and higher ones may not.
			all := amounts{}
			for priority, a := range standing {
				if priority >= g.Priority {
					all.add(a, 1)
				}
			}
			if r, over := all.beyond(node, int64(s.Nodes)); over {
				return fmt.Errorf("phase %s: %d of %s are asked for and %d are there: take more nodes, or a smaller scale", p.Name, all[r], r, node[r]*int64(s.Nodes))
			}
		}
		if err := s.checkPerfect(p, load, standing, node); err != nil {
			return err
		}
		if p.Finish {
			for _, g := range p.Groups {
				if !g.Unbound {
					for _, shape := range g.Pods {
						standing[g.Priority].add(shape.asks(), -int64(g.Count*g.Leaves()*shape.Count))
					}
				}
			}
		}
	}
	return nil
}

// checkPerfect: a perfect phase leaves nothing free of what it is about, GPUs.
func (s *Sized) checkPerfect(p *Phase, load amounts, standing map[int32]amounts, node amounts) error {
	if !p.Perfect {
		return nil
	}
	held := int64(0)
	for _, a := range standing {
		held += a[gpus]
	}
	if whole := node[gpus] * int64(s.Nodes); held != whole {
		return fmt.Errorf("phase %s is to fill the cluster exactly and would hold %d of %d GPUs (%d of its own): take a multiple of %d nodes",
			p.Name, held, whole, load[gpus], max(s.Multiple, 1))
	}
	return nil
}

// maxApart groups of one kind find a host port each.
const maxApart = 10000

// checkGroup: what is to be bound can be, as far as one node and one group go, and what is not to be bound cannot.
func (s *Sized) checkGroup(g Group, node amounts) error {
	whole, single := amounts{}, ""
	for _, shape := range g.Pods {
		if r, over := shape.asks().beyond(node, 1); over {
			single = fmt.Sprintf("a pod asks for %d of %s where a node has %d", shape.asks()[r], r, node[r])
		}
		whole.add(shape.asks(), int64(shape.Count))
	}
	r, over := whole.beyond(node, int64(s.Nodes))
	apart := g.Apart && g.Size() > s.Nodes
	switch {
	case g.Apart && g.Count*g.Leaves() > maxApart:
		return fmt.Errorf("%d groups whose members are to be apart need a host port each, and there are %d", g.Count*g.Leaves(), maxApart)
	case g.Unbound && single == "" && !over && !apart:
		return fmt.Errorf("it is there to be infeasible, and %d nodes have room for it: take fewer", s.Nodes)
	case !g.Unbound && single != "":
		return fmt.Errorf("%s", single)
	case !g.Unbound && over:
		return fmt.Errorf("its %d pods ask for %d of %s where the cluster has %d: take more nodes", g.Size(), whole[r], r, node[r]*int64(s.Nodes))
	case !g.Unbound && apart:
		return fmt.Errorf("its %d pods need a node each: take more nodes", g.Size())
	case !g.Unbound && g.Topology == "rack":
		per := int64(s.Node.NodesPerRack)
		if per == 0 {
			return fmt.Errorf("it is to share a rack, and the nodes have none")
		}
		if r, over := whole.beyond(node, min(per, int64(s.Nodes))); over {
			return fmt.Errorf("its %d pods ask for more %s than a rack has", g.Size(), r)
		}
	case g.Topology == "zone" && s.Node.RacksPerZone == 0:
		return fmt.Errorf("it is to share a zone, and the nodes have none")
	}
	return nil
}
