package build

import (
	"fmt"
	"maps"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/fakes/nodes"
)

// Image of every container. Nothing pulls it on a simulated node; on a real one it sleeps.
const Image = "registry.k8s.io/pause:3.10"

// defaultGPUResource is the extended resource of Shape.GPUs where the shape names none.
const defaultGPUResource = nodes.DefaultGPUResource

// Defaults are what an environment fills in where a Pod leaves it open.
type Defaults struct {
	Namespace     string
	SchedulerName string
	// Pool is the real name of the pool that the pod names in short (only used where it names one; empty: the short
	// name is the real one).
	Pool string
}

// PodObject is the pod. Membership in a gang is left to a dialect. It panics on quantities that are none, as those are
// constants of a scenario's source.
func PodObject(p Pod, d Defaults) *corev1.Pod {
	pod := &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name:        p.Name,
			Namespace:   either(p.Namespace, d.Namespace),
			Labels:      maps.Clone(p.Labels),
			Annotations: maps.Clone(p.Annotations),
		},
		Spec: podSpec(p, d),
	}
	if p.Mutate != nil {
		p.Mutate(pod)
	}
	return pod
}

func podSpec(p Pod, d Defaults) corev1.PodSpec {
	grace := int64(0)
	if p.Grace != nil {
		grace = *p.Grace
	}
	token := false
	spec := corev1.PodSpec{
		SchedulerName:                 either(p.SchedulerName, d.SchedulerName),
		NodeName:                      p.NodeName,
		PriorityClassName:             p.PriorityClass,
		NodeSelector:                  maps.Clone(p.NodeSelector),
		Affinity:                      p.Affinity.DeepCopy(),
		TerminationGracePeriodSeconds: &grace,
		// A pod that has ended stays ended, as members of a gang do. Controllers that need it otherwise say so.
		RestartPolicy: corev1.RestartPolicyNever,
		// Nothing in the pod speaks to the API, and a cluster without service accounts can still admit it.
		AutomountServiceAccountToken: &token,
		Containers: []corev1.Container{{
			Name: "main", Image: Image, Resources: p.Shape.Resources(), Ports: ports(p.HostPorts),
		}},
	}
	for _, t := range p.Tolerations {
		spec.Tolerations = append(spec.Tolerations, *t.DeepCopy())
	}
	for _, s := range p.Spread {
		spec.TopologySpreadConstraints = append(spec.TopologySpreadConstraints, *s.DeepCopy())
	}
	for _, g := range p.Gates {
		spec.SchedulingGates = append(spec.SchedulingGates, corev1.PodSchedulingGate{Name: g})
	}
	if p.Pool != "" {
		pool := either(d.Pool, p.Pool)
		if spec.NodeSelector == nil {
			spec.NodeSelector = map[string]string{}
		}
		spec.NodeSelector[nodes.PoolLabel] = pool
		spec.Tolerations = append(spec.Tolerations, nodes.Toleration(pool))
	}
	if p.PreemptionPolicy != nil {
		policy := *p.PreemptionPolicy
		spec.PreemptionPolicy = &policy
	}
	for i, claim := range p.Claims {
		name := fmt.Sprintf("claim-%d", i)
		spec.Volumes = append(spec.Volumes, corev1.Volume{Name: name, VolumeSource: corev1.VolumeSource{
			PersistentVolumeClaim: &corev1.PersistentVolumeClaimVolumeSource{ClaimName: claim},
		}})
		spec.Containers[0].VolumeMounts = append(spec.Containers[0].VolumeMounts, corev1.VolumeMount{Name: name, MountPath: "/claims/" + name})
	}
	for _, c := range p.Devices {
		spec.ResourceClaims = append(spec.ResourceClaims, c.OfPod())
		spec.Containers[0].Resources.Claims = append(spec.Containers[0].Resources.Claims, corev1.ResourceClaim{Name: c.Name})
	}
	return spec
}

// Resources are the requests of the shape, and limits equal to them where Kubernetes asks for that: extended resources.
func (s Shape) Resources() corev1.ResourceRequirements {
	requests, limits := corev1.ResourceList{}, corev1.ResourceList{}
	add := func(name, quantity string, limited bool) {
		if quantity == "" {
			return
		}
		q := resource.MustParse(quantity)
		requests[corev1.ResourceName(name)] = q
		if limited {
			limits[corev1.ResourceName(name)] = q.DeepCopy()
		}
	}
	add(string(corev1.ResourceCPU), s.CPU, false)
	add(string(corev1.ResourceMemory), s.Memory, false)
	if s.GPUs > 0 {
		add(either(s.GPUResource, defaultGPUResource), fmt.Sprint(s.GPUs), true)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Extended)) {
		add(name, s.Extended[name], true)
	}
	var out corev1.ResourceRequirements
	if len(requests) > 0 {
		out.Requests = requests
	}
	if len(limits) > 0 {
		out.Limits = limits
	}
	return out
}

func ports(host []int32) []corev1.ContainerPort {
	var out []corev1.ContainerPort
	for _, p := range host {
		out = append(out, corev1.ContainerPort{ContainerPort: p, HostPort: p, Protocol: corev1.ProtocolTCP})
	}
	return out
}

func either(first, second string) string {
	if first != "" {
		return first
	}
	return second
}
