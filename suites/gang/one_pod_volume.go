package gang

import (
	"context"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-volume-for-one-pod",
		Profile:      "gang",
		Summary:      "Both members of a gang mount the same ReadWriteOncePod claim; those of another gang have such claims of their own.",
		Requirements: []string{"GANG-042"},
		Needs:        needs(nodes.Pool{Name: mainPool, Count: 2, GPUs: 4}),
		Weight:       20,
		Drive:        driveOnePodVolume,
		Judge:        judgeOnePodVolume,
	})
}

var (
	volumes = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumes"}
	claims  = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}
)

func driveOnePodVolume(ctx context.Context, env suites.Env) error {
	for _, name := range []string{"shared", "own-0", "own-1"} {
		if err := createClaim(ctx, env, name); err != nil {
			return err
		}
	}
	shared := kit.Member("g", mainPool)
	shared.Claims = []string{"shared"}
	own := build.Replicas(2, kit.Member("own", mainPool))
	for i := range own {
		own[i].Claims = []string{own[i].Name}
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: 2}, build.Replicas(2, shared)...); err != nil {
		return err
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "own", Quorum: 2}, own...); err != nil {
		return err
	}
	kit.AwaitBound(ctx, env, "own bound", "own", 2)
	return kit.Watch(ctx, env, "waiting", "watched", 2)
}

// createClaim creates a bound ReadWriteOncePod claim, its volume first.
func createClaim(ctx context.Context, env suites.Env, name string) error {
	volume, claim := build.BoundClaim(build.Claim{Name: name}, build.Defaults{Namespace: env.Namespace()})
	for _, o := range []struct {
		gvr     schema.GroupVersionResource
		typed   any
		cluster bool
	}{{volumes, volume, true}, {claims, claim, false}} {
		if err := createTyped(ctx, env, o.gvr, name, o.typed, o.cluster); err != nil {
			return err
		}
	}
	return nil
}

// createTyped creates one object, which is recorded as it came back.
func createTyped(ctx context.Context, env suites.Env, gvr schema.GroupVersionResource, name string, typed any, cluster bool) error {
	raw, err := runtime.DefaultUnstructuredConverter.ToUnstructured(typed)
	if err != nil {
		return fmt.Errorf("writing %s %s: %w", gvr.Resource, name, err)
	}
	r, err := env.Try(ctx, "create "+gvr.Resource+" "+name, suites.Attempt{
		Verb: "create", GVR: gvr, Object: &unstructured.Unstructured{Object: raw}, ClusterScoped: cluster,
	})
	if err != nil {
		return err
	}
	if !r.OK() {
		return fmt.Errorf("creating %s %s: the API server answered %d %s: %s", gvr.Resource, name, r.Code, r.Reason, r.Message)
	}
	return nil
}

func judgeOnePodVolume(v *history.View) []suites.Finding {
	never := kit.For(v, "GANG-042")
	from, to := never.Watched("waiting", "watched", 2)
	never.Fits(from, withoutVolumes(never.Exist("g", 2)))
	own := kit.For(v, "GANG-042")
	own.Exist("own", 2)
	return []suites.Finding{
		never.None("g", history.Stamp{}, to, "although its two members mount a claim that one pod at a time may use"),
		own.Counts("own bound", "own", 2),
	}
}

// withoutVolumes are copies of the pods as they would be without any volume.
func withoutVolumes(pods []*history.Pod) []*history.Pod {
	out := make([]*history.Pod, len(pods))
	for i, p := range pods {
		c := *p
		c.First = p.First.DeepCopy()
		c.First.Spec.Volumes = []corev1.Volume{}
		out[i] = &c
	}
	return out
}
