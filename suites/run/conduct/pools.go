package conduct

import (
	"context"
	"fmt"

	"muster/fakes/gpus/check"
	"muster/fakes/nodes"
	"muster/reports/v1alpha1"
	"muster/suites/run/embedded"
	"muster/suites/run/plan"
)

// checkPools refuses what cannot be made before anything is: above all a model of devices whose classes do not evaluate.
func checkPools(p *plan.Plan, backdrop nodes.Pool) error {
	if backdrop.Count > 0 {
		if err := backdrop.Validate(); err != nil {
			return fmt.Errorf("the backdrop: %w", err)
		}
		if err := check.Pools(context.Background(), backdrop); err != nil {
			return fmt.Errorf("the backdrop: %w", err)
		}
	}
	for _, s := range p.Scenarios {
		if err := check.Pools(context.Background(), s.Needs.Pools...); err != nil {
			return fmt.Errorf("scenario %s: %w", s.Name, err)
		}
	}
	return nil
}

// scenery is what the report says of the backdrop; nil where there was none.
func scenery(b *embedded.Backdrop) *v1alpha1.Backdrop {
	if !b.Wanted() {
		return nil
	}
	return &v1alpha1.Backdrop{
		Nodes: b.Pool.Count, Devices: b.Devices, Model: b.Pool.Devices.Model,
		VisibleSeconds: float64(b.Visible.Milliseconds()) / 1000, MemoryBytes: b.Memory,
	}
}
