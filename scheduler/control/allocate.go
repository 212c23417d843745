package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/api/equality"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/utils/ptr"

	"muster/scheduler/engine"
)

var (
	errClaimChanged = errors.New("the ResourceClaim is not the one that was decided on")
	errClaimTaken   = errors.New("the ResourceClaim was allocated by somebody else meanwhile")
)

// errandTries is how often a claim is written before its errand fails. Others write to claims too, so that conflicts
// are common.
const errandTries = 8

// goOn does an errand.
func (b *binder) goOn(ctx context.Context, e *errand) error {
	if e.claim.Name == "" && !e.release {
		return b.makeClaim(ctx, e)
	}
	name := e.claim.Name
	if name == "" {
		name = e.made
	}
	if name == "" || e.release && !e.wrote && !e.all {
		return nil // nothing was done
	}
	claim, _ := b.claims.ResourceClaims(e.namespace).Get(name)
	fresh := e.release || claim == nil // others may have been entered, and must stay
	for try := 1; ; try++ {
		err := b.write(ctx, e, name, claim, fresh)
		if err == nil || try == errandTries || !apierrors.IsConflict(err) && (!mayPass(err) || errors.Is(err, errClaimChanged) || errors.Is(err, errClaimTaken)) {
			return err
		}
		if !apierrors.IsConflict(err) && !b.pause(ctx, try, err) {
			return err
		}
		fresh = true
	}
}

func (b *binder) write(ctx context.Context, e *errand, name string, claim *resourcev1.ResourceClaim, fresh bool) error {
	ctx, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if fresh {
		var err error
		if claim, err = b.client.ResourceV1().ResourceClaims(e.namespace).Get(ctx, name, metav1.GetOptions{}); err != nil {
			if e.release && apierrors.IsNotFound(err) {
				return nil
			}
			return fmt.Errorf("reading ResourceClaim %s/%s: %w", e.namespace, name, err)
		}
	}
	if e.claim.UID != "" && claim.UID != e.claim.UID {
		if e.release {
			return nil
		}
		return fmt.Errorf("writing ResourceClaim %s/%s: %w", e.namespace, name, errClaimChanged)
	}
	if e.release {
		return b.release(ctx, e, claim.DeepCopy())
	}
	return b.reserve(ctx, e, claim.DeepCopy())
}

// reserve writes the allocation, if the claim has none, and enters the consumers. The finalizer comes first and by
// itself: it is no part of the status.
func (b *binder) reserve(ctx context.Context, e *errand, claim *resourcev1.ResourceClaim) error {
	api := b.client.ResourceV1().ResourceClaims(e.namespace)
	if claim.DeletionTimestamp != nil {
		return fmt.Errorf("reserving ResourceClaim %s/%s, which is being deleted: %w", claim.Namespace, claim.Name, errClaimChanged)
	}
	missing := false
	for _, c := range e.consumers {
		missing = missing || !reservedFor(claim, c.UID)
	}
	if a := claim.Status.Allocation; a != nil {
		if !sameDevices(a, e.claim.Allocation) {
			return fmt.Errorf("reserving ResourceClaim %s/%s: %w", claim.Namespace, claim.Name, errClaimTaken)
		}
		if !missing {
			return nil
		}
	} else {
		e.wrote = true
		if !slices.Contains(claim.Finalizers, resourcev1.Finalizer) {
			claim.Finalizers = append(claim.Finalizers, resourcev1.Finalizer)
			var err error
			if claim, err = api.Update(ctx, claim, metav1.UpdateOptions{}); err != nil {
				return fmt.Errorf("adding the finalizer to ResourceClaim %s/%s: %w", e.namespace, e.claim.Name, err)
			}
		}
		claim.Status.Allocation = e.claim.Allocation.DeepCopy()
		claim.Status.Allocation.AllocationTimestamp = &metav1.Time{Time: b.clock.Now()}
	}
	e.wrote = true
	for _, c := range e.consumers {
		if !reservedFor(claim, c.UID) {
			claim.Status.ReservedFor = append(claim.Status.ReservedFor, c)
		}
	}
	if _, err := api.UpdateStatus(ctx, claim, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("allocating ResourceClaim %s/%s: %w", claim.Namespace, claim.Name, err)
	}
	return nil
}

// release strikes the consumers out, and takes the allocation back with the last one. A claim that was made for a pod
// goes with it.
func (b *binder) release(ctx context.Context, e *errand, claim *resourcev1.ResourceClaim) error {
	api := b.client.ResourceV1().ResourceClaims(e.namespace)
	if a := claim.Status.Allocation; !e.all && a != nil && !sameDevices(a, e.claim.Allocation) {
		return nil // it is somebody else's
	}
	claim.Status.ReservedFor = slices.DeleteFunc(claim.Status.ReservedFor, func(r resourcev1.ResourceClaimConsumerReference) bool {
		return e.all || slices.ContainsFunc(e.consumers, func(c resourcev1.ResourceClaimConsumerReference) bool { return c.UID == r.UID })
	})
	empty := len(claim.Status.ReservedFor) == 0
	if empty {
		claim.Status.Allocation, claim.Status.Devices = nil, nil
	}
	claim, err := api.UpdateStatus(ctx, claim, metav1.UpdateOptions{})
	if err != nil {
		return fmt.Errorf("releasing ResourceClaim %s/%s: %w", e.namespace, e.claim.Name, err)
	}
	if !empty {
		return nil
	}
	if at := slices.Index(claim.Finalizers, resourcev1.Finalizer); at >= 0 {
		claim.Finalizers = slices.Delete(claim.Finalizers, at, at+1)
		if claim, err = api.Update(ctx, claim, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("taking the finalizer off ResourceClaim %s/%s: %w", e.namespace, e.claim.Name, err)
		}
	}
	if claim.Annotations[resourcev1.ExtendedResourceClaimAnnotation] == "true" {
		err := api.Delete(ctx, claim.Name, metav1.DeleteOptions{Preconditions: &metav1.Preconditions{UID: &claim.UID}})
		if err != nil && !apierrors.IsNotFound(err) {
			return fmt.Errorf("deleting ResourceClaim %s/%s: %w", claim.Namespace, claim.Name, err)
		}
	}
	return nil
}

func reservedFor(c *resourcev1.ResourceClaim, uid types.UID) bool {
	return slices.ContainsFunc(c.Status.ReservedFor, func(r resourcev1.ResourceClaimConsumerReference) bool { return r.UID == uid })
}

// sameDevices: two allocations hand out the same. When they were written does not matter.
func sameDevices(a, b *resourcev1.AllocationResult) bool {
	return b != nil && equality.Semantic.DeepEqual(a.Devices.Results, b.Devices.Results)
}

// makeClaim makes the claim for a pod's extended resources, allocates it and tells the pod.
func (b *binder) makeClaim(ctx context.Context, e *errand) error {
	limited, cancel := context.WithTimeout(ctx, callTimeout)
	defer cancel()
	if old := e.claim.Replaces; old.Name != "" { // left by a former attempt
		if err := b.goOn(ctx, &errand{namespace: e.namespace, claim: engine.DeviceClaim{Name: old.Name, UID: old.UID}, release: true, all: true}); err != nil {
			return err
		}
	}
	claim := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{
		Namespace: e.namespace, GenerateName: e.pod.Name + "-extended-resources-",
		Annotations: map[string]string{resourcev1.ExtendedResourceClaimAnnotation: "true"},
		OwnerReferences: []metav1.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: e.pod.Name, UID: e.pod.UID,
			Controller: ptr.To(true), BlockOwnerDeletion: ptr.To(true)}},
		Finalizers: []string{resourcev1.Finalizer},
	}, Spec: resourcev1.ResourceClaimSpec{Devices: resourcev1.DeviceClaim{Requests: e.claim.Requests}}}
	claim, err := b.client.ResourceV1().ResourceClaims(e.namespace).Create(limited, claim, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("making a ResourceClaim for the extended resources of pod %s: %w", e.pod.Key, err)
	}
	e.made, e.wrote = claim.Name, true
	err = b.reserve(limited, e, claim)
	for try := 1; apierrors.IsConflict(err) && try < errandTries; try++ {
		err = b.write(limited, e, e.made, nil, true)
	}
	if err != nil {
		return err
	}
	return b.tellPod(limited, e.pod, &corev1.PodExtendedResourceClaimStatus{ResourceClaimName: e.made, RequestMappings: e.claim.Uses})
}

// giveBack releases what a pod that could not be bound had reserved for itself. What its group has stays with the group.
func (b *binder) giveBack(ctx context.Context, j *job) error {
	var all error
	for _, e := range errandsOf([]engine.Placement{j.Placement}) {
		if e.claim.Name != "" && e.consumers[0].UID != j.Pod.UID {
			continue
		}
		if e.claim.Name == "" {
			e.made = j.round.madeFor(j.Pod)
		}
		e.release, e.wrote = true, true
		all = errors.Join(all, b.goOn(ctx, e))
	}
	return all
}

// madeFor is the claim that was made for a pod in the round.
func (r *round) madeFor(pod engine.PodRef) string {
	for _, e := range r.errands {
		if e.claim.Name == "" && e.pod == pod {
			return e.made
		}
	}
	return ""
}

// tellPod writes into the pod's status which claim was made for it.
func (b *binder) tellPod(ctx context.Context, pod engine.PodRef, s *corev1.PodExtendedResourceClaimStatus) error {
	patch, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": map[string]any{"extendedResourceClaimStatus": s}})
	if err != nil {
		return fmt.Errorf("encoding the status of pod %s: %w", pod.Key, err)
	}
	if _, err := b.client.CoreV1().Pods(pod.Namespace).Patch(ctx, pod.Name, types.MergePatchType, patch, metav1.PatchOptions{}, "status"); err != nil {
		return fmt.Errorf("telling pod %s of the ResourceClaim made for it: %w", pod.Key, err)
	}
	return nil
}
