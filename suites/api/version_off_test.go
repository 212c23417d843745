package api

import (
	"encoding/json"
	"slices"
	"testing"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit/answer"
)

// Each answer that is not as it should be is enough to fail.
func TestVersionOff(t *testing.T) {
	s, ok := suites.ScenarioByName("api-version-off")
	if !ok {
		t.Fatal("no such scenario")
	}
	fine := history.Response{Code: 201, Object: json.RawMessage(`{"spec":{"schedulingPolicy":{"gang":{"minCount":2}}}}`)}
	absent := history.Response{Code: 404, Reason: "NotFound"}
	invalid := history.Response{Code: 422, Reason: "Invalid"}
	changed := history.Response{Code: 200, Object: json.RawMessage(`{"spec":{"schedulingPolicy":{"gang":{"minCount":1}}}}`)}
	for _, tt := range []struct {
		name, odd string
		answer    history.Response
		want      suites.Verdict
	}{
		{"as it should be", "", fine, suites.Pass},
		{"a group is taken", "API-002 a group", fine, suites.Fail},
		{"a workload is taken", "API-002 a workload", fine, suites.Fail},
		{"the group is shown", "API-002 the group from before", changed, suites.Fail},
		{"refused in another way", "API-002 a group", invalid, suites.Inconclusive},
		{"the group is lost", "API-002 the group when it is on again", absent, suites.Fail},
		{"the group is another", "API-002 the group when it is on again", changed, suites.Fail},
		{"the version stays off", "API-002 another group when it is on again", absent, suites.Fail},
		{"nothing was there before", "API-002 a group while it is on", absent, suites.Inconclusive},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := historytest.New()
			for _, r := range slices.Concat(versionOn, versionOff, versionBack) {
				a := fine
				if slices.ContainsFunc(versionOff[1:], func(o answer.Row) bool { return o.Label() == r.Label() }) {
					a = absent
				}
				if r.Label() == tt.odd {
					a = tt.answer
				}
				b.Try(r.Label(), "create", "things", "t", a)
			}
			if got := verdictOf(t, s.Judge(b.View()), "API-002"); got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}
