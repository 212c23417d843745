package ceiling

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
)

// BenchmarkWorld is what the ceiling thinks about a pod, from its event to its job, on 5,000 nodes: it must vanish beside
// the bind's request.
func BenchmarkWorld(b *testing.B) {
	for _, c := range []struct {
		name     string
		size     int
		topology string
	}{{"gangs-of-8", 8, ""}, {"rack-gangs-of-4", 4, "rack"}, {"gangs-of-1000", 1000, ""}, {"rack-gangs-of-1000", 1000, "rack"}} {
		b.Run(c.name, func(b *testing.B) {
			var nodes []*corev1.Node
			for i := range 5000 {
				nodes = append(nodes, nodeObj(fmt.Sprint("node-", i), "32", "110", fmt.Sprint("rack-", i/100)))
			}
			const total = 20_000
			var groups []*schedulingv1beta1.PodGroup
			var pods []*corev1.Pod
			for g := range total / c.size {
				name := fmt.Sprint("g", g)
				groups = append(groups, groupObj(name, int32(c.size), c.topology))
				for i := range c.size {
					pods = append(pods, podObj(fmt.Sprint(name, "-", i), "1", name))
				}
			}
			sent := 0
			for b.Loop() {
				w := newWorld([]string{DefaultName}, func(j *job) { sent++ })
				for _, n := range nodes {
					w.upsertNode(n)
				}
				w.start()
				for _, g := range groups {
					w.upsertGroup(g)
				}
				for _, p := range pods {
					w.upsertPod(p)
					w.settle()
				}
				if sent != total {
					b.Fatalf("%d of %d pods were placed", sent, total)
				}
				sent = 0
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*total), "ns/pod")
		})
	}
}
