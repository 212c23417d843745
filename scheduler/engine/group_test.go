package engine_test

import (
	"fmt"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"muster/scheduler/engine"
)

// bind tells the engine that a pod is bound.
func bind(name string) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.NodeName = name } }

func finish(p *corev1.Pod) { p.Status.Phase = corev1.PodSucceeded }

func gate(p *corev1.Pod) { p.Spec.SchedulingGates = []corev1.PodSchedulingGate{{Name: "wait"}} }

func priority(v int32) func(*corev1.Pod) { return func(p *corev1.Pod) { p.Spec.Priority = &v } }

// TestQuorum has one node of 4 cores and pods of one core: what of a group is placed, and what is said.
func TestQuorum(t *testing.T) {
	for _, tc := range []struct {
		name    string
		quorum  int32 // 0 is a basic group
		pods    []func(*corev1.Pod)
		outcome engine.Outcome
		code    engine.Code
		placed  int
		met     bool
	}{
		{"short of members", 3, edits(2), engine.Waiting, engine.ShortOfMembers, 0, false},
		{"exact", 3, edits(3), engine.Placed, engine.NoReason, 3, true},
		{"extras that fit", 2, edits(4), engine.Placed, engine.NoReason, 4, true},
		{"extras that do not fit", 2, edits(6), engine.Placed, engine.NoRoom, 4, true},
		{"no room for the quorum", 5, edits(6), engine.Unschedulable, engine.NoRoom, 0, false},
		{"bound members count", 3, edits(1, bind("n"), bind("n")), engine.Placed, engine.NoReason, 1, true},
		{"late member once the quorum was met", 2, edits(1, bind("n"), bind("n")), engine.Placed, engine.NoReason, 1, true},
		{"late member without room", 2, edits(1, bind("n"), bind("n"), bind("n"), bind("n")), engine.Unschedulable, engine.NoRoom, 0, true},
		{"finished members count with the others", 3, edits(1, both(bind("n"), finish), both(bind("n"), finish), bind("n")), engine.Placed, engine.NoReason, 1, true},
		{"finished members below the quorum do not", 3, edits(1, both(bind("n"), finish), bind("n")), engine.Waiting, engine.ShortOfMembers, 0, false},
		{"finished without node does not", 2, edits(1, finish), engine.Waiting, engine.ShortOfMembers, 0, false},
		{"basic: what fits", 0, edits(6), engine.Placed, engine.NoRoom, 4, true},
		{"basic: nothing fits", 0, edits(1, bind("n"), bind("n"), bind("n"), bind("n")), engine.Unschedulable, engine.NoRoom, 0, true},
		{"a gate holds the gang", 2, edits(3, gate), engine.Waiting, engine.Gated, 0, false},
		{"a gate counts as a member", 4, edits(3, gate), engine.Waiting, engine.Gated, 0, false},
		{"a gate holds no gang that met its quorum", 2, edits(1, gate, bind("n"), bind("n")), engine.Placed, engine.NoReason, 1, true},
		{"a gate holds no basic group", 0, edits(2, gate), engine.Placed, engine.NoReason, 2, true},
		{"only gates", 0, edits(0, gate), engine.Waiting, engine.Gated, 0, false},
		{"other scheduler", 2, edits(2, func(p *corev1.Pod) { p.Spec.SchedulerName = "other" }), engine.Error, engine.Mixed, 0, false},
		{"other priority", 2, edits(2, priority(5)), engine.Error, engine.Mixed, 0, false},
		{"bound member of other priority", 2, edits(2, both(bind("n"), priority(5))), engine.Error, engine.Mixed, 0, false},
		{"finished member of other priority", 2, edits(2, both(bind("n"), finish, priority(5))), engine.Placed, engine.NoReason, 2, true},
		{"other preemption policy", 2, edits(2, func(p *corev1.Pod) { never := corev1.PreemptNever; p.Spec.PreemptionPolicy = &never }), engine.Error, engine.Mixed, 0, false},
		{"a member asks for what is not supported", 2, edits(2, oldVolume), engine.Placed, engine.NoReason, 2, true},
		{"too many members do", 2, edits(1, oldVolume), engine.Unschedulable, engine.Unsupported, 0, false},
		{"a member of a basic group does", 0, edits(2, oldVolume), engine.Placed, engine.NoReason, 2, true},
		{"a member cannot be read", 2, edits(2, unreadable), engine.Error, engine.Invalid, 0, false},
		{"pending and being deleted", 2, edits(1, deleted), engine.Waiting, engine.ShortOfMembers, 0, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := engine.New(engine.Options{})
			e.UpsertNode(node("n", 4, 0))
			e.UpsertGroup(gang("g", tc.quorum))
			for i, f := range tc.pods {
				e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 0, f))
			}
			d := e.Solve(root(engine.KindPodGroup, "g"))
			if d.Outcome != tc.outcome || d.Reason.Code != tc.code || len(d.Placements) != tc.placed || d.Groups[0].Satisfied != tc.met {
				t.Errorf("%s (%s: %s), %d placed, satisfied %v; want %s (%s), %d, %v", d.Outcome, d.Reason.Code, d.Reason,
					len(d.Placements), d.Groups[0].Satisfied, tc.outcome, tc.code, tc.placed, tc.met)
			}
			if err := e.Check(); err != nil {
				t.Error(err)
			}
		})
	}
}

func oldVolume(p *corev1.Pod) {
	p.Spec.Volumes = []corev1.Volume{{Name: "v", VolumeSource: corev1.VolumeSource{RBD: &corev1.RBDVolumeSource{}}}}
}

func unreadable(p *corev1.Pod) {
	p.Spec.Affinity = &corev1.Affinity{NodeAffinity: &corev1.NodeAffinity{RequiredDuringSchedulingIgnoredDuringExecution: &corev1.NodeSelector{
		NodeSelectorTerms: []corev1.NodeSelectorTerm{{MatchExpressions: []corev1.NodeSelectorRequirement{{Key: "k", Operator: corev1.NodeSelectorOpGt, Values: []string{"x", "y"}}}}}}}}
}

// edits are n plain pods and some that are edited.
func edits(n int, special ...func(*corev1.Pod)) []func(*corev1.Pod) {
	for range n {
		special = append(special, func(*corev1.Pod) {})
	}
	return special
}

func both(fs ...func(*corev1.Pod)) func(*corev1.Pod) {
	return func(p *corev1.Pod) {
		for _, f := range fs {
			f(p)
		}
	}
}

// TestReplacementNearTheEnd: a gang of 3 runs, two members finish, one is lost: its replacement is not stranded.
func TestReplacementNearTheEnd(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertNode(node("n", 4, 0))
	e.UpsertGroup(gang("g", 3))
	for i := range 3 {
		e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 0, bind("n")))
	}
	for i := range 2 {
		e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 0, bind("n"), finish))
	}
	e.DeletePod(engine.Key{Namespace: ns, Name: "p2"})
	e.UpsertPod(pod("again", "g", 1, 0))
	expect(t, solve(t, e, "g"), engine.Placed, 1)
}

func TestQuorumChanges(t *testing.T) {
	e := engine.New(engine.Options{})
	e.UpsertNode(node("n", 4, 0))
	e.UpsertGroup(gang("g", 5))
	members(e, "g", 5, 1, 0)
	expect(t, solve(t, e, "g"), engine.Unschedulable, 0)
	e.Woken()
	e.UpsertGroup(gang("g", 4))
	if w := e.Woken(); len(w) != 1 {
		t.Errorf("a lower quorum woke %v", w)
	}
	expect(t, solve(t, e, "g"), engine.Placed, 4)
	e.UpsertNode(node("m", 4, 0))
	e.UpsertGroup(gang("g", 6)) // above what runs and waits
	expect(t, solve(t, e, "g"), engine.Waiting, 0)
	e.DeleteGroup(engine.Key{Namespace: ns, Name: "g"})
	if d := solve(t, e, "g"); d.Reason.Code != engine.GroupMissing {
		t.Errorf("without its object: %s", d.Reason)
	}
	e.UpsertGroup(gang("g", 5))
	expect(t, solve(t, e, "g"), engine.Placed, 1)
}

// TestPinned has two racks of two nodes with four cores each, and one node without the label.
func TestPinned(t *testing.T) {
	for _, tc := range []struct {
		name    string
		pods    []func(*corev1.Pod)
		outcome engine.Outcome
		code    engine.Code
		rack    string
	}{
		{"free choice", edits(2), engine.Placed, engine.NoReason, ""},
		{"by a bound member", edits(2, bind("b0")), engine.Placed, engine.NoReason, "b"},
		{"by a finished member", edits(2, bind("b0"), both(bind("b1"), finish)), engine.Placed, engine.NoReason, "b"},
		{"full", edits(2, bind("b0"), bind("b0"), bind("b0"), bind("b0"), bind("b1"), bind("b1"), bind("b1"), bind("b1")), engine.Unschedulable, engine.NoDomain, ""},
		{"members in two racks", edits(2, bind("a0"), bind("b0")), engine.Error, engine.DomainSplit, ""},
		{"member on a node without label", edits(2, bind("bare")), engine.Error, engine.DomainLost, ""},
		{"member on a node that is gone", edits(2, bind("gone")), engine.Error, engine.DomainLost, ""},
		{"finished member on a node that is gone", edits(3, both(bind("gone"), finish)), engine.Placed, engine.NoReason, ""},
	} {
		t.Run(tc.name, func(t *testing.T) {
			e := engine.New(engine.Options{})
			for _, n := range []string{"a0", "a1", "b0", "b1"} {
				e.UpsertNode(node(n, 4, 0, rack, n[:1]))
			}
			e.UpsertNode(node("bare", 64, 0))
			e.UpsertGroup(gang("g", 3, inOne(rack)))
			if len(tc.pods) < 3 {
				e.UpsertGroup(gang("g", 2, inOne(rack)))
			}
			for i, f := range tc.pods {
				e.UpsertPod(pod(fmt.Sprint("p", i), "g", 1, 0, f))
			}
			d := e.Solve(root(engine.KindPodGroup, "g"))
			if d.Outcome != tc.outcome || d.Reason.Code != tc.code {
				t.Errorf("%s (%s), want %s (%s)", d.Outcome, d.Reason, tc.outcome, tc.code)
			}
			for _, pl := range d.Placements {
				if pl.Node == "bare" || tc.rack != "" && pl.Node[:1] != tc.rack {
					t.Errorf("%s stands on %s", pl.Pod.Key, pl.Node)
				}
			}
		})
	}
	e := engine.New(engine.Options{})
	e.UpsertNode(node("bare", 64, 0))
	e.UpsertGroup(gang("g", 1, inOne("no-such-key")))
	members(e, "g", 1, 1, 0)
	if d := solve(t, e, "g"); d.Outcome != engine.Unschedulable || d.Reason.Code != engine.NoDomain {
		t.Errorf("unknown key: %s (%s)", d.Outcome, d.Reason)
	} else if want := "no node that may be used carries the label no-such-key"; d.Reason.String() != want {
		t.Errorf("unknown key: %q; want %q", d.Reason, want)
	}
}

// TestFullDomains: domains without any room are not taken for nodes without the label.
func TestFullDomains(t *testing.T) {
	e := engine.New(engine.Options{})
	for i := range 4 {
		e.UpsertNode(node(fmt.Sprint("n", i), 1, 0, rack, fmt.Sprint("r", i/2)))
		full := pod(fmt.Sprint("full-", i), "", 1, 0)
		full.Spec.NodeName = fmt.Sprint("n", i)
		e.UpsertPod(full)
	}
	e.UpsertGroup(gang("g", 2, inOne(rack)))
	members(e, "g", 2, 1, 0)
	d := solve(t, e, "g")
	expect(t, d, engine.Unschedulable, 0)
	if want := "no domain of " + rack + " takes the 2 pods that must be placed; r0 takes 0 at most"; d.Reason.String() != want {
		t.Errorf("%q; want %q", d.Reason, want)
	}
}

// TestPacking: fragments first, whole nodes and whole racks stay free, and seeds decide between equals.
func TestPacking(t *testing.T) {
	e := engine.New(engine.Options{})
	for i := range 6 {
		e.UpsertNode(node(fmt.Sprint("n", i), 64, 8, rack, fmt.Sprint("r", i/2)))
	}
	e.UpsertPod(pod("old", "", 1, 5, bind("n3"))) // n3 has 3 GPUs left, rack r1 has 11
	e.UpsertGroup(gang("three", 3))
	members(e, "three", 3, 1, 1)
	for _, pl := range solve(t, e, "three").Placements {
		if pl.Node != "n3" {
			t.Errorf("three: %s opens %s", pl.Pod.Key, pl.Node)
		}
	}
	e.UpsertGroup(gang("eight", 8, inOne(rack)))
	members(e, "eight", 8, 1, 1)
	for _, pl := range solve(t, e, "eight").Placements {
		if pl.Node != "n2" {
			t.Errorf("eight: %s opens %s", pl.Pod.Key, pl.Node)
		}
	}
	used := map[string]bool{}
	for seed := range uint64(32) {
		e := engine.New(engine.Options{Seed: seed})
		for i := range 4 {
			e.UpsertNode(node(fmt.Sprint("n", i), 64, 8, rack, fmt.Sprint("r", i)))
		}
		e.UpsertGroup(gang("g", 2, inOne(rack)))
		members(e, "g", 2, 1, 1)
		used[solve(t, e, "g").Placements[0].Node] = true
	}
	if len(used) < 2 {
		t.Errorf("every seed chose %v", used)
	}
	// Pods without GPUs stay off nodes that have them while others have room.
	e = engine.New(engine.Options{})
	e.UpsertNode(node("gpu", 4, 8))
	e.UpsertNode(node("plain", 64, 0))
	e.UpsertPod(pod("p", "", 1, 0))
	if d := e.Solve(root(engine.KindPod, "p")); d.Placements[0].Node != "plain" {
		t.Errorf("a pod without GPUs took %s", d.Placements[0].Node)
	}
}
