package suites

import (
	"context"
	"errors"
)

// Names of the components of a control plane that a scenario can restart (see fakes/cluster).
const (
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
)

// Flags are what a component is started with on top of what the cluster was started with, by name; none: the same again.
type Flags struct {
	// Gates of the component, and RuntimeConfig ("scheduling.k8s.io/v1beta1"), which only the API server has.
	Gates, RuntimeConfig map[string]bool
}

// Components of the control plane are stopped and started. When it was is recorded as a fault that has the component's
// name: see View.Broken. A component that is still stopped when the scenario ends, or runs with other flags, is started
// then as the cluster had it.
type Components interface {
	// StopComponent returns when it has ended.
	StopComponent(ctx context.Context, name string) error
	// StartComponent starts one that was stopped and returns when it answers.
	StartComponent(ctx context.Context, name string, flags Flags) error
}

// RestartComponents is the capability (see fakes/cluster) of a scenario that uses Components. It must not share its
// cluster with others meanwhile.
const RestartComponents = "restart-components"

// Restarting is an Env that has Components.
type Restarting interface{ Components() (Components, error) }

// ComponentsOf are those of a scenario whose Needs ask for RestartComponents.
func ComponentsOf(env Env) (Components, error) {
	r, ok := env.(Restarting)
	if !ok {
		return nil, errors.New("restarting components: the control plane is nobody's to stop here; the scenario must need " +
			RestartComponents)
	}
	return r.Components()
}
