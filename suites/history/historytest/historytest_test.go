package historytest_test

import (
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history/historytest"
)

func TestStoryIsReadBack(t *testing.T) {
	h := historytest.New().
		Nodes(2, historytest.Has("nvidia.com/gpu=4")).
		Gang("g", 2).Pods("g", 3, historytest.Wants("nvidia.com/gpu=2")).
		Pod("plain", "", historytest.Gated).
		Mark("created").Wait(time.Second).
		Bind("g-0", "node-0").DriverBind("g-1", "node-1").
		Satisfied("g", "True", "Scheduled").
		Reject("g-2").Ungate("plain").
		Quorum("g", 3).Deleting("g-2").Gone("g-2").
		Hold("quiet", time.Minute).
		Canary(20*time.Millisecond).StopScheduler().StartScheduler().Crash("exit 1", "panic")
	v := h.View()

	if len(v.Gaps) != 0 {
		t.Errorf("a told story has gaps: %+v", v.Gaps)
	}
	if !v.Ordered() || v.Begin.IsZero() || v.End.IsZero() {
		t.Errorf("ordered %v, begin %v, end %v", v.Ordered(), v.Begin, v.End)
	}
	if got := len(v.Nodes); got != 2 {
		t.Errorf("%d nodes", got)
	}
	g := v.Gang("g")
	if g == nil || len(g.Quorum) != 2 || g.Quorum[1].Value != 3 || len(g.Satisfied) != 1 || g.Satisfied[0].Value.Status != "True" {
		t.Fatalf("gang %+v", g)
	}
	if len(v.Members("g")) != 3 || v.Pod("g-0").Priority != 0 || !v.Pod("g-0").Ours {
		t.Errorf("members %+v", v.Members("g"))
	}
	if p := v.Pod("g-0"); !p.ByScheduler() || p.Node != "node-0" {
		t.Errorf("g-0 %+v", p)
	}
	if p := v.Pod("g-1"); p.ByScheduler() || !p.ByDriver {
		t.Errorf("g-1 %+v", p)
	}
	if p := v.Pod("g-2"); len(p.Rejected) != 1 || p.Deleting.IsZero() || p.Gone.IsZero() {
		t.Errorf("g-2 %+v", p)
	}
	if p := v.Pod("plain"); len(p.Gated) != 2 || !p.Gated[0].Value || p.Gated[1].Value {
		t.Errorf("plain %+v", p.Gated)
	}
	at, ok := v.Mark("created")
	if !ok || v.Pod("g-0").Bound.Since(at) < time.Second {
		t.Errorf("the mark lies at %v, the bind at %v", at, v.Pod("g-0").Bound)
	}
	if len(v.Crashes) != 1 || v.Canary != 20*time.Millisecond {
		t.Errorf("crashes %v, canary %v", v.Crashes, v.Canary)
	}
	if got := v.Settle(4); got != 25*time.Second {
		t.Errorf("settle bound %v", got)
	}
}

func TestStoryGoesOnAfterView(t *testing.T) {
	h := historytest.New().Nodes(1).Pod("p", "")
	if v := h.View(); !v.Pod("p").Bound.IsZero() {
		t.Error("bound too early")
	}
	if v := h.Bind("p", "node-0").Finish(corev1.PodSucceeded, "p").View(); v.Pod("p").Bound.IsZero() || v.Pod("p").Finished.IsZero() {
		t.Error("the story did not go on")
	}
}

func TestGapAndPlacedPods(t *testing.T) {
	v := historytest.New(historytest.UnknownStorage, historytest.SettleSeconds(0, 1)).
		Nodes(1).BreakWatch("pods").Pod("p", "", historytest.Placed("node-0")).View()
	if len(v.GapsIn("pods")) == 0 || len(v.GapsIn("nodes")) != 0 {
		t.Errorf("gaps %+v", v.Gaps)
	}
	if v.Ordered() || v.Settle(9) != time.Second {
		t.Errorf("ordered %v, settle %v", v.Ordered(), v.Settle(9))
	}
	if p := v.Pod("p"); p.ByScheduler() || p.Node != "node-0" {
		t.Errorf("p %+v", p)
	}
}

func TestNonsensePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("binding a pod that does not exist went unnoticed")
		}
	}()
	historytest.New().Bind("nobody", "node-0")
}
