package control

import (
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/engine"
)

// Fault makes a scheduler behave wrongly, so that a conformance suite can be shown to notice (package mutant). A nil *Fault
// is a scheduler without one, and so is a nil field. All functions are called by the loop alone, so that they may remember
// things; what they are given is theirs to change.
type Fault struct {
	// Engine is what the engine itself does wrong.
	Engine engine.Fault
	// Pod, PodGroup and Composite change what the engine hears of an object. What is known outside the engine (whose pod it
	// is, which condition stands) stays true. Pod, PodGone and Survivors are asked about the scheduler's own pods only: in a cluster
	// that several share, a fault is not to do its harm to what others schedule.
	Pod       func(*corev1.Pod)
	PodGroup  func(*schedulingv1beta1.PodGroup)
	Composite func(*schedulingv1alpha3.CompositePodGroup)
	// Budget changes what the engine hears of a disruption budget.
	Budget func(*policyv1.PodDisruptionBudget)
	// ResourceClaim, ResourceSlice and DeviceClass change what the engine hears of devices and who asks for them.
	ResourceClaim func(*resourcev1.ResourceClaim)
	ResourceSlice func(*resourcev1.ResourceSlice)
	DeviceClass   func(*resourcev1.DeviceClass)
	// ClaimGone reports whether the engine is to hear that a ResourceClaim is gone.
	ClaimGone func(*resourcev1.ResourceClaim) bool
	// PodGone reports whether the engine is to hear that a pod is gone; GroupGone the same of a PodGroup, CompositeGone of a
	// CompositePodGroup.
	PodGone       func(*corev1.Pod) bool
	GroupGone     func(*schedulingv1beta1.PodGroup) bool
	CompositeGone func(*schedulingv1alpha3.CompositePodGroup) bool
	// Decision changes what the engine has decided.
	Decision func(*engine.Decision)
	// Plan changes whom the engine would have evicted.
	Plan func(*engine.Plan)
	// Condition changes what is about to be said of a group, or reports that it is not to be said.
	Condition func(engine.Kind, *metav1.Condition) bool
	// Hold reports whether a decision ends when its claims are reserved: its pods are never bound.
	Hold func(*engine.Decision) bool
	// AtOnce: a root whose bind was refused, with a single try, is tried again without waiting out a back-off.
	AtOnce bool
	// Fickle: a group whose condition is True is told False again when a later member of it finds no room.
	Fickle bool
	// LowestFirst: the roots of the lowest priority are tried first.
	LowestFirst bool
	// Survivors are pods that are evicted because a pod is gone.
	Survivors func(gone *corev1.Pod) []engine.PodRef
	// Silent: victims are evicted without a word. SilentGroups: groups evicted as a whole are told nothing.
	Silent, SilentGroups bool
	// Grace of victims in seconds; nil for their own.
	Grace *int64
	// Unnominated: nobody is nominated for the room that is being made, and the room is not kept.
	Unnominated bool
	// Node changes what the engine hears of a node; NodeGone reports whether it is to hear that one is gone.
	Node     func(*corev1.Node)
	NodeGone func(*corev1.Node) bool
	// Also are pods that are evicted although no root has to have them evicted. It is asked whenever news have been taken.
	Also func() []engine.PodRef
	// Answer changes the error that the API server's answer to a bind was; nil makes it a success. It is called by several
	// goroutines at a time.
	Answer func(pod engine.PodRef, node string, err error) error
	// AssumeFor: the room of a bind that takes longer is given to others; 0 for never.
	AssumeFor time.Duration
	// Trusting: a node to which binds fail is as good as any other.
	Trusting bool
	// Restless: a root that found no room is tried again every restlessPause, and its conditions say how often.
	Restless bool
	// Early: a process reads the cluster while it waits for its lease, and not again when it has it.
	Early bool
	// Transport wraps what carries the requests of a process; Heard reports whether an event about an object that informers
	// were told of is heard. Both are called by several goroutines at a time.
	Transport func(http.RoundTripper) http.RoundTripper
	Heard     func(metav1.Object) bool
	// Slower is the fraction by which each answer of the engine about a root takes longer than it has to; 0 for none.
	Slower float64
}

// restlessPause is how long a restless scheduler rests.
const restlessPause = 50 * time.Millisecond

// misbehave does what a fault does of its own accord when news have been taken.
func (s *Scheduler) misbehave() {
	if also := s.opts.Fault.Also; also != nil {
		for _, p := range also() {
			s.evictor.evict(p, s.opts.Names[0]+": preempting for nobody")
		}
	}
}

// expire gives the room of binds that take too long to others.
func (s *Scheduler) expire(r *round) {
	if s.opts.Fault.AssumeFor == 0 {
		return
	}
	s.agenda.add(s.now().Add(s.opts.Fault.AssumeFor), func() {
		if r.left == 0 {
			return
		}
		for _, p := range r.decision.Placements {
			s.engine.Forget(p.Pod)
		}
		s.stirred = true
		for root := range s.blocked {
			s.enqueue(root)
		}
	})
}

// avoided are the nodes that a decision is to avoid.
func (s *Scheduler) avoided(now time.Time) []string {
	if s.opts.Fault.Trusting {
		return nil
	}
	return s.distrust.avoided(now)
}

// hurry has a root tried again that found no room.
func (s *Scheduler) hurry(root engine.Root) {
	if s.opts.Fault.Restless {
		s.agenda.add(s.now().Add(restlessPause), func() { s.enqueue(root) })
	}
}

// linger keeps the processor busy for a fraction of the time that has passed since an answer was asked for.
func (s *Scheduler) linger(began time.Time) {
	now := s.now()
	for until := now.Add(time.Duration(s.opts.Fault.Slower * float64(now.Sub(began)))); s.now().Before(until); {
	}
}

// changed is a copy of an object with a fault's change, or the object itself where there is none.
func changed[T interface{ DeepCopy() T }](obj T, change func(T)) T {
	if change == nil {
		return obj
	}
	obj = obj.DeepCopy()
	change(obj)
	return obj
}

// heard reports whether the engine is told of a deletion.
func heard[T any](obj T, tell func(T) bool) bool { return tell == nil || tell(obj) }
