package control

import (
	"context"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"

	"muster/scheduler/engine"
)

// watch starts the informers. synced waits until everything that exists is in the inbox; wait waits for their end, once
// ctx is done.
func (s *Scheduler) watch(ctx context.Context) (synced func(context.Context) bool, wait func(), err error) {
	f := informers.NewSharedInformerFactoryWithOptions(s.opts.Client, 0, informers.WithTransform(trim))
	var all []cache.InformerSynced
	add := func(sync cache.InformerSynced, e error) {
		if all = append(all, sync); err == nil {
			err = e
		}
	}
	core, storage := f.Core().V1(), f.Storage().V1()
	add(follow(s, core.Nodes().Informer(), func(_, o *corev1.Node) func() {
		return func() { s.engine.UpsertNode(changed(o, s.opts.Fault.Node)) }
	}, func(o *corev1.Node) {
		if heard(o, s.opts.Fault.NodeGone) {
			s.engine.DeleteNode(o.Name)
			s.claimsMoved()
		}
	}))
	add(follow(s, core.Namespaces().Informer(), func(_, o *corev1.Namespace) func() {
		return func() { s.engine.UpsertNamespace(o) }
	}, func(o *corev1.Namespace) { s.engine.DeleteNamespace(o.Name) }))
	add(follow(s, storage.StorageClasses().Informer(), func(_, o *storagev1.StorageClass) func() {
		return func() { s.engine.UpsertStorageClass(o) }
	}, func(o *storagev1.StorageClass) { s.engine.DeleteStorageClass(o.Name) }))
	add(follow(s, core.PersistentVolumes().Informer(), func(_, o *corev1.PersistentVolume) func() {
		return func() { s.engine.UpsertVolume(o); s.claimsMoved() }
	}, func(o *corev1.PersistentVolume) { s.engine.DeleteVolume(o.Name) }))
	add(follow(s, core.PersistentVolumeClaims().Informer(), func(_, o *corev1.PersistentVolumeClaim) func() {
		return func() { s.upsertClaim(o) }
	}, s.deleteClaim))
	add(follow(s, f.Policy().V1().PodDisruptionBudgets().Informer(), func(_, o *policyv1.PodDisruptionBudget) func() {
		return func() { s.upsertBudget(o) }
	}, func(o *policyv1.PodDisruptionBudget) { s.engine.DeleteBudget(keyOf(o)) }))
	if !s.opts.NoComposites {
		add(follow(s, f.Scheduling().V1alpha3().CompositePodGroups().Informer(), func(_, o *schedulingv1alpha3.CompositePodGroup) func() {
			return func() { s.upsertComposite(o) }
		}, s.deleteComposite))
	}
	if !s.opts.NoGroups {
		add(follow(s, f.Scheduling().V1beta1().PodGroups().Informer(), func(_, o *schedulingv1beta1.PodGroup) func() {
			return func() { s.upsertGroup(o) }
		}, s.deleteGroup))
	}
	stop, e := s.watchDevices(ctx, f, add)
	if e != nil {
		return nil, nil, e
	}
	add(follow(s, core.Pods().Informer(), s.podNews, s.deletePod))
	if err != nil {
		stop()
		return nil, nil, err
	}
	f.StartWithContext(ctx)
	synced = func(ctx context.Context) bool { return s.await(ctx, all) }
	return synced, func() { f.Shutdown(); stop() }, nil
}

// watchFrom begins to watch, and gives what watch returned.
func (s *Scheduler) watchFrom(ctx context.Context) func() (func(context.Context) bool, func(), error) {
	synced, wait, err := s.watch(ctx)
	return func() (func(context.Context) bool, func(), error) { return synced, wait, err }
}

// await waits until every handler has been told of everything that existed, and tells the engine what arrives meanwhile,
// so that the inbox does not hold the whole cluster at once.
func (s *Scheduler) await(ctx context.Context, all []cache.InformerSynced) bool {
	done := false
	var waiter sync.WaitGroup
	defer waiter.Wait()
	waiter.Go(func() {
		if cache.WaitForCacheSync(ctx.Done(), all...) {
			s.inbox.put(func() { done = true }) // behind everything the handlers have left
		}
	})
	for !done && ctx.Err() == nil {
		select {
		case <-s.inbox.signal:
		case <-ctx.Done():
		}
		for _, f := range s.inbox.take() {
			f()
		}
	}
	s.stirred = true
	return done
}

// follow brings what an informer says into the inbox. upsert is called in the informer's goroutine with the former
// object (nil for a new one) and returns what the loop is to do, nil for nothing.
func follow[T metav1.Object](s *Scheduler, inf cache.SharedIndexInformer, upsert func(old, obj T) func(), remove func(T)) (cache.InformerSynced, error) {
	var none T
	leave := func(o metav1.Object, f func()) {
		if f != nil && heard(o, s.opts.Fault.Heard) {
			s.inbox.put(f)
		}
	}
	reg, err := inf.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { leave(o.(T), upsert(none, o.(T))) },
		UpdateFunc: func(old, o any) {
			was, obj := old.(T), o.(T)
			if was.GetResourceVersion() != obj.GetResourceVersion() || obj.GetResourceVersion() == "" {
				leave(obj, upsert(was, obj))
			}
		},
		DeleteFunc: func(o any) {
			if late, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = late.Obj
			}
			if obj, ok := o.(T); ok {
				leave(obj, func() { remove(obj) })
			}
		},
	})
	if err != nil {
		return nil, fmt.Errorf("following %T: %w", none, err)
	}
	return reg.HasSynced, nil
}

func keyOf(o metav1.Object) engine.Key {
	return engine.Key{Namespace: o.GetNamespace(), Name: o.GetName()}
}
