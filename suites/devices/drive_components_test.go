package devices

import (
	"context"
	stdslices "slices"

	"muster/suites"
)

// Components of the stub stop and start at once, where the scenario has said that it needs them.
func (e *stubEnv) Components() (suites.Components, error) {
	if !stdslices.Contains(e.needs.Capabilities, suites.RestartComponents) {
		e.t.Error("the scenario restarts components and does not need to")
	}
	return &stubComponents{e: e, stopped: map[string]bool{}}, nil
}

type stubComponents struct {
	e       *stubEnv
	stopped map[string]bool
}

func (c *stubComponents) StopComponent(_ context.Context, name string) error {
	if c.stopped[name] {
		c.e.t.Errorf("%s is stopped twice", name)
	}
	c.stopped[name] = true
	return nil
}

func (c *stubComponents) StartComponent(_ context.Context, name string, _ suites.Flags) error {
	if !c.stopped[name] {
		c.e.t.Errorf("%s is started and was not stopped", name)
	}
	c.stopped[name] = false
	return nil
}

// Metrics of the stub are read, where the scenario has said that it needs them, and not told.
func (e *stubEnv) Metrics() (suites.Metrics, error) {
	if !stdslices.Contains(e.needs.Capabilities, suites.ReadMetrics) {
		e.t.Error("the scenario reads metrics and does not need to")
	}
	return stubMetrics{}, nil
}

type stubMetrics struct{}

func (stubMetrics) Read(context.Context, string, string, ...string) error { return nil }
