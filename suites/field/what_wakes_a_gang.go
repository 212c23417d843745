package field

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// Six gangs wait for six different events in six pools. Then the events come, and the time to the last bind tells
// what woke each: the event, or the back-off that happened to end.
//
// To tell the two apart the events come at a moment when a retry is not due. Say the first attempt was at 0. Back-offs
// of 1, 2 and 4 seconds, each of which may last a second longer on a clock that ticks in seconds, are over between 7
// and 10; the next one, of 8, not before 15. The events come ripe after the last gang's first attempt, in between. A
// scheduler with another rhythm may be taken for event-driven by coincidence: the value is observed, and never judged.
func init() {
	suites.Register(suites.Scenario{
		Name:         "what-wakes-a-waiting-gang",
		Profile:      "gang",
		Summary:      "Six waiting gangs are unblocked by six kinds of events; the time each takes to bind is measured and classified.",
		Requirements: []string{"FIELD-007"},
		Needs: suites.Needs{
			Capabilities: []string{"create-nodes"},
			Pools:        wakePools(),
		},
		Weight: 24,
		Drive:  driveWakes,
		Judge:  judgeWakes,
	})
}

// ripe is how long the gangs wait between their first attempts and the events.
const ripe = 12 * time.Second

// wakePools are a pool for each event, and one with room for the witnesses.
func wakePools() []nodes.Pool {
	out := []nodes.Pool{{Name: "open", Count: 1, GPUs: len(wakes)}}
	for _, w := range wakes {
		w.pool.Name = w.name
		out = append(out, w.pool)
	}
	return out
}

func driveWakes(ctx context.Context, env suites.Env) error {
	want := map[string]int{}
	for _, w := range wakes {
		n, err := w.wait(ctx, env, w.name)
		if err != nil {
			return fmt.Errorf("making a gang wait for %s: %w", w.name, err)
		}
		want[w.name] = n
	}
	env.Await(ctx, "a first attempt on every gang", env.Settle(slices.Max(values(want))), everyGangTried)
	env.Hold(ctx, "the gangs wait until no retry is due", ripe)
	for _, w := range wakes {
		env.Mark(ctx, markBefore(w.name))
		if err := w.event(ctx, env, w.name, want[w.name]); err != nil {
			return fmt.Errorf("unblocking by %s: %w", w.name, err)
		}
		env.Mark(ctx, markDone(w.name))
		if err := env.CreatePods(ctx, kit.Plain(witnessOf(w.name), "open")); err != nil {
			return fmt.Errorf("creating the witness of %s: %w", w.name, err)
		}
	}
	env.Await(ctx, "every gang bound", env.Settle(slices.Max(values(want))), func(v *history.View) bool {
		for name, n := range want {
			if !kit.Bound(name, n)(v) {
				return false
			}
		}
		return true
	})
	if err := ctx.Err(); err != nil {
		return err
	}
	env.Mark(ctx, "waited-for")
	return nil
}

// everyGangTried leaves out the gang that does not exist yet.
func everyGangTried(v *history.View) bool {
	for _, w := range wakes {
		if v.Gang(w.name) != nil && !kit.Tried(w.name)(v) {
			return false
		}
	}
	return true
}

func values(m map[string]int) []int {
	var out []int
	for _, n := range m {
		out = append(out, n)
	}
	return out
}

func judgeWakes(v *history.View) []suites.Finding {
	c := kit.For(v, "FIELD-007")
	end := c.Mark("waited-for")
	var parts []string
	for _, w := range wakes {
		before, done := c.Mark(markBefore(w.name)), c.Mark(markDone(w.name))
		if before.IsZero() || done.IsZero() || end.IsZero() {
			continue
		}
		parts = append(parts, w.name+": "+woken(v, w.name, before, done, end))
	}
	return []suites.Finding{c.Saw(strings.Join(parts, "; "),
		"time from each event to the gang's last needed bind; %s is within %s over a plain pod's latency at that moment, %s later within the settle bound",
		eventDriven, slack, backoffRetry)}
}

// woken is how the gang of one event came to be bound, with the time it took.
func woken(v *history.View, name string, before, done, end history.Stamp) string {
	members := v.Members(name)
	if early := kit.BoundBefore(v, name, before); len(early) > 0 {
		return fmt.Sprintf("not measured, %d members were bound before it", len(early))
	}
	bound := v.BoundAt(name, end)
	n := quorumAt(v, name, end)
	settle := v.Settle(len(members))
	if n == 0 || len(bound) < n {
		return fmt.Sprintf("%s within %s", classify(false, 0, 0, settle), end.Since(done).Round(time.Second))
	}
	latencies := make([]time.Duration, len(bound))
	for i, p := range bound {
		latencies[i] = max(0, p.Bound.Since(done))
	}
	slices.Sort(latencies)
	latency := latencies[n-1]
	return fmt.Sprintf("%s, %.1f s", classify(true, latency, usualAt(v, name), settle), latency.Seconds())
}
