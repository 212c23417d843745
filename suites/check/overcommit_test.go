package check

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	. "muster/suites/history/historytest"
)

func TestNoOvercommit(t *testing.T) {
	port := func(p *corev1.Pod) { p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80}} }
	full := func() *Builder {
		return gpus(1).Pod("a", "", Wants("gpu=4")).Bind("a", "node-0").Wait(time.Minute)
	}
	two := Wants("gpu=2")
	try(t, noOvercommit, []told{
		{"up to the brim", gpus(1).Pod("a", "", two).Pod("b", "", two).Bind("a", "node-0").Bind("b", "node-0"), pass},
		{"one too many", full().Pod("b", "", Wants("gpu=1")).Bind("b", "node-0"), "Fail Pass"},
		{"one too many, and a wait", full().Pod("b", "", two).Bind("b", "node-0").Wait(settled).Pod("c", "").Bind("c", "node-0"), "Fail Pass"},
		{"nothing asked of what is full", full().Pod("b", "", Wants("cpu=1")).Bind("b", "node-0"), pass},
		{"the first goes, the second comes", full().Gone("a").Pod("b", "", two).Bind("b", "node-0"), pass},
		{"the first finishes, the second comes", full().Finish(corev1.PodSucceeded, "a").Pod("b", "", two).Bind("b", "node-0"), pass},
		{"the first is on its way out", full().Deleting("a").Pod("b", "", two).Bind("b", "node-0").Gone("a"), "Fail Pass"},
		{"nothing bound", gpus(1).Pod("a", ""), nothing},

		{"the driver overcommits", full().Pod("b", "", two).DriverBind("b", "node-0"), pass},
		{"the driver's pods are load", gpus(1).Pod("a", "", Wants("gpu=3")).DriverBind("a", "node-0").Wait(time.Minute).
			Pod("b", "", two).Bind("b", "node-0"), fail},
		{"the driver filled it just before", gpus(1).Pod("b", "", two).Pod("a", "", Wants("gpu=3")).DriverBind("a", "node-0").Bind("b", "node-0"), doubt},
		{"pods created in place are load", gpus(1).Pod("a", "", Wants("gpu=3"), Placed("node-0")).Wait(time.Minute).Pod("b", "", two).Bind("b", "node-0"), fail},
		{"another scheduler's pod just before", gpus(1).Pod("b", "", two).Pod("a", "", Wants("gpu=3"), For("other")).Bind("a", "node-0").Bind("b", "node-0"), doubt},
		{"the node shrank just before", gpus(1).Pod("b", "", two).ChangeNode("node-0", Has("gpu=1")).Bind("b", "node-0"), doubt},
		{"the node shrank long before", gpus(1).ChangeNode("node-0", Has("gpu=1")).Wait(time.Minute).Pod("b", "", two).Bind("b", "node-0"), fail},
		{"the node shrank afterwards", gpus(1).Pod("b", "", two).Bind("b", "node-0").ChangeNode("node-0", Has("gpu=1")), pass},
		{"a node that is gone", gpus(1).Pod("b", "", two).NodeGone("node-0").Bind("b", "node-0"), nothing},

		{"more pods than allowed", New().Nodes(1, Has("pods=1")).Pod("a", "").Pod("b", "").Bind("a", "node-0").Bind("b", "node-0"), "Fail Pass"},
		{"a host port twice", gpus(1).Pod("a", "", port).Pod("b", "", port).Bind("a", "node-0").Bind("b", "node-0"), "Fail Pass"},
		{"a host port on two nodes", gpus(2).Pod("a", "", port).Pod("b", "", port).Bind("a", "node-0").Bind("b", "node-1"), pass},
		{"no order across resources is needed", gpus(1, UnknownStorage).Pod("a", "", Wants("gpu=4")).Bind("a", "node-0").Wait(time.Minute).
			Pod("b", "", two).Bind("b", "node-0"), "Fail Pass"},
		{"a gap in pods", full().BreakWatch("pods").Pod("b", "", two).Bind("b", "node-0"), doubt},
	})
}
