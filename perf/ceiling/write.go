package ceiling

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/util/retry"
)

// errGone: there is no such pod any more, or it has a node already.
var errGone = errors.New("the pod is gone, or somebody else has bound it")

// carryOut writes the claims of a pod and binds it.
func (b *Binder) carryOut(ctx context.Context, client kubernetes.Interface, j *job) error {
	for _, c := range j.pod.claims {
		if err := b.allocate(ctx, client, j, c); err != nil {
			return err
		}
	}
	return bind(ctx, client, j)
}

// bind is one request. The client library repeats it where the server asks for that.
func bind(ctx context.Context, client kubernetes.Interface, j *job) error {
	err := client.CoreV1().Pods(j.pod.key.namespace).Bind(ctx, &corev1.Binding{
		ObjectMeta: metav1.ObjectMeta{Namespace: j.pod.key.namespace, Name: j.pod.key.name, UID: j.uid},
		Target:     corev1.ObjectReference{Kind: "Node", Name: j.node},
	}, metav1.CreateOptions{})
	switch {
	case apierrors.IsNotFound(err), apierrors.IsConflict(err):
		return errors.Join(errGone, err)
	case err != nil:
		return fmt.Errorf("binding pod %s/%s to %s: %w", j.pod.key.namespace, j.pod.key.name, j.node, err)
	}
	return nil
}

// allocate writes a claim as a scheduler has to: first the finalizer that keeps an allocated claim from going away, then
// the allocation together with the pod it is reserved for.
func (b *Binder) allocate(ctx context.Context, client kubernetes.Interface, j *job, c *claim) error {
	b.mu.Lock()
	obj, held := c.obj.DeepCopy(), slices.Clone(c.held)
	b.mu.Unlock()
	api := client.ResourceV1().ResourceClaims(obj.Namespace)
	stale := false
	err := retry.RetryOnConflict(retry.DefaultRetry, func() (err error) {
		if stale {
			if obj, err = api.Get(ctx, obj.Name, metav1.GetOptions{}); err != nil {
				return err
			}
		}
		stale = true
		if obj.Status.Allocation == nil {
			if !slices.Contains(obj.Finalizers, resourcev1.Finalizer) {
				obj.Finalizers = append(obj.Finalizers, resourcev1.Finalizer)
				if obj, err = api.Update(ctx, obj, metav1.UpdateOptions{}); err != nil {
					return err
				}
			}
			obj.Status.Allocation = allocation(c.requests, held, j.node)
		}
		obj.Status.ReservedFor = append(obj.Status.ReservedFor,
			resourcev1.ResourceClaimConsumerReference{Resource: "pods", Name: j.pod.key.name, UID: j.uid})
		_, err = api.UpdateStatus(ctx, obj, metav1.UpdateOptions{})
		return err
	})
	if err != nil {
		return fmt.Errorf("allocating claim %s/%s: %w", obj.Namespace, obj.Name, err)
	}
	return nil
}

// allocation of devices to requests, in their order, on one node.
func allocation(requests []request, held []device, node string) *resourcev1.AllocationResult {
	out := &resourcev1.AllocationResult{NodeSelector: &corev1.NodeSelector{NodeSelectorTerms: []corev1.NodeSelectorTerm{{
		MatchFields: []corev1.NodeSelectorRequirement{{Key: metav1.ObjectNameField, Operator: corev1.NodeSelectorOpIn, Values: []string{node}}},
	}}}}
	for _, r := range requests {
		n := min(r.count, len(held))
		for _, d := range held[:n] {
			out.Devices.Results = append(out.Devices.Results,
				resourcev1.DeviceRequestAllocationResult{Request: r.name, Driver: d.driver, Pool: d.pool, Device: d.name})
		}
		held = held[n:]
	}
	return out
}

// writeCondition says that what the group requires is bound.
func writeCondition(ctx context.Context, client kubernetes.Interface, j *job) error {
	patch, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"uid": j.uid},
		"status": map[string]any{"conditions": []metav1.Condition{{
			Type: schedulingv1beta1.PodGroupInitiallyScheduled, Status: metav1.ConditionTrue, Reason: "Scheduled",
			Message: "what the group requires is bound", ObservedGeneration: j.generation, LastTransitionTime: metav1.NewTime(time.Now()),
		}}},
	})
	if err != nil {
		return fmt.Errorf("encoding a condition: %w", err)
	}
	_, err = client.SchedulingV1beta1().PodGroups(j.group.namespace).Patch(ctx, j.group.name,
		types.StrategicMergePatchType, patch, metav1.PatchOptions{}, "status")
	if apierrors.IsNotFound(err) || apierrors.IsConflict(err) {
		return nil // it is gone, or another of its name is there
	}
	return err
}
