package field

import (
	"context"
	"fmt"
	"time"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// promptly is how long a gang may take to be bound after its last piece, over the latency of a plain pod.
const promptly = 5 * time.Second

// pause is the time between two pieces of a gang. A scheduler that does not wait for the rest acts within it. It is
// not a settle bound: a bind before the last piece counts whenever it comes, and how long a scheduler can be kept
// waiting is the subject of other requirements.
const pause = time.Second

// piecesPool has room for the gang "pieces" and the witness.
var piecesPool = nodes.Pool{Name: "pool", Count: 4, GPUs: 1}

// piecesSize is the size of the gang that leaves a slot of the pool for the witness.
func piecesSize(env suites.Env) (int, error) {
	n, err := slots(env, "pool", 3)
	return n - 1, err
}

// trickle creates pods one by one with a pause before each.
func trickle(ctx context.Context, env suites.Env, pods ...build.Pod) error {
	for _, p := range pods {
		env.Hold(ctx, "the next piece is not there yet", pause)
		if err := env.CreatePods(ctx, p); err != nil {
			return fmt.Errorf("creating pod %s: %w", p.Name, err)
		}
	}
	return nil
}

// awaitPieces is called right after the last piece of the gang: it creates the witness, a plain pod of the same shape
// in the same pool, and waits until both are bound.
func awaitPieces(ctx context.Context, env suites.Env, n int) error {
	if err := env.CreatePods(ctx, kit.Plain("witness", "pool")); err != nil {
		return fmt.Errorf("creating the witness: %w", err)
	}
	kit.AwaitMark(ctx, env, "waited-for", n, kit.All(kit.Bound("pieces", n), kit.PodsBound("witness")))
	return ctx.Err()
}

// judgePieces says whether the gang was bound after its last piece (pods and the gang's object; nothing else is one),
// promptly, and not before.
func judgePieces(v *history.View) []suites.Finding {
	return []suites.Finding{pieces(v, kit.For(v, "FIELD-003"))}
}

func pieces(v *history.View, c *kit.Case) suites.Finding {
	end := c.Mark("waited-for")
	members, gang, witness := v.Members("pieces"), v.Gang("pieces"), v.Pod("witness")
	c.Premise(gang != nil && len(members) > 0 && witness != nil, nil, "the gang, its members and the witness were created")
	if gang == nil || len(members) == 0 || witness == nil {
		return c.Holds(false, "nothing to judge")
	}
	last := kit.LastCreated(members)
	if gang.Created.After(last) {
		last = gang.Created
	}
	c.Fits(last, append([]*history.Pod{witness}, members...))
	c.Premise(len(members) == quorumAt(v, "pieces", last), nil, "the gang needs every one of its members")
	if early := kit.BoundBefore(v, "pieces", last); len(early) > 0 {
		return c.About(early[0].Bound, kit.Objects(early)...).Holds(false, "%d members were bound before the gang's last piece existed", len(early))
	}
	var slowest time.Duration
	for _, p := range members {
		if p.Bound.IsZero() || p.Bound.After(end) {
			return c.About(end, kit.Objects([]*history.Pod{p})...).Holds(false,
				"all %d members are to be bound after the last piece; %d were, %s later", len(members), len(v.BoundAt("pieces", end)), round(end.Since(last)))
		}
		slowest = max(slowest, p.Bound.Since(last))
	}
	usual := v.Canary
	if !witness.Bound.IsZero() {
		usual = max(usual, witness.Bound.Since(witness.Created))
	}
	return c.About(last).Holds(slowest <= promptly+usual,
		"all %d members were bound %s after the gang's last piece and none before (bound: %s over the %s a plain pod took)",
		len(members), round(slowest), promptly, round(usual))
}

func round(d time.Duration) time.Duration { return d.Round(time.Millisecond) }
