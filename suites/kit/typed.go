package kit

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
)

// Untyped is what a client sends of a typed object: without a status, which servers write.
func Untyped(obj runtime.Object) (*unstructured.Unstructured, error) {
	m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(obj)
	if err != nil {
		return nil, fmt.Errorf("converting %T: %w", obj, err)
	}
	delete(m, "status")
	return &unstructured.Unstructured{Object: m}, nil
}

// Create creates a typed object for which suites.Env has no method of its own.
func Create(ctx context.Context, env suites.Env, gvr schema.GroupVersionResource, obj runtime.Object) error {
	u, err := Untyped(obj)
	if err != nil {
		return err
	}
	return env.Create(ctx, gvr, u)
}
