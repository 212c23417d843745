package topology

import (
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history/historytest"
)

func stories() []story {
	return slices.Concat(roomStories(), labelStories(), laterStories(), groupStories(), ruleStories(), preemptionStories(), metricStories())
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
	const lost = "topology-label-lost"
	unlabelled := func() *historytest.Builder {
		return running().ChangeNode("node-0", stripped).Pods("g", 1, worker)
	}
	const away = "topology-node-gone"
	lessOne := func() *historytest.Builder { return running().NodeGone("node-0").Pods("g", 1, worker) }
	return []story{
		{bare, "waits for the label", bind(waited(), "g", 0, 0, 1, 2).Mark("all bound"), verdicts{"TAS-004": pass, "TAS-024": pass}},
		{bare, "bound beside the rack", watch(bind(short(), "g", 0, 0, 1, 2), "one node unlabelled", "watched"), verdicts{"TAS-004": fail}},
		{bare, "forgotten", waited().Mark("all bound"), verdicts{"TAS-004": pass, "TAS-024": fail}},
		{bare, "label never removed", watch(gang(cluster(1, 3, 1), "g", 3), "one node unlabelled", "watched"), verdicts{"TAS-004": unclear}},

		{nobody, "waits", watch(odd(), "created", "watched"), verdicts{"TAS-005": pass}},
		{nobody, "bound", watch(bind(odd(), "g", 0, 0, 1), "created", "watched"), verdicts{"TAS-005": fail}},
		{nobody, "a node has it", watch(cluster(1, 2, 1).Node("with", historytest.NodeLabel("nobody", "x"), historytest.Has("nvidia.com/gpu=1")).
			Gang("g", 2, historytest.OneDomain("nobody")).Pods("g", 2, worker), "created", "watched"), verdicts{"TAS-005": unclear}},

		{lost, "waits", watch(unlabelled(), "lost", "watched"), verdicts{"TAS-037": seen}},
		{lost, "bound beside the other", watch(unlabelled().Bind("g-2", "node-2"), "lost", "watched"), verdicts{"TAS-037": seen}},
		{lost, "label stayed", watch(running().Pods("g", 1, worker), "lost", "watched"), verdicts{"TAS-037": unclear}},
		{lost, "another label", watch(split(), "lost", "watched"), verdicts{"TAS-037": unclear}},
		{lost, "nobody came", watch(running().ChangeNode("node-0", stripped), "lost", "watched"), verdicts{"TAS-037": unclear}},
		{lost, "not watched", unlabelled().Mark("lost").Mark("watched"), verdicts{"TAS-037": unclear}},

		{away, "waits", watch(lessOne(), "gone", "watched"), verdicts{"TAS-039": seen}},
		{away, "bound beside the other", watch(lessOne().Bind("g-2", "node-2"), "gone", "watched"), verdicts{"TAS-039": seen}},
		{away, "the node stayed", watch(running().Pods("g", 1, worker), "gone", "watched"), verdicts{"TAS-039": unclear}},
		{away, "gone afterwards", watch(running().Pods("g", 1, worker), "gone", "watched").NodeGone("node-0"), verdicts{"TAS-039": unclear}},
		{away, "the pod went with it", watch(running().NodeGone("node-0").Gone("g-0").Pods("g", 1, worker), "gone", "watched"), verdicts{"TAS-039": unclear}},
		{away, "nobody came", watch(running().NodeGone("node-0"), "gone", "watched"), verdicts{"TAS-039": unclear}},
		{away, "not watched", lessOne().Mark("gone").Mark("watched"), verdicts{"TAS-039": unclear}},

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
		{late, "bound elsewhere", watch(came().Mark("x").Bind("g-2", "node-3"), "own rack full", "watched").Mark("all bound"), verdicts{"TAS-006": unclear, "TAS-007": fail}},
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
