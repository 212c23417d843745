package robust

import (
	"context"
	"fmt"
	"math/rand/v2"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// churnNodes is the room, churnGangs how many gangs come and go in it.
const (
	churnNodes = 6
	churnGangs = 12
)

func init() {
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-churn",
		Summary:      "Groups and pods are created and deleted in any order, drawn by the seed, while one request in eight fails; then a gang wants all the room.",
		Requirements: []string{"ROB-010"},
		Needs:        needs(map[string]int{mainPool: churnNodes}),
		Weight:       25,
		Drive:        driveChurn,
		Judge:        judgeChurn,
	}))
}

func driveChurn(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	n, err := slots(env, mainPool, churnNodes)
	if err != nil {
		return err
	}
	failing := []faults.Rule{
		{Name: "failing binds", Verb: "create", Resource: "pods/binding", Chance: 0.125, Fault: faults.Fault{Status: 500}},
		{Name: "conflicts", Verb: "patch", Chance: 0.125, Fault: faults.Fault{Status: 409}},
		{Name: "lost answers", Verb: "create", Resource: "pods/binding", Chance: 0.125, Fault: faults.Fault{Lose: true}},
	}
	for i := range failing {
		failing[i].Namespace = env.Namespace()
	}
	if err := f.Break(ctx, failing...); err != nil {
		return err
	}
	r := rand.New(rand.NewPCG(uint64(env.Seed()), 0))
	for _, deed := range churn(ctx, env, r) {
		if err := deed(); err != nil {
			return err
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	for _, rule := range failing {
		if err := f.Mend(ctx, rule.Name); err != nil {
			return err
		}
	}
	env.Mark(ctx, "calm")
	if err := gang(ctx, env, "last", mainPool, n); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "last complete", "last", n)
	return ctx.Err()
}

// churn is the deeds of all gangs, each gang's in an order of its own, shuffled into each other. At the end nothing is
// left of any of them.
func churn(ctx context.Context, env suites.Env, r *rand.Rand) []func() error {
	var each [][]func() error
	for i := range churnGangs {
		each = append(each, life(ctx, env, r, fmt.Sprintf("c%d", i)))
	}
	var out []func() error
	for len(each) > 0 {
		i := r.IntN(min(len(each), 4)) // a few are alive at a time
		out = append(out, each[i][0])
		if each[i] = each[i][1:]; len(each[i]) == 0 {
			each = append(each[:i], each[i+1:]...)
		}
	}
	return out
}

// life is what becomes of one gang: its pieces come in any order, it may be waited for, and its pieces go in any order.
func life(ctx context.Context, env suites.Env, r *rand.Rand, name string) []func() error {
	members := kit.Members(1+r.IntN(3), name, mainPool)
	quorum := int32(1 + r.IntN(len(members)))
	arrive := []func() error{func() error { return env.CreateGang(ctx, build.Gang{Name: name, Quorum: quorum}) }}
	var leave []func() error
	for _, m := range members {
		arrive = append(arrive, func() error { return env.CreatePods(ctx, m) })
		leave = append(leave, func() error { return env.DeletePods(ctx, m.Name) })
	}
	leave = append(leave, func() error { return env.DeleteGang(ctx, name) })
	for _, deeds := range [][]func() error{arrive, leave} {
		r.Shuffle(len(deeds), func(i, j int) { deeds[i], deeds[j] = deeds[j], deeds[i] })
	}
	out := arrive
	if r.IntN(2) == 0 {
		out = append(out, func() error {
			env.Await(ctx, name+" runs", glance, kit.Bound(name, int(quorum)))
			return nil
		})
	}
	return append(out, leave...)
}

func judgeChurn(v *history.View) []suites.Finding {
	c := kit.For(v, "ROB-010")
	c.Mark("calm")
	strikes := 0
	for _, rule := range []string{"failing binds", "conflicts", "lost answers"} {
		strikes += len(v.Strikes(rule))
	}
	c.Premise(strikes > 0, nil, "a request was struck meanwhile")
	return []suites.Finding{completes(c, v, "last complete", "last", churnNodes)}
}
