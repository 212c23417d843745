package engine_test

import (
	"fmt"
	"runtime"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"muster/scheduler/engine"
)

// processor is the processor time used so far, the collector's included. Benchmarks report it next to the elapsed time,
// which says little on a machine that is shared.
func processor(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// cpu starts counting; what it returns reports the count.
func cpu(b *testing.B) func(ops int) {
	start := processor(b)
	return func(ops int) { b.ReportMetric(float64(processor(b)-start)/float64(ops), "cpu-ns/op") }
}

// cluster has nodes of 64 cores and 8 GPUs, 100 to a rack.
func cluster(nodes int) *engine.Engine {
	e := engine.New(engine.Options{})
	for i := range nodes {
		e.UpsertNode(node(fmt.Sprint("node-", i), 64, 8, rack, fmt.Sprint("rack-", i/100), zone, fmt.Sprint("zone-", i%3)))
	}
	return e
}

// warm asks a first question, as everybody does who has started: what is done once is not a part of what is measured.
func warm(e *engine.Engine) {
	e.UpsertPod(milli("first", "", 1))
	e.Solve(root(engine.KindPod, "first"))
	e.DeletePod(engine.Key{Namespace: ns, Name: "first"})
}

func milli(name, group string, cpu int64) *corev1.Pod {
	return pod(name, group, 0, 0, func(p *corev1.Pod) {
		p.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = *resource.NewMilliQuantity(cpu, resource.DecimalSI)
	})
}

// oneGang measures Solve and Assume of a gang whose pods are known and whose shape is new, so that the table is built
// each time.
func oneGang(b *testing.B, nodes, pods int, key string, o engine.Outcome) {
	e := cluster(nodes)
	g := gang("g", int32(pods))
	if key != "" {
		inOne(key)(g)
	}
	e.UpsertGroup(g)
	var all []*corev1.Pod
	request := int64(100)
	if o != engine.Placed {
		request = 65_000
	}
	for i := range pods {
		all = append(all, milli(fmt.Sprint("p", i), "g", request))
	}
	warm(e)
	b.ReportAllocs()
	var used time.Duration
	n := 0
	for b.Loop() {
		b.StopTimer()
		for _, p := range all {
			e.UpsertPod(p)
		}
		n++
		b.StartTimer()
		before := processor(b)
		d := e.Solve(root(engine.KindPodGroup, "g"))
		e.Assume(d.Placements)
		used += processor(b) - before
		b.StopTimer()
		if d.Outcome != o {
			b.Fatalf("%s: %s", d.Outcome, d.Reason)
		}
		for _, p := range all {
			e.DeletePod(engine.Key{Namespace: ns, Name: p.Name})
		}
		b.StartTimer()
	}
	b.ReportMetric(float64(used)/float64(n), "cpu-ns/op")
}

func BenchmarkRackGangOf1000(b *testing.B) {
	for _, nodes := range []int{5_000, 100_000} {
		b.Run(fmt.Sprint("nodes=", nodes), func(b *testing.B) { oneGang(b, nodes, 1000, rack, engine.Placed) })
	}
}

func BenchmarkGangOf10000(b *testing.B) {
	b.Run("nodes=100000", func(b *testing.B) { oneGang(b, 100_000, 10_000, "", engine.Placed) })
}

// BenchmarkRefusal asks about a gang that does not fit, when the table is new and when it is not.
func BenchmarkRefusal(b *testing.B) {
	for _, nodes := range []int{5_000, 100_000} {
		b.Run(fmt.Sprintf("nodes=%d/table=new", nodes), func(b *testing.B) { oneGang(b, nodes, 1000, rack, engine.Unschedulable) })
		b.Run(fmt.Sprintf("nodes=%d/table=kept", nodes), func(b *testing.B) {
			e := cluster(nodes)
			e.UpsertGroup(gang("g", 1000, inOne(rack)))
			members(e, "g", 1000, 65, 0)
			done := cpu(b)
			for b.Loop() {
				if d := e.Solve(root(engine.KindPodGroup, "g")); d.Outcome != engine.Unschedulable {
					b.Fatal(d.Outcome)
				}
			}
			done(b.N)
		})
	}
}

// BenchmarkRefusalInUse asks about gangs of 256 of a shape that nobody asked about before, in clusters whose nodes have been
// filled to many degrees: each round a pod ends and another one comes, and who is told no waits on.
func BenchmarkRefusalInUse(b *testing.B) {
	for _, nodes := range []int{5_000, 100_000} {
		b.Run(fmt.Sprint("nodes=", nodes), func(b *testing.B) {
			e := cluster(nodes)
			load := func(i int) *corev1.Pod {
				return pod(fmt.Sprint("load-", i), "", int64(1+i*7%48), int64(i*5%9), bind(fmt.Sprint("node-", i)))
			}
			for i := range nodes {
				e.UpsertPod(load(i))
			}
			warm(e)
			var used time.Duration
			n := 0
			for b.Loop() {
				b.StopTimer()
				e.DeletePod(engine.Key{Namespace: ns, Name: fmt.Sprint("load-", n%nodes)})
				e.UpsertPod(load(n % nodes))
				e.DeleteGroup(engine.Key{Namespace: ns, Name: "g"})
				for i := range 256 {
					e.DeletePod(engine.Key{Namespace: ns, Name: fmt.Sprint("p", i)})
				}
				e.UpsertGroup(gang("g", 256, inOne(rack)))
				for i := range 256 {
					e.UpsertPod(milli(fmt.Sprint("p", i), "g", int64(55_000+n%9_000)))
				}
				b.StartTimer()
				before := processor(b)
				d := e.Solve(root(engine.KindPodGroup, "g"))
				e.Woken()
				used += processor(b) - before
				if n++; d.Outcome != engine.Unschedulable {
					b.Fatal(d.Outcome)
				}
			}
			b.ReportMetric(float64(used)/float64(n), "cpu-ns/op")
		})
	}
}

// BenchmarkGangsOf3 is a stream: each gang is told, solved and assumed, and leaves when the cluster is full.
func BenchmarkGangsOf3(b *testing.B) {
	for _, nodes := range []int{5_000, 100_000} {
		b.Run(fmt.Sprint("nodes=", nodes), func(b *testing.B) {
			e := cluster(nodes)
			const ring = 4096
			groups := make([]string, ring)
			pods := make([][]*corev1.Pod, ring)
			for i := range ring {
				groups[i] = fmt.Sprint("g", i)
				for j := range 3 {
					pods[i] = append(pods[i], pod(fmt.Sprintf("%s-%d", groups[i], j), groups[i], 1, 1))
				}
			}
			b.ReportAllocs()
			n := 0
			done := cpu(b)
			for b.Loop() {
				i := n % ring
				if n >= ring {
					for _, p := range pods[i] {
						e.DeletePod(engine.Key{Namespace: ns, Name: p.Name})
					}
					e.DeleteGroup(engine.Key{Namespace: ns, Name: groups[i]})
				}
				e.UpsertGroup(gang(groups[i], 3))
				for _, p := range pods[i] {
					e.UpsertPod(p)
				}
				d := e.Solve(root(engine.KindPodGroup, groups[i]))
				if got := e.Assume(d.Placements); len(got) != 3 {
					b.Fatalf("%s: %s", d.Outcome, d.Reason)
				}
				n++
			}
			done(n)
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "gangs/s")
		})
	}
}

// BenchmarkHeap reports what an engine holds with 100,000 nodes and 500,000 bound pods in gangs of 5, each pod with the
// labels an indexed Job gives it.
func BenchmarkHeap(b *testing.B) {
	heap := func() float64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return float64(m.HeapInuse) / (1 << 20)
	}
	for b.Loop() {
		b.StopTimer()
		before := heap()
		b.StartTimer()
		e := cluster(100_000)
		for i := range 500_000 {
			if i%5 == 0 {
				e.UpsertGroup(gang(fmt.Sprint("g", i/5), 5))
			}
			e.UpsertPod(pod(fmt.Sprint("pod-", i), fmt.Sprint("g", i/5), 1, 1, func(p *corev1.Pod) {
				p.Spec.NodeName = fmt.Sprint("node-", i/5)
				p.Labels = map[string]string{"job-name": fmt.Sprint("job-", i/5), "batch.kubernetes.io/job-completion-index": fmt.Sprint(i % 5)}
			}))
		}
		e.UpsertGroup(gang("last", 3, inOne(rack)))
		members(e, "last", 3, 1, 1)
		if d := e.Solve(root(engine.KindPodGroup, "last")); d.Outcome != engine.Placed {
			b.Fatal(d.Outcome, d.Reason)
		}
		b.StopTimer()
		b.ReportMetric(heap()-before, "MiB")
		runtime.KeepAlive(e)
		b.StartTimer()
	}
}

// BenchmarkOtherGangs are gangs that are not one simple shape, on 5,000 nodes: a leader with 255 workers in one rack, a
// gang of 256 with at most one member on a node, and a refused gang of two shapes.
func BenchmarkOtherGangs(b *testing.B) {
	shapes := map[string]func(i int, p *corev1.Pod){
		"leader": func(i int, p *corev1.Pod) {
			if i == 0 {
				p.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = *resource.NewQuantity(32, resource.DecimalSI)
			}
		},
		"one-per-node": func(_ int, p *corev1.Pod) {
			p.Labels["app"] = "x"
			antiTo("x", corev1.LabelHostname)(p)
		},
		"refused": func(i int, p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Requests[corev1.ResourceCPU] = *resource.NewQuantity(int64(40+i%2), resource.DecimalSI)
		},
	}
	for _, name := range []string{"leader", "one-per-node", "refused"} {
		b.Run(name, func(b *testing.B) {
			e := cluster(5_000)
			g := gang("g", 256)
			if name != "one-per-node" {
				inOne(rack)(g)
			}
			e.UpsertGroup(g)
			for i := range 256 {
				e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 1, func(p *corev1.Pod) { shapes[name](i, p) }))
			}
			done := cpu(b)
			for b.Loop() {
				if d := e.Solve(root(engine.KindPodGroup, "g")); (d.Outcome == engine.Placed) != (name != "refused") {
					b.Fatal(d.Outcome, d.Reason)
				}
			}
			done(b.N)
		})
	}
}
