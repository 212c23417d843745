package engine

import (
	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"
)

// Key names a namespaced object.
type Key struct{ Namespace, Name string }

// String is namespace/name.
func (k Key) String() string { return k.Namespace + "/" + k.Name }

// Kind of a root or group.
type Kind uint8

// The kinds of roots; PodGroup and Composite are also kinds of groups.
const (
	KindPod       Kind = iota // a pod that names no group
	KindPodGroup              // a PodGroup without parent
	KindComposite             // the topmost CompositePodGroup of a tree
)

// String is the API kind.
func (k Kind) String() string {
	return [...]string{"Pod", "PodGroup", "CompositePodGroup"}[k]
}

// Root is what is decided as a whole. It is comparable, and may name a group whose object does not exist (yet).
type Root struct {
	Kind Kind
	Key
}

// String is kind namespace/name.
func (r Root) String() string { return r.Kind.String() + " " + r.Key.String() }

// Outcome of an attempt on a root or on one group of it.
type Outcome uint8

// The outcomes.
const (
	// Idle: nothing is pending; there was nothing to decide.
	Idle Outcome = iota
	// Placed: what must be placed together is placed (now or earlier), and at least one pod gets a node now.
	Placed
	// Unschedulable: the cluster as it is has no place.
	Unschedulable
	// Waiting: something is missing that no node can give: members, the group's object, a parent, the last gate.
	Waiting
	// Error: the objects contradict each other, or cannot be read. No node will help either.
	Error
)

// String is the name of the constant.
func (o Outcome) String() string {
	return [...]string{"Idle", "Placed", "Unschedulable", "Waiting", "Error"}[o]
}

// PodRef is a pod by name and UID.
type PodRef struct {
	Key
	UID types.UID
}

// Placement is a pod and the node it is to be bound to.
type Placement struct {
	Pod  PodRef
	Node string
	// Claims are the pod's PersistentVolumeClaims (in its namespace) that are not bound to a volume and wait for their
	// first consumer: each must carry the node in its selected-node annotation and be bound before the pod is.
	Claims []string
	// Devices are the pod's ResourceClaims: each must be allocated so and reserved before the pod is bound.
	Devices []DeviceClaim
}

// Leftover is a pending pod that got no node in an attempt.
type Leftover struct {
	Pod    PodRef
	Reason Reason
	held   bool // it cannot be placed on any node
}

// GroupResult is what an attempt means for one group's condition.
type GroupResult struct {
	Kind Kind
	Key
	UID        types.UID
	Generation int64 // of the object the decision was made on
	Exists     bool  // the object exists
	Outcome    Outcome
	Reason     Reason
	// Satisfied: what the group must have placed together is placed, with the placements of this decision counted.
	Satisfied bool
	// Placed are the pods of the group (and below) placed now, Bound those that had a node before.
	Placed, Bound int
}

// Decision is the answer to Solve.
type Decision struct {
	Root       Root
	Outcome    Outcome
	Reason     Reason      // why not, or why not all
	Placements []Placement // all or none of what belongs together; nothing is assumed yet
	// Groups holds every group of the tree that exists or is named, parents before children; empty for a lone pod.
	Groups []GroupResult
	// Left are the pending pods without placement, gated ones excepted.
	Left []Leftover
	// Revoke are ResourceClaims of the root that are allocated though nothing of it is placed, and stand in its way: their
	// allocation is to be taken back from those they are reserved for, and the root will be woken. They must not be changed.
	Revoke []*resourceapi.ResourceClaim
}
