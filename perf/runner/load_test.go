package runner

import (
	"fmt"
	"testing"

	"muster/fakes/nodes"
	"muster/perf/scenario"
	"muster/workloads/dialect"
)

// What is built is what the scenario says, for every scenario there is, in a small size and in its own.
func TestLoadIsThePlan(t *testing.T) {
	d, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	all, err := scenario.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range all {
		sized, err := s.At(scenario.Size{})
		if err != nil {
			t.Fatal(err)
		}
		plan, counts := sized.Plan(), sized.Counts()
		pods, groups, composites, names := 0, 0, 0, map[string]bool{}
		ports := int32(firstPort)
		for i := range sized.Phases {
			l := loadOf(&sized.Phases[i], &ports)
			composites += len(l.composites)
			objects, err := l.objects(d)
			if err != nil {
				t.Fatalf("%s: %v", s.Name, err)
			}
			groups += len(objects) - len(l.composites)
			for n, g := range l.gangs {
				if n > 3 && n < len(l.gangs)-1 {
					pods += g.group.Size() // like the others
					continue
				}
				made, err := g.pods(d, "mine")
				if err != nil {
					t.Fatalf("%s: %v", s.Name, err)
				}
				pods += len(made)
				for _, p := range made {
					if names[p.Name] || p.Spec.SchedulerName != "mine" || p.Namespace != namespace {
						t.Fatalf("%s: pod %s/%s for %s", s.Name, p.Namespace, p.Name, p.Spec.SchedulerName)
					}
					names[p.Name] = true
					if gang, ok := d.Member(p); ok == g.plain() || ok && gang != g.name {
						t.Fatalf("%s: pod %s is of gang %q, %v", s.Name, p.Name, gang, ok)
					}
				}
			}
		}
		if pods != plan.Pods || groups != plan.Gangs || composites != counts.Composites {
			t.Errorf("%s: %d pods, %d groups, %d composites; planned %d, %d, %d", s.Name, pods, groups, composites, plan.Pods, plan.Gangs, counts.Composites)
		}
	}
}

func TestTree(t *testing.T) {
	p := scenario.Phase{Groups: []scenario.Group{{
		Name: "leaf", Count: 2, Policy: scenario.Gang, Quorum: 8, Tree: []int{2, 4}, Topology: "rack", Priority: 7,
		Pods: []scenario.Pods{{Count: 8, CPU: "1"}},
	}}}
	l := loadOf(&p, new(int32))
	if len(l.composites) != 6 || len(l.gangs) != 16 {
		t.Fatalf("%d composites, %d gangs", len(l.composites), len(l.gangs))
	}
	root, mid, leaf := l.composites[0], l.composites[1], l.gangs[0].neutral()
	if root.Parent != "" || root.Quorum != 2 || mid.Parent != root.Name || mid.Quorum != 4 || leaf.Parent != mid.Name {
		t.Errorf("root %+v, middle %+v, leaf %+v", root, mid, leaf)
	}
	// The API server refuses trees without (API-021).
	if root.Workload == "" || root.Template == "" || mid.Workload == "" || leaf.Workload == "" || leaf.Template == "" {
		t.Errorf("no reference to a workload: root %+v, middle %+v, leaf %+v", root, mid, leaf)
	}
	if leaf.TopologyKey != nodes.RackLabel || leaf.PriorityClass != priorityClass(7) || leaf.Quorum != 8 {
		t.Errorf("leaf %+v", leaf)
	}
}

// Pods of one shape share what they have in common, and nothing that tells them apart.
func TestPodsShareNoNames(t *testing.T) {
	d, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	g := gang{name: "g", port: 7, group: &scenario.Group{Policy: scenario.Gang, Quorum: 3, Apart: true, Pods: []scenario.Pods{{Count: 2, GPUs: 1}, {Count: 1, Devices: 2}}}}
	pods, err := g.pods(d, "mine")
	if err != nil {
		t.Fatal(err)
	}
	pods[0].Spec.NodeName = "n"
	for i, p := range pods {
		if p.Name != fmt.Sprintf("g-%d", i) || (p.Spec.NodeName == "n") != (i == 0) || len(p.Spec.Containers[0].Ports) != 1 {
			t.Errorf("pod %d: %s on %q, ports %v", i, p.Name, p.Spec.NodeName, p.Spec.Containers[0].Ports)
		}
	}
	if c := pods[2].Spec; len(c.ResourceClaims) != 1 || *c.ResourceClaims[0].ResourceClaimTemplateName != claimTemplate(2) || len(c.Containers[0].Resources.Claims) != 1 {
		t.Errorf("claims %+v", c.ResourceClaims)
	}
}
