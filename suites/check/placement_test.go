package check

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/fakes/nodes"
	. "muster/suites/history/historytest"
)

func TestPlacementHonoured(t *testing.T) {
	selects := func(key, value string) PodOption {
		return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{key: value} }
	}
	ours := selects(nodes.PoolLabel, PoolName)
	tainted := func(n *corev1.Node) {
		n.Spec.Taints = []corev1.Taint{{Key: "k", Value: "v", Effect: corev1.TaintEffectNoSchedule}}
	}
	cordoned := func(n *corev1.Node) { n.Spec.Unschedulable = true }
	tolerant := func(p *corev1.Pod) {
		p.Spec.Tolerations = []corev1.Toleration{{Key: "k", Operator: corev1.TolerationOpExists}}
	}
	try(t, placementHonoured, []told{
		{"as selected", gpus(1).Pod("a", "", ours).Bind("a", "node-0"), pass},
		{"nothing selected", gpus(1).Pod("a", "").Bind("a", "node-0"), pass},
		{"nothing bound", gpus(1).Pod("a", "", ours), nothing},
		{"another label", gpus(1).Pod("a", "", selects("zone", "b")).Bind("a", "node-0"), fail},
		{"a node of another pool", gpus(1).Pod("a", "", ours).Bind("a", "elsewhere"), fail},
		{"a node that nobody knows, and nothing selected", gpus(1).Pod("a", "").Bind("a", "elsewhere"), nothing},
		{"a taint that is not tolerated", New().Nodes(1, tainted).Pod("a", "").Bind("a", "node-0"), fail},
		{"a taint that is tolerated", New().Nodes(1, tainted).Pod("a", "", tolerant).Bind("a", "node-0"), pass},
		{"a cordoned node", New().Nodes(1, cordoned).Pod("a", "").Bind("a", "node-0"), fail},
		{"tainted just before", gpus(1).Pod("a", "").ChangeNode("node-0", tainted).Bind("a", "node-0"), pass},
		{"tainted long before", gpus(1).Pod("a", "").ChangeNode("node-0", tainted).Wait(time.Minute).Bind("a", "node-0"), fail},
		{"tainted afterwards", gpus(1).Pod("a", "").Bind("a", "node-0").ChangeNode("node-0", tainted), pass},
		{"gone just before", gpus(1).Pod("a", "").NodeGone("node-0").Bind("a", "node-0"), pass},
		{"gone long before", gpus(1).Pod("a", "").NodeGone("node-0").Wait(time.Minute).Bind("a", "node-0"), fail},
		{"the driver bound it", gpus(1).Pod("a", "", selects("zone", "b")).DriverBind("a", "node-0"), nothing},
		{"a gap in nodes", gpus(1).BreakWatch("nodes").Pod("a", "", ours).Bind("a", "node-0"), doubt},
	})
}
