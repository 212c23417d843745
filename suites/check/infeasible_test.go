package check

import (
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	. "muster/suites/history/historytest"
)

func TestNoBindWhenInfeasible(t *testing.T) {
	// full: one slot of three is taken by a filler, so that a gang of four halves does not fit on two nodes.
	full := func() *Builder {
		return gpus(2).Pod("filler", "", Wants("gpu=2")).Bind("filler", "node-0").Wait(time.Second)
	}
	apart := func(p *corev1.Pod) {
		p.Labels = map[string]string{"app": "g"}
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname,
				LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "g"}}}}}}
	}
	claim := func(p *corev1.Pod) {
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "c"}}}}
	}
	try(t, noBindWhenInfeasible, []told{
		{"it fits and is bound", half(gpus(2), "g", 3, 3).Bind("g-0", "node-0").Bind("g-1", "node-0").Bind("g-2", "node-1"), pass},
		{"it fits and waits", half(gpus(2), "g", 3, 3).Wait(settled), nothing},
		{"it never fits and waits", half(full(), "g", 4, 4).Wait(settled), pass},
		{"it never fits and one is bound", half(full(), "g", 4, 4).Bind("g-0", "node-0"), fail},
		{"what fits is bound although the quorum does not", half(full(), "g", 4, 4).Bind("g-0", "node-0").Bind("g-1", "node-1").Bind("g-2", "node-1"), fail},
		{"room comes, then the binds", half(full(), "g", 4, 4).Gone("filler").Bind("g-0", "node-0").Bind("g-1", "node-0"), pass},
		{"the filler is on its way out and still holds its place", half(full(), "g", 4, 4).Deleting("filler").Bind("g-0", "node-1").Gone("filler"), fail},
		{"the filler finishes", half(full(), "g", 4, 4).Finish(corev1.PodSucceeded, "filler").Bind("g-0", "node-0"), pass},
		{"room came and went again before the bind", half(full(), "g", 4, 4).Gone("filler").Pod("f2", "", Wants("gpu=2")).
			DriverBind("f2", "node-0").Bind("g-0", "node-1"), pass},
		{"a node is added", half(full(), "g", 4, 4).Nodes(1, Has("gpu=4")).Bind("g-0", "node-2"), pass},
		{"a node grows", half(full(), "g", 4, 4).ChangeNode("node-0", Has("gpu=6")).Bind("g-0", "node-0"), pass},
		{"the quorum is lowered to what fits", half(full(), "g", 4, 4).Quorum("g", 3).Bind("g-0", "node-0"), pass},
		{"the quorum is raised just before the bind", half(full(), "g", 3, 4).Quorum("g", 4).Bind("g-0", "node-0"), pass},

		{"fewer members than the quorum exist", half(gpus(4), "g", 3, 2).Bind("g-0", "node-0"), fail},
		{"the last needed member comes later than the bind", half(gpus(4), "g", 3, 2).Bind("g-0", "node-0").Pods("g", 1, Wants("gpu=2")), fail},
		{"a needed member is gated", gpus(4).Gang("g", 3).Pods("g", 2).Pods("g", 1, Gated).Bind("g-0", "node-0").Ungate("g-2"), fail},
		{"the gate went before the bind", gpus(4).Gang("g", 3).Pods("g", 2).Pods("g", 1, Gated).Ungate("g-2").Bind("g-0", "node-0"), pass},
		{"a member was deleted just before the bind", half(gpus(4), "g", 3, 3).Gone("g-2").Bind("g-0", "node-0"), pass},
		{"members bound already count", half(full(), "g", 4, 4).DriverBind("g-0", "node-0").Gone("filler").Bind("g-1", "node-0"), pass},
		{"the driver's own binds are not judged", half(full(), "g", 4, 4).DriverBind("g-0", "node-0").Wait(settled), nothing},
		{"the driver's binds meet the quorum first", half(full(), "g", 2, 4).DriverBind("g-0", "node-1").DriverBind("g-1", "node-1").Bind("g-2", "node-0"), nothing},
		{"a later member after the quorum", half(gpus(2), "g", 2, 2).Bind("g-0", "node-0").Bind("g-1", "node-0").Pods("g", 1, Wants("gpu=2")).Bind("g-2", "node-1"), pass},
		{"a foreign member counts as a chance", gpus(4).Gang("g", 2).Pods("g", 1).Pods("g", 1, For("other")).Bind("g-0", "node-0"), pass},
		{"a basic group has no quorum", gpus(1).Basic("g").Pods("g", 3, Wants("gpu=4")).Bind("g-0", "node-0"), nothing},
		{"the group comes after a bind and does not fit", full().Pods("g", 4, Wants("gpu=2")).Bind("g-0", "node-0").Gang("g", 4).Bind("g-1", "node-1"), fail},
		{"a new group of the name has its own chance", half(full(), "g", 4, 4).GangGone("g").Gang("g", 3).Bind("g-0", "node-0"), pass},

		{"apart by host on too few nodes", gpus(2).Gang("g", 3).Pods("g", 3, apart).Bind("g-0", "node-0"), fail},
		{"apart by host on enough nodes", gpus(3).Gang("g", 3).Pods("g", 3, apart).Bind("g-0", "node-0"), pass},
		{"fragmented: enough in sum, no node holds one", gpus(4).Gang("g", 2).Pods("g", 2, Wants("gpu=5")).Bind("g-0", "node-0"), fail},
		{"one domain is too small", New().Node("a", NodeLabel("rack", "1"), Has("gpu=4")).Node("b", NodeLabel("rack", "2"), Has("gpu=4")).
			Gang("g", 3, OneDomain("rack")).Pods("g", 3, Wants("gpu=2")).Bind("g-0", "a"), fail},
		{"what cannot be modelled can only make it harder", half(full(), "g", 4, 3).Pods("g", 1, Wants("gpu=2"), claim).Bind("g-0", "node-0"), fail},

		{"pods are not ordered against nodes", half(gpus(1, UnknownStorage), "g", 3, 3).Bind("g-0", "node-0"), doubt},
		{"how many members exist is told in order anyway", half(gpus(4, UnknownStorage), "g", 3, 2).Bind("g-0", "node-0"), fail},
		{"a gap in nodes", half(gpus(1).BreakWatch("nodes"), "g", 3, 3).Bind("g-0", "node-0"), doubt},
	})
}

func TestInfeasibleSaysWhatTheLimitWas(t *testing.T) {
	for _, tt := range []struct {
		story *Builder
		want  string
	}{
		{half(gpus(1), "g", 3, 3).Bind("g-0", "node-0"), "(there was room for at most 2 of the 3)"},
		{half(gpus(4), "g", 3, 2).Bind("g-0", "node-0"), "(at most 2 members existed ungated)"},
	} {
		found := noBindWhenInfeasible.Func(tt.story.View())
		if len(found) != 1 || !strings.Contains(found[0].Message, tt.want) {
			t.Errorf("%+v, want %q", found, tt.want)
		}
	}
}
