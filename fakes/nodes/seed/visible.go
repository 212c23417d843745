package seed

import (
	"context"
	"fmt"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// page is how many objects are listed at a time: thousands of slices at once are a hundred megabytes.
const page = 500

// Visible makes sure that everything that was seeded can be listed through the API, devices one by one.
func Visible(ctx context.Context, cfg *rest.Config, want Counts) error {
	cfg = rest.CopyConfig(cfg)
	cfg.ContentType, cfg.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf
	client, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	return count(ctx, client, want)
}

func count(ctx context.Context, client kubernetes.Interface, want Counts) error {
	var got Counts
	if err := pages(func(o metav1.ListOptions) (string, error) {
		list, err := client.CoreV1().Nodes().List(ctx, o)
		if err != nil {
			return "", fmt.Errorf("listing nodes: %w", err)
		}
		got.Nodes += len(list.Items)
		return list.Continue, nil
	}); err != nil {
		return err
	}
	if err := pages(func(o metav1.ListOptions) (string, error) {
		list, err := client.ResourceV1().ResourceSlices().List(ctx, o)
		if err != nil {
			return "", fmt.Errorf("listing resource slices: %w", err)
		}
		got.Slices += len(list.Items)
		for i := range list.Items {
			got.Devices += len(list.Items[i].Spec.Devices)
		}
		return list.Continue, nil
	}); err != nil {
		return err
	}
	if got != want {
		return fmt.Errorf("listing what was seeded: there are %d nodes, %d slices and %d devices; want %d, %d and %d",
			got.Nodes, got.Slices, got.Devices, want.Nodes, want.Slices, want.Devices)
	}
	return nil
}

// pages calls list until there is no more.
func pages(list func(metav1.ListOptions) (next string, err error)) error {
	o := metav1.ListOptions{Limit: page}
	for {
		next, err := list(o)
		if err != nil || next == "" {
			return err
		}
		o.Continue = next
	}
}
