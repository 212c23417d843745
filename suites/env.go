package suites

import (
	"context"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites/history"
	"muster/workloads/build"
)

// Env is what Drive acts through. Every action and its response is recorded in the history, so a Judge can tell the
// driver's deeds from the scheduler's. Names are local to the scenario's namespace.
//
// Methods that act return an error only when the harness could not do what it was asked to: a request the API server
// answered with an error. Try returns the answer instead, for scenarios that are about refusals.
type Env interface {
	// Namespace is the scenario's own namespace.
	Namespace() string
	// SchedulerName is the schedulerName of the scheduler under test.
	SchedulerName() string
	// Seed is the scenario's own seed; Drive takes all its randomness from it.
	Seed() int64

	// Pool is one of the scenario's node pools by the name it has in Needs.Pools.
	Pool(name string) Pool
	// Gates are the feature gates in force in the control plane; nil where unknown.
	Gates() map[string]bool

	// CreateGang renders a neutral gang in the dialect of the scheduler under test and creates its objects.
	CreateGang(ctx context.Context, g build.Gang) error
	// SetQuorum changes a gang's minCount.
	SetQuorum(ctx context.Context, gang string, quorum int32) error
	// DeleteGang deletes the gang's object (not its pods).
	DeleteGang(ctx context.Context, gang string) error

	// CreateComposite renders a group of groups in the dialect of the scheduler under test and creates its object;
	// DeleteComposite deletes it (not what belongs to it).
	CreateComposite(ctx context.Context, c build.Composite) error
	DeleteComposite(ctx context.Context, name string) error

	// CreatePods creates pods one after the other in the order given. The pod's pool decides its node selector and
	// toleration; schedulerName and namespace are filled in where empty.
	CreatePods(ctx context.Context, pods ...build.Pod) error
	// DeletePods deletes pods by name with their own grace period.
	DeletePods(ctx context.Context, names ...string) error
	// FinishPods takes running pods to Succeeded or Failed.
	FinishPods(ctx context.Context, phase corev1.PodPhase, names ...string) error
	// BindPod binds a pod as the driver (not attributed to the scheduler under test).
	BindPod(ctx context.Context, pod, node string) error
	// UngatePods removes every scheduling gate from the named pods.
	UngatePods(ctx context.Context, names ...string) error

	// AddNodes adds n nodes to a pool; RemoveNode deletes one.
	AddNodes(ctx context.Context, pool string, n int) error
	RemoveNode(ctx context.Context, node string) error
	// ReturnNode creates a node that was removed again, as it was and under its own name.
	ReturnNode(ctx context.Context, node string) error
	// PatchNode applies a JSON merge patch to a node (labels, taints, unschedulable); status goes to the status subresource.
	PatchNode(ctx context.Context, node string, mergePatch []byte, subresources ...string) error

	// PriorityClass is the real name of a class declared in Needs.PriorityClasses.
	PriorityClass(short string) string

	// Create, Update, Patch and Delete act on any object, recorded like the rest.
	Create(ctx context.Context, gvr schema.GroupVersionResource, obj *unstructured.Unstructured) error
	Patch(ctx context.Context, gvr schema.GroupVersionResource, name string, mergePatch []byte, subresources ...string) error
	Delete(ctx context.Context, gvr schema.GroupVersionResource, name string) error
	// Try sends any request and gives the recorded answer back, whatever it was. label names it for the Judge
	// (View.Try(label)).
	Try(ctx context.Context, label string, a Attempt) (history.Response, error)

	// Await waits on the recorded stream, without polling, until cond holds on the scenario's live view, or until d
	// has passed. It says which; it is not an error that cond never held.
	Await(ctx context.Context, what string, d time.Duration, cond func(*history.View) bool) bool
	// Hold keeps watching for d: the time in which something that must not happen would have happened.
	// Hold(ctx, env.Settle(n)) is the usual form.
	Hold(ctx context.Context, why string, d time.Duration)
	// Settle is the scheduler profile's settle bound for a group of the given size: after it, a scheduler that was
	// going to act has acted (design §5: 10 s × √members + 5 s for stock).
	Settle(members int) time.Duration
	// Prompt is the bound within which a feasible gang of the given size must have been bound after its last piece:
	// generous, in units of the canary's latency in this run; never a performance measure.
	Prompt(members int) time.Duration
	// Mark writes a named point into the history for Judge (View.Mark).
	Mark(ctx context.Context, name string)

	// RestartScheduler stops the scheduler under test and starts it again (capability restart-scheduler).
	// With pause > 0 it stays away that long. StopScheduler and StartScheduler are its halves.
	RestartScheduler(ctx context.Context) error
	StopScheduler(ctx context.Context) error
	StartScheduler(ctx context.Context) error
}

// Attempt is one request for Env.Try.
type Attempt struct {
	// Verb is create, get, update, patch, delete or list: all of a kind in the scenario's namespace.
	Verb         string
	GVR          schema.GroupVersionResource
	Name         string
	Subresources []string
	// Object for create and update; Patch (a JSON merge patch) for patch.
	Object *unstructured.Unstructured
	Patch  []byte
	// Accept is the media type that a get asks for; empty: application/json.
	Accept string
	// ClusterScoped sends it without the scenario's namespace.
	ClusterScoped bool
}

// Pool is a node pool of a running scenario.
type Pool interface {
	// Name is the real (unique) name, the value of the pool label on its nodes.
	Name() string
	// Spec is what was asked for.
	Spec() nodes.Pool
	// Nodes are the names of its nodes, in order of creation.
	Nodes() []string
	// Slots is how many pods of this shape the pool can take now: observed allocatable minus what others hold,
	// summed node by node. Sizes in scenarios come from here, never from constants.
	Slots(shape build.Shape) int
}
