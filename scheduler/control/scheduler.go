package control

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"muster/scheduler/engine"
)

// drainTime is what binds under way are given when the scheduler is asked to stop, by the machine's clock.
const drainTime = 3 * time.Second

// Scheduler places pods. Make one with New, run it once.
type Scheduler struct {
	opts  Options
	log   klog.Logger
	inbox *inbox
	ready atomic.Bool
	// early are the watches, where they were begun before Run.
	early func() (synced func(context.Context) bool, wait func(), err error)

	binder      *binder
	podWriter   *writer
	groupWriter *writer

	// What follows is the loop's alone.

	engine   *engine.Engine
	queue    *queue
	agenda   agenda
	stirred  bool // something was told to the engine since it was last asked whom it woke
	rounds   map[engine.Root]*round
	turns    int64 // rounds so far
	backoffs map[engine.Root]*backoff
	distrust distrust
	review   map[engine.Root]bool // to be looked at even when nothing is pending: a condition may be due

	// awaited are pods that the API server said are gone or bound elsewhere, until the event says which. The engine still
	// takes them as bound where they were to be: that keeps the room, but must not count for a condition.
	awaited  map[engine.Key]engine.Root
	doubtful map[engine.Root]bool // a pod of theirs ceased to wait; perhaps it was the last

	blocked     map[engine.Root]*blocked
	blockedPods int
	headWatched bool
	kept        *kept
	keeping     bool // keepRoom is on the agenda

	evictor  *evictor
	nominees map[engine.Root]*nominee
	helpless map[engine.Root]*helpless
	alike    map[engine.Class]*helpless
	rethinks bool   // it is on the agenda
	quiet    uint64 // nobody was to be asked about again when the engine's count of room that came free was one less

	parked  []*parked
	revoked map[types.UID]*revocation // claims whose allocation is being taken back

	pods    map[engine.Key]*podState // pending pods that ask for this scheduler
	groups  map[target]*groupState
	notices map[engine.Root]*notice
	said    int // refusals counted by a restless scheduler
}

// New checks the options. Nothing is started.
func New(o Options) (*Scheduler, error) {
	if err := o.complete(); err != nil {
		return nil, err
	}
	s := &Scheduler{
		opts: o, log: o.Log, inbox: newInbox(o.Clock),
		engine: engine.New(engine.Options{Seed: o.Seed, PreemptForAll: o.PreemptForAll, Fault: o.Fault.Engine}), queue: newQueue(),
		rounds: map[engine.Root]*round{}, backoffs: map[engine.Root]*backoff{}, distrust: distrust{}, review: map[engine.Root]bool{},
		doubtful: map[engine.Root]bool{}, awaited: map[engine.Key]engine.Root{},
		blocked: map[engine.Root]*blocked{}, revoked: map[types.UID]*revocation{},
		pods: map[engine.Key]*podState{}, groups: map[target]*groupState{}, notices: map[engine.Root]*notice{},
		nominees: map[engine.Root]*nominee{}, helpless: map[engine.Root]*helpless{}, alike: map[engine.Class]*helpless{},
	}
	s.binder = newBinder(o.Client, o.Clock, func(j *job, f fate, err error) {
		s.inbox.put(func() { s.ended(j, f, err) })
	})
	s.binder.answer = o.Fault.Answer
	return s, nil
}

// Run schedules until ctx is done. It first reads the whole cluster, so that nothing is decided on half of it; at the
// end it waits a moment for the binds under way.
func (s *Scheduler) Run(ctx context.Context) error {
	// What is carried out outlives ctx by the drain, what is watched does not.
	work, stopWork := context.WithCancel(context.WithoutCancel(ctx))
	defer stopWork()
	watching, stopWatching := context.WithCancel(ctx)
	defer stopWatching()

	refused := func(t target, w *wish, err error) {
		s.inbox.put(func() { s.refused(t, w, err) })
	}
	s.evictor = newEvictor(work, s.opts.Client, s.opts.Clock, s.opts.Fault, func(p engine.PodRef, err error) {
		s.inbox.put(func() { s.evicted(p, err) })
	})
	s.podWriter = newWriter(s.opts.Client, s.opts.Clock, refused)
	s.groupWriter = newWriter(s.opts.Client, s.opts.Clock, refused)
	if s.early == nil {
		s.early = s.watchFrom(watching)
	}
	synced, wait, err := s.early()
	if err != nil {
		s.podWriter.stop()
		s.groupWriter.stop()
		return fmt.Errorf("watching the cluster: %w", err)
	}
	defer wait() // for the informers, after stopWatching
	defer stopWatching()

	var helpers sync.WaitGroup
	helpers.Go(func() { s.binder.run(work, s.opts.Binders) })
	helpers.Go(func() { s.podWriter.run(podWriters) })
	helpers.Go(func() { s.groupWriter.run(groupWriters) })
	defer helpers.Wait()
	defer func() {
		s.podWriter.stop()
		s.groupWriter.stop()
		s.binder.stop()
		stopWork()
		s.evictor.all.Wait()
	}()

	if !synced(ctx) {
		return nil
	}
	s.ready.Store(true)
	defer s.ready.Store(false)
	s.log.Info("scheduling", "names", s.opts.Names)
	s.loop(ctx)

	s.log.Info("stopping: waiting for the binds under way")
	drain, stopDrain := context.WithTimeout(work, drainTime)
	defer stopDrain()
	s.binder.drain(drain)
	s.evictor.drain(drain)
	s.takeNews() // so that the conditions of rounds that just ended are written
	s.groupWriter.drain(drain)
	return nil
}

// Ready reports whether the cluster has been read and pods are being placed.
func (s *Scheduler) Ready() bool { return s.ready.Load() }

// Lag is how long news has been waiting for the loop.
func (s *Scheduler) Lag() time.Duration { return s.inbox.lag() }

func (s *Scheduler) now() time.Time { return s.opts.Clock.Now() }
