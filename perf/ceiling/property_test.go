package ceiling

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"
)

// Whatever comes in whatever order, no node is given more than it has, no gang is begun below its quorum, and the
// counters are what a recount gives.
func TestCountersAreNeverExceeded(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		s := newStage()
		if rapid.Bool().Draw(r, "live") {
			s.start()
		}
		s.emit = func(j *job) {
			if j.pod != nil {
				allowed(r, s, j.pod)
			}
			s.sent = append(s.sent, j)
		}
		pods := 0
		r.Repeat(map[string]func(*rapid.T){
			"node": func(r *rapid.T) {
				i := rapid.IntRange(0, 4).Draw(r, "node")
				s.upsertNode(nodeObj(fmt.Sprint("x", i), fmt.Sprint(rapid.IntRange(1, 4).Draw(r, "cpu")), "3", fmt.Sprint("rack", i%2)))
			},
			"node gone": func(r *rapid.T) { s.deleteNode(fmt.Sprint("x", rapid.IntRange(0, 4).Draw(r, "node"))) },
			"group": func(r *rapid.T) {
				i := rapid.IntRange(0, 3).Draw(r, "group")
				s.upsertGroup(groupObj(fmt.Sprint("g", i), int32(i), []string{"", "rack"}[i%2]))
			},
			"pod": func(r *rapid.T) {
				pods++
				group := rapid.SampledFrom([]string{"", "g0", "g1", "g2", "g3"}).Draw(r, "of")
				s.upsertPod(podObj(fmt.Sprint("p", pods), "1", group))
			},
			"pod gone": func(r *rapid.T) {
				n := fmt.Sprint("p", rapid.IntRange(1, 12).Draw(r, "pod"))
				s.deletePod(key{"n", n}, podObj(n, "1", "").UID)
			},
			"answer": func(*rapid.T) {
				if len(s.sent) > 0 {
					if p := s.sent[0].pod; p != nil && s.pods[p.key] == p {
						s.confirmed(p)
					}
					s.sent = s.sent[1:]
				}
			},
			"refusal": func(*rapid.T) {
				if len(s.sent) > 0 {
					if p := s.sent[0].pod; p != nil {
						s.failed(p)
					}
					s.sent = s.sent[1:]
				}
			},
			"start": func(*rapid.T) {
				if !s.live {
					s.start()
				}
			},
			"": func(r *rapid.T) {
				s.settle()
				recount(r, s)
			},
		})
	})
}

// allowed: the pod's node has what it takes, and its group's quorum has a place.
func allowed(r *rapid.T, s *stage, p *pod) {
	for i, used := range p.node.used {
		if used > at(p.node.has, i) {
			r.Fatalf("%s is sent to %s, which has %d of resource %d and gives %d", p.key.name, p.node.name, at(p.node.has, i), i, used)
		}
	}
	if g := p.group; g != nil && (!g.exists || g.placed < g.quorum) {
		r.Fatalf("%s is sent while %d members of %s have a place and its quorum is %d", p.key.name, g.placed, g.key.name, g.quorum)
	}
}

func recount(r *rapid.T, s *stage) {
	used, placed := map[*node]int64{}, map[*group]int{}
	for _, p := range s.pods {
		if p.node == nil {
			continue
		}
		used[p.node]++
		if p.group != nil {
			placed[p.group]++
		}
	}
	pods := s.names.of("pods")
	for _, n := range s.nodes {
		if at(n.used, pods) != used[n] {
			r.Fatalf("%s counts %d pods and has %d", n.name, at(n.used, pods), used[n])
		}
	}
	for _, g := range s.groups {
		if g.placed != placed[g] || g.bound > g.placed {
			r.Fatalf("%s counts %d placed and %d bound members and has %d", g.key.name, g.placed, g.bound, placed[g])
		}
		for p := range g.waiting {
			if p.node != nil || !p.ready {
				r.Fatalf("%s waits in %s and has a place or is not ready", p.key.name, g.key.name)
			}
		}
	}
}
