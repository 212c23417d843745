package embedded

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"sync"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"

	"muster/fakes/cluster"
	"muster/fakes/cluster/storage"
	"muster/fakes/undertest"
	"muster/suites/history"
	"muster/suites/history/record"
	"muster/suites/run"
	"muster/suites/run/env"
	"muster/workloads/dialect"
)

// World implements run.World.
type World struct {
	// Options of every cluster; Name and Gates are filled in for each.
	Options cluster.Options
	// Name of this run's clusters: <Name>-<session>.
	Name string
	// Scheduling says which scheduler is put in front of each cluster; Cluster is filled in.
	Scheduling undertest.Options
	// ReadyTimeout for its first canary.
	ReadyTimeout time.Duration
	Dialect      *dialect.Dialect
	Progress     run.Progress
	// Backdrop of the main cluster; nil: none.
	Backdrop *Backdrop

	mu      sync.Mutex
	started []About
}

// About is what was in force in one cluster and its scheduler, for the report.
type About struct {
	Session        string
	Gates          map[string]bool
	Notes          []string
	Scheduler      string
	SchedulerGates map[string]bool
	SchedulerNotes []string
}

var (
	_ run.World     = (*World)(nil)
	_ run.GateWorld = (*World)(nil)
)

// Abouts are those of all clusters that were started, in order.
func (w *World) Abouts() []About {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.started)
}

// Cluster starts an embedded control plane.
func (w *World) Cluster(ctx context.Context, name string, gates map[string]bool) (cluster.Cluster, error) {
	o := w.Options
	o.Name = clusterName(w.Name, name)
	o.Gates = maps.Clone(o.Gates)
	if o.Gates == nil {
		o.Gates = map[string]bool{}
	}
	maps.Copy(o.Gates, gates)
	if w.Progress != nil {
		o.Progress = w.Progress.Phase
	}
	w.Backdrop.stand(name, &o)
	c, err := cluster.Start(ctx, o)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.started = append(w.started, About{Session: name, Gates: cluster.NotDefault(c.Gates()), Notes: c.GateNotes()})
	return c, nil
}

// latest is the name of the cluster that was started last.
func (w *World) latest() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.started) == 0 {
		return ""
	}
	return w.started[len(w.started)-1].Session
}

// clusterName is a DNS label of at most 63 characters.
func clusterName(run, session string) string {
	name := run + "-" + session
	if len(name) > 63 {
		name = name[:63]
	}
	for len(name) > 0 && name[len(name)-1] == '-' {
		name = name[:len(name)-1]
	}
	return name
}

// Client is a dynamic client without limits of its own, which asks for media types as attempts say.
func (w *World) Client(c cluster.Cluster) (run.Client, error) {
	return dynamic.NewForConfig(env.Accepting(c.RESTConfig()))
}

// Record opens the record.
func (w *World) Record(ctx context.Context, c cluster.Cluster, h history.Header, file string) (run.Recorder, error) {
	return w.RecordFrom(ctx, c, h, file, nil, nil)
}

// Recorded are the resources worth recording.
func (w *World) Recorded() []schema.GroupVersionResource {
	resources := w.Dialect.Resources()
	for _, gvr := range record.Optional() {
		if !slices.Contains(resources, gvr) {
			resources = append(resources, gvr)
		}
	}
	return resources
}

// storing is a cluster whose storage can be watched. Where its API server is restarted nothing else misses nothing: a new
// server has no memory of what happened under the old one, and refuses to go on from there.
type storing interface {
	OpenStorage() (*storage.Store, error)
}

// both closes the storage a record is made from with the record.
type both struct {
	*os.File
	store io.Closer
}

func (b both) Close() error { return errors.Join(b.File.Close(), b.store.Close()) }

// RecordFrom opens the record of a part of what a hub is told (record.Options); without a hub, of everything.
func (w *World) RecordFrom(ctx context.Context, c cluster.Cluster, h history.Header, file string, hub *record.Hub, keep func(string) bool) (run.Recorder, error) {
	client, err := kubernetes.NewForConfig(c.RESTConfig())
	if err != nil {
		return nil, fmt.Errorf("recording cluster %s: %w", c.Name(), err)
	}
	system, err := client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceSystem, metav1.GetOptions{})
	if err != nil {
		return nil, fmt.Errorf("recording cluster %s: %w", c.Name(), err)
	}
	h.Cluster = string(system.UID)
	out, err := os.Create(file)
	if err != nil {
		return nil, fmt.Errorf("recording cluster %s: %w", c.Name(), err)
	}
	o := record.Options{Config: c.RESTConfig(), Out: out, Header: h, Resources: w.Recorded(), Hub: hub, Keep: keep}
	if stored, ok := c.(storing); ok && hub == nil && w.latest() == run.FaultsShard {
		store, err := stored.OpenStorage()
		if err != nil {
			return nil, errors.Join(err, out.Close())
		}
		// What is not shown as it is stored could only be watched through the API server, whose restart would tear the record.
		// That are jobs, and no scenario that breaks the API has any.
		o.Resources = slices.DeleteFunc(o.Resources, func(gvr schema.GroupVersionResource) bool { return !storage.ShownAsStored(gvr) })
		o.Source = func(gvr schema.GroupVersionResource) record.Source { return store.Feed(gvr) }
		o.Out = both{out, store}
	}
	rec, err := record.Start(ctx, o)
	if err != nil {
		_ = o.Out.(io.Closer).Close()
		return nil, err
	}
	return env.Recorded{Recorder: rec, Reader: w.Dialect}, nil
}

// Scheduler puts the scheduler under test in front of the cluster.
func (w *World) Scheduler(ctx context.Context, c cluster.Cluster) (run.Scheduler, error) {
	return w.GatedScheduler(ctx, c, nil)
}

// TakesGates reports whether the scheduler under test does.
func (w *World) TakesGates() bool { return w.Scheduling.TakesGates() }

// GatedScheduler lays the gates over those that the scheduler has in every cluster.
func (w *World) GatedScheduler(_ context.Context, c cluster.Cluster, gates map[string]bool) (run.Scheduler, error) {
	o := w.Scheduling
	o.Cluster = c
	if len(gates) > 0 {
		own := map[string]bool{}
		maps.Copy(own, o.Gates)
		maps.Copy(own, gates)
		o.Gates = own
	}
	s, err := undertest.New(o)
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	if n := len(w.started); n > 0 {
		about := &w.started[n-1]
		about.Scheduler, about.SchedulerNotes = s.Describe(), s.GateNotes()
		about.SchedulerGates = cluster.NotDefault(s.Gates())
	}
	w.mu.Unlock()
	if s.Kind() == undertest.None {
		return nil, s.Close(context.Background())
	}
	out, err := newScheduler(s, c, w.ReadyTimeout)
	if err == nil && w.Backdrop.Wanted() && w.latest() == run.MainShard {
		out.ready = func() { w.Backdrop.measure(c, s.Sample().RSS) }
	}
	return out, err
}
