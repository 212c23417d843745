package engine_test

import (
	"fmt"
	"runtime"
	"testing"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	"k8s.io/utils/ptr"

	"muster/scheduler/engine"
)

// h100 is a device as drivers describe it: a dozen attributes, one of them a serial number.
func h100(node, i int) resourceapi.Device {
	text := func(s string) resourceapi.DeviceAttribute { return resourceapi.DeviceAttribute{StringValue: &s} }
	return resourceapi.Device{Name: fmt.Sprint("gpu-", i), Attributes: map[resourceapi.QualifiedName]resourceapi.DeviceAttribute{
		"model": text("a"), "type": text("gpu"), "architecture": text("Hopper"), "brand": text("Nvidia"),
		"uuid": text(fmt.Sprintf("GPU-%08d-%d", node, i)), "index": {IntValue: ptr.To(int64(i))}, "minor": {IntValue: ptr.To(int64(i))},
		"driverVersion": {VersionValue: ptr.To("580.65.6")}, "cudaDriverVersion": {VersionValue: ptr.To("13.0.0")},
		"cudaComputeCapability": {VersionValue: ptr.To("9.0.0")}, "resource.kubernetes.io/pcieRoot": text(fmt.Sprint("pci0000:", i/2)),
	}, Capacity: map[resourceapi.QualifiedName]resourceapi.DeviceCapacity{"memory": {Value: resource.MustParse("80Gi")}}}
}

func gpuCluster(nodes int) *engine.Engine {
	e := cluster(nodes)
	addClasses(e)
	for i := range nodes {
		var list []resourceapi.Device
		for j := range 8 {
			list = append(list, h100(i, j))
		}
		e.UpsertResourceSlice(slice(fmt.Sprint("pool-", i), fmt.Sprint("node-", i), list...))
	}
	return e
}

// BenchmarkDeviceGangsOf8 tells of gangs of 8 pods with a claim of one device each, decides and carries out, as the
// scheduler does, until the cluster is full; one operation is a gang.
func BenchmarkDeviceGangsOf8(b *testing.B) {
	for _, nodes := range []int{500, 5_000} {
		b.Run(fmt.Sprint(nodes), func(b *testing.B) {
			e := gpuCluster(nodes)
			free := nodes
			n := 0
			b.ReportAllocs()
			done := cpu(b)
			for b.Loop() {
				if free == 0 {
					b.StopTimer()
					e, free = gpuCluster(nodes), nodes
					b.StartTimer()
				}
				name := fmt.Sprint("g", n)
				n++
				free--
				claims := gangOf(e, name, "a", 8, 1)
				d := e.Solve(root(engine.KindPodGroup, name))
				if d.Outcome != engine.Placed || len(d.Placements) != 8 {
					b.Fatal(d.Outcome, d.Reason)
				}
				write(e, claims, d)
			}
			done(b.N)
			b.ReportMetric(float64(8*b.N)/b.Elapsed().Seconds(), "pods/s")
		})
	}
}

// BenchmarkDeviceMemory is the heap of an engine that knows 40,000 devices, half of them held by claims of pods.
func BenchmarkDeviceMemory(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		e := gpuCluster(5_000)
		for i := range 2_500 {
			name := fmt.Sprint("g", i)
			claims := gangOf(e, name, "a", 8, 1)
			write(e, claims, e.Solve(root(engine.KindPodGroup, name)))
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "heap-MiB")
		runtime.KeepAlive(e)
		b.StartTimer()
	}
}

// BenchmarkDeviceTable builds the table of a new demand over 5,000 nodes.
func BenchmarkDeviceTable(b *testing.B) {
	e := gpuCluster(5_000)
	e.UpsertGroup(gang("g", 1))
	n := 0
	done := cpu(b)
	for b.Loop() {
		n++
		r := ask("a", 1)
		r.Exactly.Selectors = []resourceapi.DeviceSelector{{CEL: &resourceapi.CELDeviceSelector{Expression: fmt.Sprintf("device.attributes[%q].index != %d", driver, n+100)}}}
		e.UpsertResourceClaim(rclaim("c", "p", r))
		e.UpsertPod(pod("p", "g", 1, 0, fromTemplate("c")))
		if d := e.Solve(root(engine.KindPodGroup, "g")); d.Outcome != engine.Placed {
			b.Fatal(d.Outcome, d.Reason)
		}
		e.DeletePod(engine.Key{Namespace: ns, Name: "p"})
		e.DeleteResourceClaim(engine.Key{Namespace: ns, Name: "c"})
	}
	done(b.N)
}

// BenchmarkSharedClaim decides about a gang of 50 that shares a claim, on 500 nodes of 8 devices.
func BenchmarkSharedClaim(b *testing.B) {
	e := gpuCluster(500)
	e.UpsertResourceClaim(rclaim("shared", "", ask("a", 1)))
	e.UpsertGroup(gang("g", 50, sharing("shared")))
	for i := range 50 {
		e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 0, using("shared")))
	}
	done := cpu(b)
	for b.Loop() {
		if d := e.Solve(root(engine.KindPodGroup, "g")); d.Outcome != engine.Placed || len(d.Placements) != 50 {
			b.Fatal(d.Outcome, d.Reason)
		}
	}
	done(b.N)
}
