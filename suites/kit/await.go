package kit

import (
	"context"
	"time"

	"muster/suites"
	"muster/suites/history"
)

// Cond is a question to the live view, for Env.Await.
type Cond func(*history.View) bool

// Bound holds once at least n members of the gang stand on nodes.
func Bound(gang string, n int) Cond {
	return func(v *history.View) bool { return len(v.BoundAt(gang, v.Now())) >= n }
}

// PodsBound holds once every named pod stands on a node.
func PodsBound(names ...string) Cond {
	return every(names, func(p *history.Pod) bool { return p != nil && !p.Bound.IsZero() })
}

// PodsSeen holds once every named pod is part of the record.
func PodsSeen(names ...string) Cond {
	return every(names, func(p *history.Pod) bool { return p != nil })
}

// MembersSeen holds once at least n members of the gang are part of the record, whoever made them.
func MembersSeen(gang string, n int) Cond {
	return func(v *history.View) bool { return len(v.Members(gang)) >= n }
}

// PodsGone holds once none of the named pods exists.
func PodsGone(names ...string) Cond {
	return every(names, func(p *history.Pod) bool { return p != nil && !p.Gone.IsZero() })
}

// Tried holds once every living, unbound member of the gang (at least one) has been reported as not scheduled: an
// attempt was made. A scheduler need not report it, so a driver goes on when it waited in vain.
func Tried(gang string) Cond {
	return func(v *history.View) bool {
		waiting := 0
		for _, p := range v.Members(gang) {
			if !p.Bound.IsZero() || !p.Gone.IsZero() || !p.Deleting.IsZero() {
				continue
			}
			if len(p.Rejected) == 0 {
				return false
			}
			waiting++
		}
		return waiting > 0
	}
}

// GangGone holds once the gang's object does not exist any more.
func GangGone(gang string) Cond {
	return func(v *history.View) bool {
		g := v.Gang(gang)
		return g != nil && !g.Gone.IsZero()
	}
}

// Either holds once one of the conditions does.
func Either(conds ...Cond) Cond {
	return func(v *history.View) bool {
		for _, c := range conds {
			if c(v) {
				return true
			}
		}
		return false
	}
}

// All holds once every condition does.
func All(conds ...Cond) Cond {
	return func(v *history.View) bool {
		for _, c := range conds {
			if !c(v) {
				return false
			}
		}
		return true
	}
}

func every(names []string, ok func(*history.Pod) bool) Cond {
	return func(v *history.View) bool {
		for _, n := range names {
			if !ok(v.Pod(n)) {
				return false
			}
		}
		return true
	}
}

// Patience is how long a driver waits for something a conforming scheduler does with a group of n members: twice the
// settle bound, so that a back-off of nearly that length and a busy machine both fit. A scheduler that acts at once
// never costs it.
func Patience(env suites.Env, n int) time.Duration { return 2 * env.Settle(n) }

// AwaitBound waits until n members of the gang are bound and marks the place, whichever way the wait ended: the judge
// counts at the mark. It reports whether they were bound.
func AwaitBound(ctx context.Context, env suites.Env, mark, gang string, n int) bool {
	return AwaitMark(ctx, env, mark, n, Bound(gang, n))
}

// AwaitMark waits for a condition on a group of n members and marks the place, whichever way the wait ended.
func AwaitMark(ctx context.Context, env suites.Env, mark string, n int, cond Cond) bool {
	ok := env.Await(ctx, mark, Patience(env, n), cond)
	if ctx.Err() == nil {
		env.Mark(ctx, mark)
	}
	return ok
}

// Look is how long AwaitOver looks on: generous for the few requests that a decision consists of. How long anything took
// is never judged by it.
const Look = 2 * time.Second

// AwaitOver is AwaitMark for stories that say how few may be evicted: before it marks the place it looks on. Binds and
// evictions of one decision go out beside one another, and a bind is a single request, so that at the moment of the last
// bind nothing is known yet of whoever is evicted without need.
func AwaitOver(ctx context.Context, env suites.Env, mark string, n int, cond Cond) bool {
	ok := env.Await(ctx, mark, Patience(env, n), cond)
	env.Hold(ctx, "who was to be evicted would be by now", Look)
	if ctx.Err() == nil {
		env.Mark(ctx, mark)
	}
	return ok
}

// AwaitTried waits until an attempt on the gang has been reported, at most for the settle bound of its n members, and
// goes on either way.
func AwaitTried(ctx context.Context, env suites.Env, gang string, n int) {
	env.Await(ctx, "an attempt on "+gang, env.Settle(n), Tried(gang))
}

// Watch holds for the settle bound of a group of n members between two marks: the stretch of the record in which
// something that must not happen would have happened. An interrupted watch leaves no second mark.
func Watch(ctx context.Context, env suites.Env, from, to string, n int) error {
	env.Mark(ctx, from)
	env.Hold(ctx, from+" → "+to, env.Settle(n))
	if err := ctx.Err(); err != nil {
		return err
	}
	env.Mark(ctx, to)
	return nil
}
