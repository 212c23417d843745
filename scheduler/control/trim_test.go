package control

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"muster/scheduler/engine"
)

// TestTrimmedObjectsAnswerAlike: what is left away before an object is kept is nothing that a decision reads.
func TestTrimmedObjectsAnswerAlike(t *testing.T) {
	restart := corev1.Container{Name: "c", RestartPolicyRules: []corev1.ContainerRestartRule{{Action: corev1.ContainerRestartRuleActionRestartAllContainers}}}
	no := false
	for name, spec := range map[string]corev1.PodSpec{
		"restart of all containers":   {Containers: []corev1.Container{restart}},
		"the same, by an initial one": {Containers: []corev1.Container{{Name: "d"}}, InitContainers: []corev1.Container{restart}},
		"options of a mount": {Containers: []corev1.Container{{Name: "c", VolumeMounts: []corev1.VolumeMount{
			{Name: "v", BindMountOptions: []string{"noexec"}}}}}},
		"users of its own": {Containers: []corev1.Container{{Name: "c"}}, HostNetwork: true, HostUsers: &no},
	} {
		t.Run(name, func(t *testing.T) {
			for _, features := range [][]string{nil, {"RestartAllContainersOnContainerExits", "UserNamespacesHostNetworkSupport", "VolumeBindMountOptions"}} {
				e := engine.New(engine.Options{})
				n := &corev1.Node{}
				n.Name = "a"
				n.Status.Allocatable = corev1.ResourceList{corev1.ResourcePods: resource.MustParse("5")}
				n.Status.DeclaredFeatures = features
				p := &corev1.Pod{Spec: *spec.DeepCopy()}
				p.Namespace, p.Name = ns, "p"
				for _, o := range []any{n, p} {
					if _, err := trim(o); err != nil {
						t.Fatal(err)
					}
				}
				e.UpsertNode(n)
				if d := e.Solve(e.UpsertPod(p)); (d.Outcome == engine.Placed) != (features != nil) {
					t.Errorf("on a node that declares %q it is %s: %s", features, d.Outcome, d.Reason)
				}
			}
		})
	}
}
