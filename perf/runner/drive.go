package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/fakes/nodes"
	"muster/perf/measure"
	"muster/perf/scenario"
	"muster/suites/history"
	"muster/workloads/arrive"
)

// drive runs the phases of the scenario, from the begin to the end that the record knows. It returns by how much the
// requests of open loops were late.
func (st *stage) drive() (lateness []time.Duration, err error) {
	st.driver.say(history.VerbBegin, "", history.Action{Scope: &history.Scope{
		Scenario: st.sized.Name, Namespaces: []string{namespace}, Pools: map[string]string{pool: pool}, Seed: st.o.Seed,
	}})
	placer, marked := st.sized.NewPlacer(), false
	for i := range st.sized.Phases {
		p := &st.sized.Phases[i]
		st.say("phase " + p.Name)
		l := loadOf(p)
		st.tally.expect(i, &l)
		if p.Arrival == scenario.Backlog {
			if err := st.sched.Hold(st.ctx); err != nil {
				return lateness, fmt.Errorf("holding the scheduler back: %w", err)
			}
		}
		if p.Measured && !marked {
			marked = true
			st.sampler.whole(st.ctx, func() { st.driver.say(history.VerbMark, measure.MarkMeasured, history.Action{}) })
		}
		late, err := st.create(i, &l, placer)
		lateness = append(lateness, late...)
		if err != nil {
			return lateness, fmt.Errorf("phase %s: %w", p.Name, err)
		}
		if err := st.await(i, p); err != nil {
			err = fmt.Errorf("phase %s: %w", p.Name, err)
			if errors.Is(err, errStalled) {
				st.end("Stalled")
			}
			return lateness, err
		}
	}
	st.end("Executed")
	return lateness, nil
}

// end says in the record how the scenario ended. The reading follows at once: what counters grew by until then is the
// run's.
func (st *stage) end(how string) {
	st.sampler.finish(st.ctx, func() { st.driver.say(history.VerbEnd, "", history.Action{Label: how}) })
}

// create submits a phase's load in its arrival.
func (st *stage) create(phase int, l *load, placer *scenario.Placer) ([]time.Duration, error) {
	o := arrive.Options{Workers: st.o.Workers}
	if l.phase.Arrival == scenario.Open {
		return st.createOpen(l, o)
	}
	objects, err := l.objects(st.dialect)
	if err != nil {
		return nil, err
	}
	_, err = arrive.Run(st.ctx, arrive.Burst(len(objects)), o, func(ctx context.Context, item arrive.Item) error {
		return st.driver.object(ctx, objects[item.Index])
	})
	if err != nil {
		return nil, err
	}
	if l.phase.Arrival == scenario.Backlog {
		o.Gate = st.sched
	}
	pods, err := st.podsOf(l, placer)
	if err != nil {
		return nil, err
	}
	_, err = arrive.Run(st.ctx, arrive.Burst(len(pods)), o, func(ctx context.Context, item arrive.Item) error {
		return st.driver.pod(ctx, pods[item.Index])
	})
	st.tally.touch()
	return nil, err
}

// podsOf are all pods of a load, those that are created bound with their nodes.
func (st *stage) podsOf(l *load, placer *scenario.Placer) ([]*corev1.Pod, error) {
	var out []*corev1.Pod
	for _, g := range l.gangs {
		pods, err := g.pods(st.dialect, st.profile.SchedulerNames[0])
		if err != nil {
			return nil, err
		}
		out = append(out, pods...)
		if g.group.Bound == "" {
			continue
		}
		i := 0
		for _, shape := range g.group.Pods {
			for range shape.Count {
				n, err := placer.Place(g.group.Bound, shape)
				if err != nil {
					return nil, err
				}
				pods[i].Spec.NodeName = nodes.Name(pool, n)
				i++
			}
		}
	}
	return out, nil
}

// createOpen submits group after group, each at its time whatever the cluster is doing. A group's time is that of its
// first request.
func (st *stage) createOpen(l *load, o arrive.Options) ([]time.Duration, error) {
	pods := make([][]*corev1.Pod, len(l.gangs))
	objects := make([][]object, len(l.gangs))
	size := 0
	for i, g := range l.gangs {
		var err error
		if pods[i], err = g.pods(st.dialect, st.profile.SchedulerNames[0]); err != nil {
			return nil, err
		}
		if objects[i], err = g.objects(st.dialect); err != nil {
			return nil, err
		}
		size += len(pods[i])
	}
	perGang := float64(size) / float64(len(l.gangs))
	account, err := arrive.Run(st.ctx, arrive.Poisson(len(l.gangs), l.phase.Rate/perGang, st.o.Seed), o,
		func(ctx context.Context, item arrive.Item) error {
			for _, obj := range objects[item.Index] {
				if err := st.driver.object(ctx, obj); err != nil {
					return err
				}
			}
			for _, pod := range pods[item.Index] {
				if err := st.driver.pod(ctx, pod); err != nil {
					return err
				}
			}
			return nil
		})
	st.tally.touch()
	return account.Lateness(), err
}

// await returns when all pods of a phase that can be bound have been, and those that cannot have been told; and, where the
// phase ends its pods, when they have ended.
func (st *stage) await(phase int, p *scenario.Phase) error {
	patience := st.o.Patience
	if p.Perfect {
		// How much fits is the question. Whoever has not found room for more by then has had every attempt that its profile
		// allows it, and more patience would only be counted as time in which nothing ran.
		patience = min(patience, st.profile.Settle(largest(p)))
	}
	c, err := st.tally.until(st.ctx, phase, patience, func(c counts) bool {
		// Nobody waits for the refusal of what only stands in the way.
		return c.bound >= c.toBind && (!p.Measured || c.refused >= c.unbound)
	})
	if err != nil {
		return fmt.Errorf("%w: %d of %d pods are bound", err, c.bound, c.toBind)
	}
	if !p.Finish {
		return nil
	}
	st.ending.all(st.tally.alive(phase))
	st.tally.touch()
	if c, err = st.tally.until(st.ctx, phase, st.o.Patience, func(c counts) bool { return c.over >= c.toBind }); err != nil {
		return fmt.Errorf("%w: %d of %d pods have ended", err, c.over, c.toBind)
	}
	return nil
}

// largest is the size of the phase's largest group.
func largest(p *scenario.Phase) (n int) {
	for _, g := range p.Groups {
		n = max(n, g.Size())
	}
	return n
}
