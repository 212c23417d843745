package devices

import (
	"context"
	"encoding/json"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
	"muster/workloads/build"
)

// byHand is the schedulerName of pods that the driver schedules itself.
const byHand = "muster.dev/by-hand"

// protection is the finalizer that whoever allocates a claim puts on it, and that the controller takes off again when it
// has taken the devices back.
const protection = "resource.kubernetes.io/delete-protection"

// handled is a worker that the driver schedules.
func handled(name, gang string, entries ...build.DeviceClaim) build.Pod {
	p := worker(name, gang, entries...)
	p.SchedulerName = byHand
	return p
}

// consumer is an entry of reservedFor.
type consumer struct {
	APIGroup string `json:"apiGroup,omitempty"`
	Resource string `json:"resource"`
	Name     string `json:"name"`
	UID      string `json:"uid"`
}

// group and pod are the consumers of the scenario's namespace with these names, as the live record knows them now.
func group(ctx context.Context, env suites.Env, name string) consumer {
	c := consumer{APIGroup: "scheduling.k8s.io", Resource: "podgroups", Name: name}
	env.Await(ctx, "group "+name+" is seen", soon, func(v *history.View) bool {
		g := v.Gang(name)
		if g != nil {
			c.UID = g.UID
		}
		return g != nil
	})
	return c
}

func pod(ctx context.Context, env suites.Env, name string) consumer {
	c := consumer{Resource: "pods", Name: name}
	env.Await(ctx, "pod "+name+" is seen", soon, func(v *history.View) bool {
		p := v.Pod(name)
		if p != nil {
			c.UID = p.UID
		}
		return p != nil
	})
	return c
}

// allocate gives a claim one device of the pool and reserves it, as a scheduler does: the finalizer first.
func allocate(ctx context.Context, env suites.Env, claim, pool, device string, users ...consumer) error {
	if err := env.Patch(ctx, claims, claim, fmt.Appendf(nil, `{"metadata":{"finalizers":[%q]}}`, protection)); err != nil {
		return fmt.Errorf("protecting claim %s: %w", claim, err)
	}
	status, err := json.Marshal(answer.Object{"status": answer.Object{
		"allocation": answer.Object{"devices": answer.Object{"results": []any{
			answer.Object{"request": "r", "driver": driver(env.Namespace()), "pool": pool, "device": device},
		}}},
		"reservedFor": users,
	}})
	if err != nil {
		return fmt.Errorf("writing the allocation of claim %s: %w", claim, err)
	}
	if err := env.Patch(ctx, claims, claim, status, "status"); err != nil {
		return fmt.Errorf("allocating claim %s: %w", claim, err)
	}
	return nil
}

// placeAll binds pods to the pool's first node.
func placeAll(ctx context.Context, env suites.Env, pods ...string) error {
	for _, p := range pods {
		if err := env.BindPod(ctx, p, env.Pool(mainPool).Nodes()[0]); err != nil {
			return err
		}
	}
	return nil
}

// generated waits until the group's status names claims for all the entries, and returns them by entry. The wait is
// recorded; what is missing is empty.
func generated(ctx context.Context, env suites.Env, what, gang string, entries ...string) map[string]string {
	out := map[string]string{}
	env.Await(ctx, what, soon, func(v *history.View) bool {
		g := v.Gang(gang)
		if g == nil {
			return false
		}
		all := true
		for _, e := range entries {
			out[e] = g.GeneratedAt(v.Now(), e)
			all = all && out[e] != "" && v.Claim(out[e]) != nil
		}
		return all
	})
	return out
}

// saying waits until the pods' status names a claim for the entry.
func saying(ctx context.Context, env suites.Env, what, entry string, pods ...string) map[string]string {
	out := map[string]string{}
	env.Await(ctx, what, soon, func(v *history.View) bool {
		for _, name := range pods {
			p := v.Pod(name)
			if p == nil || p.GeneratedFor(entry) == "" {
				return false
			}
			out[name] = p.GeneratedFor(entry)
		}
		return true
	})
	return out
}

// claimsGone holds once none of the named claims exists, unreserved once the claim is reserved for nobody and holds nothing.
func claimsGone(names ...string) func(*history.View) bool {
	return func(v *history.View) bool {
		for _, n := range names {
			if c := v.Claim(n); c == nil || c.Gone.IsZero() {
				return false
			}
		}
		return true
	}
}

func released(name string) func(*history.View) bool {
	return func(v *history.View) bool {
		c := v.Claim(name)
		return c != nil && len(c.ReservedAt(v.Now())) == 0 && len(held(c, v.Now())) == 0
	}
}
