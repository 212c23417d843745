package conditions

import (
	"context"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "conditions-while-waiting",
		Profile:      "conditions",
		Summary:      "One gang waits for its quorum and another for its scheduling gates, and there is room for both.",
		Requirements: []string{"COND-008"},
		Needs:        needs(4),
		Weight:       19,
		Drive:        driveWhileWaiting,
		Judge:        judgeWhileWaiting,
	})
}

func driveWhileWaiting(ctx context.Context, env suites.Env) error {
	if _, err := slots(env, 4); err != nil {
		return err
	}
	short := build.Gang{Name: "short", Quorum: 2}
	if err := kit.CreateGang(ctx, env, short, kit.Members(1, short.Name, mainPool)...); err != nil {
		return err
	}
	gated := build.Gang{Name: "gated", Quorum: 2}
	pods := kit.Members(2, gated.Name, mainPool)
	for i := range pods {
		pods[i].Gates = []string{"muster.dev/held"}
	}
	if err := kit.CreateGang(ctx, env, gated, pods...); err != nil {
		return err
	}
	return kit.Watch(ctx, env, "both wait", "watched", 2)
}

func judgeWhileWaiting(v *history.View) []suites.Finding {
	c := kit.For(v, "COND-008")
	from, to := c.Watched("both wait", "watched", 2)
	short, gated := c.Exist("short", 1), c.Exist("gated", 2)
	c.Fits(from, append(append([]*history.Pod{}, short...), gated...))
	return []suites.Finding{c.About(to, object(v, "short"), object(v, "gated")).Saw(
		"below the quorum: "+spoken(at(v, "short", to))+"; gated: "+spoken(at(v, "gated", to)),
		"what the condition of a gang says that waits for a member or for a gate")}
}
