package runner

import (
	"context"
	"errors"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	"muster/fakes/cluster"
	"muster/fakes/cluster/process"
	"muster/perf/measure"
	"muster/suites/history"
)

// sampleEvery is how often CPU and memory are looked at.
const sampleEvery = time.Second

// errCrashed: the scheduler ended without being asked to.
var errCrashed = errors.New("the scheduler ended by itself in the middle of the run")

// sampler records what every process uses, and, at the beginning and the end, what scheduler and API server count.
type sampler struct {
	cluster cluster.Cluster
	driver  *driver
	sched   *contender
	scraper *scraper
	// apiServer is the URL of its metrics.
	apiServer string
	crashed   func(error)

	// mu keeps a whole reading in one piece: nothing is sampled between a reading and the mark that follows it.
	mu   sync.Mutex
	over bool
}

// run samples until the context ends or the sampler is stopped.
func (s *sampler) run(ctx context.Context) {
	tick := time.NewTicker(sampleEvery)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		s.mu.Lock()
		if s.over {
			s.mu.Unlock()
			return
		}
		s.processes()
		s.mu.Unlock()
	}
}

// whole takes a reading with metrics and then calls mark, with nothing in between.
func (s *sampler) whole(ctx context.Context, mark func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.read(ctx)
	mark()
}

// finish calls mark, takes a last reading with metrics, and ends the sampling.
func (s *sampler) finish(ctx context.Context, mark func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.over = true
	mark()
	s.read(ctx)
}

// read records what processes use, and the metrics. One that has none to offer, or does not answer, is left out:
// measure then says that it does not know. The metrics come first, for they cost the one who is asked.
func (s *sampler) read(ctx context.Context) {
	for _, p := range []struct{ name, url string }{
		{history.ProcessScheduler, s.sched.MetricsURL()}, {measure.ProcessAPIServer, s.apiServer},
	} {
		if sample, _ := s.sched.look(); p.url == "" || p.name == history.ProcessScheduler && sample.PID == 0 {
			continue
		}
		if m, err := s.scraper.scrape(ctx, p.name, p.url); err == nil {
			s.driver.rec.Sample(verbMetrics, history.Sample{Process: p.name, Metrics: m})
		}
	}
	s.processes()
}

// verbMetrics of a sample that carries scraped metrics alone.
const verbMetrics = "metrics"

func (s *sampler) processes() {
	sample, alive := s.sched.look()
	switch {
	case !alive:
		sample.Exit, sample.Log = "it is gone", s.sched.LogTail(20)
		s.driver.rec.Sample(history.VerbCrash, sample)
		s.over = true
		s.crashed(errCrashed)
		return
	case sample.PID != 0:
		s.driver.rec.Sample(history.VerbProcess, sample)
	}
	pids := s.cluster.Processes()
	for _, name := range slices.Sorted(maps.Keys(pids)) {
		s.one(name, pids[name])
	}
	s.one(measure.ProcessMuster, os.Getpid())
}

// one samples a process by itself: components have no children, and muster's children are the components.
func (s *sampler) one(name string, pid int) {
	if u, err := process.Alone(pid); err == nil {
		s.driver.rec.Sample(history.VerbProcess, history.Sample{Process: name, PID: pid, CPU: u.CPU, RSS: u.RSS})
	}
}
