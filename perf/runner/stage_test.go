package runner

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"muster/fakes/undertest"
	"muster/perf/measure"
	"muster/perf/scenario"
	"muster/suites/history"
	"muster/workloads/dialect"
)

// stageOf is as much of a stage as needs no cluster.
func stageOf(t *testing.T, name string, size scenario.Size) *stage {
	t.Helper()
	d, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	return &stage{sized: sized(t, name, size), dialect: d, profile: history.SchedulerProfile{SchedulerNames: []string{"mine"}}}
}

// What the driver binds stands where the scenario wants it, and what the scheduler is to place stands nowhere.
func TestWhoBindsWhat(t *testing.T) {
	for _, tc := range []struct {
		name string
		size scenario.Size
		// most pods of the background on one node, and the nodes it takes.
		most, nodes int
	}{
		{"preemption-100", scenario.Size{}, 10, 100},
		{"reclaim", scenario.Size{Nodes: 16}, 8, 16},
		{"fragmented", scenario.Size{Nodes: 10}, 1, 10},
	} {
		st := stageOf(t, tc.name, tc.size)
		placer, ports := st.sized.NewPlacer(), int32(firstPort)
		for i := range st.sized.Phases {
			p := &st.sized.Phases[i]
			l := loadOf(p, &ports)
			pods, err := st.podsOf(&l, placer)
			if err != nil {
				t.Fatal(err)
			}
			on := map[string]int{}
			for _, pod := range pods {
				on[pod.Spec.NodeName]++
			}
			if p.Measured {
				if on[""] != len(pods) {
					t.Errorf("%s: measured pods were created bound: %v", tc.name, on)
				}
				continue
			}
			most := 0
			for _, n := range on {
				most = max(most, n)
			}
			if on[""] > 0 || most != tc.most || len(on) != tc.nodes {
				t.Errorf("%s: at most %d on each of %d nodes, %d on none; want %d on %d", tc.name, most, len(on), on[""], tc.most, tc.nodes)
			}
		}
	}
}

// Groups whose members are to be apart are so each for itself: what the driver binds, a scheduler could have bound.
func TestNoHostPortIsTakenTwiceOnANode(t *testing.T) {
	st := stageOf(t, "preemption-gangs", scenario.Size{})
	placer, ports := st.sized.NewPlacer(), int32(firstPort)
	taken, groups := map[string]bool{}, map[int32]bool{}
	for i := range st.sized.Phases {
		l := loadOf(&st.sized.Phases[i], &ports)
		pods, err := st.podsOf(&l, placer)
		if err != nil {
			t.Fatal(err)
		}
		for _, pod := range pods {
			port := pod.Spec.Containers[0].Ports[0].HostPort
			on := fmt.Sprintf("%s:%d", pod.Spec.NodeName, port)
			if pod.Spec.NodeName != "" && taken[on] {
				t.Fatalf("%s is taken twice", on)
			}
			taken[on], groups[port] = true, true
		}
	}
	if len(groups) != 6 {
		t.Errorf("%d ports for five victims and a preemptor", len(groups))
	}
}

// Only what a scenario has objects of is recorded.
func TestResources(t *testing.T) {
	for name, want := range map[string]string{
		"singles":            "priorityclasses",
		"gangs-of-8":         "priorityclasses podgroups",
		"composites":         "priorityclasses podgroups compositepodgroups",
		"devices-gangs-of-8": "priorityclasses podgroups resourceclaims",
	} {
		got := ""
		for _, gvr := range stageOf(t, name, scenario.Size{}).resources() {
			if got != "" {
				got += " "
			}
			got += gvr.Resource
		}
		if got != want {
			t.Errorf("%s: %s; want %s", name, got, want)
		}
	}
}

func TestPrioritiesAndNodes(t *testing.T) {
	if got := priorities(sized(t, "starvation", scenario.Size{})); len(got) != 1 || got[0] != 1000 {
		t.Errorf("%v", got)
	}
	s := sized(t, "devices-gangs-of-8", scenario.Size{})
	if p := poolOf(s); p.Count != s.Nodes || !p.Open || p.Validate() != nil {
		t.Errorf("%+v, %v", p, p.Validate())
	}
	if slice := sliceOf(s, 3); len(slice.Spec.Devices) != s.Devices || *slice.Spec.NodeName != "perf-3" || slice.Spec.Pool.Name != "perf-3" {
		t.Errorf("%+v", slice.Spec)
	}
}

func TestAbout(t *testing.T) {
	built := func(kind string) Side {
		s := side(kind)
		s.Build = Build{Path: "./old/muster", Revision: "4567", Kubernetes: "v1.38.0"}
		return s
	}
	declared := Side{Name: "x", Scheduling: undertest.Options{Exec: "/bin/x"}, Client: measure.Client{QPS: 50, Burst: 100}}
	for _, tc := range []struct {
		side          Side
		kind, version string
		revision      string
		qps           float64
	}{
		{side(undertest.KubeScheduler), "kube-scheduler", "v1.37.2", "0123", 5000},
		{Side{Name: "default"}, "kube-scheduler", "v1.37.2", "0123", 5000},
		{Side{Name: "y", Scheduling: undertest.Options{Exec: "/bin/y"}}, "exec", "", "", 0},
		{declared, "exec", "", "", 50},
		// What is muster's own has the version of the muster it is part of.
		{side(undertest.Reference), "reference", "0123", "0123", 5000},
		{side(undertest.Ceiling), "ceiling", "0123", "0123", 5000},
		{built(undertest.Reference), "reference", "4567", "4567", 5000},
		{built(undertest.KubeScheduler), "kube-scheduler", "v1.38.0", "4567", 5000},
	} {
		got := tc.side.about(5000, 10000, "0123")
		if got.Name != tc.side.Name || got.Kind != tc.kind || got.Version != tc.version || got.Client.QPS != tc.qps ||
			got.Revision != tc.revision || got.Path != tc.side.Build.Path {
			t.Errorf("%+v", got)
		}
	}
	if got := side(undertest.Reference).about(5000, 10000, UnknownRevision); got.Version != "" || got.Revision != "" {
		t.Errorf("a revision that is not known: %+v", got)
	}
}

func TestParallelStopsAtTheFirstError(t *testing.T) {
	seen := make(chan int, 1000)
	err := parallel(t.Context(), 1000, 1, func(_ context.Context, i int) error {
		seen <- i
		if i == 3 {
			return errStalled
		}
		return nil
	})
	// The one who hands out may have one more in hand.
	if !errors.Is(err, errStalled) || len(seen) > 5 {
		t.Errorf("%v after %d", err, len(seen))
	}
	if err := parallel(t.Context(), 10, 4, func(context.Context, int) error { return nil }); err != nil {
		t.Error(err)
	}
}
