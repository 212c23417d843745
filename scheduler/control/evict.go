package control

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/utils/clock"

	"muster/scheduler/engine"
)

// evictors is how many evictions are under way at a time at most.
const evictors = 32

// evictTries is how often one request of an eviction is made before the victim is spared.
const evictTries = 4

// evictor tells victims why they go, and deletes them.
type evictor struct {
	client kubernetes.Interface
	clock  clock.WithTicker
	fault  *Fault
	ctx    context.Context // ends what is under way
	slots  chan struct{}
	all    sync.WaitGroup
	// tell is called for each victim when its deletion has been accepted, or was given up.
	tell func(engine.PodRef, error)
}

func newEvictor(ctx context.Context, client kubernetes.Interface, c clock.WithTicker, f *Fault, tell func(engine.PodRef, error)) *evictor {
	return &evictor{client: client, clock: c, fault: f, ctx: ctx, slots: make(chan struct{}, evictors), tell: tell}
}

// evict begins an eviction. It does not block. why is for people.
func (v *evictor) evict(pod engine.PodRef, why string) {
	v.all.Go(func() {
		select {
		case v.slots <- struct{}{}:
		case <-v.ctx.Done():
			return
		}
		defer func() { <-v.slots }()
		v.tell(pod, v.do(pod, why))
	})
}

// drain waits until no eviction is under way, or ctx is done.
func (v *evictor) drain(ctx context.Context) {
	done := make(chan struct{})
	go func() {
		v.all.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// do writes the condition, then deletes the pod as its grace period wants it. A pod that is gone, or is another by now,
// needs no eviction.
func (v *evictor) do(pod engine.PodRef, why string) error {
	status, err := json.Marshal(map[string]any{"metadata": map[string]any{"uid": pod.UID}, "status": map[string]any{"conditions": []corev1.PodCondition{{
		Type: corev1.DisruptionTarget, Status: corev1.ConditionTrue, Reason: corev1.PodReasonPreemptionByScheduler, Message: why,
		LastTransitionTime: metav1.NewTime(v.clock.Now())}}}})
	if err != nil {
		return fmt.Errorf("encoding the condition of a victim: %w", err)
	}
	pods := v.client.CoreV1().Pods(pod.Namespace)
	err = v.insist(func(ctx context.Context) error {
		if v.fault.Silent {
			return nil
		}
		_, err := pods.Patch(ctx, pod.Name, types.StrategicMergePatchType, status, metav1.PatchOptions{}, "status")
		return err
	})
	if err == nil {
		uid := pod.UID
		err = v.insist(func(ctx context.Context) error {
			return pods.Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: v.fault.Grace, Preconditions: &metav1.Preconditions{UID: &uid}})
		})
	}
	if apierrors.IsNotFound(err) {
		return nil
	}
	if apierrors.IsConflict(err) { // another pod of that name?
		ctx, cancel := context.WithTimeout(v.ctx, callTimeout)
		defer cancel()
		if now, e := pods.Get(ctx, pod.Name, metav1.GetOptions{}); apierrors.IsNotFound(e) || e == nil && now.UID != pod.UID {
			return nil
		}
	}
	if err != nil {
		return fmt.Errorf("evicting pod %s: %w", pod.Key, err)
	}
	return nil
}

// insist makes a request until it is accepted or refused for good, a bounded number of times.
func (v *evictor) insist(request func(context.Context) error) error {
	for try := 1; ; try++ {
		ctx, cancel := context.WithTimeout(v.ctx, callTimeout)
		err := request(ctx)
		cancel()
		if err == nil || apierrors.IsNotFound(err) || !mayPass(err) || try == evictTries || errors.Is(err, context.Canceled) {
			return err
		}
		d := min(bindPause<<(try-1), pauseLimit)
		if s, ok := apierrors.SuggestsClientDelay(err); ok {
			d = max(d, min(time.Duration(s)*time.Second, askedLimit))
		}
		timer := v.clock.NewTimer(d)
		select {
		case <-timer.C():
		case <-v.ctx.Done():
			timer.Stop()
			return err
		}
	}
}
