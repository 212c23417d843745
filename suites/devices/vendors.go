package devices

import (
	"context"
	"fmt"

	resourceapi "k8s.io/api/resource/v1"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-vendors",
		Profile:      "devices",
		Summary:      "Gangs claim devices as the drivers of NVIDIA and AMD publish them: GPUs by product, and all partitions of one.",
		Requirements: []string{"DRA-052", "DRA-053"},
		Needs:        suites.Needs{Pools: vendorPools},
		Weight:       15,
		Drive:        driveVendors,
		Judge:        judgeVendors,
	})
}

// vendorPools are nodes whose devices the environment publishes as the models' drivers do.
var vendorPools = []nodes.Pool{
	{Name: "h100", Count: 1, Devices: nodes.Devices{Model: "h100", Count: 2}},
	{Name: "mi300x", Count: 1, Devices: nodes.Devices{Model: "mi300x", Count: 2}},
	{Name: "mig", Count: 1, Devices: nodes.Devices{Model: "h100", Count: 1, Partitions: true}},
}

// slots is how many of the smallest partitions fit into one GPU of the pool mig.
const slots = 7

// wants is what the gang on each pool claims, as users of these drivers write it: the class, and what the devices' attributes
// have to say.
var wants = []struct {
	pool, class, expression string
	members                 int
	attribute, value        string
}{
	{"h100", "gpu.nvidia.com", `device.attributes["gpu.nvidia.com"].productName.lowerAscii().matches("^.*h100.*$")`, 2, "architecture", "Hopper"},
	{"mi300x", "gpu.amd.com", `device.attributes["gpu.amd.com"].type == "amdgpu" && device.attributes["gpu.amd.com"].productName == "AMD_Instinct_MI300X_OAM"`, 2, "type", "amdgpu"},
	{"mig", "mig.nvidia.com", `device.attributes["gpu.nvidia.com"].profile == "1g.10gb"`, slots, "profile", "1g.10gb"},
}

func driveVendors(ctx context.Context, env suites.Env) error {
	for _, w := range wants {
		class := gpus.ClassName(env.Pool(w.pool).Spec().Devices.Scope, w.class)
		request := build.DeviceRequest("gpu", class, 1, w.expression)
		if err := create(ctx, env, templates, build.ResourceClaimTemplate(w.pool, request)); err != nil {
			return err
		}
	}
	env.Hold(ctx, "the devices are known", glance)
	for _, w := range wants {
		p := worker(w.pool, w.pool, made("gpu", w.pool))
		p.Pool = w.pool
		if err := kit.CreateGang(ctx, env, build.Gang{Name: w.pool, Quorum: int32(w.members)}, build.Replicas(w.members, p)...); err != nil {
			return err
		}
	}
	for _, w := range wants {
		kit.AwaitBound(ctx, env, w.pool+" bound", w.pool, w.members)
	}
	return ctx.Err()
}

func judgeVendors(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, w := range wants {
		id := "DRA-052"
		if w.pool == "mig" {
			id = "DRA-053"
		}
		c := kit.For(v, id)
		at, pods := standing(c, v, w.pool, w.pool+" bound")
		devices, err := vendored(v, w.pool)
		c.Premise(len(devices) > 0, err, "the node of pool %s was seen, and its devices are known", w.pool)
		there := 0
		for _, d := range devices {
			if says := d.Attributes[resourceapi.QualifiedName(w.attribute)].StringValue; says != nil && *says == w.value {
				there++
			}
		}
		c.Premise(there >= w.members, nil, "at least %d devices of %s %s were published (%d were)", w.members, w.attribute, w.value, there)
		right, used := 0, claimsOf(v, pods)
		for _, name := range heldBy(used, at) {
			if says := devices[name].Attributes[resourceapi.QualifiedName(w.attribute)].StringValue; says != nil && *says == w.value {
				right++
			}
		}
		out = append(out, c.About(at, kit.Objects(pods)...).Holds(len(pods) == w.members && right == w.members,
			"%d of %d members that claim a device of class %s are bound, with %d devices of %s %s; expected one for each", len(pods), w.members, w.class, right, w.attribute, w.value))
	}
	return out
}

// vendored are the devices of the first node of a pool, as pool/device: what the environment publishes of a model.
func vendored(v *history.View, pool string) (map[string]resourceapi.Device, error) {
	out := map[string]resourceapi.Device{}
	for _, p := range vendorPools {
		if p.Name != pool {
			continue
		}
		p.Name = v.Scope.Pools[pool]
		node := nodes.Name(p.Name, 0)
		if v.Node(node) == nil {
			return out, nil
		}
		published, err := gpus.NodeSlices(p, 0, nil)
		if err != nil {
			return nil, fmt.Errorf("describing the devices of pool %s: %w", pool, err)
		}
		for _, s := range published {
			for _, d := range s.Spec.Devices {
				out[s.Spec.Pool.Name+"/"+d.Name] = d
			}
		}
	}
	return out, nil
}
