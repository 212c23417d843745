package api

import (
	"encoding/json"
	"strings"
	"testing"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
)

// Whatever a server prints is what is observed: the columns of 1.37.2, those of a server that knows none for groups, an object
// that is no table, a refusal.
func TestPrinted(t *testing.T) {
	ofGroups := recorded(t)["api-group-printed"]
	for _, tt := range []struct {
		name string
		resp *history.Response
		want string
	}{
		{"of groups", nil, "Name told, Policy Gang, Workload w, Status Scheduled, Age"},
		{"of anything", &history.Response{Code: 200, Object: json.RawMessage(`{"kind":"Table","columnDefinitions":[{"name":"Name"},{"name":"Created At"}],"rows":[{"cells":["told","2026-03-01"]}]}`)},
			"Name told, Created At 2026-03-01"},
		{"none", &history.Response{Code: 200, Object: json.RawMessage(`{"kind":"PodGroup"}`)}, "a PodGroup of 0 rows"},
		{"refused", &history.Response{Code: 406, Reason: "NotAcceptable"}, "NotAcceptable"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			odd, resp := "", history.Response{}
			if tt.resp != nil {
				odd, resp = "API-050 with the condition True", *tt.resp
			}
			f := answer.Judge(tell(printedRows, ofGroups, odd, resp), printedRows)
			if len(f) != 1 || f[0].Verdict != suites.Observed || !strings.Contains(f[0].Value, "with the condition True: "+tt.want+";") {
				t.Errorf("%+v, want %s", f, tt.want)
			}
		})
	}
}

// A group whose condition could not be written shows nothing of it.
func TestPrintedWithoutItsCondition(t *testing.T) {
	refused := history.Response{Code: 422, Reason: "Invalid", Causes: []string{"status.conditions: FieldValueInvalid"}}
	f := answer.Judge(tell(printedRows, recorded(t)["api-group-printed"], "API-050 scheduled", refused), printedRows)
	if len(f) != 1 || f[0].Verdict != suites.Inconclusive {
		t.Errorf("%+v", f)
	}
}
