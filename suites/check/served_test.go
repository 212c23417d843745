package check

import (
	"testing"

	corev1 "k8s.io/api/core/v1"

	. "muster/suites/history/historytest"
)

// What devices serve of a pod's extended resources is not asked of its node.
func TestServedResourcesAreNotTheNodes(t *testing.T) {
	served := func(p *corev1.Pod) {
		p.Status.ExtendedResourceClaimStatus = &corev1.PodExtendedResourceClaimStatus{ResourceClaimName: "c",
			RequestMappings: []corev1.ContainerExtendedResourceRequest{{ContainerName: "main", ResourceName: "x.dev/gpu", RequestName: "r"}}}
	}
	story := func() *Builder { return New().Nodes(1).Gang("g", 1).Pods("g", 1, Wants("x.dev/gpu=1")) }
	other := func() *Builder { return New().Nodes(1).Gang("g", 1).Pods("g", 1, Wants("x.dev/gpu=1", "y.dev/gpu=1")) }
	try(t, noOvercommit, []told{
		{"served", story().ChangePod("g-0", served).Bind("g-0", "node-0"), pass},
		{"not served", story().Bind("g-0", "node-0"), fail},
		{"one of two", other().ChangePod("g-0", served).Bind("g-0", "node-0"), fail},
	})
	try(t, noBindWhenInfeasible, []told{
		{"served", story().ChangePod("g-0", served).Bind("g-0", "node-0"), pass},
		{"not served", story().Bind("g-0", "node-0"), fail},
		{"one of two", other().ChangePod("g-0", served).Bind("g-0", "node-0"), fail},
	})
}

// Who waits with claims, for devices or volumes, is left to those who know who else uses them.
func TestWaitingForClaimsIsNotJudged(t *testing.T) {
	waits := func(opts ...PodOption) *Builder { return New().Nodes(1).Pod("p", "", opts...).Wait(settled) }
	volume := func(p *corev1.Pod) {
		p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: "c"}}}}
	}
	for _, c := range []Check{progress, workConserving} {
		try(t, c, []told{
			{"a device", waits(UsesClaim("gpu", "c")), nothing},
			{"a volume", waits(volume), nothing},
			{"nothing", waits(), fail},
		})
	}
}
