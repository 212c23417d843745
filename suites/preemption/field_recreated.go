package preemption

import (
	"context"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// Seen in practice: the first victim's replacement takes the place that was made while the second victim is still
// ending, is evicted in its turn, and so on.
func init() {
	suites.Register(suites.Scenario{
		Name:         "preemption-victims-recreated",
		Profile:      "preemption",
		Summary:      "A gang of two needs the nodes of two pods that end at different speeds and that their Deployments replace at once.",
		Requirements: []string{"FIELD-013"},
		Needs:        needs(pool(mainPool, 2, 1)),
		Weight:       25,
		Drive:        driveRecreated,
		Judge:        judgeRecreated,
	})
}

var deployments = schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}

// ends are the Deployments and the seconds their pods take to end.
var ends = []struct {
	name  string
	grace int64
}{{"quick", 1}, {"slow", 8}}

func driveRecreated(ctx context.Context, env suites.Env) error {
	for _, e := range ends {
		template := pod("", mainPool, env.PriorityClass("low"))
		template.Grace = &e.grace
		obj := build.Deployment(build.Controller{Name: e.name, Replicas: 1, Template: template},
			build.Defaults{Namespace: env.Namespace(), SchedulerName: env.SchedulerName(), Pool: env.Pool(mainPool).Name()})
		if err := kit.Create(ctx, env, deployments, obj); err != nil {
			return err
		}
	}
	env.Await(ctx, "both run", kit.Patience(env, 1), func(v *history.View) bool {
		return len(runningOf(v, ends[0].name)) == 1 && len(runningOf(v, ends[1].name)) == 1
	})
	env.Mark(ctx, ready)
	if err := attack(ctx, env, "g", mainPool, 2, 2); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "bound", "g", 2)
	return kit.Watch(ctx, env, "came", settled, 1)
}

// ofDeployment are all pods a Deployment ever made.
func ofDeployment(v *history.View, name string) []*history.Pod {
	return slices.DeleteFunc(slices.Clone(v.Pods), func(p *history.Pod) bool { return p.First.Labels[build.AppLabel] != name })
}

func runningOf(v *history.View, name string) []*history.Pod {
	return slices.DeleteFunc(ofDeployment(v, name), func(p *history.Pod) bool { return !p.BoundAt(v.Now()) })
}

func judgeRecreated(v *history.View) []suites.Finding {
	start, _ := v.Mark(ready)
	var legal []*history.Pod
	for _, e := range ends {
		legal = append(legal, slices.DeleteFunc(ofDeployment(v, e.name), func(p *history.Pod) bool { return !p.BoundAt(start) })...)
	}
	g := gang(v, "g", legal...)
	opened := func() *kit.Case {
		c := g.opened("FIELD-013")
		c.Premise(len(legal) == 2, nil, "a pod of each Deployment ran")
		for _, e := range ends {
			c.Premise(len(ofDeployment(v, e.name)) > 1, nil, "the pod of Deployment %s was replaced", e.name)
		}
		return c
	}
	out := []suites.Finding{g.bound(opened(), 2)}
	for _, e := range ends {
		out = append(out, g.hit(opened(), ofDeployment(v, e.name), 0, 1, "of those a Deployment made"))
	}
	return out
}
