package record

import (
	"context"
	"fmt"
	"io"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"

	"muster/suites/history"
)

// lifeOf is a pod's five forms, as a scheduler and a kubelet make them.
func lifeOf(i int) []watch.Event {
	p := &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("pod-%d", i), Namespace: "ns", UID: types.UID(fmt.Sprint(i)),
			Labels: map[string]string{"app": "a", "gang": "g"}, CreationTimestamp: metav1.Now()},
		Spec: corev1.PodSpec{SchedulerName: "sut", NodeSelector: map[string]string{"muster.dev/pool": "p"},
			Tolerations: []corev1.Toleration{{Key: "muster.dev/pool", Operator: corev1.TolerationOpEqual, Value: "p"}},
			Containers: []corev1.Container{{Name: "c", Image: "pause", Resources: corev1.ResourceRequirements{
				Requests: corev1.ResourceList{"cpu": resource.MustParse("1"), "nvidia.com/gpu": resource.MustParse("1")}}}}},
	}
	set := func(kind corev1.PodConditionType, status corev1.ConditionStatus) {
		p.Status.Conditions = append(p.Status.Conditions, corev1.PodCondition{Type: kind, Status: status, LastTransitionTime: metav1.Now()})
	}
	var out []watch.Event
	rv := i * 10
	next := func(kind watch.EventType) {
		rv++
		p.ResourceVersion = fmt.Sprint(rv)
		out = append(out, watch.Event{Type: kind, Object: p.DeepCopy()})
	}
	next(watch.Added)
	p.Spec.NodeName = "node-1"
	set(corev1.PodScheduled, corev1.ConditionTrue)
	next(watch.Modified)
	p.Status.Phase = corev1.PodRunning
	set(corev1.PodReady, corev1.ConditionTrue)
	next(watch.Modified)
	p.DeletionTimestamp = &metav1.Time{Time: time.Now()}
	next(watch.Modified)
	next(watch.Deleted)
	return out
}

// How many events of pods a second one recorder takes, everything included but the network.
func BenchmarkPods(b *testing.B) {
	r, err := newRecorder(Options{Out: io.Discard, Clock: machineClock{start: time.Now()}, MaxLag: 1 << 40,
		Header: history.Header{Storage: history.SingleEtcd, Started: time.Now()}})
	if err != nil {
		b.Fatal(err)
	}
	s := newStream(r, pods, "Pod", true, nil)
	events := 0
	for i := 0; b.Loop(); i++ {
		b.StopTimer()
		life := lifeOf(i)
		b.StartTimer()
		for _, e := range life {
			if err := s.take(e); err != nil {
				b.Fatal(err)
			}
			events++
		}
	}
	b.ReportMetric(float64(events)/b.Elapsed().Seconds(), "events/s")
}

// Thousands of pods through a server, with a live view that is asked after every event.
func TestKeepsUp(t *testing.T) {
	const n = 1000
	a := newAPI(t)
	b := startOn(t, a)
	sub := b.rec.Subscribe()
	header := b.rec.Header()
	live := history.NewBuilder(&header, toy{}, history.Scope{Scenario: "s", Namespaces: []string{"ns"}})
	bound := make(chan int)
	go func() {
		count := 0
		for count < n {
			events, err := sub.Next(context.Background())
			if err != nil {
				break
			}
			for _, e := range events {
				live.AddFolded(e)
				if e.Pod != nil && e.Pod.Spec.NodeName != "" {
					count++
				}
				live.View()
			}
		}
		bound <- count
	}()
	for i := range n {
		name := fmt.Sprintf("p%d", i)
		a.put("pods", "ns", name, spec(""))
		a.put("pods", "ns", name, spec("n"))
	}
	if got := <-bound; got != n {
		t.Fatalf("the live view saw %d binds, want %d", got, n)
	}
	v := view(b.close())
	if len(v.Gaps) > 0 || len(v.Pods) != n {
		t.Fatalf("%d pods, gaps %+v", len(v.Pods), v.Gaps)
	}
}
