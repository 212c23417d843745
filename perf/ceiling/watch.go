package ceiling

import (
	"context"
	"sync"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	resourcev1 "k8s.io/api/resource/v1"
	schedulingv1alpha3 "k8s.io/api/scheduling/v1alpha3"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	storagev1 "k8s.io/api/storage/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/tools/cache"
)

// watch follows everything a scheduler follows, what is used and what is not: an API server with fewer watchers would be
// another one. The channel is closed when all of it has been read once.
func (b *Binder) watch(ctx context.Context, all *sync.WaitGroup) <-chan struct{} {
	client := b.o.Clients[0]
	core, storage := client.CoreV1(), client.StorageV1()
	f := &following{binder: b, ctx: ctx, all: all}
	follow(f, core.Nodes(), &corev1.Node{}, (*world).upsertNode, func(w *world, k key, _ types.UID) { w.deleteNode(k.name) })
	follow(f, core.Pods(""), &corev1.Pod{}, (*world).upsertPod, (*world).deletePod)
	unused(f, core.PersistentVolumes(), &corev1.PersistentVolume{})
	unused(f, core.PersistentVolumeClaims(""), &corev1.PersistentVolumeClaim{})
	unused(f, core.Namespaces(), &corev1.Namespace{})
	unused(f, client.PolicyV1().PodDisruptionBudgets(""), &policyv1.PodDisruptionBudget{})
	unused(f, storage.StorageClasses(), &storagev1.StorageClass{})
	unused(f, storage.CSINodes(), &storagev1.CSINode{})
	if b.o.Serves.Groups {
		follow(f, client.SchedulingV1beta1().PodGroups(""), &schedulingv1beta1.PodGroup{}, (*world).upsertGroup, (*world).deleteGroup)
	}
	if b.o.Serves.Composites {
		unused(f, client.SchedulingV1alpha3().CompositePodGroups(""), &schedulingv1alpha3.CompositePodGroup{})
	}
	if b.o.Serves.Devices {
		api := client.ResourceV1()
		follow(f, api.ResourceSlices(), &resourcev1.ResourceSlice{}, (*world).upsertSlice,
			func(w *world, k key, _ types.UID) { w.deleteSlice(k.name) })
		follow(f, api.ResourceClaims(""), &resourcev1.ResourceClaim{}, (*world).upsertClaim, (*world).deleteClaim)
		unused(f, api.DeviceClasses(), &resourcev1.DeviceClass{})
	}
	read := make(chan struct{})
	go func() {
		f.first.Wait()
		close(read)
	}()
	return read
}

// following is what all watches share.
type following struct {
	binder *Binder
	ctx    context.Context
	all    *sync.WaitGroup
	first  sync.WaitGroup // of the first lists
}

// api is a typed client of one resource.
type api[L runtime.Object] interface {
	List(context.Context, metav1.ListOptions) (L, error)
	Watch(context.Context, metav1.ListOptions) (watch.Interface, error)
}

func follow[T metav1.Object, L runtime.Object](f *following, a api[L], sample runtime.Object,
	upsert func(*world, T), remove func(*world, key, types.UID)) {
	f.first.Add(1)
	s := &sink[T]{binder: f.binder, upsert: upsert, remove: remove, first: sync.OnceFunc(f.first.Done),
		have: map[types.UID]key{}}
	lw := cache.ToListWatcherWithWatchListSemantics(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, o metav1.ListOptions) (runtime.Object, error) { return a.List(ctx, o) },
		WatchFuncWithContext: func(ctx context.Context, o metav1.ListOptions) (watch.Interface, error) {
			return a.Watch(ctx, o)
		},
	}, f.binder.o.Clients[0])
	r := cache.NewReflectorWithOptions(lw, sample, s, cache.ReflectorOptions{})
	f.all.Go(func() { r.RunWithContext(f.ctx) })
}

// unused watches what a scheduler watches and this binder does not look at.
func unused[L runtime.Object](f *following, a api[L], sample runtime.Object) {
	follow(f, a, sample, func(*world, metav1.Object) {}, func(*world, key, types.UID) {})
}
