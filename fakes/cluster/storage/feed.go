package storage

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"go.etcd.io/etcd/api/v3/mvccpb"
	clientv3 "go.etcd.io/etcd/client/v3"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
)

// Feed lists and watches one resource where it is stored, with the results that the API server's own list and watch have:
// the same objects, the same resource versions, the same order. It is told of a change when the change is stored. A watch of
// the API server is told of it when that has found the time, which behind a hundred requests is half a second later.
type Feed struct {
	client *clientv3.Client
	gvr    schema.GroupVersionResource
	prefix string
}

// ShownAsStored reports whether the API server shows the objects of a resource as they are stored, so that a feed tells of them
// as it does. Of jobs it does not: reading one, it takes the labels that it has given the pods for the job's own, where that has
// none (SetDefaults_Job, pkg/apis/batch/v1/defaults.go).
func ShownAsStored(gvr schema.GroupVersionResource) bool {
	return gvr.GroupResource() != schema.GroupResource{Group: "batch", Resource: "jobs"}
}

// Feed of a resource of one of Kubernetes' own types that is stored in the version named, and ShownAsStored.
func (s *Store) Feed(gvr schema.GroupVersionResource) *Feed {
	return &Feed{client: s.client, gvr: gvr, prefix: Prefix + folder(gvr.Resource) + "/"}
}

// folder is the place of a resource's objects below Prefix.
func folder(resource string) string {
	if resource == "nodes" {
		return "minions" // as they were called once
	}
	return resource
}

// List is every object there is, at one revision.
func (f *Feed) List(ctx context.Context, _ metav1.ListOptions) (runtime.Object, error) {
	resp, err := f.client.Get(ctx, f.prefix, clientv3.WithPrefix())
	if err != nil {
		return nil, fmt.Errorf("listing %s in storage: %w", f.gvr.Resource, err)
	}
	out := &metav1.List{ListMeta: metav1.ListMeta{ResourceVersion: strconv.FormatInt(resp.Header.Revision, 10)}}
	for _, kv := range resp.Kvs {
		obj, err := f.decode(kv, kv.ModRevision)
		if err != nil {
			return nil, err
		}
		out.Items = append(out.Items, runtime.RawExtension{Object: obj})
	}
	return out, nil
}

// Watch tells of every change after the resource version that the options name.
func (f *Feed) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	from, err := strconv.ParseInt(opts.ResourceVersion, 10, 64)
	if err != nil {
		return nil, fmt.Errorf("watching %s in storage from resource version %q: it is not a number", f.gvr.Resource, opts.ResourceVersion)
	}
	ctx, cancel := context.WithCancel(ctx)
	changes := f.client.Watch(ctx, f.prefix, clientv3.WithPrefix(), clientv3.WithRev(from+1), clientv3.WithPrevKV())
	out := make(chan watch.Event)
	w := watch.NewProxyWatcher(out)
	go func() {
		defer close(out)
		defer cancel()
		f.forward(ctx, changes, out, w.StopChan())
	}()
	return w, nil
}

// forward hands out changes until they end or nobody wants them any more.
func (f *Feed) forward(ctx context.Context, changes clientv3.WatchChan, out chan<- watch.Event, stopped <-chan struct{}) {
	send := func(e watch.Event) bool {
		select {
		case out <- e:
			return true
		case <-stopped:
		case <-ctx.Done():
		}
		return false
	}
	for {
		var resp clientv3.WatchResponse
		var more bool
		select {
		case resp, more = <-changes:
		case <-stopped:
		}
		if !more {
			return
		}
		if err := resp.Err(); err != nil {
			send(broken(err))
			return
		}
		for _, c := range resp.Events {
			e, err := f.event(c)
			if err != nil {
				send(broken(err))
				return
			}
			if !send(e) {
				return
			}
		}
	}
}

// broken is the event that says that only a new list can help.
func broken(err error) watch.Event {
	status := apierrors.NewResourceExpired(err.Error()).ErrStatus
	return watch.Event{Type: watch.Error, Object: &status}
}

// event of a change. What was deleted is shown as it was last, with the version of its end.
func (f *Feed) event(c *clientv3.Event) (watch.Event, error) {
	kind, kv := watch.Modified, c.Kv
	switch {
	case c.Type == clientv3.EventTypeDelete && c.PrevKv == nil:
		return watch.Event{}, fmt.Errorf("%s was deleted, and what it was is compacted", c.Kv.Key)
	case c.Type == clientv3.EventTypeDelete:
		kind, kv = watch.Deleted, c.PrevKv
	case c.IsCreate():
		kind = watch.Added
	}
	obj, err := f.decode(kv, c.Kv.ModRevision)
	return watch.Event{Type: kind, Object: obj}, err
}

var decoder = scheme.Codecs.UniversalDeserializer()

// errForm: what is stored is not what was asked for.
var errForm = errors.New("it is stored in another form")

// decode a stored object, with the version that a change of this revision gives it.
func (f *Feed) decode(kv *mvccpb.KeyValue, revision int64) (runtime.Object, error) {
	obj, gvk, err := decoder.Decode(kv.Value, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("decoding %s: %w", kv.Key, err)
	}
	if gvk.GroupVersion() != f.gvr.GroupVersion() {
		return nil, fmt.Errorf("decoding %s: %w: %s, not %s", kv.Key, errForm, gvk.GroupVersion(), f.gvr.GroupVersion())
	}
	m, err := meta.Accessor(obj)
	if err != nil {
		return nil, fmt.Errorf("decoding %s: %w", kv.Key, err)
	}
	if !strings.HasSuffix(string(kv.Key), "/"+m.GetName()) {
		return nil, fmt.Errorf("decoding %s: %w: the name in it is %s", kv.Key, errForm, m.GetName())
	}
	m.SetResourceVersion(strconv.FormatInt(revision, 10))
	return obj, nil
}
