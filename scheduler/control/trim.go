package control

import (
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/api/meta"
)

// trim takes out of an object, before it is cached, what no decision reads: half a million pods must fit into memory.
func trim(obj any) (any, error) {
	m, err := meta.Accessor(obj)
	if err != nil {
		return obj, nil // a tombstone: its object was trimmed when it came
	}
	m.SetManagedFields(nil)
	switch o := obj.(type) {
	case *corev1.Pod:
		trimPod(o)
	case *corev1.Node:
		o.Annotations = nil
		o.Status = corev1.NodeStatus{Allocatable: o.Status.Allocatable, Capacity: o.Status.Capacity, DeclaredFeatures: o.Status.DeclaredFeatures}
	}
	return obj, nil
}

func trimPod(p *corev1.Pod) {
	p.Annotations = nil
	for _, list := range [][]corev1.Container{p.Spec.InitContainers, p.Spec.Containers} {
		for i, c := range list {
			list[i] = corev1.Container{Name: c.Name, Resources: c.Resources, Ports: c.Ports, RestartPolicy: c.RestartPolicy,
				RestartPolicyRules: c.RestartPolicyRules, VolumeMounts: peculiar(c.VolumeMounts)}
		}
	}
	p.Status = corev1.PodStatus{
		Phase:                 p.Status.Phase,
		NominatedNodeName:     p.Status.NominatedNodeName,
		Resources:             p.Status.Resources,
		AllocatedResources:    p.Status.AllocatedResources,
		Conditions:            scheduledOnly(p.Status.Conditions),
		ContainerStatuses:     resourcesOnly(p.Status.ContainerStatuses),
		InitContainerStatuses: resourcesOnly(p.Status.InitContainerStatuses),

		ResourceClaimStatuses:       p.Status.ResourceClaimStatuses,
		ExtendedResourceClaimStatus: p.Status.ExtendedResourceClaimStatus,
	}
}

// peculiar keeps the mounts that ask something of the node.
func peculiar(list []corev1.VolumeMount) []corev1.VolumeMount {
	var out []corev1.VolumeMount
	for _, m := range list {
		if len(m.BindMountOptions) > 0 {
			out = append(out, m)
		}
	}
	return out
}

// scheduledOnly keeps the condition this scheduler writes, and what the kubelet says about resizes.
func scheduledOnly(list []corev1.PodCondition) []corev1.PodCondition {
	var out []corev1.PodCondition
	for _, c := range list {
		switch c.Type {
		case corev1.PodScheduled, corev1.PodResizePending, corev1.PodResizeInProgress:
			out = append(out, c)
		}
	}
	return out
}

// resourcesOnly keeps what a resize in place needs: a pod holds the larger of what is asked and what is allocated.
func resourcesOnly(list []corev1.ContainerStatus) []corev1.ContainerStatus {
	var out []corev1.ContainerStatus
	for _, c := range list {
		if c.AllocatedResources != nil || c.Resources != nil {
			out = append(out, corev1.ContainerStatus{Name: c.Name, AllocatedResources: c.AllocatedResources, Resources: c.Resources})
		}
	}
	return out
}

// sameForPlacement: an update of a pod without node tells nothing that a decision could depend on; most often it is our
// own condition coming back.
func sameForPlacement(a, b *corev1.Pod) bool {
	return a.UID == b.UID && a.Status.Phase == b.Status.Phase &&
		(a.DeletionTimestamp == nil) == (b.DeletionTimestamp == nil) &&
		equality.Semantic.DeepEqual(a.Labels, b.Labels) &&
		equality.Semantic.DeepEqual(a.Spec, b.Spec) &&
		equality.Semantic.DeepEqual(a.Status.ContainerStatuses, b.Status.ContainerStatuses) &&
		equality.Semantic.DeepEqual(a.Status.InitContainerStatuses, b.Status.InitContainerStatuses) &&
		equality.Semantic.DeepEqual(a.Status.Resources, b.Status.Resources) &&
		equality.Semantic.DeepEqual(a.Status.ResourceClaimStatuses, b.Status.ResourceClaimStatuses) &&
		equality.Semantic.DeepEqual(a.Status.ExtendedResourceClaimStatus, b.Status.ExtendedResourceClaimStatus)
}
