package cluster_test

import (
	"context"
	"encoding/json"
	"os"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"sigs.k8s.io/yaml"

	"muster/fakes/cluster"
)

// lister lists and watches, as both the API server's clients and feeds do.
type lister interface {
	List(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error)
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

type served struct{ dynamic.ResourceInterface }

func (s served) List(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	return s.ResourceInterface.List(ctx, opts)
}

// fed is what is recorded, an object of each to create.
var fed = []struct {
	gvr    schema.GroupVersionResource
	object string
}{
	{schema.GroupVersionResource{Version: "v1", Resource: "pods"}, `
apiVersion: v1
kind: Pod
metadata: {name: a, namespace: default}
spec:
  schedulerName: nobody
  containers: [{name: c, image: i, env: [{name: A, value: b}]}]`},
	{schema.GroupVersionResource{Version: "v1", Resource: "nodes"}, `
apiVersion: v1
kind: Node
metadata: {name: a, labels: {zone: z}}`},
	{schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1", Resource: "priorityclasses"}, `
apiVersion: scheduling.k8s.io/v1
kind: PriorityClass
metadata: {name: a}
value: 7`},
	{schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "podgroups"}, `
apiVersion: scheduling.k8s.io/v1beta1
kind: PodGroup
metadata: {name: a, namespace: default}
spec: {schedulingPolicy: {gang: {minCount: 3}}}`},
	{schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1alpha3", Resource: "compositepodgroups"}, `
apiVersion: scheduling.k8s.io/v1alpha3
kind: CompositePodGroup
metadata: {name: a, namespace: default}
spec: {workloadRef: {workloadName: w, templateName: t}, schedulingPolicy: {gang: {minGroupCount: 2}}}`},
	{schema.GroupVersionResource{Group: "resource.k8s.io", Version: "v1", Resource: "resourceclaims"}, `
apiVersion: resource.k8s.io/v1
kind: ResourceClaim
metadata: {name: a, namespace: default}
spec: {devices: {requests: [{name: r, exactly: {deviceClassName: c}}]}}`},
	{schema.GroupVersionResource{Group: "scheduling.k8s.io", Version: "v1beta1", Resource: "workloads"}, `
apiVersion: scheduling.k8s.io/v1beta1
kind: Workload
metadata: {name: a, namespace: default}
spec: {podGroupTemplates: [{name: t, schedulingPolicy: {gang: {minCount: 3}}}]}`},
	{schema.GroupVersionResource{Group: "policy", Version: "v1", Resource: "poddisruptionbudgets"}, `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: a, namespace: default}
spec: {minAvailable: 1, selector: {matchLabels: {a: b}}}`},
}

// TestAFeedTellsWhatTheAPIServerTells creates, changes and deletes an object of each resource, and compares lists and watches
// of the API server with those of storage: the same objects with the same versions, in the same order.
func TestAFeedTellsWhatTheAPIServerTells(t *testing.T) {
	binary := os.Getenv("MUSTER_BIN")
	if binary == "" {
		t.Skip("set MUSTER_BIN to the built binary to compare feeds with an API server")
	}
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	c, err := cluster.Start(ctx, cluster.Options{Parent: t.TempDir(), Binary: binary})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Stop(context.Background()) }()
	store, err := c.OpenStorage()
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	client, err := dynamic.NewForConfig(c.RESTConfig())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range fed {
		api := client.Resource(f.gvr)
		var in dynamic.ResourceInterface = api
		obj := &unstructured.Unstructured{}
		if err := yaml.Unmarshal([]byte(f.object), &obj.Object); err != nil {
			t.Fatal(err)
		}
		if ns := obj.GetNamespace(); ns != "" {
			in = api.Namespace(ns)
		}
		before := listed(ctx, t, served{api})
		theirs, ours := events(ctx, t, served{api}, before), events(ctx, t, store.Feed(f.gvr), before)

		for _, step := range []func() error{
			func() error { _, err := in.Create(ctx, obj, metav1.CreateOptions{}); return err },
			func() error {
				_, err := in.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"labels":{"x":"y"},"finalizers":["example.com/f"]}}`), metav1.PatchOptions{})
				return err
			},
			func() error {
				now := int64(0)
				return in.Delete(ctx, "a", metav1.DeleteOptions{GracePeriodSeconds: &now})
			},
			func() error {
				_, err := in.Patch(ctx, "a", types.MergePatchType, []byte(`{"metadata":{"finalizers":null}}`), metav1.PatchOptions{})
				return err
			},
		} {
			if err := step(); err != nil {
				t.Fatalf("%s: %v", f.gvr.Resource, err)
			}
			// Controllers change objects too: what the API server lists lies between two equal lists of storage.
			got := listed(ctx, t, store.Feed(f.gvr))
			for {
				want, after := listed(ctx, t, served{api}), listed(ctx, t, store.Feed(f.gvr))
				if got.objects == after.objects {
					if want.objects != got.objects {
						t.Errorf("%s: storage lists\n%s\nwhere the API server lists\n%s", f.gvr.Resource, got.objects, want.objects)
					}
					break
				}
				got = after
			}
		}
		for n := 0; ; n++ {
			want, got := next(ctx, t, theirs, "a"), next(ctx, t, ours, "a")
			if want != got {
				t.Errorf("%s, event %d: storage tells\n%s\nwhere the API server tells\n%s", f.gvr.Resource, n, got, want)
			}
			if ctx.Err() != nil || want[:len(watch.Deleted)] == string(watch.Deleted) {
				if n < 3 {
					t.Errorf("%s: %d events", f.gvr.Resource, n+1)
				}
				break
			}
		}
	}
}

type list struct{ version, objects string }

// listed is a list as JSON.
func listed(ctx context.Context, t *testing.T, l lister) list {
	t.Helper()
	got, err := l.List(ctx, metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	access, err := meta.ListAccessor(got)
	if err != nil {
		t.Fatal(err)
	}
	out := list{version: access.GetResourceVersion()}
	if err := meta.EachListItem(got, func(o runtime.Object) error {
		out.objects += inJSON(t, o) + "\n"
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

func inJSON(t *testing.T, o runtime.Object) string {
	t.Helper()
	plain, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
	if err != nil {
		t.Fatal(err)
	}
	delete(plain, "kind") // items of typed lists have none
	delete(plain, "apiVersion")
	raw, err := json.Marshal(plain)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func events(ctx context.Context, t *testing.T, l lister, after list) watch.Interface {
	t.Helper()
	w, err := l.Watch(ctx, metav1.ListOptions{ResourceVersion: after.version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	return w
}

// next event about an object of a name, in words.
func next(ctx context.Context, t *testing.T, w watch.Interface, name string) string {
	t.Helper()
	for {
		select {
		case e, ok := <-w.ResultChan():
			if !ok {
				t.Fatal("the watch ended")
			}
			m, err := meta.Accessor(e.Object)
			if err != nil {
				t.Fatalf("%+v", e)
			}
			if m.GetName() == name {
				return string(e.Type) + " " + inJSON(t, e.Object)
			}
		case <-ctx.Done():
			t.Fatal("no further event")
		}
	}
}
