package builder

import (
	"context"
	"reflect"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
	"muster/workloads/shapes"
)

func init() {
	suites.Register(suites.Scenario{
		Name: "builder-objects", Profile: "builder",
		Summary:      "Leaders and workers, flat and as a tree, are compiled, materialised and created; then what owns them is deleted.",
		Requirements: []string{"WLB-001", "WLB-002", "WLB-005", "WLB-006"},
		Weight:       8,
		Drive:        driveObjects,
		Judge:        judgeObjects,
	})
}

// The workloads of the story and the sizes of the flat one.
const (
	flat     = "fleet"
	nested   = "tree"
	replicas = 2
	size     = 3
)

func driveObjects(ctx context.Context, env suites.Env) error {
	owner, err := identity(ctx, env, flat)
	if err != nil {
		return err
	}
	fleet := shapes.LeaderWorkers{Identity: owner, Replicas: replicas, Size: size, Pod: podSpec(env, "")}
	if _, err := shapes.Reconcile(ctx, client{env}, fleet); err != nil {
		return err
	}
	tree, err := identity(ctx, env, nested)
	if err != nil {
		return err
	}
	if _, err := shapes.Reconcile(ctx, client{env}, shapes.Tree{Identity: tree, Leaders: 1, Workers: 2}); err != nil {
		return err
	}
	env.Await(ctx, "the pods are seen", soon, func(v *history.View) bool { return len(v.Pods) >= replicas*size })
	// The garbage collector has to know the owners before they go, or it looks them up one by one.
	env.Hold(ctx, "the objects are known", glance)
	env.Mark(ctx, "made")
	if err := env.Delete(ctx, resources["ConfigMap"], flat); err != nil {
		return err
	}
	env.Await(ctx, "everything is gone", soon, kit.All(kit.GangGone(fleet.Group(0)), kit.GangGone(fleet.Group(1)), allGone))
	env.Hold(ctx, "the workload goes", glance)
	if _, err := env.Try(ctx, "workload after", suites.Attempt{Verb: "patch", GVR: resources["Workload"], Name: flat, Patch: []byte(`{}`)}); err != nil {
		return err
	}
	env.Mark(ctx, "over")
	return ctx.Err()
}

func allGone(v *history.View) bool {
	for _, p := range v.Pods {
		if p.Gone.IsZero() {
			return false
		}
	}
	return true
}

func judgeObjects(v *history.View) []suites.Finding {
	return []suites.Finding{judgeCopies(v), judgeStored(v), judgeCollected(v), judgeTree(v)}
}

// judgeCopies: each PodGroup says what its template says, and refers to it.
func judgeCopies(v *history.View) suites.Finding {
	c := kit.Answers(v, "WLB-001")
	w, _ := stored(v, "Workload", flat)
	templates := list(w, "spec.podGroupTemplates")
	c.Premise(len(templates) == 1, nil, "the workload was created with one template (seen: %d)", len(templates))
	good := 0
	for i := range replicas {
		g, _ := stored(v, "PodGroup", groupName(i))
		_, tried := v.Try(label("PodGroup", groupName(i)))
		c.Premise(tried, nil, "group %s was sent", groupName(i))
		if len(templates) == 1 && copied(g, templates[0]) && text(g, "spec.workloadRef.workloadName") == flat &&
			text(g, "spec.workloadRef.templateName") == text(templates[0], "name") {
			good++
		}
	}
	return c.Holds(good == replicas, "%d of %d groups have the policy and the disruption mode of their template and refer to it", good, replicas)
}

func groupName(i int) string {
	return shapes.LeaderWorkers{Identity: shapes.Identity{Name: flat}}.Group(i)
}

func copied(g, template answer.Object) bool {
	for _, field := range []string{"schedulingPolicy", "disruptionMode"} {
		of, _ := answer.Field(g, "spec."+field)
		from, _ := answer.Field(template, field)
		if of == nil || !reflect.DeepEqual(of, from) {
			return false
		}
	}
	return true
}

// judgeStored: what the library compiled is stored as it was sent, and refers to its owner.
func judgeStored(v *history.View) suites.Finding {
	c := kit.Answers(v, "WLB-002")
	e, tried := v.TryEvent(label("Workload", flat))
	c.Premise(tried, nil, "the compiled workload was sent")
	got, sent := stored(v, "Workload", flat)
	code := 0
	if tried {
		code = e.Value.Action.Response.Code
	}
	ref := text(got, "spec.controllerRef.kind") + "/" + text(got, "spec.controllerRef.name")
	same := got != nil && reflect.DeepEqual(got["spec"], sent["spec"])
	return c.Holds(same && ref == "ConfigMap/"+flat, "the compiled workload was answered with %d; stored as sent: %t, controllerRef %s", code, same, ref)
}

// judgeCollected: all of it goes with its owner.
func judgeCollected(v *history.View) suites.Finding {
	c := kit.For(v, "WLB-005")
	c.Mark("made")
	c.Mark("over")
	after, asked := v.Try("workload after")
	c.Premise(asked, nil, "the workload was asked for in the end")
	left := 0
	for _, p := range v.Pods {
		if p.Gone.IsZero() {
			left++
		}
	}
	groups := 0
	for i := range replicas {
		g := v.Gang(groupName(i))
		c.Premise(g != nil, nil, "group %s was seen", groupName(i))
		if g != nil && g.Gone.IsZero() {
			groups++
		}
	}
	c.Premise(len(v.Pods) == replicas*size, nil, "there were %d pods (seen: %d)", replicas*size, len(v.Pods))
	return c.Holds(left+groups == 0 && after.Code == 404, "%s after the owner was deleted: %d pods, %d groups, workload: %d; expected none and 404", soon, left, groups, after.Code)
}

// judgeTree: a composite and its two groups are accepted, linked, and copies of their templates.
func judgeTree(v *history.View) suites.Finding {
	c := kit.Answers(v, "WLB-006")
	t := shapes.Tree{Identity: shapes.Identity{Name: nested}}
	w, _ := stored(v, "Workload", nested)
	c.Premise(w != nil, nil, "the workload with the tree was accepted")
	_, tried := v.Try(label("CompositePodGroup", t.Root()))
	c.Premise(tried, nil, "the composite was sent")
	root, _ := stored(v, "CompositePodGroup", t.Root())
	top := list(w, "spec.compositePodGroupTemplates")
	good := 0
	if len(top) == 1 {
		rootPolicy, _ := answer.Field(root, "spec.schedulingPolicy")
		topPolicy, _ := answer.Field(top[0], "schedulingPolicy")
		if rootPolicy != nil && reflect.DeepEqual(rootPolicy, topPolicy) {
			good++
		}
		for _, leaf := range list(top[0], "podGroupTemplates") {
			g, _ := stored(v, "PodGroup", nested+"-"+text(leaf, "name"))
			if copied(g, leaf) && text(g, "spec.parentCompositePodGroupName") == t.Root() {
				good++
			}
		}
	}
	return c.Holds(good == 3, "%d of 3 objects of the tree are accepted, copies of their templates and linked", good)
}
