package devices

import (
	"context"
	"fmt"
	"math/rand"

	resourceapi "k8s.io/api/resource/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-burst",
		Profile:      "devices",
		Summary:      "160 pods claim a device each on 20 nodes of 8; twice, a quarter of them is deleted and made again.",
		Requirements: []string{"DRA-051"},
		Needs:        needs(burstNodes),
		Weight:       40,
		Drive:        driveBurst,
		Judge:        judgeBurst,
	})
}

const (
	burstNodes  = 20
	burstOnNode = 8
	burstRounds = 2
)

func driveBurst(ctx context.Context, env suites.Env) error {
	var all []*resourceapi.ResourceSlice
	for _, node := range env.Pool(mainPool).Nodes() {
		all = append(all, onNode(env, node, alike(burstOnNode)...))
	}
	if err := publish(ctx, env, all...); err != nil {
		return err
	}
	if err := template(ctx, env, "gpu"); err != nil {
		return err
	}
	names := make([]string, burstNodes*burstOnNode)
	for i := range names {
		names[i] = fmt.Sprintf("p-%d", i)
		if err := env.CreatePods(ctx, worker(names[i], "", made("gpu", "gpu"))); err != nil {
			return err
		}
	}
	// Nobody is waited for: pods are deleted while their claims are being made and allocated.
	random := rand.New(rand.NewSource(env.Seed()))
	for round := range burstRounds {
		for _, i := range random.Perm(len(names))[:len(names)/4] {
			if err := env.DeletePods(ctx, names[i]); err != nil {
				return err
			}
			names[i] = fmt.Sprintf("p-%d-%d", i, round+1)
			if err := env.CreatePods(ctx, worker(names[i], "", made("gpu", "gpu"))); err != nil {
				return err
			}
		}
	}
	kit.AwaitMark(ctx, env, "all bound", 16, kit.PodsBound(names...))
	return ctx.Err()
}

func judgeBurst(v *history.View) []suites.Finding {
	c := kit.For(v, "DRA-051")
	at := c.Mark("all bound")
	there := history.Active(v.Pods, at)
	devices := len(supply(v, at))
	c.Premise(len(there) == burstNodes*burstOnNode && devices == len(there), nil, "there are as many pods as devices (%d and %d)", len(there), devices)
	var waiting []*history.Pod
	for _, p := range there {
		if !p.BoundAt(at) {
			waiting = append(waiting, p)
		}
	}
	return []suites.Finding{c.About(at, kit.Objects(waiting)...).Holds(len(waiting) == 0,
		"%d of %d pods that claim a device each are bound to %d devices, after a quarter was replaced %d times", len(there)-len(waiting), len(there), devices, burstRounds)}
}
