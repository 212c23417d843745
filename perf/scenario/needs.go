package scenario

// Feature gates a scenario can need, by upstream's names.
const (
	GateWorkload  = "GenericWorkload"
	GateTopology  = "TopologyAwareWorkloadScheduling"
	GateDevices   = "DRAWorkloadResourceClaims"
	GateComposite = "CompositePodGroup"
)

// Gates are the feature gates that must be on, read off what is created. Plain pods need none.
func (s Scenario) Gates() []string {
	var groups, topology, claimed, tree bool
	for _, p := range s.Phases {
		for _, g := range p.Groups {
			groups = groups || g.Policy != Plain
			topology = topology || g.Topology != ""
			tree = tree || len(g.Tree) > 0
			for _, shape := range g.Pods {
				claimed = claimed || shape.Devices > 0 && g.Policy != Plain
			}
		}
	}
	var out []string
	for _, n := range []struct {
		need bool
		gate string
	}{{groups, GateWorkload}, {topology, GateTopology}, {claimed, GateDevices}, {tree, GateComposite}} {
		if n.need {
			out = append(out, n.gate)
		}
	}
	return out
}
