package historytest

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"time"

	"muster/suites/history"
	"muster/workloads/dialect"
)

// Names every story uses.
const (
	Scenario  = "test"
	Namespace = "test"
	Scheduler = "default-scheduler"
	// Pool is the short name of the pool that nodes belong to; PoolName its real one.
	Pool     = "main"
	PoolName = "test-main"
)

// started is when every story begins.
var started = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Builder writes a history. Methods return it, so that a story is one expression.
type Builder struct {
	header history.Header
	events []history.Event
	now    time.Duration
	rv     int64
	uids   int
	// live objects by resource and namespace/name, and how many pods each prefix has.
	live     map[string]map[string]*object
	numbered map[string]int
	// skipped sequence numbers make a gap.
	skip int64
	// streams that have been opened, in order.
	streams []stream
}

type stream struct{ group, version, resource string }

func (s stream) name() string {
	if s.group == "" {
		return "watch:" + s.resource
	}
	return "watch:" + s.resource + "." + s.group
}

// object is a live object: decoded JSON, with what events about it carry.
type object struct {
	stream
	namespace, name, uid, rv string
	value                    any
}

// New begins a story: header, pool and scope are there, nothing has happened.
func New(change ...func(*history.Header, *history.Scope)) *Builder {
	b := &Builder{
		header: history.Header{
			Kind: history.HeaderKind, Format: history.FormatVersion, Cluster: "cluster", Name: "main",
			Storage: history.SingleEtcd, Started: started,
			Scheduler: history.SchedulerProfile{
				Name: "test", SchedulerNames: []string{Scheduler}, Dialect: "native", SettleRoot: 10, SettleBase: 5,
			},
		},
		rv: 100, live: map[string]map[string]*object{}, numbered: map[string]int{},
	}
	scope := history.Scope{Scenario: Scenario, Namespaces: []string{Namespace}, Pools: map[string]string{Pool: PoolName}}
	for _, f := range change {
		f(&b.header, &scope)
	}
	for _, s := range []stream{{"", "v1", "nodes"}, {"", "v1", "pods"}, {"scheduling.k8s.io", "v1beta1", "podgroups"}, composites} {
		b.stream(s)
	}
	return b.driver(history.Event{Verb: history.VerbBegin, Name: Scenario, Action: &history.Action{Scope: &scope}})
}

// UnknownStorage makes resource versions order nothing across resources, as outside an embedded cluster.
func UnknownStorage(h *history.Header, _ *history.Scope) { h.Storage = history.UnknownStorage }

// SettleSeconds overrides the settle bound: root × √members + base.
func SettleSeconds(root, base float64) func(*history.Header, *history.Scope) {
	return func(_ *history.Header, s *history.Scope) { s.SettleRoot, s.SettleBase = root, base }
}

func (b *Builder) stream(s stream) {
	if !slices.Contains(b.streams, s) {
		b.streams = append(b.streams, s)
	}
}

// add appends an event, a millisecond after the last.
func (b *Builder) add(e history.Event) *Builder {
	b.now += time.Millisecond
	e.Seq = int64(len(b.events)) + 1 + b.skip
	e.Mono, e.Wall = b.now, started.Add(b.now)
	b.events = append(b.events, e)
	return b
}

func (b *Builder) driver(e history.Event) *Builder {
	e.Origin, e.Stream = history.Driver, "driver:"+Scenario
	e.Action.Scenario = Scenario
	e.Action.SentMono, e.Action.SentWall = b.now, started.Add(b.now)
	return b.add(e)
}

// put stores an object's new form and tells it as a watch would.
func (b *Builder) put(o *object, verb string) *Builder {
	b.rv++
	o.rv = strconv.FormatInt(b.rv, 10)
	key := o.namespace + "/" + o.name
	all := b.live[o.resource]
	if all == nil {
		all = map[string]*object{}
		b.live[o.resource] = all
	}
	switch verb {
	case history.VerbAdded:
		if all[key] != nil {
			panic(fmt.Sprintf("historytest: %s %s exists already", o.resource, key))
		}
		all[key] = o
	case history.VerbDeleted:
		delete(all, key)
	}
	return b.add(history.Event{
		Origin: history.Watch, Stream: o.stream.name(), Group: o.group, Version: o.version, Resource: o.resource,
		Verb: verb, Namespace: o.namespace, Name: o.name, UID: o.uid, RV: o.rv, Object: o.json(),
	})
}

// json is the object with its identity filled in.
func (o *object) json() json.RawMessage {
	raw, err := json.Marshal(o.value)
	if err != nil {
		panic(fmt.Sprintf("historytest: %s %s/%s: %v", o.resource, o.namespace, o.name, err))
	}
	var m map[string]any
	if err := json.Unmarshal(raw, &m); err != nil {
		panic(fmt.Sprintf("historytest: %s %s/%s: %v", o.resource, o.namespace, o.name, err))
	}
	meta, _ := m["metadata"].(map[string]any)
	if meta == nil {
		meta = map[string]any{}
		m["metadata"] = meta
	}
	meta["name"], meta["uid"], meta["resourceVersion"] = o.name, o.uid, o.rv
	if o.namespace != "" {
		meta["namespace"] = o.namespace
	}
	if raw, err = json.Marshal(m); err != nil {
		panic(fmt.Sprintf("historytest: %s %s/%s: %v", o.resource, o.namespace, o.name, err))
	}
	return raw
}

func (b *Builder) uid(name string) string {
	b.uids++
	return fmt.Sprintf("uid-%d-%s", b.uids, name)
}

// find is a live object; the story must have created it.
func (b *Builder) find(resource, namespace, name string) *object {
	o := b.live[resource][namespace+"/"+name]
	if o == nil {
		panic(fmt.Sprintf("historytest: %s %q does not exist now", resource, name))
	}
	return o
}

// Wait lets time pass in which nothing happens.
func (b *Builder) Wait(d time.Duration) *Builder {
	b.now += d
	return b
}

// History is the story so far as a complete history: the scenario has ended, every stream has its closing list.
func (b *Builder) History() *history.History {
	c := &Builder{header: b.header, events: slices.Clone(b.events), now: b.now, rv: b.rv, live: b.live, skip: b.skip}
	c.driver(history.Event{Verb: history.VerbEnd, Name: Scenario, Action: &history.Action{}})
	for _, s := range b.streams {
		list := []history.ListedObject{}
		for _, o := range b.live[s.resource] {
			list = append(list, history.ListedObject{UID: o.uid, RV: o.rv})
		}
		raw, err := json.Marshal(list)
		if err != nil {
			panic(fmt.Sprintf("historytest: closing list of %s: %v", s.resource, err))
		}
		c.add(history.Event{Origin: history.Closing, Stream: s.name(), Group: s.group, Version: s.version, Resource: s.resource,
			Verb: history.VerbSync, RV: strconv.FormatInt(b.rv, 10), Object: raw})
	}
	return &history.History{Header: c.header, Events: c.events, Name: "story"}
}

// View is the scenario's view of the story so far.
func (b *Builder) View() *history.View {
	native, err := dialect.Load("native")
	if err != nil {
		panic(fmt.Sprintf("historytest: loading the native dialect: %v", err))
	}
	return history.NewView(b.History(), native, history.Scope{Scenario: Scenario})
}
