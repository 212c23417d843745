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
	"muster/fakes/scrape"
	"muster/perf/measure"
	"muster/suites/history"
)

// sampleEvery is how often CPU and memory are looked at.
const sampleEvery = time.Second

// settleEvery and settleReadings: for how long at most the scheduler's client is given to count its last answers.
const (
	settleEvery    = 50 * time.Millisecond
	settleReadings = 20
)

// errCrashed: the scheduler ended without being asked to.
var errCrashed = errors.New("the scheduler ended by itself in the middle of the run")

// sampler records what every process uses, and, at the beginning and the end, what scheduler and API server count.
type sampler struct {
	cluster cluster.Cluster
	driver  *driver
	sched   *contender
	scraper *scrape.Client
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
		s.processes(nil)
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
	s.settle(ctx)
	s.read(ctx)
}

// settle waits until the scheduler's client has counted what it asked for: a bind is seen in the watch before the
// scheduler has read its answer, and a request is counted with its answer. Two equal readings are the sign; a scheduler
// that goes on asking is not waited for.
func (s *sampler) settle(ctx context.Context) {
	if sample, _ := s.sched.look(); s.sched.MetricsURL() == "" || sample.PID == 0 {
		return
	}
	last := -1.0
	for range settleReadings {
		m, err := s.scraper.Read(ctx, history.ProcessScheduler, s.sched.MetricsURL(), measure.IsRequests)
		if err != nil {
			return
		}
		sum := 0.0
		for _, n := range m {
			sum += n
		}
		if sum == last {
			return
		}
		last = sum
		select {
		case <-ctx.Done():
			return
		case <-time.After(settleEvery):
		}
	}
}

// read records what processes use, and the metrics, a process's in one sample: what is read of a run lies between one
// sample at its beginning and one at its end. A process that has no metrics to offer, or does not answer, is left out of
// them: measure then says that it does not know.
func (s *sampler) read(ctx context.Context) {
	metrics := map[string]map[string]float64{}
	for _, p := range []struct{ name, url string }{
		{history.ProcessScheduler, s.sched.MetricsURL()}, {measure.ProcessAPIServer, s.apiServer},
	} {
		if sample, _ := s.sched.look(); p.url == "" || p.name == history.ProcessScheduler && sample.PID == 0 {
			continue
		}
		if m, err := s.scraper.Read(ctx, p.name, p.url, func(series string) bool { return measure.Scraped(p.name, series) }); err == nil {
			metrics[p.name] = m
		}
	}
	s.processes(metrics)
}

// processes samples each; metrics may be nil.
func (s *sampler) processes(metrics map[string]map[string]float64) {
	sample, alive := s.sched.look()
	switch {
	case !alive:
		sample.Exit, sample.Log = "it is gone", s.sched.LogTail(20)
		s.driver.rec.Sample(history.VerbCrash, sample)
		s.over = true
		s.crashed(errCrashed)
		return
	case sample.PID != 0:
		sample.Metrics = metrics[history.ProcessScheduler]
		s.driver.rec.Sample(history.VerbProcess, sample)
	}
	pids := s.cluster.Processes()
	pids[measure.ProcessMuster] = os.Getpid()
	for _, name := range slices.Sorted(maps.Keys(pids)) {
		// By itself: components have no children, and muster's children are the components.
		if u, err := process.Alone(pids[name]); err == nil {
			s.driver.rec.Sample(history.VerbProcess, history.Sample{
				Process: name, PID: pids[name], CPU: u.CPU, RSS: u.RSS, Metrics: metrics[name],
			})
		}
	}
}
