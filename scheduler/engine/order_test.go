package engine_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/scheduler/engine"
)

// TestOrderOfNews: an engine that is told the same in another order finds the same places, also where it hears of pods
// before their nodes, or where nodes came and went. Equal pods, pods of two shapes and pods that keep apart are placed in
// different ways.
func TestOrderOfNews(t *testing.T) {
	apart := func(p *corev1.Pod) {
		p.Labels = map[string]string{"apart": ""}
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{
			TopologyKey: "kubernetes.io/hostname", LabelSelector: &metav1.LabelSelector{MatchLabels: p.Labels},
		}}}}
	}
	answers := func(seed uint64) (out []any) {
		e := engine.New(engine.Options{})
		random := rand.New(rand.NewPCG(seed, 1))
		var news []func()
		for i := range 70 {
			name := fmt.Sprintf("n%02d", i)
			news = append(news, func() { e.UpsertNode(node(name, 4, 0, rack, fmt.Sprint("r", i/10), "kubernetes.io/hostname", name)) })
			if i%3 > 0 {
				news = append(news, func() { e.UpsertPod(pod("on-"+name, "", int64(i%3), 0, bind(name))) })
			}
		}
		for _, size := range []int{2, 5} {
			for i, edit := range []func(*corev1.Pod){func(*corev1.Pod) {}, apart} {
				name := fmt.Sprintf("g-%d-%d", size, i)
				news = append(news, func() { e.UpsertGroup(gang(name, int32(size))) })
				for m := range size {
					news = append(news, func() { e.UpsertPod(pod(fmt.Sprintf("%s-%d", name, m), name, 1, 0, edit)) })
				}
				mixed := name + "-mixed"
				news = append(news, func() { e.UpsertGroup(gang(mixed, int32(size), inOne(rack))) })
				for m := range size {
					news = append(news, func() { e.UpsertPod(pod(fmt.Sprintf("%s-%d", mixed, m), mixed, int64(1+m%2), 0, edit)) })
				}
			}
		}
		if seed > 0 {
			random.Shuffle(len(news), func(i, j int) { news[i], news[j] = news[j], news[i] })
		}
		for i, tell := range news {
			tell()
			if seed > 0 && i%9 == 0 { // somebody asks while news still comes, and a node comes and goes
				other := fmt.Sprint(string(rune('a'+random.IntN(26))), i)
				e.UpsertNode(node(other, 4, 0))
				e.Solve(root(engine.KindPodGroup, "g-5-0"))
				e.DeleteNode(other)
			}
		}
		if err := e.Check(); err != nil {
			t.Fatal(err)
		}
		for _, size := range []int{2, 5} {
			for i := range 2 {
				for _, kind := range []string{"", "-mixed"} {
					r := root(engine.KindPodGroup, fmt.Sprintf("g-%d-%d%s", size, i, kind))
					d := e.Solve(r)
					if len(d.Placements) != size {
						t.Fatalf("%v: %d of %d placed: %s", r, len(d.Placements), size, d.Reason)
					}
					out = append(out, d.Placements)
				}
			}
		}
		return out
	}
	want := answers(0)
	for seed := range uint64(20) {
		for i, got := range answers(seed + 1) {
			if !reflect.DeepEqual(got, want[i]) {
				t.Fatalf("seed %d, question %d:\n%v\nin order:\n%v", seed+1, i, got, want[i])
			}
		}
	}
}
