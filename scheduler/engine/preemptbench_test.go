package engine_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/engine"
)

// crowded has so many nodes of 8 GPUs, 100 to a rack, and two pods of lower priority on each: 4 GPUs each, or 2 and 5 by
// turns when mixed.
func crowded(nodes int, mixed bool) *engine.Engine {
	e := cluster(nodes)
	for i := range 2 * nodes {
		gpus := int64(4)
		if mixed {
			gpus = []int64{2, 5}[i%2]
		}
		e.UpsertPod(pod(fmt.Sprint("low-", i), "", 1, gpus, bind(fmt.Sprint("node-", i/2)), priority(int32(i%7))))
	}
	return e
}

// preempting measures Preempt alone: the question is asked again and again.
func preempting(b *testing.B, e *engine.Engine, quorum int, gpus int64, key string) {
	g := gang("g", int32(quorum), groupPriority(100))
	if key != "" {
		inOne(key)(g)
	}
	e.UpsertGroup(g)
	for i := range quorum {
		e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, gpus, priority(100)))
	}
	r := root(engine.KindPodGroup, "g")
	if d := e.Solve(r); d.Outcome != engine.Unschedulable {
		b.Fatal(d.Outcome)
	}
	done := cpu(b)
	victims := 0
	for b.Loop() {
		p := e.Preempt(r)
		if p.Kind != engine.Evict || len(p.Placements) != quorum {
			b.Fatalf("%s, %d placements (%s)", p.Kind, len(p.Placements), p.Why)
		}
		victims = len(p.Victims)
	}
	done(b.N)
	b.ReportMetric(float64(victims), "victims")
}

func BenchmarkPreemptGangOf1000(b *testing.B) {
	for _, mixed := range []bool{false, true} {
		b.Run(fmt.Sprintf("nodes=5000/low=10000/mixed=%v", mixed), func(b *testing.B) { preempting(b, crowded(5_000, mixed), 1000, 4, "") })
	}
}

// BenchmarkPreemptInRack has racks of 100 nodes; a rack takes 100 pods of 8 GPUs, or 1,000 of none.
func BenchmarkPreemptInRack(b *testing.B) {
	for _, mixed := range []bool{false, true} {
		b.Run(fmt.Sprintf("nodes=5000/low=10000/pods=100/mixed=%v", mixed), func(b *testing.B) { preempting(b, crowded(5_000, mixed), 100, 8, rack) })
	}
	b.Run("nodes=5000/low=10000/pods=1000", func(b *testing.B) {
		preempting(b, racks(5_000), 1000, 0, rack)
	})
}

// racks is a cluster full of pods of 32 cores, of which a rack of 100 nodes has to lose some for 1,000 pods of one core.
func racks(nodes int) *engine.Engine {
	e := cluster(nodes)
	for i := range 2 * nodes {
		p := milli(fmt.Sprint("low-", i), "", 32_000)
		p.Spec.NodeName = fmt.Sprint("node-", i/2)
		prio := int32(i % 7)
		p.Spec.Priority = &prio
		e.UpsertPod(p)
	}
	return e
}

// BenchmarkPreemptPod is a pod of its own that follows a rule, among 10,000 others.
func BenchmarkPreemptPod(b *testing.B) {
	for _, rule := range []bool{false, true} {
		b.Run(fmt.Sprintf("nodes=5000/low=10000/rule=%v", rule), func(b *testing.B) {
			e := crowded(5_000, true)
			var edit []func(*corev1.Pod)
			if rule {
				edit = append(edit, labelled("x"), against(corev1.LabelHostname, "x"))
			}
			e.UpsertPod(pod("alone", "", 1, 8, append(edit, priority(100))...))
			r := root(engine.KindPod, "alone")
			done := cpu(b)
			for b.Loop() {
				if p := e.Preempt(r); p.Kind != engine.Evict {
					b.Fatalf("%s (%s)", p.Kind, p.Why)
				}
			}
			done(b.N)
		})
	}
}
