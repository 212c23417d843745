package gang

import (
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history/historytest"
)

func placementStories() []story {
	const domain = "gang-anti-affinity-one-domain"
	one := func() *historytest.Builder {
		return historytest.New().Nodes(2, historytest.Has("nvidia.com/gpu=2"), historytest.NodeLabel(oneDomainKey, "only")).
			Gang("g", 2).Pods("g", 2, worker, labelled(apart("g", oneDomainKey)))
	}
	out := []story{
		{domain, "none", watch(one(), "waiting", "watched"), verdicts{"GANG-041": pass}},
		{domain, "one", watch(one().Bind("g-0", "node-0"), "waiting", "watched"), verdicts{"GANG-041": fail}},
		{domain, "both", watch(one().BindAll("node-0", "g-0", "g-1"), "waiting", "watched"), verdicts{"GANG-041": fail}},
		{domain, "no room anyway", watch(historytest.New().Nodes(1, historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel(oneDomainKey, "only")).
			Gang("g", 2).Pods("g", 2, worker, labelled(apart("g", oneDomainKey))), "waiting", "watched"), verdicts{"GANG-041": unclear}},
	}
	// Three members on nodes that could each hold them all: each on its own node, two on one, or all on one.
	for _, c := range []struct {
		scenario, id      string
		member            historytest.PodOption
		each, pair, heavy bool // may the members stand so?
	}{
		{"gang-anti-affinity-one-each", "GANG-040", labelled(apart("g", hostname)), true, false, false},
		{"gang-members-with-one-host-port", "GANG-043", port, true, false, false},
		{"gang-members-that-attract", "GANG-043", labelled(together("g", hostname)), false, false, true},
	} {
		empty := func() *historytest.Builder {
			return historytest.New().Nodes(3, historytest.Has("nvidia.com/gpu=4")).Mark("empty").
				Gang("g", 3).Pods("g", 3, worker, c.member)
		}
		out = append(out,
			story{c.scenario, "one on each node", bind(empty(), 0, "g-0", "g-1", "g-2").Mark("all bound"), verdicts{c.id: holds(c.each)}},
			story{c.scenario, "two on one node", bind(empty().Bind("g-0", "node-0"), 0, "g-1", "g-2").Mark("all bound"), verdicts{c.id: holds(c.pair)}},
			story{c.scenario, "all on one node", empty().BindAll("node-1", "g-0", "g-1", "g-2").Mark("all bound"), verdicts{c.id: holds(c.heavy)}},
			story{c.scenario, "not bound", empty().Wait(time.Minute).Mark("all bound"), verdicts{c.id: fail}},
		)
	}
	const spread = "gang-members-that-spread"
	even := func() *historytest.Builder {
		return historytest.New().Nodes(2, historytest.Has("nvidia.com/gpu=4")).Mark("empty").
			Gang("g", 4).Pods("g", 4, worker, spreading)
	}
	const volume = "gang-volume-for-one-pod"
	mounted := func() *historytest.Builder {
		return historytest.New().Nodes(2, historytest.Has("nvidia.com/gpu=4")).
			Gang("g", 2).Pods("g", 2, worker, mounts("shared")).
			Gang("own", 2).Pod("own-0", "own", worker, mounts("own-0")).Pod("own-1", "own", worker, mounts("own-1"))
	}
	served := func() *historytest.Builder { return mounted().BindAll("node-0", "own-0", "own-1").Mark("own bound") }
	out = append(out,
		story{volume, "own ones alone", watch(served(), "waiting", "watched"), verdicts{"GANG-042": pass}},
		story{volume, "one with the shared claim", watch(served().Bind("g-0", "node-1"), "waiting", "watched"), verdicts{"GANG-042": fail}},
		story{volume, "both with the shared claim", watch(served().BindAll("node-1", "g-0", "g-1"), "waiting", "watched"), verdicts{"GANG-042": fail}},
		story{volume, "nobody", watch(mounted().Wait(time.Minute).Mark("own bound"), "waiting", "watched"), verdicts{"GANG-042": fail}},
	)
	return append(out,
		story{spread, "two and two", even().BindAll("node-0", "g-0", "g-3").BindAll("node-1", "g-1", "g-2").Mark("all bound"), verdicts{"GANG-043": pass}},
		story{spread, "three and one", even().BindAll("node-0", "g-0", "g-3", "g-2").Bind("g-1", "node-1").Mark("all bound"), verdicts{"GANG-043": fail}},
		story{spread, "not bound", even().Wait(time.Minute).Mark("all bound"), verdicts{"GANG-043": fail}},
	)
}

func holds(ok bool) suites.Verdict {
	if ok {
		return pass
	}
	return fail
}

func port(p *corev1.Pod) {
	p.Spec.Containers[0].Ports = []corev1.ContainerPort{{ContainerPort: 29500, HostPort: 29500, Protocol: corev1.ProtocolTCP}}
}

func spreading(p *corev1.Pod) {
	labelled(nil)(p)
	p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{
		MaxSkew: 1, TopologyKey: hostname, WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: byApp("g"),
	}}
}

// mounts is a volume of the claim with this name.
func mounts(claim string) historytest.PodOption {
	return func(p *corev1.Pod) {
		p.Spec.Volumes = append(p.Spec.Volumes, corev1.Volume{Name: claim, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim},
		}})
	}
}
