package devices

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	n := needs(1)
	n.Capabilities = []string{suites.ReadMetrics}
	suites.Register(suites.Scenario{
		Name:         "devices-metrics",
		Profile:      "devices",
		Summary:      "Claims are made from a template for a gang and for a pod; before and after the controller manager's metrics are read.",
		Requirements: []string{"DRA-057"},
		Needs:        n,
		Isolation:    suites.Exclusive,
		Weight:       1,
		Drive:        driveMetrics,
		Judge:        judgeMetrics,
	})
}

const (
	readFirst = "at first"
	readMade  = "claims are made"
	// claimsMade is a metric of the controller manager.
	claimsMade = "dynamic_resource_allocation_resourceclaim_creates_total"
)

func driveMetrics(ctx context.Context, env suites.Env) error {
	metrics, err := kit.ReadsMetrics(env, suites.ControllerManager, claimsMade)
	if err != nil {
		return err
	}
	// There is a class and no device: claims are made, and nobody is bound.
	name := driver(env.Namespace())
	if err := create(ctx, env, classes, build.DeviceClass(name, "", fmt.Sprintf("device.driver == %q", name))); err != nil {
		return err
	}
	if err := template(ctx, env, "link"); err != nil {
		return err
	}
	if err := metrics.Now(ctx, readFirst); err != nil {
		return err
	}
	entry := made("link", "link")
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: 3, Devices: []build.DeviceClaim{entry}}, workers(3, "g", entry)...); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, worker("alone", "", entry)); err != nil {
		return err
	}
	// A status that names a claim is written when that has been made, and counted.
	env.Await(ctx, "the claims are made", soon, func(v *history.View) bool { return len(claimsFrom(v)) == 2 })
	return metrics.Now(ctx, readMade)
}

// claimsFrom are the claims that the gang's members and the pod have been given.
func claimsFrom(v *history.View) []*history.Claim {
	return claimsOf(v, append(kit.Named(v, "alone"), v.Members("g")...))
}

func judgeMetrics(v *history.View) []suites.Finding {
	c := kit.For(v, "DRA-057")
	m := c.Readings(readFirst, readMade)
	given := claimsFrom(v)
	c.Premise(len(given) == 2, nil, "a claim was made for a gang and another for a pod (seen: %d)", len(given))
	return []suites.Finding{c.About(m.At[readMade], objects(given)...).Saw(fmt.Sprintf("by owner: %s; by outcome: %s",
		m.Say(readFirst, readMade, claimsMade, "owner_api_kind"), m.Say(readFirst, readMade, claimsMade, "status")),
		"how %s grew when one claim was made for a gang and one for a pod", claimsMade)}
}
