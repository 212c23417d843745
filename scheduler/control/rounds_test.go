package control

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/engine"
)

const (
	hallNodes   = 6
	hallDevices = 4 // on each node
	hallRounds  = 20
)

// hall is a cluster of racks of two nodes that gangs with claims fill, leave and fill again.
type hall struct {
	*world
	random *rand.Rand
	gangs  map[string][]string // claims of each gang that came, by its name
	next   int
}

// TestRoundsThenARestart fills a cluster with gangs that hold devices, lets some of them finish and fills it again, twenty
// times. No gang is ever bound in part, no device given out twice, nobody waits who fits. Then a new process is asked what
// the old one is asked, and gives the same answers: how many pods of a gang have a place and in which rack, who would be
// evicted for it, what is said where nothing helps.
func TestRoundsThenARestart(t *testing.T) {
	for seed := range max(1, cases()/1000) { // each takes seconds
		t.Run(fmt.Sprintf("seed %d", seed), func(t *testing.T) {
			inBubble(t, func(w *world) {
				w.opts.HeadWait = 24 * time.Hour // how long somebody has waited is known to the old process alone
				h := &hall{world: w, random: rand.New(rand.NewPCG(uint64(seed), 7)), gangs: map[string][]string{}}
				for i := range hallNodes {
					w.devices(fmt.Sprint("n", i), 64, hallDevices)
					h.intoRack(fmt.Sprint("n", i), fmt.Sprint("r", i/2))
				}
				w.start()
				for range hallRounds {
					h.fill()
					h.check()
					h.empty(1 + h.random.IntN(4))
					h.check()
				}
				h.fill()
				h.check()
				questions := h.questions()
				before := h.answers(questions)
				if !strings.Contains(before, "Evict") || !strings.Contains(before, "NoPlan") {
					t.Errorf("the questions ask too little:\n%s", before)
				}
				w.start()
				if after := h.answers(questions); after != before {
					t.Errorf("before the restart:\n%s\nafter it:\n%s", before, after)
				}
				h.empty(len(h.gangs))
				h.check()
			})
		})
	}
}

func (h *hall) intoRack(node, rack string) {
	n, err := h.client.CoreV1().Nodes().Get(h.t.Context(), node, metav1.GetOptions{})
	h.must(err)
	n = n.DeepCopy()
	n.Labels["rack"] = rack
	_, err = h.client.CoreV1().Nodes().Update(h.t.Context(), n, metav1.UpdateOptions{})
	h.must(err)
}

func inRack(g *schedulingv1beta1.PodGroup) {
	g.Spec.SchedulingConstraints = &schedulingv1beta1.PodGroupSchedulingConstraints{Topology: []schedulingv1beta1.TopologyConstraint{{Key: "rack"}}}
}

// fill lets gangs of one to five members come until four wait for room: some in one rack, some whose members share a
// claim besides their own, of several priorities, which nobody uses to evict.
func (h *hall) fill() {
	for waiting := len(h.gangs) - len(h.running()); waiting < 4; waiting = len(h.gangs) - len(h.running()) {
		h.next++
		name := fmt.Sprintf("g%03d", h.next)
		rank := int32(h.random.IntN(3))
		edit := []func(*schedulingv1beta1.PodGroup){func(g *schedulingv1beta1.PodGroup) {
			never := schedulingv1beta1.PreemptNever
			g.Spec.Priority, g.Spec.PreemptionPolicy = &rank, &never
		}}
		if h.random.IntN(3) == 0 {
			edit = append(edit, inRack)
		}
		if h.random.IntN(3) == 0 {
			edit = append(edit, func(g *schedulingv1beta1.PodGroup) {
				g.Spec.DisruptionMode = &schedulingv1beta1.DisruptionMode{All: &schedulingv1beta1.AllDisruptionMode{}}
			})
		}
		h.gangs[name] = h.arrive(name, 1+h.random.IntN(5), edit, priority(rank), neverPreempting)
		h.wait(time.Duration(h.random.IntN(1500)) * time.Millisecond)
	}
	h.wait(10 * time.Second)
}

func neverPreempting(p *corev1.Pod) {
	never := corev1.PreemptNever
	p.Spec.PreemptionPolicy = &never
}

// arrive creates a gang of which each member has a claim of its own, and returns the claims.
func (h *hall) arrive(name string, members int, edit []func(*schedulingv1beta1.PodGroup), pods ...func(*corev1.Pod)) (claims []string) {
	h.gang(name, int32(members), edit...)
	for i := range members {
		claim := fmt.Sprintf("%s-%d", name, i)
		h.claimFor(claim)
		claims = append(claims, claim)
		h.pod(claim, name, 1, append(pods, use(claim))...)
	}
	return claims
}

// empty lets so many gangs end that run. What the control plane does then: their claims are released or deleted.
func (h *hall) empty(n int) {
	running := h.running()
	for _, name := range slices.Sorted(maps.Keys(h.gangs)) {
		if n == 0 || running[name] == 0 {
			continue
		}
		n--
		kept := h.random.IntN(2) == 0
		for _, claim := range h.gangs[name] {
			if p := h.get(claim).DeepCopy(); kept {
				p.Status.Phase = corev1.PodSucceeded
				h.must(h.client.Tracker().Update(podsResource, p, ns))
				c := h.claim(claim).DeepCopy()
				c.Status, c.Finalizers = resourcev1.ResourceClaimStatus{}, nil
				h.must(h.client.Tracker().Update(claimsResource, c, ns))
			} else {
				h.deletePod(claim)
				h.must(h.client.Tracker().Delete(claimsResource, ns, claim))
			}
		}
		if !kept {
			h.must(h.client.Tracker().Delete(schedulingv1beta1.SchemeGroupVersion.WithResource("podgroups"), ns, name))
		}
		delete(h.gangs, name)
	}
	h.wait(10 * time.Second)
}

// running counts the members of each gang that have a node and have not ended.
func (h *hall) running() map[string]int {
	list, err := h.client.CoreV1().Pods(ns).List(h.t.Context(), metav1.ListOptions{})
	h.must(err)
	out := map[string]int{}
	for _, p := range list.Items {
		if p.Spec.NodeName != "" && p.Status.Phase != corev1.PodSucceeded {
			out[*p.Spec.SchedulingGroup.PodGroupName]++
		}
	}
	return out
}

// check: gangs stand whole or not at all, each pod on the node of its device, each constrained gang in one rack, and who
// waits finds too few devices.
func (h *hall) check() {
	h.t.Helper()
	running := h.running()
	held := len(h.allocated())
	free := map[string]int{}
	for i := range hallNodes {
		free[fmt.Sprint("r", i/2)] += hallDevices
	}
	for name, claims := range h.gangs {
		if running[name] != 0 && running[name] != len(claims) {
			h.t.Fatalf("gang %s runs with %d of %d", name, running[name], len(claims))
		}
		racks := map[string]bool{}
		for _, claim := range claims {
			node := h.get(claim).Spec.NodeName
			if a := h.claim(claim).Status.Allocation; (a != nil) != (node != "") || a != nil && a.Devices.Results[0].Pool != node {
				h.t.Fatalf("pod %s is on %q, its claim has %+v", claim, node, a)
			}
			if node != "" {
				racks[h.rackOf(node)] = true
				free[h.rackOf(node)]--
			}
		}
		if h.constrained(name) && len(racks) > 1 {
			h.t.Fatalf("gang %s stands in racks %v", name, slices.Sorted(maps.Keys(racks)))
		}
	}
	for name, claims := range h.gangs {
		if running[name] > 0 {
			continue
		}
		room := hallNodes*hallDevices - held
		if h.constrained(name) {
			room = slices.Max(slices.Collect(maps.Values(free)))
		}
		if room >= len(claims) {
			h.t.Fatalf("gang %s of %d waits, with %d devices free (%v)", name, len(claims), room, free)
		}
	}
}

func (h *hall) rackOf(node string) string {
	var i int
	if _, err := fmt.Sscanf(node, "n%d", &i); err != nil {
		h.t.Fatal(err)
	}
	return fmt.Sprint("r", i/2)
}

func (h *hall) constrained(gang string) bool {
	g, err := h.client.SchedulingV1beta1().PodGroups(ns).Get(h.t.Context(), gang, metav1.GetOptions{})
	h.must(err)
	return g.Spec.SchedulingConstraints != nil
}

// questions are gangs of high priority that no scheduler carries out: they ask for another one.
func (h *hall) questions() (names []string) {
	for i, size := range []int{1, 3, 5, hallDevices * 2, hallDevices*2 + 1, hallDevices * hallNodes, hallDevices*hallNodes + 1} {
		for _, rack := range []bool{false, true} {
			rank := int32(9)
			edit := []func(*schedulingv1beta1.PodGroup){func(g *schedulingv1beta1.PodGroup) { g.Spec.Priority = &rank }}
			if rack {
				edit = append(edit, inRack)
			}
			name := fmt.Sprintf("question-%d-%v", i, rack)
			h.arrive(name, size, edit, priority(rank), askFor("somebody-else"))
			names = append(names, name)
		}
	}
	h.wait(10 * time.Second)
	return names
}

// answers are what the engine says to each question. It rests, with all its news taken.
func (h *hall) answers(questions []string) string {
	var b strings.Builder
	e := h.s.engine
	for _, name := range questions {
		r := engine.Root{Kind: engine.KindPodGroup, Key: engine.Key{Namespace: ns, Name: name}}
		d, p := e.Solve(r), e.Preempt(r)
		victims := []string{}
		for _, v := range p.Victims {
			victims = append(victims, v.Name)
		}
		slices.Sort(victims)
		fmt.Fprintf(&b, "%s: %s, %d placed in %v (%s); %s of %v for %d in %v (%s); %v\n", name, d.Outcome, len(d.Placements), h.racks(d.Placements), d.Reason,
			p.Kind, victims, len(p.Placements), h.racks(p.Placements), p.Why, e.Explain(r))
	}
	return b.String()
}

// racks counts placements by rack.
func (h *hall) racks(list []engine.Placement) map[string]int {
	out := map[string]int{}
	for _, pl := range list {
		out[h.rackOf(pl.Node)]++
	}
	return out
}
