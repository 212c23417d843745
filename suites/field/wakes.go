package field

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// wake is one way in which a waiting gang can become able to run. Each has a pool and a gang of its name of its own.
type wake struct {
	name string
	pool nodes.Pool
	// wait makes a gang wait and says how many of its members will be bound once the event has come.
	wait func(ctx context.Context, env suites.Env, name string) (int, error)
	// event is what unblocks it.
	event func(ctx context.Context, env suites.Env, name string, n int) error
}

// Marks around the event: the gang must not be bound before the first, and is timed from the second.
func markBefore(w string) string { return "before-" + w }
func markDone(w string) string   { return "done-" + w }

// witnessOf is the plain pod that is created after the event in a pool with room.
func witnessOf(w string) string { return "witness-" + w }

const (
	wakeTaint = "muster.dev/field-blocked"
	wakeLabel = "muster.dev/field-stage"
)

// wakes are the six events of FIELD-007.
var wakes = []wake{
	{"pod-deleted", nodes.Pool{Count: 2, GPUs: 1}, waitForPod, func(ctx context.Context, env suites.Env, name string, _ int) error {
		return env.DeletePods(ctx, "filler-"+name+"-0")
	}},
	{"node-added", nodes.Pool{Count: 1, GPUs: 1}, waitForNode, func(ctx context.Context, env suites.Env, name string, _ int) error {
		return env.AddNodes(ctx, name, 1)
	}},
	{"taint-removed", nodes.Pool{Count: 1, GPUs: 2, Taints: []nodes.Taint{{Key: wakeTaint, Effect: "NoSchedule"}}}, waitForWholePool, removeTaint},
	{"label-changed", nodes.Pool{Count: 1, GPUs: 2}, waitForLabel, setLabel},
	{"quorum-lowered", nodes.Pool{Count: 1, GPUs: 2}, waitForQuorum, func(ctx context.Context, env suites.Env, name string, n int) error {
		return env.SetQuorum(ctx, name, int32(n))
	}},
	{"gang-created", nodes.Pool{Count: 1, GPUs: 2}, waitForGang, func(ctx context.Context, env suites.Env, name string, n int) error {
		return env.CreateGang(ctx, build.Gang{Name: name, Quorum: int32(n)})
	}},
}

// waitForPod: one slot of the pool is taken.
func waitForPod(ctx context.Context, env suites.Env, name string) (int, error) {
	n, err := slots(env, name, 2)
	if err != nil {
		return 0, err
	}
	if _, err := kit.Occupy(ctx, env, name, "filler-"+name, "", 1); err != nil {
		return 0, err
	}
	return n, gangOf(ctx, env, name, n, n, nil)
}

// waitForNode: half of the room the gang needs is there, on the pool's only node.
func waitForNode(ctx context.Context, env suites.Env, name string) (int, error) {
	half, err := slots(env, name, 1)
	if err != nil {
		return 0, err
	}
	return 2 * half, gangOf(ctx, env, name, 2*half, 2*half, nil)
}

// waitForWholePool: the pool has room, and something else is in the way.
func waitForWholePool(ctx context.Context, env suites.Env, name string) (int, error) {
	n, err := slots(env, name, 2)
	if err != nil {
		return 0, err
	}
	return n, gangOf(ctx, env, name, n, n, nil)
}

// waitForLabel: the members select a label that the node does not carry.
func waitForLabel(ctx context.Context, env suites.Env, name string) (int, error) {
	n, err := slots(env, name, 2)
	if err != nil {
		return 0, err
	}
	return n, gangOf(ctx, env, name, n, n, map[string]string{wakeLabel: "ready"})
}

// waitForQuorum: the gang has one member more than there is room for, and needs all of them.
func waitForQuorum(ctx context.Context, env suites.Env, name string) (int, error) {
	n, err := slots(env, name, 2)
	if err != nil {
		return 0, err
	}
	return n, gangOf(ctx, env, name, n+1, n+1, nil)
}

// waitForGang: the pods are there, the gang's object is not.
func waitForGang(ctx context.Context, env suites.Env, name string) (int, error) {
	n, err := slots(env, name, 2)
	if err != nil {
		return 0, err
	}
	return n, env.CreatePods(ctx, kit.Members(n, name, name)...)
}

func gangOf(ctx context.Context, env suites.Env, name string, members, quorum int, selector map[string]string) error {
	m := kit.Member(name, name)
	m.NodeSelector = selector
	return kit.CreateGang(ctx, env, build.Gang{Name: name, Quorum: int32(quorum)}, build.Replicas(members, m)...)
}

// removeTaint leaves the nodes of the pool with the pool's own taint.
func removeTaint(ctx context.Context, env suites.Env, name string, _ int) error {
	own := nodes.Taint{Key: nodes.PoolTaint, Value: env.Pool(name).Name(), Effect: "NoSchedule"}
	return patchNodes(ctx, env, name, map[string]any{"spec": map[string]any{"taints": []nodes.Taint{own}}})
}

func setLabel(ctx context.Context, env suites.Env, name string, _ int) error {
	return patchNodes(ctx, env, name, map[string]any{"metadata": map[string]any{"labels": map[string]string{wakeLabel: "ready"}}})
}

func patchNodes(ctx context.Context, env suites.Env, pool string, patch map[string]any) error {
	b, err := json.Marshal(patch)
	if err != nil {
		return fmt.Errorf("writing the node patch: %w", err)
	}
	for _, n := range env.Pool(pool).Nodes() {
		if err := env.PatchNode(ctx, n, b); err != nil {
			return err
		}
	}
	return nil
}

// How a gang was woken.
const (
	eventDriven  = "event-driven"
	backoffRetry = "back-off retry"
	notAtAll     = "none"
)

// slack is what an event-driven scheduler may take beyond a plain pod's latency at the same moment.
const slack = time.Second

// classify names what woke a gang that was bound (or not) so long after its event: at the event when it was bound
// within slack over what a plain pod took at that moment, by a retry when later and still within the settle bound,
// which covers the longest back-off, and by nothing otherwise.
func classify(bound bool, latency, usual, settle time.Duration) string {
	switch {
	case !bound || latency > settle:
		return notAtAll
	case latency <= usual+slack:
		return eventDriven
	default:
		return backoffRetry
	}
}

// usualAt is the latency of a plain pod at the event: the witness's, or the run's median where that is greater.
func usualAt(v *history.View, w string) time.Duration {
	usual := v.Canary
	if p := v.Pod(witnessOf(w)); p != nil && !p.Bound.IsZero() {
		usual = max(usual, p.Bound.Since(p.Created))
	}
	return usual
}
