package topology

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites/history/historytest"
)

func stories() []story {
	return slices.Concat(roomStories(), labelStories(), laterStories(), groupStories(), ruleStories(), preemptionStories())
}

const key = "rack"

var (
	worker  = historytest.Wants("nvidia.com/gpu=1")
	inRacks = historytest.OneDomain(key)
)

// cluster is so many racks r0, r1, … of so many nodes with so many GPUs: node-0 … in order.
func cluster(count, size, gpus int) *historytest.Builder {
	b := historytest.New()
	for i := range count {
		b.Nodes(size, historytest.Has(fmt.Sprint("nvidia.com/gpu=", gpus)), historytest.NodeLabel(key, fmt.Sprint("r", i)),
			historytest.NodeLabel("zone", fmt.Sprint("z", i/2)))
	}
	return b
}

// taken puts a pod that fills a node of one GPU on each of the nodes: taken-N on node-N.
func taken(b *historytest.Builder, priority int32, on ...int) *historytest.Builder {
	for _, n := range on {
		b.Pod(fmt.Sprint("taken-", n), "", worker, historytest.Placed(fmt.Sprint("node-", n)), historytest.Priority(priority))
	}
	return b
}

// free removes them.
func freed(b *historytest.Builder, on ...int) *historytest.Builder {
	for _, n := range on {
		b.Gone(fmt.Sprint("taken-", n))
	}
	return b
}

// bind binds the gang's members with the numbers from first on to the nodes.
func bind(b *historytest.Builder, gang string, first int, on ...int) *historytest.Builder {
	for i, n := range on {
		b.Bind(fmt.Sprint(gang, "-", first+i), fmt.Sprint("node-", n))
	}
	return b
}

// watch lets more than the settle bound of any group of these stories pass between two marks.
func watch(b *historytest.Builder, from, to string) *historytest.Builder {
	return b.Mark(from).Hold(from, time.Minute).Mark(to)
}

func gang(b *historytest.Builder, name string, n int) *historytest.Builder {
	return b.Gang(name, int32(n), inRacks).Pods(name, n, worker)
}

func roomStories() []story {
	const one, none = "topology-one-rack-has-room", "topology-no-rack-has-room"
	ready := func() *historytest.Builder { return gang(taken(cluster(2, 3, 1), 0, 0).Mark("ready"), "g", 3) }
	short := func() *historytest.Builder { return gang(taken(cluster(2, 3, 1), 0, 0, 3), "g", 3) }
	waited := func() *historytest.Builder { return freed(watch(short(), "no rack", "watched"), 3) }
	return []story{
		{one, "in the rack with room", bind(ready(), "g", 0, 3, 4, 5).Mark("all bound"), verdicts{"TAS-001": pass, "TAS-023": pass}},
		{one, "in two racks", bind(ready(), "g", 0, 1, 2, 3).Mark("all bound"), verdicts{"TAS-001": fail, "TAS-023": pass}},
		{one, "in no rack", ready().Mark("all bound"), verdicts{"TAS-001": unclear, "TAS-023": fail}},
		{one, "no room anywhere", gang(taken(cluster(2, 3, 1), 0, 0, 3).Mark("ready"), "g", 3).Mark("all bound"), verdicts{"TAS-023": unclear}},

		{none, "waits, then bound", bind(waited(), "g", 0, 3, 4, 5).Mark("all bound"), verdicts{"TAS-002": pass, "TAS-003": pass}},
		{none, "bound in two racks", watch(bind(short(), "g", 0, 1, 2, 4), "no rack", "watched"), verdicts{"TAS-002": fail}},
		{none, "bound in part", watch(bind(short(), "g", 0, 1), "no rack", "watched"), verdicts{"TAS-002": fail}},
		{none, "never bound", waited().Mark("all bound"), verdicts{"TAS-002": pass, "TAS-003": fail}},
		{none, "bound apart at last", bind(waited(), "g", 0, 1, 3, 4).Mark("all bound"), verdicts{"TAS-003": fail}},
		{none, "there was room", watch(gang(cluster(2, 3, 1), "g", 3), "no rack", "watched"), verdicts{"TAS-002": unclear}},
	}
}

func labelStories() []story {
	const bare, nobody, moved = "topology-nodes-without-label", "topology-key-nobody-has", "topology-relabelled"
	stripped := func(n *corev1.Node) { delete(n.Labels, key) }
	labelled := func(value string) historytest.NodeOption { return historytest.NodeLabel(key, value) }
	short := func() *historytest.Builder { return gang(cluster(1, 3, 1).ChangeNode("node-2", stripped), "g", 3) }
	waited := func() *historytest.Builder {
		return watch(short(), "one node unlabelled", "watched").ChangeNode("node-2", labelled("r0"))
	}
	odd := func() *historytest.Builder {
		return cluster(1, 2, 1).Gang("g", 2, historytest.OneDomain("nobody")).Pods("g", 2, worker)
	}
	running := func() *historytest.Builder {
		return bind(gang(cluster(2, 3, 1), "g", 2), "g", 0, 0, 1).Mark("quorum bound")
	}
	split := func() *historytest.Builder {
		return running().ChangeNode("node-0", labelled("r1")).Pods("g", 1, worker)
	}
	return []story{
		{bare, "waits for the label", bind(waited(), "g", 0, 0, 1, 2).Mark("all bound"), verdicts{"TAS-004": pass, "TAS-024": pass}},
		{bare, "bound beside the rack", watch(bind(short(), "g", 0, 0, 1, 2), "one node unlabelled", "watched"), verdicts{"TAS-004": fail}},
		{bare, "forgotten", waited().Mark("all bound"), verdicts{"TAS-004": pass, "TAS-024": fail}},
		{bare, "label never removed", watch(gang(cluster(1, 3, 1), "g", 3), "one node unlabelled", "watched"), verdicts{"TAS-004": unclear}},

		{nobody, "waits", watch(odd(), "created", "watched"), verdicts{"TAS-005": pass}},
		{nobody, "bound", watch(bind(odd(), "g", 0, 0, 1), "created", "watched"), verdicts{"TAS-005": fail}},
		{nobody, "a node has it", watch(cluster(1, 2, 1).Node("with", historytest.NodeLabel("nobody", "x"), historytest.Has("nvidia.com/gpu=1")).
			Gang("g", 2, historytest.OneDomain("nobody")).Pods("g", 2, worker), "created", "watched"), verdicts{"TAS-005": unclear}},

		{moved, "left alone", watch(split(), "moved", "watched"), verdicts{"TAS-028": pass, "TAS-025": seen}},
		{moved, "left alone, the late one bound", watch(split().Bind("g-2", "node-2"), "moved", "watched"), verdicts{"TAS-028": pass, "TAS-025": seen}},
		{moved, "evicted", split().Mark("moved").Deleting("g-0").Hold("", time.Minute).Mark("watched"), verdicts{"TAS-028": fail}},
		{moved, "label stayed", watch(running().Pods("g", 1, worker), "moved", "watched"), verdicts{"TAS-028": unclear, "TAS-025": unclear}},
	}
}

func laterStories() []story {
	const late, again, restart, joins, anew = "topology-late-member", "topology-member-replaced", "topology-scheduler-restart",
		"topology-node-joins", "topology-begun-anew"
	began := func() *historytest.Builder {
		return bind(gang(taken(cluster(2, 3, 1), 0, 2, 3, 4, 5), "g", 2), "g", 0, 0, 1).Mark("quorum bound")
	}
	came := func() *historytest.Builder { return freed(began(), 3, 4, 5).Pods("g", 1, worker) }
	waited := func() *historytest.Builder { return freed(watch(came(), "own rack full", "watched"), 2) }
	lost := func() *historytest.Builder {
		b := bind(gang(taken(cluster(2, 2, 1), 0, 2, 3), "g", 2), "g", 0, 0, 1).Mark("quorum bound")
		return freed(b, 2, 3).Gone("g-0").Mark("member lost").Pods("g", 1, worker)
	}
	back := func() *historytest.Builder {
		return freed(began(), 2, 3, 4, 5).StopScheduler().StartScheduler().Mark("back").Pods("g", 1, worker)
	}
	joined := func(n int) *historytest.Builder {
		b := gang(cluster(1, 2, 1), "g", 3).Mark("waits")
		for range n {
			b.Nodes(1, historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel(key, "r0"))
		}
		return b
	}
	left := func() *historytest.Builder {
		b := bind(gang(taken(cluster(2, 2, 1), 0, 2, 3), "g", 2), "g", 0, 0, 1).Mark("first run").Gone("g-0", "g-1")
		return freed(taken(b, 0, 0, 1), 2, 3).Mark("nobody left").Pods("g", 2, worker)
	}
	return []story{
		{late, "waits and joins", waited().Bind("g-2", "node-2").Mark("all bound"), verdicts{"TAS-006": pass, "TAS-007": pass}},
		{late, "bound elsewhere", watch(came().Mark("x").Bind("g-2", "node-3"), "own rack full", "watched").Mark("all bound"), verdicts{"TAS-006": unclear}},
		{late, "bound elsewhere while it is watched", came().Mark("own rack full").Bind("g-2", "node-3").Hold("", time.Minute).Mark("watched"), verdicts{"TAS-007": fail}},
		{late, "never joins", waited().Mark("all bound"), verdicts{"TAS-006": fail, "TAS-007": pass}},
		{late, "joins elsewhere", waited().Bind("g-2", "node-4").Mark("all bound"), verdicts{"TAS-006": fail}},

		{again, "in its old rack", lost().Bind("g-2", "node-0").Mark("replaced"), verdicts{"TAS-008": pass}},
		{again, "in another", lost().Bind("g-2", "node-2").Mark("replaced"), verdicts{"TAS-008": fail}},
		{again, "not at all", lost().Mark("replaced"), verdicts{"TAS-008": fail}},

		{restart, "in its rack", back().Bind("g-2", "node-2").Mark("all bound"), verdicts{"TAS-009": pass}},
		{restart, "forgotten rack", back().Bind("g-2", "node-3").Mark("all bound"), verdicts{"TAS-009": fail}},

		{joins, "bound", bind(joined(1), "g", 0, 0, 1, 2).Mark("all bound"), verdicts{"TAS-035": pass}},
		{joins, "not bound", joined(1).Mark("all bound"), verdicts{"TAS-035": fail}},
		{joins, "no node came", joined(0).Mark("all bound"), verdicts{"TAS-035": unclear}},

		{anew, "in the other rack", bind(left(), "g", 2, 2, 3).Mark("second run"), verdicts{"TAS-032": pass}},
		{anew, "held to the old one", left().Mark("second run"), verdicts{"TAS-032": fail}},
	}
}

func groupStories() []story {
	const extras, basic, apart, share, keys, packing = "topology-extras-wait", "topology-basic-group", "topology-two-gangs-two-racks",
		"topology-two-gangs-one-rack", "topology-two-keys", "topology-packing"
	began := func() *historytest.Builder {
		return bind(cluster(2, 3, 1).Mark("empty").Gang("g", 2, inRacks).Pods("g", 4, worker), "g", 0, 0, 1).Mark("quorum bound")
	}
	open := func() *historytest.Builder {
		return taken(cluster(2, 3, 1), 0, 0).Mark("ready").Basic("g", inRacks).Pods("g", 4, worker)
	}
	pair := func(b *historytest.Builder) *historytest.Builder {
		return gang(gang(b.Mark("ready"), "a", 2), "b", 2)
	}
	two := func() *historytest.Builder { return pair(cluster(2, 2, 1)) }
	one := func() *historytest.Builder { return pair(taken(cluster(2, 4, 1), 0, 0, 1, 2, 3)) }
	both := func() *historytest.Builder {
		return gang(cluster(4, 2, 1).Mark("ready"), "rack", 2).Gang("zone", 4, historytest.OneDomain("zone")).Pods("zone", 4, worker)
	}
	packed := func() *historytest.Builder {
		return gang(taken(cluster(3, 4, 1), 0, 4, 8, 9).Mark("ready"), "small", 2)
	}
	return []story{
		{extras, "one waits", watch(bind(began(), "g", 2, 2), "extras wait", "watched"), verdicts{"TAS-012": pass, "TAS-011": seen}},
		{extras, "two wait", watch(began(), "extras wait", "watched"), verdicts{"TAS-012": pass, "TAS-011": seen}},
		{extras, "one spills", watch(bind(began(), "g", 2, 2, 3), "extras wait", "watched"), verdicts{"TAS-012": fail}},

		{basic, "one rack, full", watch(bind(open(), "g", 0, 3, 4, 5), "created", "watched"), verdicts{"TAS-013": pass, "TAS-014": pass}},
		{basic, "the smaller rack, full", watch(bind(open(), "g", 0, 1, 2), "created", "watched"), verdicts{"TAS-013": pass, "TAS-014": pass}},
		{basic, "one rack, not full", watch(bind(open(), "g", 0, 3), "created", "watched"), verdicts{"TAS-013": pass, "TAS-014": fail}},
		{basic, "two racks", watch(bind(open(), "g", 0, 1, 2, 3, 4), "created", "watched"), verdicts{"TAS-013": fail, "TAS-014": unclear}},

		{apart, "one each", bind(bind(two(), "a", 0, 2, 3), "b", 0, 0, 1).Mark("all bound"), verdicts{"TAS-015": pass}},
		{apart, "mixed", bind(bind(two(), "a", 0, 0, 2), "b", 0, 1, 3).Mark("all bound"), verdicts{"TAS-015": fail}},
		{apart, "one waits", bind(two(), "a", 0, 2, 3).Mark("all bound"), verdicts{"TAS-015": fail}},
		{share, "both in one", bind(bind(one(), "a", 0, 4, 5), "b", 0, 6, 7).Mark("all bound"), verdicts{"TAS-016": pass}},
		{share, "a rack for one only", bind(one(), "a", 0, 4, 5).Mark("all bound"), verdicts{"TAS-016": fail}},

		{keys, "each its own", bind(bind(both(), "rack", 0, 0, 1), "zone", 0, 4, 5, 6, 7).Mark("all bound"), verdicts{"TAS-017": pass}},
		{keys, "two zones", bind(bind(both(), "rack", 0, 0, 1), "zone", 0, 2, 3, 4, 5).Mark("all bound"), verdicts{"TAS-017": fail}},
		{keys, "two racks", bind(bind(both(), "rack", 0, 1, 2), "zone", 0, 4, 5, 6, 7).Mark("all bound"), verdicts{"TAS-017": fail}},

		{packing, "tight", bind(gang(bind(packed(), "small", 0, 10, 11).Mark("small bound"), "large", 4), "large", 0, 0, 1, 2, 3).Mark("done"), verdicts{"TAS-010": seen}},
		{packing, "loose", gang(bind(packed(), "small", 0, 0, 1).Mark("small bound"), "large", 4).Mark("done"), verdicts{"TAS-010": seen}},
	}
}

func ruleStories() []story {
	const node, open, rules, pinned = "topology-one-node", "topology-no-constraint", "topology-pod-rules", "topology-members-pinned-apart"
	hosts := func() *historytest.Builder {
		onHost := historytest.OneDomain(corev1.LabelHostname)
		return cluster(1, 4, 2).Mark("ready").Gang("small", 2, onHost).Pods("small", 2, worker).Gang("large", 3, onHost).Pods("large", 3, worker)
	}
	small := func() *historytest.Builder { return bind(hosts(), "small", 0, 0, 0).Mark("small bound") }
	wide := func() *historytest.Builder {
		return cluster(2, 2, 1).Mark("ready").Gang("g", 4).Pods("g", 4, worker)
	}
	choosy := func() *historytest.Builder {
		b := cluster(2, 3, 4)
		for _, n := range []int{0, 1, 3, 4, 5} {
			b.ChangeNode(fmt.Sprint("node-", n), historytest.NodeLabel(diskLabel, "ssd"))
		}
		return b.Mark("ready").Gang("g", 3, inRacks).Pods("g", 3, worker, func(p *corev1.Pod) {
			p.Labels = map[string]string{"app": "g"}
			p.Spec.NodeSelector = map[string]string{diskLabel: "ssd"}
			p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
				RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname,
					LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "g"}}}},
			}}
		})
	}
	at := func(host string) historytest.PodOption {
		return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{corev1.LabelHostname: host} }
	}
	pins := func() *historytest.Builder {
		return cluster(2, 1, 1).Gang("g", 2, inRacks).Pods("g", 1, worker, at("node-0")).Pods("g", 1, worker, at("node-1"))
	}
	return []story{
		{node, "one on a node, one waits", watch(small(), "created", "watched"), verdicts{"TAS-018": pass, "TAS-019": pass}},
		{node, "two nodes", watch(bind(hosts(), "small", 0, 0, 1).Mark("small bound"), "created", "watched"), verdicts{"TAS-018": fail}},
		{node, "the large one bound", watch(bind(small(), "large", 0, 1, 1, 2), "created", "watched"), verdicts{"TAS-019": fail}},

		{open, "bound", bind(wide(), "g", 0, 0, 1, 2, 3).Mark("all bound"), verdicts{"TAS-020": pass}},
		{open, "held to a rack", bind(wide(), "g", 0, 0, 1).Mark("all bound"), verdicts{"TAS-020": fail}},

		{rules, "as selected, one a node", bind(choosy(), "g", 0, 3, 4, 5).Mark("all bound"), verdicts{"TAS-021": pass}},
		{rules, "two on a node", bind(choosy(), "g", 0, 3, 4, 4).Mark("all bound"), verdicts{"TAS-021": fail}},
		{rules, "an unselected node", bind(choosy(), "g", 0, 0, 1, 2).Mark("all bound"), verdicts{"TAS-021": fail}},
		{rules, "not bound", choosy().Mark("all bound"), verdicts{"TAS-021": fail}},

		{pinned, "waits", watch(pins(), "created", "watched"), verdicts{"TAS-022": pass}},
		{pinned, "bound apart", watch(bind(pins(), "g", 0, 0, 1), "created", "watched"), verdicts{"TAS-022": fail}},
	}
}

func preemptionStories() []story {
	const evicts, hopeless = "topology-preempts-in-one-rack", "topology-preemption-hopeless"
	named := func(b *historytest.Builder, name string, node int, priority int32) *historytest.Builder {
		return b.Pod(name, "", worker, historytest.Placed(fmt.Sprint("node-", node)), historytest.Priority(priority))
	}
	high := func(b *historytest.Builder, n int) *historytest.Builder {
		return b.Mark("full").Gang("g", int32(n), inRacks, historytest.GangPriority(1000)).Pods("g", n, worker, historytest.Priority(1000))
	}
	full := func() *historytest.Builder {
		b := named(named(cluster(2, 2, 1), "victim-0", 0, 10), "victim-1", 1, 10)
		return high(named(named(b, "spared-0", 2, 10), "equal-0", 3, 1000), 2)
	}
	done := func() *historytest.Builder {
		return bind(full().Gone("victim-0", "victim-1"), "g", 0, 0, 1).Mark("all bound")
	}
	low := func() *historytest.Builder {
		b := cluster(2, 2, 1)
		for n := range 4 {
			named(b, fmt.Sprint("low-", n), n, 10)
		}
		return high(b, 3)
	}
	return []story{
		{evicts, "one rack emptied", watch(done(), "after", "watched"), verdicts{"TAS-030": pass, "TAS-031": pass}},
		{evicts, "the other rack, too", watch(full().Gone("spared-0").Gone("victim-0", "victim-1"), "x", "y").Mark("all bound").Mark("after").
			Hold("", time.Minute).Mark("watched"), verdicts{"TAS-030": fail, "TAS-031": fail}},
		{evicts, "nobody", watch(full().Mark("all bound"), "after", "watched"), verdicts{"TAS-030": fail, "TAS-031": unclear}},

		{hopeless, "nobody", watch(low(), "created", "watched"), verdicts{"TAS-036": pass}},
		{hopeless, "one in vain", low().Mark("created").Gone("low-1").Hold("", time.Minute).Mark("watched"), verdicts{"TAS-036": fail}},
	}
}
