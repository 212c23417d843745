package api

import (
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit/answer"
)

func fine(b *historytest.Builder, rows ...[]answer.Row) *historytest.Builder {
	for _, list := range rows {
		for _, r := range list {
			b.Try(r.Label(), "create", "things", "t", history.Response{Code: 200})
		}
	}
	return b
}

// protected tells the story of the three groups: whether the empty one goes, whether a kept one goes before its member,
// and whether the kept ones go in the end.
func protected(emptyGoes, early, late bool) *history.View {
	b := historytest.New().Gang("empty", 1)
	for _, name := range kept {
		b.Gang(name, 1).Pod(name, name)
	}
	b = fine(b, protection, deletions)
	for _, name := range append([]string{"empty"}, kept...) {
		b.GangDeleting(name)
	}
	if emptyGoes {
		b.GangGone("empty")
	}
	b.Mark("deleted").Hold("", glance)
	if early {
		b.GangGone(kept[0])
	}
	b.Mark("watched")
	b = fine(b, releases).Gone(kept[0])
	if !late {
		if !early {
			b.GangGone(kept[0])
		}
		b.GangGone(kept[1])
	}
	return b.Wait(time.Second).Mark("released").View()
}

func TestProtection(t *testing.T) {
	for _, tt := range []struct {
		name        string
		view        *history.View
		kept, empty suites.Verdict
	}{
		{"as it should be", protected(true, false, false), suites.Pass, suites.Pass},
		{"the empty one stays", protected(false, false, false), suites.Pass, suites.Fail},
		{"one goes before its member", protected(true, true, false), suites.Fail, suites.Pass},
		{"they stay for ever", protected(true, false, true), suites.Fail, suites.Pass},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := judgeProtection(tt.view)
			if v := verdictOf(t, got, "API-037"); v != tt.kept {
				t.Errorf("API-037 is %s, want %s: %+v", v, tt.kept, got)
			}
			if v := verdictOf(t, got, "API-038"); v != tt.empty {
				t.Errorf("API-038 is %s, want %s: %+v", v, tt.empty, got)
			}
		})
	}
}

func TestVersions(t *testing.T) {
	answers := recorded(t)["api-two-versions"]
	lost := history.Response{Code: 200, Object: []byte(`{"metadata":{"uid":"other"},"spec":{}}`)}
	for _, tt := range []struct {
		name, odd string
		resp      history.Response
		want      suites.Verdict
	}{
		{"the same", "", history.Response{}, suites.Pass},
		{"something is lost", "API-056 group read in v1beta1", lost, suites.Fail},
		{"not served", "API-056 group read in v1alpha3", history.Response{Code: 404, Reason: "NotFound"}, suites.Inconclusive},
	} {
		if got := judgeVersions(tell(versionRows, answers, tt.odd, tt.resp)); got[0].Verdict != tt.want {
			t.Errorf("%s: %+v, want %s", tt.name, got, tt.want)
		}
	}
}
