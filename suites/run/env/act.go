package env

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"

	"muster/suites"
	"muster/suites/history"
)

// request is one deed of the driver.
type request struct {
	// verb is create, get, list, update, patch, delete or bind.
	verb         string
	gvr          schema.GroupVersionResource
	namespace    string
	name         string
	subresources []string
	object       *unstructured.Unstructured
	patch        []byte
	// accept is the media type that a get asks for; empty: the client's own.
	accept string
	// label of a Try.
	label string
	// node of a bind.
	node string
}

// do sends a request and records it together with its answer, whatever that was. The error is the client's.
func (e *Env) do(ctx context.Context, r request) (history.Response, error) {
	if r.name == "" && r.object != nil {
		r.name = r.object.GetName()
	}
	var a history.Action
	a.SentWall, a.SentMono = e.o.Journal.Now()
	obj, err := e.send(ctx, r)
	a.Scenario, a.Label, a.Node = e.o.Scenario.Name, r.label, r.node
	a.Response = answer(r.verb, obj, err)
	if len(r.subresources) > 0 {
		a.Subresource = r.subresources[0]
	}
	if r.label != "" {
		a.Response.Object = storable(obj)
	}
	ev := history.Event{
		Stream: stream(e.o.Scenario.Name), Origin: history.Driver, Verb: r.verb,
		Group: r.gvr.Group, Version: r.gvr.Version, Resource: r.gvr.Resource,
		Namespace: r.namespace, Name: r.name, UID: a.Response.UID, RV: a.Response.RV, Action: &a,
	}
	switch {
	case r.patch != nil:
		ev.Patch = r.patch
	case r.label != "" || err != nil:
		// What was asked for is kept where the answer is of interest; else the watch shows it.
		ev.Object = storable(r.object)
	}
	e.o.Journal.Action(ev)
	if err == nil && r.verb == history.VerbCreate && r.gvr == namespacesGVR {
		e.serviceAccount(ctx, r.name)
	}
	return a.Response, err
}

func (e *Env) send(ctx context.Context, r request) (*unstructured.Unstructured, error) {
	var c dynamic.ResourceInterface = e.o.Client.Resource(r.gvr)
	if r.namespace != "" {
		c = e.o.Client.Resource(r.gvr).Namespace(r.namespace)
	}
	switch r.verb {
	case history.VerbCreate, history.VerbBind:
		return c.Create(ctx, r.object, metav1.CreateOptions{}, r.subresources...)
	case history.VerbGet:
		return c.Get(accepting(ctx, r.accept), r.name, metav1.GetOptions{}, r.subresources...)
	case history.VerbUpdate:
		return c.Update(ctx, r.object, metav1.UpdateOptions{}, r.subresources...)
	case history.VerbPatch:
		return c.Patch(ctx, r.name, types.MergePatchType, r.patch, metav1.PatchOptions{}, r.subresources...)
	case history.VerbDelete:
		return nil, c.Delete(ctx, r.name, metav1.DeleteOptions{}, r.subresources...)
	case history.VerbList:
		list, err := c.List(ctx, metav1.ListOptions{})
		return listed(list), err
	}
	return nil, fmt.Errorf("verb %q is none of create, get, list, update, patch, delete", r.verb)
}

// must is do for deeds whose refusal means that the scenario cannot go on.
func (e *Env) must(ctx context.Context, r request) error {
	if _, err := e.do(ctx, r); err != nil {
		what := r.gvr.Resource
		if len(r.subresources) > 0 {
			what += "/" + r.subresources[0]
		}
		name := r.name
		if name == "" && r.object != nil {
			name = r.object.GetName()
		}
		if r.namespace != "" {
			name = r.namespace + "/" + name
		}
		return fmt.Errorf("%s %s %s: %w", gerund[r.verb], what, name, err)
	}
	return nil
}

var gerund = map[string]string{
	history.VerbCreate: "creating", history.VerbGet: "getting", history.VerbList: "listing", history.VerbUpdate: "updating", history.VerbPatch: "patching",
	history.VerbDelete: "deleting", history.VerbBind: "binding",
}

// Create creates an object; where it names no namespace and its resource is namespaced, in the scenario's.
func (e *Env) Create(ctx context.Context, gvr schema.GroupVersionResource, obj *unstructured.Unstructured) error {
	obj = obj.DeepCopy()
	ns := e.namespaceFor(gvr)
	if ns != "" && obj.GetNamespace() == "" {
		obj.SetNamespace(ns)
	}
	if ns != "" {
		ns = obj.GetNamespace()
	}
	return e.must(ctx, request{verb: history.VerbCreate, gvr: gvr, namespace: ns, object: obj})
}

// Patch applies a JSON merge patch to an object of the scenario.
func (e *Env) Patch(ctx context.Context, gvr schema.GroupVersionResource, name string, mergePatch []byte, subresources ...string) error {
	return e.must(ctx, request{
		verb: history.VerbPatch, gvr: gvr, namespace: e.namespaceFor(gvr), name: name, patch: mergePatch, subresources: subresources,
	})
}

// Delete deletes an object of the scenario.
func (e *Env) Delete(ctx context.Context, gvr schema.GroupVersionResource, name string) error {
	return e.must(ctx, request{verb: history.VerbDelete, gvr: gvr, namespace: e.namespaceFor(gvr), name: name})
}

// Try sends a request and gives the recorded answer back, whatever it was. The error is the harness's: there was no
// answer, or the attempt is none.
func (e *Env) Try(ctx context.Context, label string, a suites.Attempt) (history.Response, error) {
	if label == "" {
		return history.Response{}, fmt.Errorf("trying to %s %s: an attempt needs a label to be found by", a.Verb, a.GVR.Resource)
	}
	r := request{
		verb: a.Verb, gvr: a.GVR, name: a.Name, subresources: a.Subresources, object: a.Object, patch: a.Patch, accept: a.Accept, label: label,
	}
	if !a.ClusterScoped {
		r.namespace = e.Namespace()
		if r.object != nil && r.object.GetNamespace() == "" {
			r.object = r.object.DeepCopy()
			r.object.SetNamespace(r.namespace)
		}
	}
	resp, err := e.do(ctx, r)
	if resp.Code != 0 {
		return resp, nil
	}
	return resp, fmt.Errorf("trying %q: no answer: %w", label, err)
}

// clusterScoped are the resources scenarios touch that have no namespace.
var clusterScoped = map[schema.GroupResource]bool{
	{Resource: "nodes"}:                                                    true,
	{Resource: "namespaces"}:                                               true,
	{Resource: "persistentvolumes"}:                                        true,
	{Group: "scheduling.k8s.io", Resource: "priorityclasses"}:              true,
	{Group: "storage.k8s.io", Resource: "storageclasses"}:                  true,
	{Group: "storage.k8s.io", Resource: "csinodes"}:                        true,
	{Group: "resource.k8s.io", Resource: "deviceclasses"}:                  true,
	{Group: "resource.k8s.io", Resource: "resourceslices"}:                 true,
	{Group: "resource.k8s.io", Resource: "devicetaintrules"}:               true,
	{Group: "apiextensions.k8s.io", Resource: "customresourcedefinitions"}: true,
}

func (e *Env) namespaceFor(gvr schema.GroupVersionResource) string {
	if clusterScoped[gvr.GroupResource()] {
		return ""
	}
	return e.Namespace()
}
