package build

import corev1 "k8s.io/api/core/v1"

// Shape is what one pod asks of a node: the part of a pod that decides where it fits.
type Shape struct {
	// CPU, Memory as quantities; empty asks for none.
	CPU    string
	Memory string
	// GPUs of the extended resource GPUResource (default nvidia.com/gpu).
	GPUs        int
	GPUResource string
	// Extended are further extended resources: name → quantity.
	Extended map[string]string
}

// Pod is the options struct of a pod. The zero value of every field is safe; Name is required.
type Pod struct {
	Name string
	// Namespace, SchedulerName: filled in by the environment where empty.
	Namespace     string
	SchedulerName string
	// Gang is the name of the gang it belongs to; empty for a plain pod.
	Gang string
	// Pool is the scenario's node pool (its short name there) it selects and tolerates. Empty: no node selector.
	Pool string
	Shape
	// PriorityClass by its real name.
	PriorityClass string
	// Gates are scheduling gates.
	Gates       []string
	Labels      map[string]string
	Annotations map[string]string
	// NodeName creates it bound, past any scheduler.
	NodeName string
	// NodeSelector beside the pool's; Tolerations beside the pool's.
	NodeSelector map[string]string
	Tolerations  []corev1.Toleration
	Affinity     *corev1.Affinity
	Spread       []corev1.TopologySpreadConstraint
	HostPorts    []int32
	// Claims are names of PersistentVolumeClaims in its namespace, each mounted as a volume.
	Claims []string
	// Devices are entries of its resourceClaims; its container uses each of them.
	Devices []DeviceClaim
	// Grace is the termination grace period in seconds. nil is 0: the pod is gone at once.
	Grace *int64
	// PreemptionPolicy of the pod; nil leaves it to admission.
	PreemptionPolicy *corev1.PreemptionPolicy
	// Mutate has the last word on the pod; nil changes nothing.
	Mutate func(*corev1.Pod)
}

// Policy of a gang.
type Policy string

const (
	// GangPolicy: all or nothing, at least Quorum. The zero value.
	GangPolicy Policy = ""
	// BasicPolicy: members are scheduled as they come.
	BasicPolicy Policy = "basic"
)

// Gang is a neutral gang: what every gang API can say in one way or another. A dialect writes it to, and reads it
// back from, one API.
type Gang struct {
	Name      string
	Namespace string
	Policy    Policy
	// Quorum is the gang's minCount; ignored for basic.
	Quorum        int32
	PriorityClass string
	// Queue, where a dialect has queues.
	Queue string
	// TopologyKey demands that all members share one value of this node label; empty demands nothing.
	TopologyKey string
	// DisruptAll asks that members are only disrupted together.
	DisruptAll bool
	// Labels on the gang's own object.
	Labels map[string]string
	// Parent is the name of the composite group it belongs to; empty for none.
	Parent string
	// Devices are the claims its members may share: those whose pods have an equal entry.
	Devices []DeviceClaim
	// Workload and Template make the gang refer to a Workload object's template.
	Workload, Template string
	// SchedulerName of its members, for dialects that put it on the group.
	SchedulerName string
}

// Composite is a group of groups: what a Gang is to pods it is to gangs and composites that name it as their Parent.
// Its Quorum is the number of children that have to be schedulable at the same time (minGroupCount).
type Composite Gang
