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
// requests of open loops were late, by phase.
func (st *stage) drive() (lateness map[string][]time.Duration, err error) {
	lateness = map[string][]time.Duration{}
	st.driver.say(history.VerbBegin, "", history.Action{Scope: &history.Scope{
		Scenario: st.sized.Name, Namespaces: []string{namespace}, Pools: map[string]string{pool: pool}, Seed: st.o.Seed,
	}})
	placer, ports, marked := st.sized.NewPlacer(), int32(firstPort), false
	for i := range st.sized.Phases {
		p := &st.sized.Phases[i]
		st.say("phase " + p.Name)
		l := loadOf(p, &ports)
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
		if p.Measured {
			st.driver.say(history.VerbMark, measure.MarkPhase+p.Name, history.Action{})
		}
		late, err := st.create(i, &l, placer)
		if len(late) > 0 {
			lateness[p.Name] = late
		}
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
