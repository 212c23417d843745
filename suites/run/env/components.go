package env

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"muster/suites"
	"muster/suites/history"
)

// Components are those of a control plane (a cluster.Embedded).
type Components interface {
	StopComponent(ctx context.Context, name string) error
	StartComponent(ctx context.Context, name string, gates, runtimeConfig map[string]bool) error
}

// Components are those of the session's cluster.
func (e *Env) Components() (suites.Components, error) {
	if e.o.Components == nil {
		return nil, errors.New("restarting components: this session's cluster cannot; the scenario must need " +
			suites.RestartComponents)
	}
	return &restarting{e}, nil
}

// restarting is suites.Components: it records every deed, and what is to be put right in the end.
type restarting struct{ e *Env }

// StopComponent stops one.
func (r *restarting) StopComponent(ctx context.Context, name string) error {
	if err := r.e.o.Components.StopComponent(ctx, name); err != nil {
		return err
	}
	r.e.mu.Lock()
	r.e.changed[name] = false
	r.e.mu.Unlock()
	r.e.write(history.VerbBreak, name, history.Action{Label: "stopped"})
	return nil
}

// StartComponent starts one.
func (r *restarting) StartComponent(ctx context.Context, name string, f suites.Flags) error {
	if err := r.e.o.Components.StartComponent(ctx, name, f.Gates, f.RuntimeConfig); err != nil {
		return err
	}
	r.e.mu.Lock()
	if r.e.changed[name] = true; len(f.Gates)+len(f.RuntimeConfig) == 0 {
		delete(r.e.changed, name)
	}
	r.e.mu.Unlock()
	r.e.write(history.VerbMend, name, history.Action{Label: fmt.Sprintf("started with gates %v and runtime config %v on top", f.Gates, f.RuntimeConfig)})
	return nil
}

// restore starts every component that is stopped, or runs with other flags, as the cluster had it.
func (e *Env) restore(ctx context.Context) error {
	e.mu.Lock()
	changed := maps.Clone(e.changed)
	e.mu.Unlock()
	r, errs := &restarting{e}, []error{}
	for _, name := range slices.Sorted(maps.Keys(changed)) {
		if running := changed[name]; running {
			if err := r.StopComponent(ctx, name); err != nil {
				errs = append(errs, err)
				continue
			}
		}
		errs = append(errs, r.StartComponent(ctx, name, suites.Flags{}))
	}
	return errors.Join(errs...)
}
