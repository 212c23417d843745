package check

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "muster/suites/history/historytest"
)

func spread(p *corev1.Pod) {
	p.Labels = map[string]string{"app": "g"}
	p.Spec.TopologySpreadConstraints = []corev1.TopologySpreadConstraint{{MaxSkew: 1, TopologyKey: corev1.LabelHostname,
		WhenUnsatisfiable: corev1.DoNotSchedule, LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "g"}}}}
}

// unparsable is a preference that compares with something that is no number.
func unparsable(p *corev1.Pod) {
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{PreferredDuringSchedulingIgnoredDuringExecution: []corev1.PreferredSchedulingTerm{{
		Weight: 1, Preference: corev1.NodeSelectorTerm{MatchExpressions: []corev1.NodeSelectorRequirement{{
			Key: "size", Operator: corev1.NodeSelectorOpGt, Values: []string{"many"}}}}}}}}
}

func nominated(node string) PodOption {
	return func(p *corev1.Pod) { p.Status.NominatedNodeName = node }
}

func TestProgress(t *testing.T) {
	full := func() *Builder { return gpus(1).Pod("f", "", Wants("gpu=4"), Placed("node-0")).Wait(time.Second) }
	try(t, progress, []told{
		{"bound", half(gpus(2), "g", 2, 2).Bind("g-0", "node-0").Bind("g-1", "node-0").Wait(settled), pass},
		{"fits and waits for ever", half(gpus(2), "g", 3, 3).Wait(settled), fail},
		{"fits and waits a little", half(gpus(2), "g", 3, 3).Wait(10 * time.Second), nothing},
		{"fits and waits while the queue is long", half(gpus(2), "g", 3, 3).Wait(35 * time.Second).Canary(20 * time.Second), nothing},
		{"fits and waits longer than the queue is long", half(gpus(2), "g", 3, 3).Wait(settled).Canary(20 * time.Second), fail},
		{"does not fit", half(gpus(1), "g", 3, 3).Wait(settled), nothing},
		{"fits at last, waits on", half(full(), "g", 2, 2).Wait(time.Minute).Gone("f").Wait(settled), fail},
		{"fits at last, the record ends soon", half(full(), "g", 2, 2).Wait(time.Minute).Gone("f").Wait(10 * time.Second), nothing},
		{"fits now and then", half(full(), "g", 2, 2).Wait(time.Minute).Gone("f").Wait(10*time.Second).
			Pod("f2", "", Wants("gpu=4")).DriverBind("f2", "node-0").Wait(time.Minute).Gone("f2").Wait(10 * time.Second), nothing},
		{"too few members", half(gpus(2), "g", 3, 2).Wait(settled), nothing},
		{"the last member came just now", half(gpus(2), "g", 3, 2).Wait(settled).Pods("g", 1, Wants("gpu=2")).Wait(10 * time.Second), nothing},
		{"the last member came long ago", half(gpus(2), "g", 3, 2).Wait(settled).Pods("g", 1, Wants("gpu=2")).Wait(settled), fail},
		{"no group", gpus(2).Pods("g", 3).Wait(settled), nothing},
		{"the group is going", half(gpus(2), "g", 3, 3).GangDeleting("g").Wait(settled), nothing},
		{"the group came just now", gpus(2).Pods("g", 2).Wait(settled).Gang("g", 2).Wait(10 * time.Second), nothing},
		{"the quorum was lowered just now", half(gpus(1), "g", 4, 4).Wait(settled).Quorum("g", 2).Wait(10 * time.Second), nothing},
		{"the quorum was lowered long ago", half(gpus(1), "g", 4, 4).Wait(settled).Quorum("g", 2).Wait(settled), fail},
		{"met once, then lost", half(gpus(2), "g", 2, 2).Bind("g-0", "node-0").Bind("g-1", "node-0").Gone("g-0").
			Pods("g", 1, Wants("gpu=2")).Wait(settled), pass},

		{"a gated member holds the group", gpus(2).Gang("g", 2).Pods("g", 2).Pods("g", 1, Gated).Wait(settled), nothing},
		{"the gate went long ago", gpus(2).Gang("g", 2).Pods("g", 1).Pods("g", 1, Gated).Wait(settled).Ungate("g-1").Wait(settled), fail},
		{"a member of another scheduler", gpus(2).Gang("g", 2).Pods("g", 2).Pods("g", 1, For("other")).Wait(settled), nothing},
		{"members of another priority than the group's", gpus(2).Gang("g", 2).Pods("g", 2, Priority(5)).Wait(settled), nothing},
		{"members of the group's priority", gpus(2).Gang("g", 2, GangPriority(5)).Pods("g", 2, Priority(5)).Wait(settled), fail},
		{"leader and workers: the order may matter", gpus(2).Gang("g", 3).Pods("g", 1, Wants("gpu=4")).Pods("g", 2, Wants("gpu=2")).Wait(settled), nothing},
		{"spread: the order may matter", gpus(2).Gang("g", 2).Pods("g", 2, spread).Wait(settled), nothing},
		{"members bound already count", half(gpus(2), "g", 3, 3).DriverBind("g-0", "node-0").Wait(settled), fail},

		{"preferences that cannot be read", gpus(2).Gang("g", 2).Pods("g", 2, unparsable).Wait(settled), nothing},
		{"a plain pod with a preference that cannot be read", gpus(1).Pod("p", "", unparsable).Wait(settled), nothing},

		{"a plain pod waits for ever", gpus(1).Pod("p", "").Wait(settled), fail},
		{"a plain pod is bound", gpus(1).Pod("p", "").Bind("p", "node-0").Wait(settled), pass},
		{"a plain pod that does not fit", gpus(1).Pod("p", "", Wants("gpu=5")).Wait(settled), nothing},
		{"a plain pod of another scheduler", gpus(1).Pod("p", "", For("other")).Wait(settled), nothing},
		{"a plain pod on its way out", gpus(1).Pod("p", "").Deleting("p").Wait(settled), nothing},
		{"a basic member is not this check's", gpus(1).Basic("g").Pods("g", 1).Wait(settled), nothing},

		{"somebody before it waits and does not fit", half(gpus(1), "big", 3, 3).Wait(time.Second).Pod("p", "", Wants("gpu=1")).Wait(settled), nothing},
		{"somebody after it waits and does not fit", gpus(1).Pod("p", "", Wants("gpu=1")).Wait(time.Second).Gang("big", 3).Pods("big", 3, Wants("gpu=2")).Wait(settled), fail},
		{"somebody of lower priority waits and does not fit", gpus(1).Gang("big", 3).Pods("big", 3, Wants("gpu=2")).
			Pod("p", "", Wants("gpu=1"), Priority(9)).Wait(settled), fail},
		{"room is promised to one that waits for its victims", half(gpus(1), "g", 2, 2).Pod("p", "", Wants("gpu=4"), Priority(9), nominated("node-0")).Wait(settled), nothing},
		{"two gangs for one place: one must go", half(half(gpus(1), "a", 2, 2), "b", 2, 2).Wait(settled), fail},
		{"two gangs for one place: one went", half(half(gpus(1), "a", 2, 2), "b", 2, 2).Bind("b-0", "node-0").Bind("b-1", "node-0").Wait(settled), pass},

		{"the scheduler is stopped", half(gpus(2), "g", 3, 3).StopScheduler().Wait(settled), nothing},
		{"the scheduler came back just now", half(gpus(2), "g", 3, 3).StopScheduler().Wait(settled).StartScheduler().Wait(10 * time.Second), nothing},
		{"the scheduler came back long ago", half(gpus(2), "g", 3, 3).StopScheduler().Wait(settled).StartScheduler().Wait(settled), fail},
		{"the scheduler crashed", half(gpus(2), "g", 3, 3).Crash("exit 1").Wait(settled), nothing},
		{"a gap in nodes", half(gpus(2).BreakWatch("nodes"), "g", 3, 3).Wait(settled), doubt},
	})
}

func TestWorkConserving(t *testing.T) {
	try(t, workConserving, []told{
		{"preferences that cannot be read", gpus(2).Gang("g", 2).Pods("g", 2, unparsable).Wait(settled), nothing},
		{"a plain pod with a preference that cannot be read", gpus(1).Pod("p", "", unparsable).Wait(settled), nothing},

		{"a plain pod waits for ever", gpus(1).Pod("p", "").Wait(settled), fail},
		{"a plain pod is bound", gpus(1).Pod("p", "").Bind("p", "node-0"), pass},
		{"a gang is not this check's", half(gpus(2), "g", 2, 2).Wait(settled), nothing},
		{"a basic member waits although it fits", gpus(1).Basic("g").Pods("g", 2, Wants("gpu=4")).Wait(settled), fail},
		{"a basic member waits for room", gpus(1).Basic("g").Pods("g", 2, Wants("gpu=4")).Bind("g-0", "node-0").Wait(settled), pass},
		{"a basic group held by a gate", gpus(1).Basic("g").Pods("g", 1).Pods("g", 1, Gated).Wait(settled), nothing},
		{"a basic group of mixed priorities", gpus(1).Basic("g").Pods("g", 1, Priority(3)).Wait(settled), nothing},
		{"a basic group of mixed shapes is no excuse", gpus(1).Basic("g").Pods("g", 1, Wants("gpu=5")).Pods("g", 1, Wants("gpu=1")).Wait(settled), fail},
		{"room came a moment ago", gpus(1).Pod("f", "", Wants("gpu=4"), Placed("node-0")).Pod("p", "", Wants("gpu=1")).Wait(settled).Gone("f").Wait(time.Second), nothing},
		{"a gang before it hoards", half(gpus(1), "big", 3, 3).Pod("p", "", Wants("gpu=1")).Wait(settled), fail},
		{"a gang does not hoard", half(gpus(1), "big", 3, 3).Pod("p", "", Wants("gpu=1")).Bind("p", "node-0").Wait(settled), pass},
		{"room is promised", gpus(1).Pod("h", "", Wants("gpu=4"), nominated("node-0")).Pod("p", "", Wants("gpu=1")).Wait(settled), nothing},
		{"nobody serves", gpus(1).Pod("p", "", For("other")).Wait(settled), nothing},
	})
}
