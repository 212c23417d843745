package runner

import (
	"context"
	"strconv"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/fakes/cluster/storage"
	"muster/perf/measure"
)

// Each probe carries the time it was sent at, goes to the place the API server keeps it in, and is under way once at a
// time: of two that stall for good, two are sent, and then no more.
func TestProbes(t *testing.T) {
	pod := func(name string) *corev1.Pod {
		return stored(&corev1.Pod{ObjectMeta: metav1.ObjectMeta{Namespace: probeNamespace, Name: name, ResourceVersion: "7"}})
	}
	ctx, stop := context.WithCancel(t.Context())
	var mu sync.Mutex
	sent := map[string]string{}
	p := &prober{pods: []*corev1.Pod{pod("a"), pod("b")}, put: func(_ context.Context, item storage.Item) error {
		o := item.Object.(*corev1.Pod)
		if o.ResourceVersion != "" || o.Kind != "Pod" || item.Key != "pods/perf-probe/"+o.Name {
			t.Errorf("stored %+v at %s", o.ObjectMeta, item.Key)
		}
		mu.Lock()
		if sent[o.Name] != "" {
			t.Errorf("%s was under way twice", o.Name)
		}
		sent[o.Name] = o.Annotations[measure.ProbeAnnotation]
		mu.Unlock()
		<-ctx.Done()
		return nil
	}}
	ticks := 0
	p.run(ctx, func() time.Duration {
		if ticks++; ticks == 4 {
			stop()
		}
		return time.Duration(ticks)
	})
	for name, at := range sent {
		if n, err := strconv.Atoi(at); err != nil || n < 1 || n > 2 {
			t.Errorf("%s says it was sent at %q", name, at)
		}
	}
	if len(sent) != 2 {
		t.Errorf("%d probes were sent, want 2", len(sent))
	}
}
