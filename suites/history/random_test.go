package history

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	"pgregory.net/rapid"
)

// randomTape tells a random story of scenario s among others, complete with closing lists.
func randomTape(t testing.TB, rt *rapid.T, storage Storage) *tape {
	tp := newTape(t, storage)
	tp.node("n1", "p-real")
	begin := rapid.IntRange(0, 5).Draw(rt, "begin")
	steps := rapid.IntRange(5, 40).Draw(rt, "steps")
	for i := range steps {
		if i == begin {
			tp.begin(scopeS())
		}
		randomStep(tp, rt)
	}
	if steps > begin && rapid.Bool().Draw(rt, "ends") {
		tp.end()
		for range rapid.IntRange(0, 5).Draw(rt, "after") {
			randomStep(tp, rt)
		}
	} else if steps <= begin {
		tp.begin(scopeS())
	}
	return tp.close()
}

func randomStep(tp *tape, rt *rapid.T) {
	edits := []func(*corev1.Pod){gated, ungated, on("n1"), on("n2"), deleting, phase(corev1.PodRunning),
		phase(corev1.PodFailed), refused("Unschedulable", "x"), refused("Unschedulable", "y"), func(p *corev1.Pod) {}}
	pod := rapid.SampledFrom([]string{"a", "b", "c", "other/d", "other/e"}).Draw(rt, "pod")
	node := rapid.SampledFrom([]string{"n1", "n2", "n3"}).Draw(rt, "node")
	switch rapid.IntRange(0, 11).Draw(rt, "step") {
	default:
		if tp.pods[pod] == nil {
			tp.pod(pod, member("g"), rapid.SampledFrom(edits).Draw(rt, "edit"))
			return
		}
		edit := rapid.SampledFrom(edits).Draw(rt, "edit")
		bound := tp.pods[pod].Spec.NodeName
		tp.pod(pod, edit, func(p *corev1.Pod) {
			if bound != "" {
				p.Spec.NodeName = bound // a bind is for ever
			}
		})
	case 6:
		if tp.pods[pod] != nil {
			tp.podGone(pod)
		}
	case 7:
		if tp.nodes[node] != nil && rapid.Bool().Draw(rt, "gone") {
			tp.nodeGone(node)
			return
		}
		tp.node(node, rapid.SampledFrom([]string{"p-real", "else"}).Draw(rt, "pool"))
	case 8:
		if tp.gangs["g"] != nil && rapid.IntRange(0, 4).Draw(rt, "gone") == 0 {
			tp.gangGone("g")
			return
		}
		tp.gang("g", map[string]any{"quorum": rapid.Int64Range(1, 3).Draw(rt, "quorum")})
	case 9:
		tp.mark(fmt.Sprintf("m%d", len(tp.events)))
	case 10:
		ns, name := split(pod)
		tp.act(VerbBind, Event{Resource: "pods", Namespace: ns, Name: name}, Action{Node: node, Response: Response{Code: 201}})
	case 11:
		tp.sample(VerbCrash, Sample{Process: ProcessScheduler})
	}
}

// digest is everything a view says, to compare views.
func digest(t testing.TB, v *View) string {
	t.Helper()
	var b strings.Builder
	put := func(x any) {
		raw, err := json.Marshal(x)
		if err != nil {
			t.Fatal(err)
		}
		b.Write(raw)
		b.WriteByte('\n')
	}
	for _, p := range v.Pods {
		put(p)
	}
	for _, g := range v.Gangs {
		put(g)
	}
	for _, n := range v.Nodes {
		put(n)
	}
	put(v.Gaps)
	put(v.Crashes)
	for _, a := range v.Actions {
		if a.Value.Action.Scenario == "s" {
			put(a)
		}
	}
	put([]Stamp{v.Begin, v.End})
	v.Replay(func(s *State, at Stamp) bool {
		put(at)
		put(stateDigest(s))
		return true
	})
	return b.String()
}

// stateDigest is a state in comparable words.
func stateDigest(s *State) map[string]string {
	out := map[string]string{}
	for name, n := range s.Nodes {
		out["node "+name] = string(n.UID) + " " + n.ResourceVersion
	}
	for uid, p := range s.Pods {
		out["pod "+uid] = fmt.Sprintf("%s on %q gated %t deleting %t", p.Now.ResourceVersion, p.NodeName, p.Gated, p.Deleting)
	}
	for key, g := range s.Gangs {
		out["gang "+key] = fmt.Sprintf("%s needs %d", g.UID, g.Quorum)
	}
	return out
}

// A builder that is asked for its view after every event ends where one does that is asked once.
func TestIncrementalIsFromScratch(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tp := randomTape(t, rt, rapid.SampledFrom([]Storage{SingleEtcd, UnknownStorage}).Draw(rt, "storage"))
		b := NewBuilder(&tp.header, toy{}, scopeS())
		for i, e := range tp.events {
			if err := b.Add(e); err != nil {
				rt.Fatal(err)
			}
			if i%3 == 0 {
				v := b.View()
				v.StateAt(v.Now())
				v.Replay(func(*State, Stamp) bool { return true })
				v.BoundCount("g")
			}
		}
		if a, c := digest(t, b.View()), digest(t, tp.view(scopeS())); a != c {
			rt.Fatalf("step by step:\n%s\nat once:\n%s", a, c)
		}
	})
}

// Where resource versions order, it does not matter how the watches overtake one another: every stream keeps its own
// order, and the states a replay shows are the same.
func TestWatchesMayOvertake(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		tp := newTape(t, SingleEtcd)
		for range rapid.IntRange(2, 30).Draw(rt, "steps") {
			randomStep(tp, rt)
		}
		streams := map[string][]Event{}
		names := []string{}
		for _, e := range tp.events {
			if !e.isObject() {
				continue
			}
			if streams[e.Stream] == nil {
				names = append(names, e.Stream)
			}
			streams[e.Stream] = append(streams[e.Stream], e)
		}
		straight, mixed := []Event{}, []Event{}
		for _, e := range tp.events {
			if e.isObject() {
				e.Seq = int64(len(straight) + 1)
				straight = append(straight, e)
			}
		}
		for len(mixed) < len(straight) {
			name := rapid.SampledFrom(names).Draw(rt, "stream")
			if list := streams[name]; len(list) > 0 {
				e := list[0]
				streams[name] = list[1:]
				e.Seq = int64(len(mixed) + 1)
				mixed = append(mixed, e)
			}
		}
		a := states(&History{Header: tp.header, Events: straight})
		b := states(&History{Header: tp.header, Events: mixed})
		if strings.Join(a, "\n") != strings.Join(b, "\n") {
			rt.Fatalf("in order:\n%s\nmixed:\n%s", strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
	})
}

func states(h *History) (out []string) {
	NewView(h, toy{}, scopeS()).Replay(func(s *State, at Stamp) bool {
		out = append(out, fmt.Sprint(at.Order, stateDigest(s)))
		return true
	})
	return out
}
