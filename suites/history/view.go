package history

import (
	"time"

	corev1 "k8s.io/api/core/v1"
)

// Stamp is a place in a history. Order is the place in the view's total order: by resource version where the header
// says single-etcd, by receipt elsewhere; compare stamps with Before and After, never by time.
type Stamp struct {
	Order int64         `json:"order"`
	Seq   int64         `json:"seq"`
	Wall  time.Time     `json:"wall"`
	Mono  time.Duration `json:"mono"`
}

// IsZero reports the absent stamp ("never").
func (s Stamp) IsZero() bool { return s.Seq == 0 }

// Before reports whether s lies before o. The zero stamp (never) lies after everything.
func (s Stamp) Before(o Stamp) bool {
	if s.IsZero() || o.IsZero() {
		return !s.IsZero()
	}
	return s.Order < o.Order
}

// After reports whether s lies after o.
func (s Stamp) After(o Stamp) bool { return o.Before(s) }

// Since is the time from o to s as the recorder saw it.
func (s Stamp) Since(o Stamp) time.Duration { return s.Mono - o.Mono }

// At is a value that changed at a place. Timelines are slices of it in order; see Latest and ValueAt.
type At[T any] struct {
	Stamp Stamp
	Value T
}

// Latest is the last value of a timeline.
func Latest[T any](tl []At[T]) (v T, ok bool) {
	if len(tl) == 0 {
		return v, false
	}
	return tl[len(tl)-1].Value, true
}

// ValueAt is the value in force at s (changes at s itself included).
func ValueAt[T any](tl []At[T], s Stamp) (v T, ok bool) {
	for _, a := range tl {
		if a.Stamp.After(s) {
			break
		}
		v, ok = a.Value, true
	}
	return v, ok
}

// Between is the part of a timeline that was in force at some place from one stamp to the other, both included: the
// value in force at from, and every later one up to to. A zero from is the beginning, a zero to the end.
func Between[T any](tl []At[T], from, to Stamp) []At[T] {
	lo, hi := 0, 0
	for i, a := range tl {
		if !from.IsZero() && !a.Stamp.After(from) {
			lo = i
		}
		if to.IsZero() || !a.Stamp.After(to) {
			hi = i + 1
		}
	}
	if hi <= lo {
		return nil
	}
	return tl[lo:hi]
}

// Pod is one incarnation (UID) of a pod as the history tells it.
type Pod struct {
	Namespace, Name, UID string
	// Gang is the name of the gang (in the same namespace) it says it belongs to; empty for none.
	Gang          string
	SchedulerName string
	Priority      int32
	// Object is its last seen form. First is its form when created: its spec is what had to be placed.
	Object *corev1.Pod
	First  *corev1.Pod
	// Created, Bound, Deleting (deletionTimestamp set), Finished (Succeeded or Failed), Gone; zero: never.
	// Bound is the first stamp at which spec.nodeName was set; Node where.
	Created, Bound, Deleting, Finished, Gone Stamp
	Node                                     string
	// ByDriver: the driver bound it, or created it bound. Such a bind is not attributed to the scheduler under test.
	ByDriver bool
	// BornBound: it was bound already when it was first seen (created so, or older than the record): nobody was seen to
	// bind it, so the bind is not attributed to the scheduler under test either.
	BornBound bool
	// Ours: its schedulerName is one of the scheduler under test.
	Ours bool
	// Gated is the timeline of "has a scheduling gate".
	Gated []At[bool]
	// Rejected are the stamps at which PodScheduled=False appeared or was renewed: an attempt was made.
	Rejected []Stamp
	// Conditions is the timeline of each condition's status by type ("DisruptionTarget").
	Conditions map[string][]At[Condition]
	// Nominated is the timeline of status.nominatedNodeName.
	Nominated []At[string]
}

// Condition is a status condition, without its message: nobody may judge a message.
type Condition struct {
	Status             string
	Reason             string
	ObservedGeneration int64
	LastTransition     time.Time
}

// ByScheduler reports whether the pod is bound and the bind is the doing of the scheduler under test: its
// schedulerName is one of it, and neither the driver bound it nor was it bound when first seen.
func (p *Pod) ByScheduler() bool {
	return !p.Bound.IsZero() && p.Ours && !p.ByDriver && !p.BornBound
}

// BoundAt reports whether the pod holds its node at s as a live member: bound, and neither finished nor deleted.
func (p *Pod) BoundAt(s Stamp) bool { return reached(p.Bound, s) && p.activeAt(s) }

// ActiveAt reports whether the pod exists at s and is neither finished nor being deleted.
func (p *Pod) ActiveAt(s Stamp) bool { return reached(p.Created, s) && p.activeAt(s) }

func (p *Pod) activeAt(s Stamp) bool {
	return !reached(p.Finished, s) && !reached(p.Deleting, s) && !reached(p.Gone, s)
}

// reached reports whether an instant lies at s or before.
func reached(instant, s Stamp) bool { return !instant.IsZero() && !instant.After(s) }

// Active are those of the pods that exist at a place and are neither finished nor being deleted.
func Active(pods []*Pod, at Stamp) []*Pod {
	var out []*Pod
	for _, p := range pods {
		if p.ActiveAt(at) {
			out = append(out, p)
		}
	}
	return out
}

// Gang is one incarnation (UID) of a gang's object, whatever API it was written in.
type Gang struct {
	Namespace, Name, UID string
	Basic                bool
	// Quorum is the timeline of minCount (empty for basic).
	Quorum        []At[int32]
	Generation    []At[int64]
	Priority      int32
	PriorityClass string
	// Parent is the composite's name (empty for none); TopologyKey its own constraint.
	Parent, TopologyKey string
	// DisruptAll: members are only disrupted together.
	DisruptAll              bool
	Created, Deleting, Gone Stamp
	// Satisfied is the timeline of the dialect's "initially scheduled" condition.
	Satisfied []At[Condition]
	// Generated is the timeline of the claims made for it: entry of its resourceClaims → name of the ResourceClaim. The
	// maps are read-only.
	Generated []At[map[string]string]
	// Conditions by type, like Pod.
	Conditions map[string][]At[Condition]
	// Problems are what the dialect could not make sense of; a check that depends on the gang should be Inconclusive.
	Problems []At[string]
	// Dialect that read it.
	Dialect string
}

// Composite is one incarnation (UID) of a composite group: a group of gangs and composites that name it as their parent.
type Composite struct {
	Namespace, Name, UID string
	// Basic: its children are scheduled independently. Quorum is the number of children that have to be schedulable at
	// the same time (0 for basic).
	Basic         bool
	Quorum        int32
	Priority      int32
	PriorityClass string
	// Parent is the name of the composite it belongs to (empty for a root), TopologyKey its own constraint.
	Parent, TopologyKey string
	// DisruptAll: everything below it is only disrupted together.
	DisruptAll              bool
	Created, Deleting, Gone Stamp
	// Satisfied is the timeline of the dialect's "initially scheduled" condition.
	Satisfied []At[Condition]
	// Conditions by type, like Pod.
	Conditions map[string][]At[Condition]
	// Problems are what the dialect could not make sense of.
	Problems []At[string]
}

// Node is one incarnation of a node.
type Node struct {
	Name, UID, Pool string
	Created, Gone   Stamp
	// Object is the timeline of its whole form (labels, taints, allocatable, unschedulable).
	Object []At[*corev1.Node]
}

// Gap is a stretch of a resource's stream in which events may be missing.
type Gap struct {
	Resource string
	From, To Stamp
	Why      string
}

// View is how checks and judges see a history: in neutral words, read-only, scoped to one scenario (Within) or whole.
type View struct {
	Header *Header
	Scope  Scope
	// Pods, Gangs and Nodes are every incarnation, in order of creation.
	Pods  []*Pod
	Gangs []*Gang
	Nodes []*Node
	// Composites are every incarnation of every composite group, in order of creation.
	Composites []*Composite
	// Claims are every incarnation of every ResourceClaim of the scope's namespaces, in order of creation.
	Claims []*Claim
	// Gaps that touch this view's resources. A complete record has none.
	Gaps []Gap
	// Crashes are unexpected ends of the scheduler under test after its readiness.
	Crashes []At[Sample]
	// Actions are the driver's, in order (marks, awaits and holds included).
	Actions []At[Event]
	// Canary is the median bind latency of the canary pods (zero: none measured).
	Canary time.Duration
	// Begin and End bound the scenario. A zero End: it was cut short.
	Begin, End Stamp

	data *viewData
}
