package run

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"muster/fakes/cluster"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/run/env"
	"muster/suites/run/plan"
)

// session is one cluster with its record and the scheduler under test.
type session struct {
	o           Options
	name, file  string
	ctx         context.Context
	cancel      context.CancelFunc
	cluster     cluster.Cluster
	recorder    Recorder
	client      Client
	scheduler   Scheduler   // nil: none
	breaker     env.Breaker // nil: the scheduler talks to the API server itself
	offer       plan.Offer
	unsupported map[string]string
	canary      *canary
	about       Session
	// gates of the scheduler alone; nil: none.
	gates map[string]bool

	watching sync.WaitGroup
	stopOnce sync.Once
	mu       sync.Mutex
	problems []error
	// ended is why the session ended early, other than by an interrupt from outside; nil: it did not.
	ended error
}

// open starts a cluster with the gates of needs, its record and (unless needs say otherwise) the scheduler under test, and
// returns when that is ready. On an error nothing is left running.
func (r *runner) open(ctx context.Context, name string, needs suites.Needs) (*session, error) {
	s := &session{o: r.o, name: name, file: filepath.Join(r.o.Dir, name+".jsonl"), canary: newCanary(), gates: needs.SchedulerGates}
	s.ctx, s.cancel = context.WithCancel(ctx)
	err := s.start(needs.Gates, !needs.NoScheduler)
	if err != nil {
		s.abandon()
		if cause := s.endedBy(); cause != nil {
			err = fmt.Errorf("%w (%w)", cause, err)
		}
		return nil, err
	}
	return s, nil
}

func (s *session) start(gates map[string]bool, withScheduler bool) error {
	var err error
	s.o.Progress.Phase("starting the control plane")
	if s.cluster, err = s.o.World.Cluster(s.ctx, s.name, gates); err != nil {
		return err
	}
	if err := s.breakable(); err != nil {
		return err
	}
	s.watching.Go(s.watchControlPlane)
	if err := s.o.World.Check(s.ctx, s.cluster); err != nil {
		return err
	}
	if s.client, err = s.o.World.Client(s.cluster); err != nil {
		return fmt.Errorf("connecting to the cluster %s: %w", s.name, err)
	}
	header := s.header()
	s.offer = plan.OfferOf(&header)
	for _, c := range s.cluster.Capabilities() {
		s.offer.Capabilities = append(s.offer.Capabilities, string(c))
	}
	s.offer = s.o.withMetrics(s.o.withGates(s.offer))
	if s.breaker != nil {
		s.offer.Capabilities = append(s.offer.Capabilities, suites.BreakAPI)
		s.offer = s.o.withPairs(s.offer)
	}
	s.unsupported = s.offer.Unsupported(s.o.Requirements)
	s.about = Session{Name: s.name, Gates: s.cluster.Gates(), Versions: s.cluster.Versions()}
	if s.recorder, err = s.o.World.Record(s.ctx, s.cluster, header, s.file); err != nil {
		return err
	}
	if withScheduler {
		if err := s.startScheduler(); err != nil {
			return err
		}
	}
	s.watching.Go(func() { s.every(s.o.SampleEvery, s.sample) })
	s.o.Progress.Phase("running scenarios")
	return nil
}

func (s *session) header() history.Header {
	info := maps.Clone(s.o.Info)
	if info == nil {
		info = map[string]string{}
	}
	if s.o.NoScheduler {
		info[plan.InfoScheduler] = plan.InfoNone
	}
	if s.name == MainShard {
		info[InfoExpected] = strings.Join(plan.IDs(s.o.Plan.Expected), ",")
		info[InfoProfiles] = strings.Join(s.o.Plan.Profiles, ",")
		info[InfoNamed] = strconv.FormatBool(s.o.Plan.Named)
		info[InfoNarrowed] = strconv.FormatBool(s.o.Plan.Narrowed)
	}
	return history.Header{
		Name: s.name, Storage: history.Storage(s.cluster.Storage()), Versions: s.cluster.Versions(),
		Gates: s.cluster.Gates(), SchedulerGates: maps.Clone(s.gates), Seed: s.o.Seed, Scheduler: s.o.Profile, MusterInfo: info,
	}
}

func (s *session) startScheduler() error {
	sched, err := s.makeScheduler()
	if err != nil || sched == nil {
		return err
	}
	s.o.Progress.Phase("waiting for the scheduler to bind a canary pod")
	s.scheduler = sched
	began := time.Now()
	if err := sched.Start(s.ctx); err != nil {
		return err
	}
	latency, err := sched.Ready(s.ctx)
	if err != nil {
		return err
	}
	s.about.Ready = time.Since(began)
	s.canary.took(latency)
	s.watching.Go(s.watchScheduler)
	s.watching.Go(func() { s.every(s.o.CanaryEvery, s.oneCanary) })
	return nil
}

// restartable is the scheduler for scenarios that stop it; nil where there is none.
func (s *session) restartable() env.Scheduler {
	if s.scheduler == nil {
		return nil
	}
	return s.scheduler
}

// components are those of the control plane for scenarios that restart them; nil where it cannot be done.
func (s *session) components() env.Components {
	if c, ok := s.cluster.(env.Components); ok && slices.Contains(s.offer.Capabilities, suites.RestartComponents) {
		return c
	}
	return nil
}

// rest stops the scheduler under test: no scenario needs it any more. The record stays open for what is still to be
// said about the run.
func (s *session) rest(ctx context.Context) {
	s.stopOnce.Do(func() {
		if s.scheduler == nil {
			return
		}
		s.canary.pause()
		if err := s.scheduler.Stop(ctx); err != nil {
			s.o.Progress.Warn(fmt.Sprintf("stopping the scheduler: %v", err))
		}
		s.about.LogTail = s.scheduler.LogTail(logLines)
		s.about.Canary = s.canary.median()
	})
}

// logLines of the scheduler's log are kept.
const logLines = 4000

// close completes the record and ends everything, whether the run was interrupted or not.
func (s *session) close(ctx context.Context) {
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), afterwards)
	defer cancel()
	s.rest(closing)
	dead := s.dead()
	s.cancel()
	s.watching.Wait()
	if dead {
		// There is nobody to ask for a closing list: readers will find the record incomplete, which it is.
		short, stop := context.WithTimeout(closing, time.Millisecond)
		defer stop()
		_ = s.recorder.Close(short)
	} else if err := s.recorder.Close(closing); err != nil {
		s.problem(fmt.Errorf("completing the record %s: %w", s.file, err))
	}
	s.stopAll(closing)
}

// abandon ends what was started before an error.
func (s *session) abandon() {
	cleaning, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), afterwards)
	defer cancel()
	s.cancel()
	s.watching.Wait()
	s.rest(cleaning)
	if s.recorder != nil {
		_ = s.recorder.Close(cleaning)
	}
	s.stopAll(cleaning)
}

func (s *session) stopAll(ctx context.Context) {
	if s.scheduler != nil {
		if err := s.scheduler.Close(ctx); err != nil {
			s.o.Progress.Warn(fmt.Sprintf("cleaning up after the scheduler: %v", err))
		}
	}
	if s.cluster == nil {
		return
	}
	if err := s.cluster.Stop(ctx); err != nil {
		s.o.Progress.Warn(fmt.Sprintf("stopping the cluster %s: %v", s.name, err))
	}
}

func (s *session) problem(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.problems = append(s.problems, err)
}

// err is why the session ended early or its record is wanting.
func (s *session) err() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return errors.Join(slices.Clone(s.problems)...)
}

// end ends the session early.
func (s *session) end(why error) {
	s.mu.Lock()
	if s.ended == nil {
		s.ended = why
		s.problems = append(s.problems, why)
	}
	s.mu.Unlock()
	s.cancel()
}

func (s *session) endedBy() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ended
}

// why says why scenarios that were waiting were not run.
func (s *session) why() string {
	if err := s.endedBy(); err != nil {
		return fmt.Sprintf("not run: %v", err)
	}
	return "interrupted before its turn"
}
