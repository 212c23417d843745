package topology

import (
	"fmt"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

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
	const late = "topology-late-member-preempts"
	joined := func(class int32) *historytest.Builder {
		b := cluster(2, 3, 1)
		for i, n := range []int{0, 3, 4, 5} {
			named(b, fmt.Sprint("low-", i), n, class)
		}
		b.Gang("g", 2, inRacks, historytest.GangPriority(1000)).Pods("g", 2, worker, historytest.Priority(1000))
		return bind(b, "g", 0, 1, 2).Mark("quorum bound").Mark("full").Pods("g", 1, worker, historytest.Priority(1000))
	}
	return []story{
		{late, "makes room", watch(joined(10).Gone("low-0").Bind("g-2", "node-0"), "late", "watched"), verdicts{"TAS-038": seen}},
		{late, "waits", watch(joined(10), "late", "watched"), verdicts{"TAS-038": seen}},
		{late, "of equal priority", watch(joined(1000), "late", "watched"), verdicts{"TAS-038": unclear}},
		{late, "not watched", joined(10).Mark("late").Mark("watched"), verdicts{"TAS-038": unclear}},
		{late, "room is left", watch(bind(gang(cluster(2, 3, 1), "g", 2), "g", 0, 0, 1).Mark("quorum bound").Mark("full").Pods("g", 1, worker), "late", "watched"),
			verdicts{"TAS-038": unclear}},

		{evicts, "one rack emptied", watch(done(), "after", "watched"), verdicts{"TAS-030": pass, "TAS-031": pass}},
		{evicts, "the other rack, too", watch(full().Gone("spared-0").Gone("victim-0", "victim-1"), "x", "y").Mark("all bound").Mark("after").
			Hold("", time.Minute).Mark("watched"), verdicts{"TAS-030": fail, "TAS-031": fail}},
		{evicts, "nobody", watch(full().Mark("all bound"), "after", "watched"), verdicts{"TAS-030": fail, "TAS-031": unclear}},

		{hopeless, "nobody", watch(low(), "created", "watched"), verdicts{"TAS-036": pass}},
		{hopeless, "one in vain", low().Mark("created").Gone("low-1").Hold("", time.Minute).Mark("watched"), verdicts{"TAS-036": fail}},
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

// What people read of a late member that finds pods of lower priority everywhere.
func TestLatePreemptorValues(t *testing.T) {
	want := map[string]string{
		"makes room": "1 of 1 evicted in its rack, the late member is bound in it; 0 of 3 in the other",
		"waits":      "0 of 1 evicted in its rack, the late member waits; 0 of 3 in the other",
	}
	for _, s := range preemptionStories() {
		if w := want[s.name]; w != "" && s.scenario == "topology-late-member-preempts" {
			if _, f := kittest.Judge(t, s.scenario, s.tell.View()); len(f) != 1 || f[0].Value != w {
				t.Errorf("%s: %+v, want the value %q", s.name, f, w)
			}
		}
	}
}
