package gang

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime"
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

// maker is a controller of the story. Its name is at once that of the object, of its gang and of its pool. One that can
// be scaled starts with one replica fewer than the quorum.
type maker struct {
	name   string
	scales bool
	object func(build.Controller, build.Defaults) runtime.Object
}

var makers = []maker{
	{"statefulset", true, func(c build.Controller, d build.Defaults) runtime.Object { return build.StatefulSet(c, d) }},
	{"deployment", true, func(c build.Controller, d build.Defaults) runtime.Object { return build.Deployment(c, d) }},
	{"daemonset", false, func(c build.Controller, d build.Defaults) runtime.Object { return build.DaemonSet(c, d) }},
}

func (m maker) resource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: m.name + "s"}
}

// create creates the gang and the controller whose pods, by their template, belong to it.
func (m maker) create(ctx context.Context, env suites.Env, quorum, replicas int) error {
	if err := env.CreateGang(ctx, build.Gang{Name: m.name, Quorum: int32(quorum)}); err != nil {
		return fmt.Errorf("creating gang %s: %w", m.name, err)
	}
	template := kit.Plain("", m.name)
	template.Mutate = func(p *corev1.Pod) { p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &m.name} }
	obj := m.object(
		build.Controller{Name: m.name, Replicas: int32(replicas), Template: template},
		build.Defaults{Namespace: env.Namespace(), SchedulerName: env.SchedulerName(), Pool: env.Pool(m.name).Name()},
	)
	return kit.Create(ctx, env, m.resource(), obj)
}

func driveControllers(ctx context.Context, env suites.Env) error {
	sizes, largest := map[string]int{}, 0
	for _, m := range makers {
		n, err := slots(env, m.name, 2)
		if err != nil {
			return err
		}
		sizes[m.name], largest = n, max(largest, n)
		if m.scales {
			n--
		}
		if err := m.create(ctx, env, sizes[m.name], n); err != nil {
			return err
		}
		env.Await(ctx, "the pods of the "+m.name, kit.Patience(env, n), kit.MembersSeen(m.name, n))
	}
	if err := kit.Watch(ctx, env, "one short", "watched", largest); err != nil {
		return err
	}
	for _, m := range makers {
		if !m.scales {
			continue
		}
		if err := env.Patch(ctx, m.resource(), m.name, fmt.Appendf(nil, `{"spec":{"replicas":%d}}`, sizes[m.name])); err != nil {
			return fmt.Errorf("scaling the %s: %w", m.name, err)
		}
	}
	var all []kit.Cond
	for _, m := range makers {
		all = append(all, kit.Bound(m.name, sizes[m.name]))
	}
	kit.AwaitMark(ctx, env, "all bound", largest, kit.All(all...))
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
		out = append(out, opened().Counts("all bound", m.name, n))
		if m.scales {
			out = append(out, opened().NoneBefore(m.name, kit.LastCreated(v.Members(m.name)), "the "+m.name+" was scaled to the quorum"))
		}
	}
	return out
}
