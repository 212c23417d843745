package check

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history"
	. "muster/suites/history/historytest"
)

// told is a story and what a check has to say about it: "Fail", "Inconclusive", "Pass", or "" for nothing. Several
// verdicts are sorted and joined by a space.
type told struct {
	name  string
	story *Builder
	want  string
}

func try(t *testing.T, c Check, stories []told) {
	t.Helper()
	for _, tt := range stories {
		t.Run(tt.name, func(t *testing.T) {
			found := c.Func(tt.story.View())
			if got := verdicts(found); got != tt.want {
				t.Errorf("%s says %q, want %q\n%s", c.Name, got, tt.want, say(found))
			}
			for _, f := range found {
				if f.Requirement != c.ID || f.Check != c.Name || f.Message == "" {
					t.Errorf("the finding does not say whose it is: %+v", f)
				}
				if f.Verdict == suites.Fail && (f.At.IsZero() || len(f.Objects) == 0) {
					t.Errorf("the failure names neither place nor objects: %+v", f)
				}
			}
		})
	}
}

func verdicts(found []suites.Finding) string {
	var out []string
	for _, f := range found {
		out = append(out, string(f.Verdict))
	}
	slices.Sort(out)
	return strings.Join(slices.Compact(out), " ")
}

func say(found []suites.Finding) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "  %s: %s %v\n", f.Verdict, f.Message, f.Objects)
	}
	return b.String()
}

const (
	fail, doubt, pass, nothing = "Fail", "Inconclusive", "Pass", ""
	// settled is longer than any settle bound in these stories.
	settled = 2 * time.Minute
)

// gpus: n nodes of 4 GPUs.
func gpus(n int, change ...func(*history.Header, *history.Scope)) *Builder {
	return New(change...).Nodes(n, Has("gpu=4"))
}

// gang of pods that take half a node each, all there.
func half(b *Builder, name string, quorum int32, pods int) *Builder {
	return b.Gang(name, quorum).Pods(name, pods, Wants("gpu=2")).Wait(time.Second)
}

func TestAllChecksAreComplete(t *testing.T) {
	seen := map[string]bool{}
	last := ""
	for i, c := range All() {
		invariant := strings.HasPrefix(c.ID, "INV-")
		if invariant && c.ID <= last || !invariant && c.ID != "COND-004" && c.ID != "CPG-002" {
			t.Errorf("check %d is %s after %s", i, c.ID, last)
		}
		if invariant {
			last = c.ID
		}
		if c.Name == "" || c.Func == nil || !strings.Contains(c.Rule, `"`) || seen[c.Name] {
			t.Errorf("%s lacks a name, a quoted rule or a function, or is there twice", c.ID)
		}
		seen[c.Name] = true
	}
}

// Whatever the scheduler did right, nobody complains; with a gap nobody is sure.
func TestGoodRun(t *testing.T) {
	story := func(b *Builder) *Builder {
		return half(b, "g", 3, 4).Bind("g-0", "node-0").Bind("g-1", "node-0").Bind("g-2", "node-1").Bind("g-3", "node-1").
			Satisfied("g", "True", "Scheduled").Pod("plain", "").Wait(time.Second).Bind("plain", "node-0").Wait(settled)
	}
	for _, f := range Judge(story(gpus(2)).View()) {
		if f.Verdict != suites.Pass {
			t.Errorf("%s: %s %s", f.Check, f.Verdict, f.Message)
		}
	}
	for _, f := range Judge(story(gpus(2).BreakWatch("pods")).View()) {
		if f.Verdict != suites.Inconclusive && f.Check != "NoCrash" && f.Check != "SatisfiedIsFinal" {
			t.Errorf("with a gap in pods %s still says %s: %s", f.Check, f.Verdict, f.Message)
		}
	}
}

func TestNothingHappened(t *testing.T) {
	if f := Judge(New().View()); len(f) != 0 {
		t.Errorf("checks speak about an empty record:\n%s", say(f))
	}
}

func TestAwake(t *testing.T) {
	at := func(s int) history.Stamp {
		return history.Stamp{Order: int64(s) + 1, Seq: int64(s) + 1, Mono: time.Duration(s) * time.Second}
	}
	d := duty{away: []stretch{{10 * time.Second, 20 * time.Second}, {50 * time.Second, 60 * time.Second}}, end: at(100)}
	for _, tt := range []struct{ from, to, want int }{
		{0, 5, 5}, {0, 15, 10}, {12, 18, 0}, {0, 30, 10}, {15, 40, 20}, {0, 100, 40}, {30, 40, 10}, {20, 50, 30}, {55, 58, 0},
	} {
		if got := d.awake(at(tt.from), at(tt.to)); got != time.Duration(tt.want)*time.Second {
			t.Errorf("awake from %d to %d: %s, want %ds", tt.from, tt.to, got, tt.want)
		}
	}
}

// Whoever is stopped while another is adds to one absence; a fault that is not the API server's end is none.
func TestDuty(t *testing.T) {
	second := time.Second
	v := New().Wait(10 * second).Break("kube-apiserver").Wait(5 * second).StopScheduler().Wait(5 * second).Mend("kube-apiserver").Wait(5 * second).
		StartScheduler().Wait(10 * second).Break("slow").Wait(10 * second).Mend("slow").Mend("kube-apiserver").Wait(5 * second).Break("kube-apiserver").Wait(5 * second).View()
	var long []time.Duration
	for _, s := range dutyOf(v).away {
		long = append(long, (s.to - s.from).Round(second))
	}
	if !slices.Equal(long, []time.Duration{15 * second, 5 * second}) {
		t.Errorf("it was away for %v; want 15s and 5s", long)
	}
}

func TestNoCrash(t *testing.T) {
	try(t, noCrash, []told{
		{"it ran", gpus(1).Pod("p", ""), pass},
		{"it crashed", gpus(1).Pod("p", "").Crash("exit status 2", "panic: x"), fail},
		{"the driver stopped it", gpus(1).Pod("p", "").StopScheduler().StartScheduler(), pass},
		{"nothing for it to do", gpus(1).Pod("p", "", For("other")), nothing},
	})
}
