package runner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"muster/fakes/undertest"
	"muster/perf/measure"
	"muster/perf/results"
	"muster/perf/scenario"
	"muster/suites/history"
)

// Run makes all runs and measures each. The record is complete as far as it got, also where the error is that of an
// interrupt: nil only where nothing could begin. A run that goes wrong does not end the others; it says so itself.
func Run(ctx context.Context, o Options) (*results.Record, error) {
	o, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	judging, err := newJudging()
	if err != nil {
		return nil, err
	}
	slots := o.plan()
	if len(slots) == 0 {
		return nil, fmt.Errorf("running performance scenarios: nothing to run: %w", o.Sides[0].Answers(o.Scenarios[0]))
	}
	out := &results.Record{
		Began: time.Now().UTC(), Command: o.Command, Kubernetes: o.Kubernetes, Muster: o.Muster, Machine: ThisMachine(), Seed: o.Seed,
		Scenarios: o.Scenarios, Planned: len(slots),
	}
	qps, burst := o.limits()
	for _, s := range o.Sides {
		out.Sides = append(out.Sides, s.about(qps, burst, o.Muster))
	}
	o.Progress.Planned(estimates(slots))
	for i := 0; ctx.Err() == nil; i++ {
		if i == len(slots) {
			more := o.again(out.Runs)
			if len(more) == 0 {
				break
			}
			slots = append(slots, more...)
			o.Progress.Planned(estimates(more))
		}
		s := slots[i]
		o.Progress.Started(i)
		r := one(ctx, o, s, judging, func(text string) { o.Progress.Phase(i, text) })
		out.Runs = append(out.Runs, r)
		o.Progress.Ended(i, &r)
	}
	out.Took = time.Since(out.Began)
	Relate(out)
	if ctx.Err() != nil {
		out.Incomplete = true
		return out, fmt.Errorf("%d of %d runs were made: %w", len(out.Runs), len(slots), context.Cause(ctx))
	}
	out.Notes = o.notAgain(out.Runs)
	return out, nil
}

// one makes and measures one run.
func one(ctx context.Context, o Options, s slot, j *judging, say func(string)) (r results.Run) {
	r = results.Run{
		Scenario: s.sized.Name, Nodes: s.sized.Nodes, Scale: s.sized.Scale, Shape: s.sized.Shape(), Side: s.side.Name,
		N: s.n, Block: s.Block, Half: s.Half, Began: time.Now().UTC(), Figure: s.sized.Figure.Of(&measure.Result{}),
	}
	began := time.Now()
	defer func() { r.Took = time.Since(began) }()
	r.History = filepath.Join("history", fmt.Sprintf("%s-%d-%s-%d.jsonl", fileName(s.sized.Name), s.sized.Nodes, fileName(s.side.Name), s.n))
	file := filepath.Join(o.Out, r.History)
	st, err := open(ctx, o, s, file, say)
	if err != nil {
		r.Error, r.Incomplete, r.History = err.Error(), ctx.Err() != nil, ""
		return r
	}
	late, err := st.drive()
	say("closing the record")
	client := s.side.client(st.cluster.Limits())
	profile, closed := st.profile, st.close()
	switch {
	case ctx.Err() != nil:
		r.Incomplete = true
	case errors.Is(err, errStalled):
		// What was bound is measured; that not all was makes the run invalid, and says so.
	case err != nil:
		r.Error = err.Error()
	}
	if closed != nil && r.Error == "" && !r.Incomplete {
		r.Error = closed.Error()
	}
	say("measuring")
	if err := reckon(&r, file, s, j, profile, measure.Options{Client: client, Lateness: late, IsCeiling: s.side.Scheduling.Scheduler == undertest.Ceiling}); err != nil && r.Error == "" {
		r.Error = err.Error()
	}
	if o.Discard && r.Valid() {
		if os.Remove(file) == nil {
			r.History = ""
		}
	}
	return r
}

// reckon reads what was recorded and fills in the numbers.
func reckon(r *results.Run, file string, s slot, j *judging, profile history.SchedulerProfile, o measure.Options) error {
	h, err := readHistory(file)
	if err != nil {
		return err
	}
	v, err := viewOf(h, s.sized.Name)
	if err != nil {
		return err
	}
	r.Verdicts = j.judge(v, profile)
	if !s.side.Unjudged {
		o.Violations = r.Verdicts.Failed
	}
	o.Plan, o.HowMuchFits = s.sized.Plan(), s.sized.Subject() == scenario.Occupancy
	o.NotThroughput = s.sized.Figure != scenario.Throughput
	r.Result = measure.Of(measure.NewTape(h, v), o)
	read(r, s.sized.Figure, o.IsCeiling)
	return nil
}

// read takes the primary figure off a result; without it the run is none. The ceiling is there for its throughput, and may
// lack what it does not decide.
func read(r *results.Run, f scenario.Figure, ceiling bool) {
	r.Figure = f.Of(r.Result)
	if !r.Figure.Usable() && !ceiling {
		r.Result.Lacks(r.Figure.Unit)
	}
}

// fileName of whatever somebody calls a side.
func fileName(s string) string {
	return strings.Map(func(c rune) rune {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '.' {
			return c
		}
		return '_'
	}, s)
}
