package robust

import (
	"context"
	"time"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// leaderSize is the size of the gangs and of the pools.
const leaderSize = 2

// taken bounds the wait for the lease of a leader that has ended: more than two of the 15 seconds that Kubernetes'
// components have by default.
const taken = 40 * time.Second

// unheard is how long a new leader leads without having heard what the one before did: longer than the back-off of an
// attempt that failed, after which others have their turn.
const unheard = 5 * time.Second

// ends are how a leader ends: killed, so that its lease has to run out, and asked to, so that it may give it back.
var ends = []string{"killed", "asked"}

func init() {
	pools := map[string]int{}
	for _, how := range ends {
		pools[how+"-half"], pools[how+"-whole"] = leaderSize, leaderSize
	}
	suites.Register(scenario(suites.Scenario{
		Name: "robust-leader-gone",
		Summary: "The leader of two schedulers ends, killed and asked to, with a gang half bound, another bound wholly and a third " +
			"that wants its room, of which the one that follows has not heard.",
		Requirements: []string{"ROB-014", "ROB-015"},
		Needs:        needs(pools, suites.TwoSchedulers, "restart-scheduler"),
		Weight:       40,
		Drive:        driveLeader,
		Judge:        judgeLeader,
	}))
}

func driveLeader(ctx context.Context, env suites.Env) error {
	pair, err := suites.PairOf(ctx, env)
	if err != nil {
		return err
	}
	if err := pair[0].StandBy(ctx); err != nil {
		return err
	}
	if !pair[0].Leads(ctx, taken) {
		return ctx.Err() // one that never leads binds nothing, and is judged by that
	}
	for i, how := range ends {
		leader, other := pair[i%2], pair[1-i%2]
		if err := other.StandBy(ctx); err != nil {
			return err
		}
		if err := follow(ctx, env, how, leader, other); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// follow lets a leader end, and the other one go on.
func follow(ctx context.Context, env suites.Env, how string, leader, other suites.Instance) error {
	half, whole, next := how+"-half", how+"-whole", how+"-next"
	if err := known(ctx, env, leader, half, whole, next); err != nil {
		return err
	}
	// Now the leader binds, and the other one does not hear of it.
	stale := how + " stale"
	if err := other.Break(ctx, faults.Rule{Name: stale, Verb: "watch", Fault: faults.Fault{Hold: true}}); err != nil {
		return err
	}
	if err := leader.Mend(ctx, half+"-0", whole); err != nil {
		return err
	}
	env.Await(ctx, "one gang is bound and another in part", kit.Patience(env, leaderSize),
		kit.All(kit.Bound(half, leaderSize-1), kit.Bound(whole, leaderSize)))
	if err := ended(ctx, leader, how); err != nil {
		return err
	}
	env.Mark(ctx, how)
	if err := leader.Mend(ctx, half+"-1", next); err != nil {
		return err
	}
	if other.Leads(ctx, taken) {
		env.Hold(ctx, "the new leader has heard nothing", unheard)
	}
	if err := other.Mend(ctx, stale); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, half+" complete", half, leaderSize)
	env.Mark(ctx, how+" over")
	if err := kit.Vacate(ctx, env, build.Names(kit.Members(leaderSize, whole, whole))...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, next+" complete", next, leaderSize)
	return ctx.Err()
}

// known creates the gangs and has every bind of the leader refused until both schedulers have had time to hear of them.
func known(ctx context.Context, env suites.Env, leader suites.Instance, half, whole, next string) error {
	refused := faults.Fault{Status: 503}
	first, second := bindsOf(env, half+"-0", half, refused), bindsOf(env, half+"-1", half, refused)
	first.Object, second.Object = half+"-0", half+"-1"
	if err := leader.Break(ctx, first, second, bindsOf(env, whole, whole, refused), bindsOf(env, next, next, refused)); err != nil {
		return err
	}
	if err := gang(ctx, env, half, half, leaderSize); err != nil {
		return err
	}
	if err := gang(ctx, env, whole, whole, leaderSize); err != nil {
		return err
	}
	members := kit.Members(leaderSize, next, whole)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: next, Quorum: leaderSize}, members...); err != nil {
		return err
	}
	env.Await(ctx, "the leader tries to bind", env.Settle(leaderSize), struck(whole, 1))
	env.Hold(ctx, "the other one hears of it too", glance)
	return ctx.Err()
}

// ended ends the leader.
func ended(ctx context.Context, leader suites.Instance, how string) error {
	if how == "killed" {
		return leader.KillScheduler(ctx)
	}
	return leader.Retire(ctx)
}

func judgeLeader(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, how := range ends {
		half, whole, next := how+"-half", how+"-whole", how+"-next"
		// one opens a case that is about the moment in which the leader had ended.
		one := func(id string) (*kit.Case, history.Stamp) {
			c := kit.For(v, id)
			return c, c.Mark(how)
		}
		c, at := one("ROB-014")
		n := len(v.BoundAt(half, at))
		c.Premise(n == leaderSize-1, nil, "%d of %d members were bound when the leader ended (%d were)", leaderSize-1, leaderSize, n)
		out = append(out, completes(c, v, half+" complete", half, leaderSize))

		c, at = one("ROB-015")
		n = len(v.BoundAt(whole, at))
		c.Premise(n == leaderSize, nil, "the gang that takes the room was bound when the leader ended (%d of %d were)", n, leaderSize)
		c.RoomFor(at, v.Members(next), 0)
		out = append(out, c.None(next, history.Stamp{}, c.Mark(how+" over"), "while its room was taken by a gang that the leader before had bound"))

		c, _ = one("ROB-014")
		out = append(out, completes(c, v, next+" complete", next, leaderSize))
	}
	return out
}
