package undertest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"muster/fakes/cluster/process"
)

// stopGrace is what a scheduler is given to end by itself.
const stopGrace = 5 * time.Second

// logLines is how much of a log goes into an error.
const logLines = 40

// Scheduler is a scheduler under test. Its methods may be called from several goroutines.
type Scheduler struct {
	plan   plan
	dir    string
	port   *process.Reservation
	exited chan *ExitError

	mu      sync.Mutex
	process *process.Process
	ready   bool
	spent   process.Usage // what former processes of it have used
}

// New checks the options and makes a folder for the scheduler. Nothing is started; Close cleans up.
func New(o Options) (*Scheduler, error) {
	if o.Cluster == nil {
		return nil, errors.New("making the scheduler under test: no cluster to put it in front of")
	}
	p, err := o.withDefaults(o.Cluster.Gates())
	if err != nil {
		return nil, err
	}
	s := &Scheduler{plan: p, exited: make(chan *ExitError, 64)}
	if s.dir, err = os.MkdirTemp(p.Dir, "muster-scheduler-"); err != nil {
		return nil, fmt.Errorf("making the scheduler's folder: %w", err)
	}
	if s.port, err = process.Reserve(); err != nil {
		_ = os.RemoveAll(s.dir)
		return nil, err
	}
	return s, nil
}

// Kind is kube-scheduler, none or exec.
func (s *Scheduler) Kind() string { return s.plan.kind }

// Profile in force: with the names it was told to schedule for.
func (s *Scheduler) Profile() Profile {
	p := s.plan.Profile
	p.SchedulerNames = slices.Clone(p.SchedulerNames)
	return p
}

// Gates of a built-in kind, every one Kubernetes knows; nil for the others.
func (s *Scheduler) Gates() map[string]bool {
	if _, ok := builtinOf(s.plan.kind); !ok {
		return nil
	}
	out := make(map[string]bool, len(s.plan.gates.Gates))
	for k, v := range s.plan.gates.Gates {
		out[k] = v
	}
	return out
}

// GateNotes say which of its gates went off with one they depend on.
func (s *Scheduler) GateNotes() []string { return slices.Clone(s.plan.gates.Notes) }

// Start starts it. It is not ready then: see Ready. Starting one that runs is an error.
func (s *Scheduler) Start(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.plan.kind == None {
		return nil
	}
	if s.process != nil && s.process.Ended() == "" {
		return fmt.Errorf("starting the scheduler under test: it runs already (process %d)", s.process.PID())
	}
	spec, err := s.spec()
	if err != nil {
		return fmt.Errorf("starting the scheduler under test: %w", err)
	}
	p, err := process.Start(spec)
	if err != nil {
		return fmt.Errorf("starting the scheduler under test: %w", err)
	}
	s.retire()
	s.process, s.ready = p, false
	go s.watch(p)
	if s.plan.Handicap > 0 {
		go handicap(p, s.plan.Handicap)
	}
	return nil
}

// spec is how its kind is started.
func (s *Scheduler) spec() (process.Spec, error) {
	spec := process.Spec{Name: "scheduler", Binary: s.plan.Binary, Dir: s.dir, LogFile: s.logFile()}
	if s.plan.kind == execKind {
		args, err := Command(s.plan.Exec, Fields{
			Kubeconfig:    s.plan.Cluster.SchedulerKubeconfig(),
			SchedulerName: s.plan.Profile.SchedulerNames[0],
			RunDir:        s.dir,
			LeaderElect:   s.plan.Lease != nil,
		})
		spec.Role, spec.Args = process.Guard, args
		// A command that looks for a kubeconfig of its own accord shall not find the user's.
		spec.Env = append(os.Environ(), "KUBECONFIG="+s.plan.Cluster.SchedulerKubeconfig())
		// A relative command means what it means where the user stands.
		if cwd, wdErr := os.Getwd(); wdErr == nil {
			spec.Dir = cwd
		}
		return spec, err
	}
	b, _ := builtinOf(s.plan.kind)
	args, err := b.args(launch{
		kubeconfig: s.plan.Cluster.SchedulerKubeconfig(),
		names:      s.plan.Profile.SchedulerNames,
		gates:      s.plan.gates,
		qps:        s.plan.QPS,
		burst:      s.plan.Burst,
		port:       s.port.Port,
		verbosity:  s.plan.Verbosity,
		dir:        s.dir,
		lease:      s.plan.Lease,
	})
	spec.Role, spec.Args = b.role, append(args, s.plan.Args...)
	spec.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + s.dir, "TMPDIR=" + s.dir}
	return spec, err
}

func (s *Scheduler) logFile() string { return filepath.Join(s.dir, "scheduler.log") }

// watch reports an end nobody asked for.
func (s *Scheduler) watch(p *process.Process) {
	<-p.Done()
	if p.Stopped() {
		return
	}
	s.mu.Lock()
	ready := s.ready && s.process == p
	s.mu.Unlock()
	if !ready {
		return // Ready tells
	}
	select {
	case s.exited <- s.exit(p, true):
	default: // dozens of crashes nobody has read: one more says nothing new
	}
}

func (s *Scheduler) exit(p *process.Process, ready bool) *ExitError {
	return &ExitError{Ready: ready, PID: p.PID(), How: p.Ended(), Log: p.LogTail(logLines)}
}

// Stop asks it to end and kills it when it does not. Stopping one that does not run is no error.
func (s *Scheduler) Stop(ctx context.Context) error {
	s.mu.Lock()
	p := s.process
	s.mu.Unlock()
	if p != nil {
		p.Usage() // the last look: what it has used is kept
		p.Stop(ctx, stopGrace)
	}
	return nil
}

// Restart stops it and starts it again. It is not ready then: see Ready.
func (s *Scheduler) Restart(ctx context.Context) error {
	if err := s.Stop(ctx); err != nil {
		return err
	}
	return s.Start(ctx)
}

// Close stops it and removes its folder.
func (s *Scheduler) Close(ctx context.Context) error {
	err := s.Stop(ctx)
	s.port.Release()
	if removed := os.RemoveAll(s.dir); removed != nil {
		err = errors.Join(err, fmt.Errorf("removing the scheduler's folder: %w", removed))
	}
	return err
}
