package devices

import (
	"context"
	"fmt"

	resourceapi "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "devices-partitions",
		Profile:      "devices",
		Summary:      "A device is published whole and in halves; a gang takes the halves, a pod wants the whole.",
		Requirements: []string{"DRA-025", "DRA-047"},
		Needs:        needs(1),
		Weight:       26,
		Drive:        drivePartitions,
		Judge:        judgePartitions,
	})
}

const (
	// counterSet is what the partitions draw on, counter its only counter, with room for two halves.
	counterSet, counter = "gpu-0", "memory"
	wholeSize           = 80
)

// partition is a device that draws so many Gi of the counter.
func partition(name string, size int) resourceapi.Device {
	d := within(device(name), "size", int64(size))
	d.ConsumesCounters = []resourceapi.DeviceCounterConsumption{{CounterSet: counterSet, Counters: gi(size)}}
	return d
}

func gi(n int) map[string]resourceapi.Counter {
	return map[string]resourceapi.Counter{counter: {Value: resource.MustParse(fmt.Sprintf("%dGi", n))}}
}

func drivePartitions(ctx context.Context, env suites.Env) error {
	node := env.Pool(mainPool).Nodes()[0]
	devices := onNode(env, node, partition("whole", wholeSize), partition("half-0", wholeSize/2), partition("half-1", wholeSize/2))
	counters := onNode(env, node)
	counters.Name += "-counters"
	counters.Spec.SharedCounters = []resourceapi.CounterSet{{Name: counterSet, Counters: gi(wholeSize)}}
	devices.Spec.Pool.ResourceSliceCount, counters.Spec.Pool.ResourceSliceCount = 2, 2
	if err := publish(ctx, env, counters, devices); err != nil {
		return err
	}
	for name, size := range map[string]int{"half": wholeSize / 2, "whole": wholeSize} {
		request := one(env, fmt.Sprintf("device.attributes[%q].size == %d", driver(env.Namespace()), size))
		if err := create(ctx, env, templates, build.ResourceClaimTemplate(name, request)); err != nil {
			return err
		}
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "halves", Quorum: 2}, workers(2, "halves", made("gpu", "half"))...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "halves bound", "halves", 2) {
		return ctx.Err()
	}
	if err := env.CreatePods(ctx, worker("whole", "", made("gpu", "whole"))); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "both halves taken", "watched", 1); err != nil {
		return err
	}
	if err := kit.Vacate(ctx, env, "halves-0", "halves-1"); err != nil {
		return err
	}
	kit.AwaitMark(ctx, env, "whole bound", 1, kit.PodsBound("whole"))
	return ctx.Err()
}

func judgePartitions(v *history.View) []suites.Finding {
	never := kit.For(v, "DRA-025")
	from, to := never.Watched("both halves taken", "watched", 1)
	never.Premise(len(v.BoundAt("halves", from)) == 2, nil, "both halves are in use")
	whole := v.Pod("whole")
	never.Premise(whole != nil && !whole.Created.After(to), nil, "a pod wanted the whole meanwhile")
	most, at := mostDrawn(v)
	end := never.Mark("whole bound")

	again := kit.For(v, "DRA-047")
	again.Mark("halves bound")
	done := again.Mark("whole bound")
	gone := kit.Named(v, "halves-0", "halves-1")
	again.Premise(len(gone) == 2 && !gone[0].Gone.IsZero() && !gone[1].Gone.IsZero(), nil, "the users of the halves are gone")
	ok := whole != nil && whole.BoundAt(done)
	return []suites.Finding{
		never.About(at, objects(v.Claims)...).Holds(!end.IsZero() && most <= wholeSize,
			"at most %d Gi of the %d Gi that the partitions share were drawn at any time", most, wholeSize),
		again.About(done, "pod whole").Holds(ok, "the pod that wants the whole device is bound once nobody uses its halves: %t", ok),
	}
}

// mostDrawn is the most that the devices allocated at any one time draw of the counter, in Gi, and where that was.
func mostDrawn(v *history.View) (most int64, where history.Stamp) {
	for _, c := range v.Claims {
		for _, a := range c.Allocated {
			devices := supply(v, a.Stamp)
			sum := int64(0)
			for _, o := range v.Claims {
				for _, name := range held(o, a.Stamp) {
					for _, draws := range devices[name].ConsumesCounters {
						q := draws.Counters[counter].Value
						sum += q.Value() >> 30
					}
				}
			}
			if sum > most {
				most, where = sum, a.Stamp
			}
		}
	}
	return most, where
}
