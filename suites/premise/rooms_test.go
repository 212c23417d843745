package premise_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/premise"
)

// Whatever happens in a cluster, following it gives the answers that asking about each state as a whole gives.
func TestRoomsAnswerAsTheWholeDoes(t *testing.T) {
	apart := func(p *corev1.Pod) {
		p.Labels = map[string]string{"app": "apart"}
		p.Spec.Affinity = &corev1.Affinity{PodAntiAffinity: &corev1.PodAntiAffinity{
			RequiredDuringSchedulingIgnoredDuringExecution: []corev1.PodAffinityTerm{{TopologyKey: corev1.LabelHostname,
				LabelSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"app": "apart"}}}}}}
	}
	port := func(p *corev1.Pod) {
		p.Spec.Containers[0].Ports = []corev1.ContainerPort{{HostPort: 80, ContainerPort: 80}}
	}
	picky := func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"rack": "r0"} }
	shapes := [][]func(*corev1.Pod){
		{historytest.Wants("gpu=1")}, {historytest.Wants("gpu=2")}, {historytest.Wants("gpu=1"), port},
		{historytest.Wants("gpu=1"), picky}, {historytest.Wants("gpu=1"), apart},
	}
	rapid.Check(t, func(t *rapid.T) {
		b := historytest.New()
		racks := func(i int) func(*corev1.Node) { return historytest.NodeLabel("rack", fmt.Sprint("r", i%2)) }
		for i := range rapid.IntRange(1, 4).Draw(t, "nodes") {
			b.Node(fmt.Sprint("n", i), historytest.Has("gpu=4"), racks(i))
		}
		b.Gang("plain", 2).Gang("close", 2, historytest.OneDomain("rack"))
		names := map[string]string{} // pod → gang
		bound := map[string]bool{}
		pod := func(gang string) {
			name := fmt.Sprint("p", len(names))
			names[name] = gang
			b.Pod(name, gang, rapid.SampledFrom(shapes).Draw(t, "shape")...)
		}
		for range rapid.IntRange(1, 5).Draw(t, "members") {
			pod("plain")
		}
		for range rapid.IntRange(1, 4).Draw(t, "close ones") {
			pod("close")
		}
		for range rapid.IntRange(1, 12).Draw(t, "deeds") {
			name := fmt.Sprint("p", rapid.IntRange(0, len(names)-1).Draw(t, "pod"))
			node := fmt.Sprint("n", rapid.IntRange(0, 3).Draw(t, "node"))
			switch rapid.SampledFrom([]string{"other", "bind", "bind", "end", "cordon", "grow", "member"}).Draw(t, "deed") {
			case "other":
				pod("")
			case "member":
				pod("plain")
			case "bind":
				if _, there := bound[name]; !there {
					b.DriverBind(name, node)
					bound[name] = true
				}
			case "end":
				if bound[name] {
					b.Gone(name)
					bound[name] = false
				}
			case "cordon":
				if b.View().Node(node) != nil {
					b.ChangeNode(node, func(n *corev1.Node) { n.Spec.Unschedulable = !n.Spec.Unschedulable })
				}
			case "grow":
				if b.View().Node(node) != nil {
					b.ChangeNode(node, historytest.Has("gpu=6"))
				}
			}
		}
		v := b.View()
		skip := rapid.IntRange(0, 3).Draw(t, "skip")
		var rooms premise.Rooms
		v.Replay(func(s *history.State, at history.Stamp) bool {
			if skip > 0 {
				skip--
				return true
			}
			rooms.See(s)
			for _, gang := range []string{"plain", "close", "both"} {
				var pods []*history.Pod
				var kinds []*premise.Kind
				for _, p := range v.Pods {
					if now := s.Pods[p.UID]; now != nil && now.NodeName == "" && (p.Gang == gang || gang == "both") {
						pods, kinds = append(pods, p), append(kinds, rooms.KindOf(p))
					}
				}
				asked := rooms.Asked(pods, kinds)
				most := 0
				for n := 0; n <= len(pods)+1; n++ {
					want, err := premise.ImpossibleIn(s, pods, n)
					if err != nil {
						t.Fatal(err)
					}
					if !want && n <= len(pods) {
						most = n
					}
					if got, err := rooms.Impossible(asked, n); got != want || err != nil {
						t.Fatalf("event %d: %d of the %d pods of %s: impossible %t (%v), want %t", at.Seq, n, len(pods), gang, got, err, want)
					}
				}
				for _, limit := range []int{len(pods) / 2, len(pods)} {
					if got := rooms.Most(asked, limit); got != min(most, limit) {
						t.Fatalf("event %d: room for %d of at most %d pods of %s, want %d", at.Seq, got, limit, gang, min(most, limit))
					}
				}
			}
			return true
		})
	})
}
