package gang

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-made-by-controllers",
		Profile:      "gang",
		Summary:      "A StatefulSet, a Deployment and a DaemonSet name a group in their pod templates; two of them are scaled up to the quorum later.",
		Requirements: []string{"GANG-064"},
		Needs:        needs(single("statefulset", 3), single("deployment", 3), single("daemonset", 3)),
		Weight:       25,
		Drive:        driveControllers,
		Judge:        judgeControllers,
	})
}

// makers are the controllers of the story. A name is at once that of the object, of its gang and of its pool. Those
// that can be scaled start with one replica fewer than the quorum.
var makers = []struct {
	name, kind, resource string
	scales               bool
}{
	{"statefulset", "StatefulSet", "statefulsets", true},
	{"deployment", "Deployment", "deployments", true},
	{"daemonset", "DaemonSet", "daemonsets", false},
}

func driveControllers(ctx context.Context, env suites.Env) error {
	sizes := map[string]int{}
	for _, m := range makers {
		n, err := slots(env, m.name, 2)
		if err != nil {
			return err
		}
		sizes[m.name] = n
		spec := map[string]any{}
		if m.scales {
			spec["replicas"] = int64(n - 1)
		}
		if m.kind == "StatefulSet" {
			// One pod after the other would never come to a quorum: each waits for the one before to run.
			spec["podManagementPolicy"] = "Parallel"
			spec["serviceName"] = m.name
		}
		if err := env.CreateGang(ctx, build.Gang{Name: m.name, Quorum: int32(n)}); err != nil {
			return err
		}
		gvr := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: m.resource}
		if err := env.Create(ctx, gvr, controlled(env, m.kind, m.name, m.name, spec)); err != nil {
			return fmt.Errorf("creating the %s: %w", m.kind, err)
		}
	}
	largest := 0
	for _, m := range makers {
		largest = max(largest, sizes[m.name])
		want := sizes[m.name]
		if m.scales {
			want--
		}
		env.Await(ctx, "the pods of the "+m.kind, kit.Patience(env, want), kit.MembersSeen(m.name, want))
	}
	if err := kit.Watch(ctx, env, "one short", "watched", largest); err != nil {
		return err
	}
	for _, m := range makers {
		if !m.scales {
			continue
		}
		gvr := schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: m.resource}
		if err := env.Patch(ctx, gvr, m.name, fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, sizes[m.name])); err != nil {
			return fmt.Errorf("scaling the %s: %w", m.kind, err)
		}
	}
	for _, m := range makers {
		kit.AwaitBound(ctx, env, m.name+" bound", m.name, sizes[m.name])
	}
	return ctx.Err()
}

func judgeControllers(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, m := range makers {
		n := kit.Quorum(v, m.name)
		opened := func() *kit.Case {
			c := kit.For(v, "GANG-064")
			from, _ := c.Watched("one short", "watched", n)
			c.Fits(from, c.Exist(m.name, n))
			return c
		}
		out = append(out, opened().Counts(m.name+" bound", m.name, n))
		if m.scales {
			out = append(out, opened().NoneBefore(m.name, kit.LastCreated(v.Members(m.name)), "the "+m.kind+" was scaled to the quorum"))
		}
	}
	return out
}
