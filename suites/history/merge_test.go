package history

import (
	"strings"
	"testing"
	"time"
)

// later moves a history in time.
func later(h *History, d time.Duration) *History {
	out := &History{Header: h.Header, Name: h.Name, Events: append([]Event{}, h.Events...)}
	out.Header.Started = h.Header.Started.Add(d)
	for i := range out.Events {
		out.Events[i].Wall = out.Events[i].Wall.Add(d)
	}
	return out
}

func TestMergeShardsOfOneCluster(t *testing.T) {
	pods, nodes := newTape(t, SingleEtcd), newTape(t, SingleEtcd)
	pods.pod("a")
	pods.pod("a", on("n"))
	pods.sync("", "pods", Closing)
	nodes.rv = 50
	nodes.node("n", "p-real")
	nodes.sync("", "nodes", Closing)
	nodes.header.Name = "nodes"
	m, err := Merge(later(nodes.history(), 500*time.Millisecond), pods.history())
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Events) != 5 || m.Header.Name != "main" || m.Header.Storage != SingleEtcd {
		t.Fatalf("%d events, header %+v", len(m.Events), m.Header)
	}
	for i, e := range m.Events {
		if e.Seq != int64(i+1) || e.Cluster != "c1" {
			t.Errorf("event %d has number %d and cluster %q", i, e.Seq, e.Cluster)
		}
		if want := e.Wall.Sub(m.Header.Started); e.Mono != want {
			t.Errorf("event %d at %s, want %s since the start", i, e.Mono, want)
		}
	}
	v := NewView(m, toy{}, scopeS())
	if len(v.Pods) != 1 || len(v.Nodes) != 1 || len(v.Gaps) != 0 {
		t.Errorf("pods %v, nodes %v, gaps %v", v.Pods, v.Nodes, v.Gaps)
	}
	if !v.Nodes[0].Created.Before(v.Pods[0].Created) {
		t.Error("resource versions do not order the shards")
	}
}

// Two recorders saw the same: the stream of each patches its own last form.
func TestMergeSameStreams(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.pod("a")
	tp.pod("a", on("n"))
	tp.pod("a", deleting)
	tp.close()
	m, err := Merge(tp.history(), later(tp.history(), 1500*time.Millisecond))
	if err != nil {
		t.Fatal(err)
	}
	v := NewView(m, toy{}, scopeS())
	if len(v.Gaps) != 0 || len(v.Pods) != 1 || v.Pods[0].Bound.Order != 102<<subBits {
		t.Errorf("gaps %+v, pods %+v", v.Gaps, v.Pods)
	}
}

func TestMergeKeepsMissingLinesMissing(t *testing.T) {
	a, b := newTape(t, SingleEtcd), newTape(t, SingleEtcd)
	a.mark("1")
	a.mark("2")
	a.mark("3")
	b.mark("4")
	a.events = append(a.events[:1], a.events[2])
	m, err := Merge(a.history(), later(b.history(), time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if gaps := NewView(m, toy{}, Scope{}).Gaps; len(gaps) != 1 || !strings.Contains(gaps[0].Why, "missing") {
		t.Errorf("gaps %+v", gaps)
	}
}

func TestMergeClusters(t *testing.T) {
	one, two := newTape(t, SingleEtcd), newTape(t, SingleEtcd)
	two.header.Cluster = "c2"
	one.begin(scopeS())
	one.pod("a")
	one.end()
	other := scopeS()
	other.Scenario = "t"
	two.begin(other)
	two.pod("b")
	m, err := Merge(one.history(), later(two.history(), time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Clusters) != 2 || len(m.Events) != 5 || m.Header.Storage != UnknownStorage || len(m.Scopes()) != 2 {
		t.Fatalf("%d clusters, %d events, header %+v", len(m.Clusters), len(m.Events), m.Header)
	}
	for scenario, pod := range map[string]string{"s": "a", "t": "b"} {
		v := NewView(m, toy{}, Scope{Scenario: scenario})
		if len(v.Pods) != 1 || v.Pods[0].Name != pod || !v.Ordered() {
			t.Errorf("scenario %s has pods %v (ordered: %t)", scenario, podNames(v.Pods), v.Ordered())
		}
	}
	if v := NewView(m, toy{}, Scope{}); len(v.Pods) != 2 || v.Ordered() {
		t.Errorf("all: %v (ordered: %t)", podNames(v.Pods), v.Ordered())
	}
	again, err := Merge(m, newTape(t, SingleEtcd).history())
	if err != nil || len(again.Clusters) != 2 {
		t.Errorf("merging again: %v", err)
	}
}

func TestMergeRefuses(t *testing.T) {
	if _, err := Merge(); err == nil {
		t.Error("merged nothing")
	}
	a, b := newTape(t, SingleEtcd), newTape(t, SingleEtcd)
	a.header.Cluster, b.header.Cluster = "", ""
	if _, err := Merge(a.history(), b.history()); err == nil || !strings.Contains(err.Error(), "which cluster") {
		t.Errorf("%v", err)
	}
	if h, err := Merge(a.history()); err != nil || h.Name != "tape" {
		t.Errorf("one alone: %v", err)
	}
}
