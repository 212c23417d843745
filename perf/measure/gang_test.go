package measure

import (
	"encoding/json"
	"testing"
	"time"

	"muster/suites/history"
	"muster/suites/history/historytest"
)

func TestGangStart(t *testing.T) {
	gated := historytest.PodOption(historytest.Gated)
	tests := []struct {
		name  string
		story *historytest.Builder
		want  time.Duration // 0: it never could
	}{
		{"the quorum-th member comes last", // gang 2, pods 3, 4, 1005
			historytest.New().Gang("g", 3).Pods("g", 2).Wait(ms(1000)).Pods("g", 1), ms(1005)},
		{"a member above the quorum does not count",
			historytest.New().Gang("g", 2).Pods("g", 2).Wait(ms(1000)).Pods("g", 1), ms(4)},
		{"the group object comes last",
			historytest.New().Pods("g", 2).Wait(ms(1000)).Gang("g", 2), ms(1004)},
		{"the last gate is removed", // pods 3 and 4
			historytest.New().Gang("g", 2).Pods("g", 1).Pods("g", 1, gated).Wait(ms(1000)).Ungate("g-1"), ms(1005)},
		{"a gated member is not needed",
			historytest.New().Gang("g", 2).Pods("g", 1, gated).Pods("g", 2).Wait(ms(1000)).Ungate("g-0"), ms(5)},
		{"a gate that stays",
			historytest.New().Gang("g", 2).Pods("g", 1).Pods("g", 1, gated), 0},
		{"too few members",
			historytest.New().Gang("g", 3).Pods("g", 2), 0},
		{"members of another scheduler",
			historytest.New().Gang("g", 2).Pods("g", 1).Pods("g", 1, historytest.For("other")), 0},
		{"basic groups are no gangs",
			historytest.New().Basic("g").Pods("g", 2), 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			gangs := timesOfGangs(tapeOf(t, tc.story))
			if tc.want == 0 {
				if len(gangs) != 0 {
					t.Fatalf("starts at %v", gangs[0].start.Mono)
				}
				return
			}
			if len(gangs) != 1 || gangs[0].start.Mono != tc.want {
				t.Fatalf("%+v; want a start at %v", gangs, tc.want)
			}
		})
	}
}

func TestGangLatencyByPhase(t *testing.T) {
	// Gang at 3 ms, pods at 4…6; binds at 1007, 1508 and 3509 ms. Beside it one that is never bound.
	b := historytest.New().Nodes(1).Gang("g", 2).Pods("g", 3).Wait(ms(1000)).
		Bind("g-0", "node-0").Wait(ms(500)).Bind("g-1", "node-0").Wait(ms(2000)).Bind("g-2", "node-0").
		Gang("waits", 1).Pods("waits", 1)
	got := gangLatency(tapeOf(t, b))
	if got.Gangs != 2 || got.Ready != 1 {
		t.Errorf("%d gangs, %d ready", got.Gangs, got.Ready)
	}
	for name, d := range map[string]struct {
		have Distribution
		want time.Duration
	}{
		"first bind":   {got.FirstBind, ms(1002)},
		"quorum bound": {got.QuorumBound, ms(1503)},
		"last bind":    {got.LastBind, ms(3504)},
		"bind span":    {got.BindSpan, ms(501)},
	} {
		if d.have.Count != 1 || d.have.Median != d.want || d.have.P99 != nil {
			t.Errorf("%s: %+v; want %v", name, d.have, d.want)
		}
	}
}

func TestGangBoundByTheDriverHasNoLatency(t *testing.T) {
	b := historytest.New().Nodes(1).Gang("g", 2).Pods("g", 2).DriverBind("g-0", "node-0").DriverBind("g-1", "node-0")
	if got := gangLatency(tapeOf(t, b)); got.Ready != 0 || got.LastBind.Count != 0 || got.FirstBind.Count != 0 {
		t.Errorf("%+v", got)
	}
}

func TestGangLatencyBeginsWhenTheSchedulerIsLetGo(t *testing.T) {
	b := historytest.New().Nodes(1).StopScheduler().Gang("g", 1).Pods("g", 1).Wait(time.Hour).StartScheduler().Wait(ms(9)).Bind("g-0", "node-0")
	if got := gangLatency(tapeOf(t, b)); got.QuorumBound.Max != ms(10) {
		t.Errorf("%v; the backlog's wait is not the scheduler's", got.QuorumBound.Max)
	}
}

// Generated claims: the gang could not have been bound before its members' and its own were there. Telling them again
// changes nothing.
func TestGangStartWaitsForGeneratedClaims(t *testing.T) {
	b := historytest.New().Gang("g", 2).Pods("g", 2) // 2…4 ms
	plain := tapeOf(t, b)
	status := func(at time.Duration, resource, uid string, claims string) extra {
		return extra{at, history.Event{
			Origin: history.Watch, Stream: "watch:" + resource, Version: "v1", Resource: resource, Verb: history.VerbModified, UID: uid,
			Namespace: historytest.Namespace, Patch: json.RawMessage(`{"status":{"resourceClaimStatuses":` + claims + `}}`),
		}}
	}
	uid := plain.View.Pod("g-1").UID
	const one, two = `[{"name":"gpu","resourceClaimName":"c-1"}]`, `[{"name":"gpu","resourceClaimName":"c-1"},{"name":"nic","resourceClaimName":"c-2"}]`
	notes := map[string]claimNote{}
	for _, x := range []extra{status(ms(10), "pods", uid, one), status(ms(20), "pods", uid, two), status(ms(30), "pods", uid, two),
		status(ms(40), "pods", uid, `[]`), status(ms(50), "pods", uid, `null`), status(ms(60), "pods", uid, `"x`)} {
		x.e.Mono, x.e.Seq = x.at, 1
		noteClaims(notes, &x.e)
	}
	if got := notes[uid].at.Mono; got != ms(20) {
		t.Errorf("the claims are all named at %v; want 20 ms", got)
	}
	plain.claims = notes
	if got := timesOfGangs(plain)[0].start.Mono; got != ms(20) {
		t.Errorf("the gang starts at %v", got)
	}
	plain.claims[plain.View.Gang("g").UID] = claimNote{at: history.Stamp{Seq: 1, Mono: ms(70)}}
	if got := timesOfGangs(plain)[0].start.Mono; got != ms(70) {
		t.Errorf("with claims of its own the gang starts at %v", got)
	}
	// What is measured begins with the gang: that its claims came late does not make it part of the preparation.
	plain.From = plain.View.Gang("g").Created
	if got := timesOfGangs(plain); len(got) != 1 || got[0].start.Mono != ms(70) {
		t.Errorf("beside a preparation: %+v", got)
	}
}

func TestTimeToRefusal(t *testing.T) {
	// Each gang at 2 ms and its two pods at 3 and 4 ms.
	gang := func() *historytest.Builder { return historytest.New().Gang("g", 2).Pods("g", 2).Wait(ms(1000)) }
	tests := []struct {
		name   string
		story  *historytest.Builder
		want   time.Duration
		silent int
	}{
		{"by its condition", gang().Satisfied("g", "False", "Unschedulable").Wait(ms(100)).Reject("g-0"), ms(1001), 0},
		{"by a member's", gang().Reject("g-1").Wait(ms(100)).Satisfied("g", "False", "Unschedulable"), ms(1001), 0},
		{"not at all", gang().Satisfied("g", "Unknown", "Waiting"), 0, 1},
		{"and then placed", historytest.New().Nodes(1).Gang("g", 1).Pods("g", 1).Reject("g-0").Bind("g-0", "node-0"), 0, 0},
		{"placed by the driver", historytest.New().Nodes(1).Gang("g", 1).Pods("g", 1).DriverBind("g-0", "node-0"), 0, 0},
		{"before it was whole, and again", historytest.New().Gang("g", 2).Pods("g", 1).Satisfied("g", "False", "Waiting").Reject("g-0").
			Pods("g", 1).Wait(ms(1000)).Reject("g-1"), ms(1001), 0},
		{"on its way when it became whole", gang().Satisfied("g", "False", "Waiting").Wait(ms(100)).Reject("g-1"), ms(1102), 0},
		{"in a word of its own", gang().Satisfied("g", "False", "NoRoom"), ms(1001), 0},
		{"before it was whole alone", historytest.New().Gang("g", 2).Pods("g", 1).Satisfied("g", "False", "Waiting").Reject("g-0").Pods("g", 1), 0, 1},
		{"of too few members", historytest.New().Gang("g", 3).Pods("g", 2).Reject("g-0"), 0, 0},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := gangLatency(tapeOf(t, tc.story))
			if got.Refused.Max != tc.want || (got.Refused.Count > 0) != (tc.want > 0) || got.Silent != tc.silent {
				t.Errorf("%+v, silent %d; want %v, %d", got.Refused, got.Silent, tc.want, tc.silent)
			}
		})
	}
}
