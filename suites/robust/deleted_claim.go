package robust

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
	"muster/suites"
	"muster/workloads/build"
)

var claims = schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"}

// claim is one device that the members of a gang share. Each pool has one, which all its nodes reach.
var claim = piece{
	name: "claim",
	create: func(ctx context.Context, env suites.Env, d doomed, gang string, _ int) error {
		pool := env.Pool(strings.TrimPrefix(gang, "next-"))
		class := gpus.ClassName(pool.Spec().Devices.Scope, "gpu.nvidia.com")
		// Pools of a scenario share their driver and its classes: only the nodes tell which device can be used.
		raw, err := json.Marshal(build.ResourceClaim(gang, build.DeviceRequest("gpu", class, 1)))
		if err != nil {
			return fmt.Errorf("writing a claim: %w", err)
		}
		var u unstructured.Unstructured
		if err := json.Unmarshal(raw, &u.Object); err != nil {
			return fmt.Errorf("writing a claim: %w", err)
		}
		return env.Create(ctx, claims, &u)
	},
	delete: func(ctx context.Context, env suites.Env, _ doomed, gang string, _ int) error {
		return env.Delete(ctx, claims, gang)
	},
}

// withClaim is a gang whose members share a claim.
var withClaim = doomed{
	pieces: []piece{claim, group}, first: []string{"claim", "group", pods},
	gang: func(name string, g *build.Gang) { g.Devices = shared(name) },
	pod:  func(name string, p *build.Pod) { p.Devices = shared(name) },
}

func shared(gang string) []build.DeviceClaim { return []build.DeviceClaim{{Name: "gpu", Claim: gang}} }

func init() {
	n := needs(withClaim.pools())
	for i := range n.Pools {
		n.Pools[i].Devices = nodes.Devices{Model: "h100", Count: 1, Reach: nodes.ReachPool}
	}
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-claim-deleted-at-every-stage",
		Summary:      "Gangs that share a device are deleted at every stage, the claim, the group or the pods first; the next one takes their room and the device.",
		Requirements: []string{"ROB-017"},
		Needs:        n,
		Weight:       22,
		Drive:        withClaim.drive,
		Judge:        withClaim.judge("ROB-017"),
	}))
}
