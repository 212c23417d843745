package record

import (
	"context"
	"errors"
	"fmt"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/metadata"
	"k8s.io/client-go/rest"
)

// Source lists and watches one resource in all namespaces, as a client of the API server does: with resource versions that
// increase, and a list from whose version a watch misses nothing.
type Source interface {
	List(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error)
	Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error)
}

// connect finds out which resources are served and makes a stream for each.
func (r *Recorder) connect(ctx context.Context) error {
	cfg := rest.CopyConfig(r.opts.Config)
	cfg.WarningHandler = rest.NoWarnings{}
	var err error
	if r.meta, err = metadata.NewForConfig(cfg); err != nil {
		return fmt.Errorf("making a metadata client: %w", err)
	}
	if r.opts.Hub != nil {
		r.opts.Hub.streams(r, r.opts.Keep)
		return ctx.Err()
	}
	disco, err := discovery.NewDiscoveryClientForConfig(cfg)
	if err != nil {
		return fmt.Errorf("making a discovery client: %w", err)
	}
	for _, gvr := range wanted(r.opts.Resources) {
		if gvr.Resource == "secrets" {
			return errors.New("secrets are never recorded")
		}
		api, err := served(disco, gvr)
		if err != nil {
			return err
		}
		if api == nil {
			if slices.Contains(always, gvr) {
				return fmt.Errorf("the API server does not serve %s", gvr.Resource)
			}
			r.skipped = append(r.skipped, gvr)
			continue
		}
		var src Source
		if r.opts.Source != nil {
			src = r.opts.Source(gvr)
		}
		if src == nil {
			if src, err = newSource(cfg, gvr, api.Kind); err != nil {
				return fmt.Errorf("making a client for %s: %w", gvr.Resource, err)
			}
		}
		r.streams = append(r.streams, newStream(r, gvr, api.Kind, api.Namespaced, src))
	}
	return ctx.Err()
}

// wanted is every resource once, those always recorded first.
func wanted(extra []schema.GroupVersionResource) []schema.GroupVersionResource {
	out := slices.Clone(always)
	for _, gvr := range extra {
		if !slices.Contains(out, gvr) {
			out = append(out, gvr)
		}
	}
	return out
}

// served finds the resource in discovery; nil where the API does not have it.
func served(disco discovery.DiscoveryInterface, gvr schema.GroupVersionResource) (*metav1.APIResource, error) {
	list, err := disco.ServerResourcesForGroupVersion(gvr.GroupVersion().String())
	if apierrors.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("asking for the resources of %s: %w", gvr.GroupVersion(), err)
	}
	for i := range list.APIResources {
		if list.APIResources[i].Name == gvr.Resource {
			return &list.APIResources[i], nil
		}
	}
	return nil, nil
}

// newSource speaks protobuf for Kubernetes' own types: the API server has those bytes ready for its own components,
// and they cost a third of JSON to decode. Everything else is JSON.
func newSource(cfg *rest.Config, gvr schema.GroupVersionResource, kind string) (Source, error) {
	if !scheme.Scheme.Recognizes(gvr.GroupVersion().WithKind(kind)) {
		dyn, err := dynamic.NewForConfig(cfg)
		if err != nil {
			return nil, err
		}
		return dynamicSource{dyn.Resource(gvr)}, nil
	}
	cfg = rest.CopyConfig(cfg)
	gv := gvr.GroupVersion()
	cfg.GroupVersion = &gv
	cfg.APIPath = "/apis"
	if gv.Group == "" {
		cfg.APIPath = "/api"
	}
	cfg.NegotiatedSerializer = scheme.Codecs.WithoutConversion()
	cfg.ContentType = runtime.ContentTypeProtobuf
	cfg.AcceptContentTypes = runtime.ContentTypeProtobuf + "," + runtime.ContentTypeJSON
	client, err := rest.RESTClientFor(cfg)
	if err != nil {
		return nil, err
	}
	return typedSource{client, gvr.Resource}, nil
}

type dynamicSource struct {
	client dynamic.NamespaceableResourceInterface
}

func (s dynamicSource) List(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	return s.client.List(ctx, opts)
}

func (s dynamicSource) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	return s.client.Watch(ctx, opts)
}

type typedSource struct {
	client   rest.Interface
	resource string
}

func (s typedSource) List(ctx context.Context, opts metav1.ListOptions) (runtime.Object, error) {
	return s.client.Get().Resource(s.resource).VersionedParams(&opts, scheme.ParameterCodec).Do(ctx).Get()
}

func (s typedSource) Watch(ctx context.Context, opts metav1.ListOptions) (watch.Interface, error) {
	opts.Watch = true
	return s.client.Get().Resource(s.resource).VersionedParams(&opts, scheme.ParameterCodec).Watch(ctx)
}

// plain turns any object into decoded JSON that may be kept.
func plain(obj runtime.Object, gvk schema.GroupVersionKind) (map[string]any, error) {
	var out map[string]any
	if u, ok := obj.(runtime.Unstructured); ok {
		out = u.UnstructuredContent()
	} else {
		// Managed fields are the greater part of many objects and need not be converted first. An object of a hub has none,
		// and is shared.
		if m, err := meta.Accessor(obj); err == nil && m.GetManagedFields() != nil {
			m.SetManagedFields(nil)
		}
		var err error
		if out, err = runtime.DefaultUnstructuredConverter.ToUnstructured(obj); err != nil {
			return nil, err
		}
	}
	out["apiVersion"], out["kind"] = gvk.GroupVersion().String(), gvk.Kind
	strip(out)
	return out, nil
}
