package standing

import (
	"context"
	"fmt"
	"maps"
	"os"
	"runtime/debug"
	"time"

	"k8s.io/client-go/rest"

	"muster/fakes/cluster"
	"muster/fakes/cluster/process"
	"muster/fakes/cluster/storage"
	"muster/fakes/nodes/register"
	"muster/fakes/nodes/seed"
	"muster/fakes/undertest"
)

// Event is what a supervisor says while it brings a cluster up: one of its fields is set.
type Event struct {
	Progress string  `json:"progress,omitempty"`
	Ready    *Record `json:"ready,omitempty"`
	Error    string  `json:"error,omitempty"`
}

// supervisor brings a cluster up and keeps it up until it is told to end.
type supervisor struct {
	spec   Spec
	dir    string
	record Record
	// tell returns an error when nobody listens any more.
	tell func(Event) error

	cluster   *cluster.Embedded
	scheduler *undertest.Scheduler
}

// run brings the cluster up, tells, and waits until ctx is done or a component dies. It returns with nothing running,
// and with the cluster's folder gone unless there is something to be read in it: the record of a failure.
func (s *supervisor) run(ctx context.Context) error {
	began := time.Now()
	started, err := process.StartTime(os.Getpid())
	if err != nil {
		return fmt.Errorf("looking at this process: %w", err)
	}
	s.record = Record{
		Name: s.spec.Name, Phase: Starting, PID: os.Getpid(), Started: started, Since: began.UTC(), Nodes: s.spec.Nodes.Count,
		Keep: s.spec.Keep,
	}
	if err := writeRecord(s.dir, s.record); err != nil {
		return err
	}
	defer s.stop()
	if err := s.start(ctx, began); err != nil {
		_ = os.RemoveAll(s.dir)
		return err
	}
	s.record.Phase = Ready
	s.record.ReadyAfter = time.Since(began).Seconds()
	s.record.ReadyRSS = s.record.status().RSS
	if err := writeRecord(s.dir, s.record); err != nil {
		return err
	}
	ready := s.record
	if err := s.tell(Event{Ready: &ready}); err != nil {
		_ = os.RemoveAll(s.dir)
		return fmt.Errorf("telling that the cluster is ready: %w", err)
	}
	return s.wait(ctx)
}

// start brings up the control plane, the nodes, and then the scheduler, which so lists the nodes in one go.
func (s *supervisor) start(ctx context.Context, began time.Time) error {
	// Somebody who has stopped listening has gone away, and a cluster nobody was told of is of no use.
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	progress := func(what string) {
		if err := s.tell(Event{Progress: what}); err != nil {
			cancel(fmt.Errorf("the command that asked for the cluster has gone: %w", err))
		}
	}
	var err error
	if s.cluster, err = cluster.Start(ctx, s.options(began, progress)); err != nil {
		return err
	}
	s.record.RunDir, s.record.Kubeconfig, s.record.Server = s.cluster.Dir(), s.cluster.Kubeconfig(), s.cluster.Server()
	s.record.Processes, s.record.Notes = s.cluster.Processes(), s.cluster.GateNotes()
	if err := writeRecord(s.dir, s.record); err != nil {
		return err
	}
	if s.scheduler, err = undertest.New(s.spec.scheduler(s.cluster)); err != nil {
		return err
	}
	progress("starting the scheduler: " + s.scheduler.Describe())
	if err := s.scheduler.Start(ctx); err != nil {
		return err
	}
	if _, err := s.scheduler.Ready(ctx, s.spec.ReadyTimeout); err != nil {
		return err
	}
	s.note()
	return nil
}

// options of the cluster: its nodes and their devices are in storage before anybody looks.
func (s *supervisor) options(began time.Time, progress func(string)) cluster.Options {
	o := s.spec.cluster(progress)
	var seeded seed.Counts
	o.Preload = func(ctx context.Context, store *storage.Store) error {
		var err error
		seeded, err = seed.Pools(ctx, store, func(c seed.Counts) {
			progress(fmt.Sprintf("seeding nodes and slices of devices: %d and %d", c.Nodes, c.Slices))
		}, s.spec.Nodes)
		return err
	}
	o.Seed = func(ctx context.Context, cfg *rest.Config) error {
		if err := register.Classes(ctx, cfg, s.spec.Nodes); err != nil {
			return err
		}
		if err := seed.Visible(ctx, cfg, seeded); err != nil {
			return err
		}
		s.record.Devices, s.record.VisibleAfter = seeded.Devices, time.Since(began).Seconds()
		progress(fmt.Sprintf("%d nodes and %d devices can be listed after %.1f s", seeded.Nodes, seeded.Devices, s.record.VisibleAfter))
		debug.FreeOSMemory() // the lists were large, and this process has little to do from now on
		return nil
	}
	return o
}

// note brings the record's processes up to date.
func (s *supervisor) note() {
	s.record.Scheduler = s.scheduler.Describe()
	s.record.Processes = maps.Clone(s.cluster.Processes())
	if pid := s.scheduler.PID(); pid != 0 {
		s.record.Processes["scheduler"] = pid
	}
	s.record.Notes = append(s.cluster.GateNotes(), s.scheduler.GateNotes()...)
}

// wait until told to end. A scheduler that ends is written down and no more: the cluster is there to look into why. A
// component that dies leaves nothing worth keeping up.
func (s *supervisor) wait(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			s.stop()
			return os.RemoveAll(s.dir)
		case exit := <-s.scheduler.Exited():
			s.record.Problem = exit.Error()
			s.note()
			if err := writeRecord(s.dir, s.record); err != nil {
				return err
			}
		case death := <-s.cluster.Died():
			s.record.Phase, s.record.Problem, s.record.Processes = Failed, death.Error(), nil
			s.stop()
			if err := writeRecord(s.dir, s.record); err != nil {
				return err
			}
			return death
		}
	}
}

// stop ends everything. Calling it again does nothing.
func (s *supervisor) stop() {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if s.scheduler != nil {
		_ = s.scheduler.Close(ctx)
	}
	if s.cluster != nil {
		_ = s.cluster.Stop(ctx)
	}
}
