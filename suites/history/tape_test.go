package history

import (
	"fmt"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"muster/fakes/nodes"
)

// start is when every test's history begins.
var start = time.Date(2026, 9, 1, 12, 0, 0, 0, time.UTC)

// tape writes a history by hand: every call is one event, one second and one resource version after the other. What
// was last told of an object is changed by the next call about it.
type tape struct {
	t      testing.TB
	header Header
	folder *Folder
	events []Event
	rv     int64
	pods   map[string]*corev1.Pod
	nodes  map[string]*corev1.Node
	gangs  map[string]map[string]any
	origin Origin
}

func newTape(t testing.TB, storage Storage) *tape {
	h := Header{Kind: HeaderKind, Format: FormatVersion, Cluster: "c1", Name: "main", Storage: storage, Started: start,
		Scheduler: SchedulerProfile{SchedulerNames: []string{"sut"}, SettleRoot: 10, SettleBase: 5}}
	return &tape{t: t, header: h, folder: NewFolder(&h), rv: 100, origin: Watch,
		pods: map[string]*corev1.Pod{}, nodes: map[string]*corev1.Node{}, gangs: map[string]map[string]any{}}
}

// put appends an event after filling in number and time.
func (tp *tape) put(e Event, whole map[string]any) Event {
	tp.t.Helper()
	e.Seq = int64(len(tp.events) + 1)
	e.Mono = time.Duration(e.Seq) * time.Second
	e.Wall = start.Add(e.Mono)
	f, err := tp.folder.Record(e, whole)
	if err != nil {
		tp.t.Fatalf("recording event %d: %v", e.Seq, err)
	}
	tp.events = append(tp.events, f.Event)
	return f.Event
}

func (tp *tape) next() string {
	tp.rv++
	return strconv.FormatInt(tp.rv, 10)
}

func (tp *tape) object(group, resource, verb, ns, name, uid, rv string, obj any) Event {
	tp.t.Helper()
	whole, ok := obj.(map[string]any)
	if !ok {
		var err error
		if whole, err = runtime.DefaultUnstructuredConverter.ToUnstructured(obj); err != nil {
			tp.t.Fatal(err)
		}
	} else {
		whole = runtime.DeepCopyJSON(whole)
	}
	WithoutNulls(whole)
	return tp.put(Event{Stream: "watch:" + resource, Origin: tp.origin, Group: group, Version: "v1", Resource: resource,
		Verb: verb, Namespace: ns, Name: name, UID: uid, RV: rv}, whole)
}

// pod tells of a pod of namespace ns ("ns/name" for another): as added the first time, then as modified.
func (tp *tape) pod(name string, edits ...func(*corev1.Pod)) Event {
	tp.t.Helper()
	p, verb := tp.pods[name], VerbModified
	if p == nil {
		verb = VerbAdded
		ns, short := split(name)
		p = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: ns, Name: short}}
		p.Spec.SchedulerName = "sut"
	} else {
		p = p.DeepCopy()
	}
	p.ResourceVersion = tp.next()
	if verb == VerbAdded {
		p.UID = newUID(name, tp.rv)
	}
	for _, edit := range edits {
		edit(p)
	}
	tp.pods[name] = p
	return tp.object("", "pods", verb, p.Namespace, p.Name, string(p.UID), p.ResourceVersion, p)
}

func (tp *tape) podGone(name string) Event {
	tp.t.Helper()
	p := tp.pods[name].DeepCopy()
	delete(tp.pods, name)
	p.ResourceVersion = tp.next()
	return tp.object("", "pods", VerbDeleted, p.Namespace, p.Name, string(p.UID), p.ResourceVersion, p)
}

func (tp *tape) node(name, pool string, edits ...func(*corev1.Node)) Event {
	tp.t.Helper()
	n, verb := tp.nodes[name], VerbModified
	if n == nil {
		verb = VerbAdded
		n = &corev1.Node{ObjectMeta: metav1.ObjectMeta{Name: name, Labels: map[string]string{nodes.PoolLabel: pool}}}
	} else {
		n = n.DeepCopy()
		n.Labels[nodes.PoolLabel] = pool
	}
	n.ResourceVersion = tp.next()
	if verb == VerbAdded {
		n.UID = newUID("node-"+name, tp.rv)
	}
	for _, edit := range edits {
		edit(n)
	}
	tp.nodes[name] = n
	return tp.object("", "nodes", verb, "", name, string(n.UID), n.ResourceVersion, n)
}

func (tp *tape) nodeGone(name string) Event {
	tp.t.Helper()
	n := tp.nodes[name].DeepCopy()
	delete(tp.nodes, name)
	n.ResourceVersion = tp.next()
	return tp.object("", "nodes", VerbDeleted, "", name, string(n.UID), n.ResourceVersion, n)
}

// gang tells of a gang; fields are merged into what was told of it.
func (tp *tape) gang(name string, fields map[string]any) Event {
	tp.t.Helper()
	verb, ns, short := VerbModified, "", ""
	g := tp.gangs[name]
	ns, short = split(name)
	rv := tp.next()
	if g == nil {
		verb = VerbAdded
		g = map[string]any{"metadata": map[string]any{"namespace": ns, "name": short, "uid": string(newUID("gang-"+name, tp.rv)), "generation": int64(1)}}
	}
	g = Apply(g, fields)
	g = Apply(g, map[string]any{"metadata": map[string]any{"resourceVersion": rv}})
	tp.gangs[name] = g
	uid, _ := g["metadata"].(map[string]any)["uid"].(string)
	return tp.object("example.com", "gangs", verb, ns, short, uid, rv, g)
}

func (tp *tape) gangGone(name string) Event {
	tp.t.Helper()
	g := tp.gangs[name]
	delete(tp.gangs, name)
	ns, short := split(name)
	uid, _ := g["metadata"].(map[string]any)["uid"].(string)
	rv := tp.next()
	return tp.object("example.com", "gangs", VerbDeleted, ns, short, uid, rv, g)
}

// act records an action of scenario "s".
func (tp *tape) act(verb string, e Event, a Action) Event {
	tp.t.Helper()
	if a.Scenario == "" {
		a.Scenario = "s"
	}
	if a.SentMono == 0 {
		a.SentMono = time.Duration(len(tp.events)) * time.Second
	}
	e.Stream, e.Origin, e.Verb, e.Action = "driver:"+a.Scenario, Driver, verb, &a
	return tp.put(e, nil)
}

func (tp *tape) mark(name string) Event { return tp.act(VerbMark, Event{Name: name}, Action{}) }

func (tp *tape) begin(s Scope) Event {
	return tp.act(VerbBegin, Event{}, Action{Scenario: s.Scenario, Scope: &s})
}

func (tp *tape) end() Event { return tp.act(VerbEnd, Event{}, Action{}) }

func (tp *tape) sample(verb string, s Sample) Event {
	return tp.put(Event{Stream: "sample:" + s.Process, Origin: Sampling, Verb: verb, Sample: &s}, nil)
}

// sync writes a consistent list of what the stream has told.
func (tp *tape) sync(group, resource string, origin Origin) Event {
	list := []ListedObject{}
	if s := tp.folder.gaps.streams["watch:"+resource]; s != nil {
		for uid, rv := range s.rvs {
			list = append(list, ListedObject{uid, rv})
		}
	}
	return tp.syncOf(group, resource, origin, tp.rv, list...)
}

func (tp *tape) syncOf(group, resource string, origin Origin, rv int64, list ...ListedObject) Event {
	if list == nil {
		list = []ListedObject{}
	}
	raw, err := encode(list)
	if err != nil {
		tp.t.Fatal(err)
	}
	return tp.put(Event{Stream: "watch:" + resource, Origin: origin, Verb: VerbSync, Group: group, Version: "v1",
		Resource: resource, RV: strconv.FormatInt(rv, 10), Object: raw}, nil)
}

// close ends all streams with their lists.
func (tp *tape) close() *tape {
	for _, r := range []string{"pods", "nodes"} {
		tp.sync("", r, Closing)
	}
	tp.sync("example.com", "gangs", Closing)
	return tp
}

func (tp *tape) history() *History {
	return &History{Header: tp.header, Events: tp.events, Name: "tape"}
}

func (tp *tape) view(scope Scope) *View { return NewView(tp.history(), toy{}, scope) }

// scopeS is the scope most tests use: namespace ns and pool p-real.
func scopeS() Scope {
	return Scope{Scenario: "s", Namespaces: []string{"ns"}, Pools: map[string]string{"p": "p-real"}}
}

func split(name string) (ns, short string) {
	for i := range name {
		if name[i] == '/' {
			return name[:i], name[i+1:]
		}
	}
	return "ns", name
}

func newUID(name string, rv int64) types.UID { return types.UID(fmt.Sprintf("%s-%d", name, rv)) }
