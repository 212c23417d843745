package control

import (
	"context"
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/tools/cache"
	"k8s.io/dynamic-resource-allocation/resourceslice/tracker"
)

// watchDevices starts to follow claims, classes and slices. Slices come with the taints that DeviceTaintRules put on
// their devices. stop ends what the informers do not.
func (s *Scheduler) watchDevices(ctx context.Context, f informers.SharedInformerFactory, add func(cache.InformerSynced, error)) (stop func(), err error) {
	if s.opts.NoDevices {
		return func() {}, nil
	}
	api := f.Resource().V1()
	add(follow(s, api.DeviceClasses().Informer(), func(_, o *resourcev1.DeviceClass) func() {
		return func() { s.engine.UpsertDeviceClass(changed(o, s.opts.Fault.DeviceClass)) }
	}, func(o *resourcev1.DeviceClass) { s.engine.DeleteDeviceClass(o.Name) }))

	o := tracker.Options{EnableConsumableCapacity: true, EnableDeviceTaintRules: !s.opts.NoTaintRules, SliceInformer: api.ResourceSlices()}
	if o.EnableDeviceTaintRules {
		o.TaintInformer = api.DeviceTaintRules()
	}
	t, err := tracker.StartTracker(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("following ResourceSlices: %w", err)
	}
	reg, err := t.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc:    func(o any) { s.sliceNews(o) },
		UpdateFunc: func(_, o any) { s.sliceNews(o) },
		DeleteFunc: func(o any) {
			if late, ok := o.(cache.DeletedFinalStateUnknown); ok {
				o = late.Obj
			}
			if slice, ok := o.(*resourcev1.ResourceSlice); ok {
				s.inbox.put(func() { s.engine.DeleteResourceSlice(slice.Name) })
			}
		},
	})
	if err != nil {
		t.Stop()
		return nil, fmt.Errorf("following ResourceSlices: %w", err)
	}
	add(reg.HasSynced, nil)

	claims := api.ResourceClaims()
	s.binder.claims = claims.Lister()
	add(follow(s, claims.Informer(), func(_, o *resourcev1.ResourceClaim) func() {
		return func() {
			s.engine.UpsertResourceClaim(changed(o, s.opts.Fault.ResourceClaim))
			s.claimSeen(o)
		}
	}, func(o *resourcev1.ResourceClaim) {
		s.claimGone(o.UID)
		if heard(o, s.opts.Fault.ClaimGone) {
			s.engine.DeleteResourceClaim(keyOf(o))
		}
	}))
	return t.Stop, nil
}

func (s *Scheduler) sliceNews(o any) {
	if slice, ok := o.(*resourcev1.ResourceSlice); ok {
		s.inbox.put(func() { s.engine.UpsertResourceSlice(changed(slice, s.opts.Fault.ResourceSlice)) })
	}
}
