package gang

import (
	"context"
	"errors"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-waiting-member-being-deleted",
		Profile:      "gang",
		Summary:      "A waiting member is being deleted, held by a finalizer, when members come that complete the quorum without it.",
		Requirements: []string{"GANG-068"},
		Needs:        needs(single(mainPool, 3)),
		Weight:       3,
		Drive:        driveMemberGoing,
		Judge:        judgeMemberGoing,
	})
}

// lingers is the finalizer that keeps a member until the story is over.
const lingers = "muster.dev/lingers"

var pods = schema.GroupVersionResource{Version: "v1", Resource: "pods"}

func driveMemberGoing(ctx context.Context, env suites.Env) (err error) {
	n, err := slots(env, mainPool, 3)
	if err != nil {
		return err
	}
	members := kit.Members(n, "g", mainPool)
	going := members[0].Name
	members[0].Mutate = func(p *corev1.Pod) { p.Finalizers = []string{lingers} }
	// Alone it is short of the quorum, so nobody binds it before it is deleted.
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n - 1)}, members[0]); err != nil {
		return err
	}
	// Whatever ends the story, nobody else takes the finalizer away.
	defer func() {
		err = errors.Join(err, env.Patch(context.WithoutCancel(ctx), pods, going, []byte(`{"metadata":{"finalizers":null}}`)))
	}()
	if err := env.DeletePods(ctx, going); err != nil {
		return err
	}
	env.Await(ctx, "the member is being deleted", env.Settle(1), func(v *history.View) bool {
		p := v.Pod(going)
		return p != nil && !p.Deleting.IsZero()
	})
	env.Mark(ctx, "on its way out")
	if err := env.CreatePods(ctx, members[1:]...); err != nil {
		return err
	}
	env.Mark(ctx, "complete")
	env.Await(ctx, "the others are bound", env.Settle(n-1), kit.Bound("g", n-1))
	env.Hold(ctx, "who was to be bound would be by now", kit.Look)
	env.Mark(ctx, "watched")
	return ctx.Err()
}

func judgeMemberGoing(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-068")
	members, quorum := v.Members("g"), kit.Quorum(v, "g")
	leaving := c.Mark("on its way out")
	from, to := c.Mark("complete"), c.Mark("watched")
	var going, others []*history.Pod
	for _, p := range members {
		if p.Deleting.IsZero() || p.Deleting.After(leaving) {
			others = append(others, p)
		} else {
			going = append(going, p)
		}
	}
	c.Premise(len(going) == 1 && going[0].Bound.After(leaving) && going[0].Gone.After(to), nil, "one member was being deleted while it waited, and was still there in the end")
	c.Premise(len(others) == quorum, nil, "without it the quorum of %d was complete (seen beside it: %d)", quorum, len(others))
	c.Premise(len(others) > 0 && kit.LastCreated(others).After(leaving), nil, "the last member came when it was being deleted")
	c.Fits(from, members)
	became, bound := "waits", 0
	for _, p := range going {
		if p.Bound.Before(to) {
			became = "is bound, too"
		}
	}
	for _, p := range others {
		if p.Bound.Before(to) {
			bound++
		}
	}
	c.Premise(bound == len(others) || to.Since(from) >= v.Settle(quorum), nil, "the gang was given its time")
	return []suites.Finding{c.About(to, kit.Objects(members)...).Saw(
		fmt.Sprintf("%d of %d others bound; the member that is being deleted %s", bound, len(others), became),
		"a gang that waits with a member that is being deleted until its quorum is complete without it")}
}
