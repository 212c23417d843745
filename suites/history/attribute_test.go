package history

import (
	"testing"

	corev1 "k8s.io/api/core/v1"
)

func TestAttribution(t *testing.T) {
	bind := func(tp *tape, pod, node, uid string, code int) {
		tp.act(VerbBind, Event{Version: "v1", Resource: "pods", Namespace: "ns", Name: pod, UID: uid},
			Action{Node: node, Subresource: "binding", Response: Response{Code: code}})
	}
	create := func(tp *tape, pod, uid string, code int) {
		tp.act(VerbCreate, Event{Version: "v1", Resource: "pods", Namespace: "ns", Name: pod},
			Action{Response: Response{Code: code, UID: uid}})
	}
	foreign := func(p *corev1.Pod) { p.Spec.SchedulerName = "other" }
	for _, c := range []struct {
		name                             string
		tell                             func(tp *tape)
		byDriver, bornBound, byScheduler bool
	}{
		{"bound by the scheduler", func(tp *tape) { tp.pod("a"); tp.pod("a", on("n")) }, false, false, true},
		{"never bound", func(tp *tape) { tp.pod("a") }, false, false, false},
		{"bound by another scheduler", func(tp *tape) { tp.pod("a", foreign); tp.pod("a", on("n")) }, false, false, false},
		{"bound by the driver", func(tp *tape) { tp.pod("a"); bind(tp, "a", "n", "", 201); tp.pod("a", on("n")) }, true, false, false},
		{"by the driver, whose answer came after the watch event", func(tp *tape) { tp.pod("a"); tp.pod("a", on("n")); bind(tp, "a", "n", "", 201) }, true, false, false},
		{"the driver's bind was refused", func(tp *tape) { tp.pod("a"); tp.pod("a", on("n")); bind(tp, "a", "n", "", 409) }, false, false, true},
		{"the driver's bind had no answer", func(tp *tape) { tp.pod("a"); bind(tp, "a", "n", "", 0); tp.pod("a", on("n")) }, true, false, false},
		{"the driver's bind went to another node", func(tp *tape) { tp.pod("a"); bind(tp, "a", "m", "", 0); tp.pod("a", on("n")) }, false, false, true},
		{"the driver bound another pod", func(tp *tape) { tp.pod("a"); bind(tp, "b", "n", "", 201); tp.pod("a", on("n")) }, false, false, true},
		{"the driver bound the former incarnation", func(tp *tape) {
			tp.pod("a")
			bind(tp, "a", "n", "", 201)
			tp.pod("a", on("n"))
			tp.podGone("a")
			tp.pod("a")
			tp.pod("a", on("n"))
		}, false, false, true},
		{"the driver bound the former incarnation, known by uid", func(tp *tape) {
			tp.pod("a")
			uid := string(tp.pods["a"].UID)
			tp.podGone("a")
			tp.pod("a")
			tp.pod("a", on("n"))
			bind(tp, "a", "n", uid, 201)
		}, false, false, true},
		{"created bound by the driver", func(tp *tape) { create(tp, "a", "", 201); tp.pod("a", on("n")) }, true, true, false},
		{"created bound by the driver, answer later", func(tp *tape) { tp.pod("a", on("n")); create(tp, "a", string(tp.pods["a"].UID), 201) }, true, true, false},
		{"created bound by somebody", func(tp *tape) { tp.pod("a", on("n")) }, false, true, false},
		{"created by the driver, bound by the scheduler", func(tp *tape) { create(tp, "a", "", 201); tp.pod("a"); tp.pod("a", on("n")) }, false, false, true},
		{"bound when the record began", func(tp *tape) { tp.origin = List; tp.pod("a", on("n")) }, false, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			tp := newTape(t, SingleEtcd)
			c.tell(tp)
			p := tp.view(scopeS()).Pod("a")
			if p.ByDriver != c.byDriver || p.BornBound != c.bornBound || p.ByScheduler() != c.byScheduler {
				t.Errorf("by driver %t, born bound %t, by scheduler %t; want %t, %t, %t",
					p.ByDriver, p.BornBound, p.ByScheduler(), c.byDriver, c.bornBound, c.byScheduler)
			}
		})
	}
}

// The driver of one scenario binds, the pod lands in the view of another.
func TestAttributionAcrossScenarios(t *testing.T) {
	tp := newTape(t, SingleEtcd)
	tp.node("n", "p-real")
	tp.pod("other/b")
	tp.act(VerbBind, Event{Resource: "pods", Namespace: "other", Name: "b"}, Action{Scenario: "t", Node: "n", Response: Response{Code: 201}})
	tp.pod("other/b", on("n"))
	v := tp.view(scopeS())
	if len(v.Pods) != 1 || !v.Pods[0].ByDriver || len(v.Actions) != 0 {
		t.Errorf("pods %+v, actions %v", v.Pods, v.Actions)
	}
}
