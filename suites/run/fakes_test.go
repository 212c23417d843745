package run

import (
	"context"
	"os"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"
	"k8s.io/client-go/rest"

	"muster/fakes/cluster"
	"muster/suites/history"
	"muster/suites/run/env"
	"muster/workloads/dialect"
)

// world is a make-believe one: API servers that keep objects and do nothing, and a scheduler that is ready at once.
type world struct {
	mu       sync.Mutex
	clusters map[string]*fakeCluster
	sched    *fakeScheduler
	none     bool // no scheduler
	// Failures to have.
	clusterErr, checkErr error
}

func newWorld() *world {
	return &world{clusters: map[string]*fakeCluster{}, sched: &fakeScheduler{exited: make(chan history.Sample, 8)}}
}

func (w *world) Cluster(_ context.Context, name string, gates map[string]bool) (cluster.Cluster, error) {
	if w.clusterErr != nil {
		return nil, w.clusterErr
	}
	c := &fakeCluster{name: name, gates: gates, died: make(chan error, 1)}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.clusters[name] = c
	return c, nil
}

func (w *world) Check(context.Context, cluster.Cluster) error { return w.checkErr }

func (w *world) Client(cluster.Cluster) (Client, error) {
	kinds := map[schema.GroupVersionResource]string{
		{Version: "v1", Resource: "pods"}: "PodList", {Version: "v1", Resource: "nodes"}: "NodeList",
		{Version: "v1", Resource: "namespaces"}: "NamespaceList", {Version: "v1", Resource: "serviceaccounts"}: "ServiceAccountList",
	}
	return fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), kinds), nil
}

func (w *world) Record(_ context.Context, _ cluster.Cluster, h history.Header, file string) (Recorder, error) {
	f, err := os.Create(file)
	if err != nil {
		return nil, err
	}
	h.Started = time.Now()
	out, err := history.NewWriter(f, h)
	if err != nil {
		return nil, err
	}
	return &fakeRecorder{header: h, file: f, out: out, folder: history.NewFolder(&h), start: time.Now()}, nil
}

func (w *world) Scheduler(context.Context, cluster.Cluster) (Scheduler, error) {
	if w.none {
		return nil, nil
	}
	return w.sched, nil
}

type fakeCluster struct {
	name    string
	gates   map[string]bool
	died    chan error
	stopped bool
}

func (c *fakeCluster) Name() string                { return c.name }
func (c *fakeCluster) RESTConfig() *rest.Config    { return &rest.Config{} }
func (c *fakeCluster) Kubeconfig() string          { return "" }
func (c *fakeCluster) SchedulerKubeconfig() string { return "" }
func (c *fakeCluster) Capabilities() []cluster.Capability {
	return []cluster.Capability{cluster.CreateNodes, cluster.SetGates, cluster.RestartScheduler}
}
func (c *fakeCluster) Gates() map[string]bool { return c.gates }
func (c *fakeCluster) Storage() string        { return "single-etcd" }
func (c *fakeCluster) Versions() map[string]string {
	return map[string]string{"kube-apiserver": "v1.37.2"}
}
func (c *fakeCluster) Processes() map[string]int    { return nil }
func (c *fakeCluster) LogTail(string, int) []string { return nil }
func (c *fakeCluster) Died() <-chan error           { return c.died }
func (c *fakeCluster) Stop(context.Context) error   { c.stopped = true; return nil }

type fakeScheduler struct {
	mu            sync.Mutex
	starts, stops int
	exited        chan history.Sample
	startErr      error
	readyErr      error
}

func (s *fakeScheduler) Start(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.starts++
	return s.startErr
}
func (s *fakeScheduler) Ready(context.Context) (time.Duration, error) {
	return time.Millisecond, s.readyErr
}
func (s *fakeScheduler) Stop(context.Context) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stops++
	return nil
}
func (s *fakeScheduler) Close(context.Context) error   { return nil }
func (s *fakeScheduler) Exited() <-chan history.Sample { return s.exited }
func (s *fakeScheduler) Sample() (history.Sample, bool) {
	return history.Sample{PID: 1, CPU: time.Second, RSS: 1}, true
}
func (s *fakeScheduler) Canary(context.Context) (time.Duration, error) {
	return 2 * time.Millisecond, nil
}
func (s *fakeScheduler) LogTail(int) []string { return []string{"the end"} }

// fakeRecorder writes what it is told and watches nothing.
type fakeRecorder struct {
	mu     sync.Mutex
	header history.Header
	file   *os.File
	out    *history.Writer
	folder *history.Folder
	start  time.Time
	seq    int64
	err    error
}

func (r *fakeRecorder) Now() (time.Time, time.Duration) { return time.Now().UTC(), time.Since(r.start) }

func (r *fakeRecorder) Action(e history.Event) history.Folded {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.seq++
	e.Seq = r.seq
	e.Wall, e.Mono = r.Now()
	f, err := r.folder.Record(e, nil)
	if err != nil {
		panic(err)
	}
	if err := r.out.Write(&f.Event); err != nil {
		panic(err)
	}
	return f
}

func (r *fakeRecorder) Sample(verb string, s history.Sample) history.Folded {
	return r.Action(history.Event{Origin: history.Sampling, Stream: "sample:" + s.Process, Verb: verb, Sample: &s})
}

func (r *fakeRecorder) Sync(context.Context, *history.Scope) error { return nil }
func (r *fakeRecorder) Follow(scope history.Scope) env.Live {
	d, err := dialect.Load(dialect.Native)
	if err != nil {
		panic(err)
	}
	return &fakeLive{history.NewBuilder(&r.header, d, scope)}
}
func (r *fakeRecorder) Err() error { return r.err }
func (r *fakeRecorder) Close(context.Context) error {
	if err := r.out.Flush(); err != nil {
		return err
	}
	return r.file.Close()
}

// fakeLive shows an empty view.
type fakeLive struct{ b *history.Builder }

func (l *fakeLive) Until(ctx context.Context, cond func(*history.View) bool) bool {
	if cond(l.b.View()) {
		return true
	}
	<-ctx.Done()
	return false
}
func (l *fakeLive) Look(f func(*history.View)) { f(l.b.View()) }
func (l *fakeLive) Close()                     {}
