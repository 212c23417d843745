package register

import (
	"context"
	"errors"
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"muster/fakes/gpus"
	"muster/fakes/nodes"
)

// Devices creates what belongs to the devices of pools beside the slices of single nodes: their classes, and the slices of
// devices that nodes share. Classes that are there already are left as they are: pools of one scope have them in common.
func Devices(ctx context.Context, cfg *rest.Config, pools ...nodes.Pool) error {
	client, err := kubernetes.NewForConfig(unlimited(cfg))
	if err != nil {
		return fmt.Errorf("creating device classes: %w", err)
	}
	if err := classes(ctx, client, pools); err != nil {
		return err
	}
	for _, p := range pools {
		shared, err := gpus.SharedSlices(p)
		if err != nil {
			return err
		}
		if err := publish(ctx, client, shared); err != nil {
			return err
		}
	}
	return nil
}

// Classes creates the classes alone, where slices were made in another way.
func Classes(ctx context.Context, cfg *rest.Config, pools ...nodes.Pool) error {
	client, err := kubernetes.NewForConfig(unlimited(cfg))
	if err != nil {
		return fmt.Errorf("creating device classes: %w", err)
	}
	return classes(ctx, client, pools)
}

func classes(ctx context.Context, client kubernetes.Interface, pools []nodes.Pool) error {
	wanted, err := gpus.Classes(pools...)
	if err != nil {
		return err
	}
	for _, c := range wanted {
		_, err := client.ResourceV1().DeviceClasses().Create(ctx, c, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return because(ctx, fmt.Errorf("creating device class %s: %w", c.Name, err))
		}
	}
	return nil
}

func publish(ctx context.Context, client kubernetes.Interface, slices []*resourcev1.ResourceSlice) error {
	for _, s := range slices {
		if _, err := client.ResourceV1().ResourceSlices().Create(ctx, s, metav1.CreateOptions{}); err != nil {
			return because(ctx, fmt.Errorf("publishing resource slice %s: %w", s.Name, err))
		}
	}
	return nil
}

// because is the error, or, of a request that was given up because another went wrong, that one's.
func because(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil && errors.Is(err, context.Canceled) {
		return cause
	}
	return err
}
