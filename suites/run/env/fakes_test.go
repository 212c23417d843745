package env

import (
	"context"
	"sync"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/dynamic/fake"

	"muster/fakes/nodes"
	"muster/suites"
	"muster/suites/history"
	"muster/workloads/dialect"
)

// journal keeps events in memory and makes them visible at once, as a recorder whose watches have no lag.
type journal struct {
	mu     sync.Mutex
	events []history.Event
	start  time.Time
	header history.Header
	folder *history.Folder
	lives  []*live
	synced int
}

func newJournal() *journal {
	h := history.Header{Storage: history.SingleEtcd}
	return &journal{start: time.Now(), header: h, folder: history.NewFolder(&h)}
}

func (j *journal) Now() (time.Time, time.Duration) { return time.Now(), time.Since(j.start) }

func (j *journal) Sync(context.Context, *history.Scope) error { j.synced++; return nil }

func (j *journal) Action(e history.Event) history.Folded { return j.add(e, nil) }

// see is the watch telling of an object.
func (j *journal) see(gvr schema.GroupVersionResource, verb string, obj *unstructured.Unstructured) {
	j.add(history.Event{
		Stream: gvr.Resource, Origin: history.Watch, Verb: verb, Group: gvr.Group, Version: gvr.Version, Resource: gvr.Resource,
		Namespace: obj.GetNamespace(), Name: obj.GetName(), UID: string(obj.GetUID()), RV: obj.GetResourceVersion(),
	}, obj.Object)
}

func (j *journal) add(e history.Event, whole map[string]any) history.Folded {
	j.mu.Lock()
	defer j.mu.Unlock()
	e.Seq = int64(len(j.events) + 1)
	e.Wall, e.Mono = j.Now()
	f, err := j.folder.Record(e, whole)
	if err != nil {
		panic(err)
	}
	j.events = append(j.events, f.Event)
	for _, l := range j.lives {
		l.add(&f)
	}
	return f
}

func (j *journal) Follow(scope history.Scope) Live {
	j.mu.Lock()
	defer j.mu.Unlock()
	d, err := dialect.Load(dialect.Native)
	if err != nil {
		panic(err)
	}
	l := &live{builder: history.NewBuilder(&j.header, d, scope), wake: make(chan struct{})}
	j.lives = append(j.lives, l)
	return l
}

func (j *journal) last() history.Event {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.events[len(j.events)-1]
}

// live re-evaluates conditions after every event.
type live struct {
	mu      sync.Mutex
	builder *history.Builder
	wake    chan struct{}
	closed  bool
}

func (l *live) add(f *history.Folded) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.builder.AddFolded(f)
	close(l.wake)
	l.wake = make(chan struct{})
}

func (l *live) Until(ctx context.Context, cond func(*history.View) bool) bool {
	for {
		l.mu.Lock()
		held, wake := cond(l.builder.View()), l.wake
		l.mu.Unlock()
		if held {
			return true
		}
		select {
		case <-wake:
		case <-ctx.Done():
			return false
		}
	}
}

func (l *live) Look(f func(*history.View)) {
	l.mu.Lock()
	defer l.mu.Unlock()
	f(l.builder.View())
}

func (l *live) Close() { l.closed = true }

// stage is an Env over a fake API server.
type stage struct {
	*Env
	journal *journal
	client  *fake.FakeDynamicClient
}

var scenario = suites.Scenario{
	Name: "two-gangs", Profile: "gang", Requirements: []string{"GANG-001"},
	Needs: suites.Needs{
		Pools:           []nodes.Pool{{Name: "main", Count: 2, CPU: "4", GPUs: 2, NodesPerRack: 1, RackKey: "unique"}},
		PriorityClasses: map[string]int32{"high": 100},
	},
}

func newStage(t *testing.T, change func(*Options)) *stage {
	t.Helper()
	d, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[schema.GroupVersionResource]string{
		podsGVR: "PodList", nodesGVR: "NodeList", namespacesGVR: "NamespaceList", priorityClassesGVR: "PriorityClassList",
		serviceAccountsGVR: "ServiceAccountList", d.GangResource(): "PodGroupList",
		deviceClassesGVR: "DeviceClassList", resourceSlicesGVR: "ResourceSliceList",
	}
	s := &stage{journal: newJournal(), client: fake.NewSimpleDynamicClientWithCustomListKinds(runtime.NewScheme(), kinds)}
	profile := history.SchedulerProfile{SchedulerNames: []string{"mine"}, Dialect: "native", SettleRoot: 10, SettleBase: 5}
	o := Options{
		Scenario: scenario, Scope: ScopeOf(scenario, "", SeedOf(1, scenario.Name), profile), Profile: profile,
		Dialect: d, Client: s.client, Journal: s.journal,
	}
	if change != nil {
		change(&o)
	}
	s.Env = New(o)
	return s
}

// prepared is a stage whose pools are there and seen.
func prepared(t *testing.T, change func(*Options)) *stage {
	t.Helper()
	s := newStage(t, change)
	done := make(chan error, 1)
	go func() { done <- s.Prepare(t.Context()) }()
	// The fake server has no watch that feeds the journal: tell of the nodes as they appear.
	for i := 0; i < 2; {
		list, err := s.client.Resource(nodesGVR).List(t.Context(), listAll)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Items) < 2 {
			continue
		}
		for k := range list.Items {
			n := list.Items[k]
			n.SetUID("node-" + typesUID(n.GetName()))
			n.SetResourceVersion("1")
			s.journal.see(nodesGVR, history.VerbAdded, &n)
			i++
		}
	}
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	return s
}
