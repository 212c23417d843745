package embedded

import (
	"context"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/rest"

	"muster/fakes/cluster"
	"muster/fakes/cluster/process"
	"muster/fakes/cluster/storage"
	"muster/fakes/nodes"
	"muster/fakes/nodes/register"
	"muster/fakes/nodes/seed"
	"muster/suites/run"
)

// Backdrop is a pool of nodes, with their devices, that stands in the main cluster beside what scenarios make for
// themselves: the scheduler is judged in a cluster of that size. Nothing of a scenario runs on it.
type Backdrop struct {
	Pool nodes.Pool

	// What came of it, after the scheduler was ready: how many devices there are, how long after the start everything could
	// be listed, and the memory of all processes together, this one included, in bytes.
	Devices int
	Visible time.Duration
	Memory  int64
}

// Wanted reports whether there is one.
func (b *Backdrop) Wanted() bool { return b != nil && b.Pool.Count > 0 }

// stand has a cluster come up with the backdrop in it.
func (b *Backdrop) stand(session string, o *cluster.Options) {
	if !b.Wanted() || session != run.MainShard {
		return
	}
	began, seeded := time.Now(), seed.Counts{}
	o.Preload = func(ctx context.Context, store *storage.Store) error {
		var err error
		seeded, err = seed.Pools(ctx, store, nil, b.Pool)
		return err
	}
	o.Seed = func(ctx context.Context, cfg *rest.Config) error {
		if err := register.Classes(ctx, cfg, b.Pool); err != nil {
			return err
		}
		if err := seed.Visible(ctx, cfg, seeded); err != nil {
			return fmt.Errorf("making the backdrop: %w", err)
		}
		b.Devices, b.Visible = seeded.Devices, time.Since(began)
		return nil
	}
}

// measure adds up the memory of the processes of a cluster, of the scheduler in front of it, and of this one.
func (b *Backdrop) measure(c cluster.Cluster, scheduler int64) {
	b.Memory = scheduler
	if own, err := process.Alone(os.Getpid()); err == nil {
		b.Memory += own.RSS
	}
	for _, pid := range c.Processes() {
		if u, err := process.Of(pid); err == nil {
			b.Memory += u.RSS
		}
	}
}
