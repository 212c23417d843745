package shapes

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
)

// Client is all of a cluster that the controller needs.
type Client interface {
	// Create creates an object. created is false where one of that name existed already, which is no error.
	Create(ctx context.Context, obj *unstructured.Unstructured) (created bool, err error)
}

// Shape is a workload that can say what should exist.
type Shape interface {
	// Objects in the order in which they have to be created: what is referred to comes first.
	Objects() ([]runtime.Object, error)
}

// Reconcile creates what is missing of the shape and returns how many objects that were. It never changes nor deletes:
// what goes away does so with its owner.
func Reconcile(ctx context.Context, c Client, s Shape) (created int, err error) {
	objects, err := s.Objects()
	if err != nil {
		return 0, err
	}
	for _, o := range objects {
		m, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		if err != nil {
			return created, fmt.Errorf("converting %T: %w", o, err)
		}
		delete(m, "status")
		u := &unstructured.Unstructured{Object: m}
		made, err := c.Create(ctx, u)
		if err != nil {
			return created, fmt.Errorf("creating %s %s: %w", u.GetKind(), u.GetName(), err)
		}
		if made {
			created++
		}
	}
	return created, nil
}
