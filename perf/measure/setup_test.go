package measure

import (
	"fmt"
	"slices"
	"time"

	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/workloads/dialect"
)

// extra is an event that a told story cannot tell: it is put in at a time.
type extra struct {
	at time.Duration
	e  history.Event
}

// tapeOf is the tape of a story with events put in. Every event of a story takes a millisecond; the begin event is at 1 ms.
func tapeOf(t interface {
	Helper()
	Fatal(...any)
}, b *historytest.Builder, extras ...extra) *Tape {
	t.Helper()
	h := b.History()
	for _, x := range extras {
		x.e.Mono, x.e.Wall = x.at, h.Header.Started.Add(x.at)
		i := slices.IndexFunc(h.Events, func(e history.Event) bool { return e.Mono > x.at })
		if i < 0 {
			i = len(h.Events)
		}
		h.Events = slices.Insert(h.Events, i, x.e)
	}
	for i := range h.Events {
		h.Events[i].Seq = int64(i) + 1
	}
	native, err := dialect.Load("native")
	if err != nil {
		t.Fatal(err)
	}
	return NewTape(h, history.NewView(h, native, history.Scope{Scenario: historytest.Scenario}))
}

// sampled is a sample of a process.
func sampled(at time.Duration, s history.Sample) extra {
	if s.Process == "" {
		s.Process = history.ProcessScheduler
	}
	return extra{at, history.Event{Origin: history.Sampling, Stream: "sample:" + s.Process, Verb: history.VerbProcess, Sample: &s}}
}

// scraped are metrics of a process.
func scraped(at time.Duration, process string, metrics map[string]float64) extra {
	return sampled(at, history.Sample{Process: process, Metrics: metrics})
}

// probed is a probe object seen at a time, which says that it was sent lag earlier.
func probed(at, lag time.Duration) extra {
	return extra{at, history.Event{
		Origin: history.Watch, Stream: "watch:configmaps", Version: "v1", Resource: "configmaps", Verb: history.VerbAdded,
		Namespace: "probe", Name: "probe", UID: fmt.Sprintf("probe-%d", at),
		Object: fmt.Appendf(nil, `{"metadata":{"name":"probe","annotations":{%q:"%d"}}}`, ProbeAnnotation, int64(at-lag)),
	}}
}

// answered is the driver's creation of a pod, answered at a time.
func answered(at time.Duration, name, uid string) extra {
	return extra{at, history.Event{
		Origin: history.Driver, Stream: "driver:" + historytest.Scenario, Version: "v1", Resource: "pods", Verb: history.VerbCreate,
		Namespace: historytest.Namespace, Name: name, UID: uid,
		Action: &history.Action{Scenario: historytest.Scenario, Response: history.Response{Code: 201, UID: uid}},
	}}
}

// deletedByDriver is the driver's deletion of a pod, sent and answered at a time.
func deletedByDriver(at time.Duration, name string) extra {
	return extra{at, history.Event{
		Origin: history.Driver, Stream: "driver:" + historytest.Scenario, Version: "v1", Resource: "pods", Verb: history.VerbDelete,
		Namespace: historytest.Namespace, Name: name,
		Action: &history.Action{Scenario: historytest.Scenario, SentMono: at, Response: history.Response{Code: 200}},
	}}
}

func gpus(n int) historytest.PodOption { return historytest.Wants(fmt.Sprintf("nvidia.com/gpu=%d", n)) }

func gpuNode(n int) historytest.NodeOption {
	return historytest.Has(fmt.Sprintf("nvidia.com/gpu=%d", n))
}

// ms is a time of n milliseconds.
func ms(n int) time.Duration { return time.Duration(n) * time.Millisecond }

// near compares ratios that were rounded once.
func near(a, b float64) bool {
	d := a - b
	return d < 1e-9 && d > -1e-9
}
