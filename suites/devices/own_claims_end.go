package devices

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-own-claims-end",
		Profile:      "devices",
		Summary:      "A pod with a claim of its own finishes, another is deleted; the driver schedules by hand.",
		Requirements: []string{"DRA-043", "DRA-044"},
		Needs:        needs(1),
		Weight:       10,
		Drive:        driveOwnClaimsEnd,
		Judge:        judgeOwnClaimsEnd,
	})
}

func driveOwnClaimsEnd(ctx context.Context, env suites.Env) error {
	if err := publish(ctx, env, onFabric(env, alike(2)...)); err != nil {
		return err
	}
	if err := template(ctx, env, "gpu"); err != nil {
		return err
	}
	pods := []string{"finishes", "deleted"}
	for _, p := range pods {
		if err := env.CreatePods(ctx, handled(p, "", made("gpu", "gpu"))); err != nil {
			return err
		}
	}
	names := saying(ctx, env, "claims are made", "gpu", pods...)
	if err := ctx.Err(); err != nil || len(names) < len(pods) {
		return err
	}
	for i, p := range pods {
		if err := allocate(ctx, env, names[p], env.Namespace(), fmt.Sprintf("dev-%d", i), pod(ctx, env, p)); err != nil {
			return err
		}
	}
	if err := placeAll(ctx, env, pods...); err != nil {
		return err
	}
	if err := env.FinishPods(ctx, corev1.PodSucceeded, "finishes"); err != nil {
		return err
	}
	env.Await(ctx, "the claim of the finished pod is given back", soon, func(v *history.View) bool {
		p, c := v.Pod("finishes"), v.Claim(names["finishes"])
		return p != nil && !p.Finished.IsZero() && c != nil && len(held(c, v.Now())) == 0 && len(c.ReservedAt(v.Now())) == 0
	})
	env.Mark(ctx, "finished")
	if err := env.DeletePods(ctx, "deleted"); err != nil {
		return err
	}
	env.Await(ctx, "the claim of the deleted pod is gone", soon, claimsGone(names["deleted"]))
	env.Mark(ctx, "deleted")
	return ctx.Err()
}

func judgeOwnClaimsEnd(v *history.View) []suites.Finding {
	ended := kit.For(v, "DRA-043")
	at := ended.Mark("finished")
	c := ownClaim(ended, v, "finishes")
	p := v.Pod("finishes")
	ended.Premise(p != nil && !p.Finished.IsZero(), nil, "the pod finished")

	gone := kit.For(v, "DRA-044")
	goneAt := gone.Mark("deleted")
	d := ownClaim(gone, v, "deleted")
	dp := v.Pod("deleted")
	gone.Premise(dp != nil && !dp.Gone.IsZero(), nil, "the pod is gone")
	deleted := d != nil && !d.Gone.IsZero() && !d.Gone.After(goneAt)
	return []suites.Finding{
		ended.About(at).Holds(len(held(c, at)) == 0 && (c == nil || len(c.ReservedAt(at)) == 0),
			"the claim of a pod that finished holds %s and is reserved for %s after %s; expected neither", list(held(c, at)), list(who(c, at)), soon),
		gone.About(goneAt).Holds(deleted, "the claim made for a pod that was deleted is gone within %s: %t", soon, deleted),
	}
}

// ownClaim is the claim that was made for a pod alone; that it was allocated is a premise.
func ownClaim(c *kit.Case, v *history.View, name string) *history.Claim {
	p := v.Pod(name)
	if p == nil {
		c.Premise(false, nil, "pod %s was seen", name)
		return nil
	}
	one := exists(c, v, p.GeneratedFor("gpu"))
	c.Premise(one != nil && one.Owner == p.UID && len(one.Allocated) > 0, nil, "the claim of pod %s is its own and was allocated", name)
	return one
}
