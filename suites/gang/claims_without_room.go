package gang

import (
	"context"
	"encoding/json"
	"fmt"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// aside is the pool of a pod beside the gang.
const aside = "aside"

func init() {
	suites.Register(suites.Scenario{
		Name:         "gang-claims-without-room",
		Profile:      "gang",
		Summary:      "Each member of a gang that is short of one slot uses a claim that waits for its first consumer; so does a pod that fits.",
		Requirements: []string{"GANG-065"},
		Needs:        needs(single(mainPool, 2), single(aside, 1)),
		Weight:       24,
		Drive:        driveClaimsWithoutRoom,
		Judge:        judgeClaimsWithoutRoom,
	})
}

var storageClasses = schema.GroupVersionResource{Group: "storage.k8s.io", Version: "v1", Resource: "storageclasses"}

func driveClaimsWithoutRoom(ctx context.Context, env suites.Env) error {
	free, err := slots(env, mainPool, 1)
	if err != nil {
		return err
	}
	if _, err := slots(env, aside, 1); err != nil {
		return err
	}
	n := free + 1
	members, plain := kit.Members(n, "g", mainPool), kit.Plain("plain", aside)
	users := append([]build.Pod{plain}, members...)
	class := env.Namespace() + "-later"
	if err := createTyped(ctx, env, storageClasses, class, build.WaitingClass(class), true); err != nil {
		return err
	}
	for i := range users {
		users[i].Claims = []string{users[i].Name}
		claim := build.WaitingClaim(build.Claim{Name: users[i].Name}, class, build.Defaults{Namespace: env.Namespace()})
		if err := createTyped(ctx, env, claims, claim.Name, claim, false); err != nil {
			return err
		}
	}
	if err := kit.CreateGang(ctx, env, build.Gang{Name: "g", Quorum: int32(n)}, users[1:]...); err != nil {
		return err
	}
	if err := env.CreatePods(ctx, users[0]); err != nil {
		return err
	}
	if err := kit.Watch(ctx, env, "one slot short", "watched", n); err != nil {
		return err
	}
	for _, u := range users {
		// Claims are not watched. A patch that changes nothing brings back what has become of one.
		if _, err := env.Try(ctx, seenClaim(u.Name), suites.Attempt{Verb: "patch", GVR: claims, Name: u.Name, Patch: []byte("{}")}); err != nil {
			return err
		}
	}
	return nil
}

// seenClaim labels the request that shows the claim of a pod, which has the pod's name.
func seenClaim(pod string) string { return "look at claim " + pod }

// selectedNode is how a scheduler tells whoever makes volumes for which node a claim needs one.
const selectedNode = "volume.kubernetes.io/selected-node"

// given reports whether the claim of a pod had a node or a volume when it was looked at; ok is false if it was not seen.
func given(v *history.View, pod string) (yes, ok bool) {
	r, asked := v.Try(seenClaim(pod))
	if !asked || !r.OK() {
		return false, false
	}
	var claim corev1.PersistentVolumeClaim
	if err := json.Unmarshal(r.Object, &claim); err != nil || claim.Name != pod {
		return false, false
	}
	return claim.Annotations[selectedNode] != "" || claim.Spec.VolumeName != "", true
}

func judgeClaimsWithoutRoom(v *history.View) []suites.Finding {
	c := kit.For(v, "GANG-065")
	n := kit.Quorum(v, "g")
	from, to := c.Watched("one slot short", "watched", n)
	members, plain := c.Exist("g", n), kit.Named(v, "plain")
	bare := withoutVolumes(members)
	c.ShortByOne(from, bare)
	c.NeverRoom(from, to, bare, n)
	c.Fits(kit.LastCreated(plain), withoutVolumes(plain))
	count := func(pods []*history.Pod) (got int) {
		for _, p := range pods {
			yes, ok := given(v, p.Name)
			c.Premise(ok, nil, "the claim of pod %s was looked at", p.Name)
			if yes {
				got++
			}
		}
		return got
	}
	return []suites.Finding{c.Saw(
		fmt.Sprintf("%d of %d claims of the gang; %d of %d of a pod that fits", count(members), n, count(plain), len(plain)),
		"how many claims that wait for their first consumer have been given a node or a volume")}
}
