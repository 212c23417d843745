package devices

import (
	"context"
	"encoding/json"
	"fmt"

	resourceapi "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/kit/answer"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-evicted",
		Profile:      "devices",
		Summary:      "A device that a group uses gets a taint that evicts, and that of another one by a rule; the driver schedules by hand.",
		Requirements: []string{"DRA-030", "DRA-046", "DRA-054"},
		Needs:        needs(1),
		Weight:       13,
		Drive:        driveEvicted,
		Judge:        judgeEvicted,
	})
}

func driveEvicted(ctx context.Context, env suites.Env) error {
	s := onFabric(env, alike(3)...)
	if err := publish(ctx, env, s); err != nil {
		return err
	}
	for i, name := range []string{"hit", "spared", "ruled"} {
		if err := claim(ctx, env, name); err != nil {
			return err
		}
		entry := named("gpu", name)
		if err := env.CreateGang(ctx, build.Gang{Name: name, Policy: build.BasicPolicy, Devices: []build.DeviceClaim{entry}}); err != nil {
			return err
		}
		pods := []string{name + "-0", name + "-1"}
		if err := env.CreatePods(ctx, handled(pods[0], name, entry), handled(pods[1], name, entry)); err != nil {
			return err
		}
		if err := allocate(ctx, env, name, env.Namespace(), fmt.Sprintf("dev-%d", i), group(ctx, env, name)); err != nil {
			return err
		}
		if err := placeAll(ctx, env, pods...); err != nil {
			return err
		}
	}
	env.Await(ctx, "all run", soon, kit.PodsBound("hit-0", "hit-1", "spared-0", "spared-1", "ruled-0", "ruled-1"))
	env.Hold(ctx, "the claims are known", glance)
	env.Mark(ctx, "untainted")
	devices := alike(3)
	devices[0] = tainted(devices[0], resourceapi.DeviceTaintEffectNoExecute)
	patch, err := json.Marshal(answer.Object{"spec": answer.Object{"devices": devices}})
	if err != nil {
		return fmt.Errorf("writing the taint: %w", err)
	}
	if err := env.Patch(ctx, slices, s.Name, patch); err != nil {
		return err
	}
	env.Await(ctx, "the pods are evicted", soon, kit.PodsGone("hit-0", "hit-1"))
	env.Hold(ctx, "others are evicted", glance)
	env.Mark(ctx, "tainted")
	asked, err := convert(rule(env, "dev-2"))
	if err != nil {
		return err
	}
	// Where its gate is off there are no rules, and the rest is judged all the same.
	if _, err := env.Try(ctx, ruleMade, suites.Attempt{Verb: "create", GVR: taintRules, Object: asked, ClusterScoped: true}); err != nil {
		return err
	}
	env.Await(ctx, "the pods are evicted by the rule", soon, kit.PodsGone("ruled-0", "ruled-1"))
	env.Mark(ctx, "ruled")
	return ctx.Err()
}

// ruleMade is the label of the request that makes the rule.
const ruleMade = "make the rule"

// rule gives a device of the fabric a taint that evicts, without its driver. It is called after the namespace, which is what
// its driver and its pool are called after too, so that it is nobody else's.
func rule(env suites.Env, device string) *resourceapi.DeviceTaintRule {
	ns := env.Namespace()
	by := driver(ns)
	return &resourceapi.DeviceTaintRule{
		TypeMeta:   metav1.TypeMeta{APIVersion: resourceapi.SchemeGroupVersion.String(), Kind: "DeviceTaintRule"},
		ObjectMeta: metav1.ObjectMeta{Name: ns + "-worn"},
		Spec: resourceapi.DeviceTaintRuleSpec{
			DeviceSelector: &resourceapi.DeviceTaintSelector{Driver: &by, Pool: &ns, Device: &device},
			Taint:          resourceapi.DeviceTaint{Key: taintKey, Value: "yes", Effect: resourceapi.DeviceTaintEffectNoExecute},
		},
	}
}

func judgeEvicted(v *history.View) []suites.Finding {
	spared := kit.For(v, "DRA-046")
	from, to := spared.Mark("untainted"), spared.Mark("tainted")
	others := kit.Named(v, "spared-0", "spared-1")
	spared.Premise(len(others) == 2, nil, "two pods use the other device")
	ruled := kit.For(v, "DRA-054")
	resp, ok := v.Try(ruleMade)
	ruled.Premise(ok && resp.OK(), nil, "the rule was made")
	return []suites.Finding{
		judgeUsers(kit.For(v, "DRA-030"), v, "hit", "untainted", "tainted", "got a taint that evicts"),
		spared.Untouched(others, from, to, "whose device has no taint"),
		judgeUsers(ruled, v, "ruled", "tainted", "ruled", "a rule gave a taint that evicts"),
	}
}

// judgeUsers: all pods of the group have to be deleted between the marks, and none before.
func judgeUsers(c *kit.Case, v *history.View, gang, from, to, what string) suites.Finding {
	before, after := c.Mark(from), c.Mark(to)
	users := kit.Named(v, gang+"-0", gang+"-1")
	c.Premise(len(users) == 2 && len(kit.DisturbedBetween(users, history.Stamp{}, before)) == 0, nil, "both users of the device run before the taint")
	gone := kit.DisturbedBetween(users, before, after)
	return c.About(after, kit.Objects(users)...).Holds(len(gone) == 2, "%d of 2 pods of the group whose device %s were deleted within %s", len(gone), what, soon)
}
