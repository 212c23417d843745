package gang

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-same-name-in-another-namespace",
		Profile:      "gang",
		Summary:      "Two gangs of one name wait in two namespaces; one lacks a member that the other could lend.",
		Requirements: []string{"GANG-016"},
		Needs:        needs(single(mainPool, 6)),
		Weight:       23,
		Drive:        driveSameNameElsewhere,
		Judge:        judgeSameNameElsewhere,
	})
}

func driveSameNameElsewhere(ctx context.Context, env suites.Env) error {
	free, err := slots(env, mainPool, 5)
	if err != nil {
		return err
	}
	n := free / 2 // so many members here, one fewer elsewhere
	elsewhere := env.Namespace() + elsewhereSuffix
	if err := manageNamespace(ctx, env, "create", elsewhere); err != nil {
		return err
	}
	other := kit.Members(n-1, "g", mainPool)
	for i := range other {
		other[i].Namespace = elsewhere
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Namespace: elsewhere, Quorum: int32(n - 1)}, other...); err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, members[:n-1]...); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one short", "watched", n); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, members[n-1]); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "all bound", "g", n)
	return manageNamespace(ctx, env, "delete", elsewhere)
}

func judgeSameNameElsewhere(v *history.View) []suites.Finding {
	n := kit.Quorum(v, "g")
	opened := func() *kit.Case {
		c := kit.For(v, "GANG-016")
		from, _ := c.Watched("one short", "watched", n)
		c.Fits(from, c.Exist("g", n))
		here := ""
		if g := v.Gang("g"); g != nil {
			here = g.Namespace
		}
		made := createdIn(v, here+elsewhereSuffix)
		c.Premise(made["podgroups"] == 1 && made["pods"] == n-1, nil, "a gang of the same name has %d members in another namespace", n-1)
		return c
	}
	return []suites.Finding{
		opened().NoneBefore("g", kit.LastCreated(v.Members("g")), "the member that completes the quorum in its own namespace"),
		opened().Counts("all bound", "g", n),
	}
}

// createdIn counts by resource what the driver created in a namespace.
func createdIn(v *history.View, namespace string) map[string]int {
	out := map[string]int{}
	for _, a := range v.Actions {
		e := a.Value
		if e.Verb == history.VerbCreate && e.Namespace == namespace && e.Action != nil && e.Action.Response.OK() {
			out[e.Resource]++
		}
	}
	return out
}
