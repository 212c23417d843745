package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit/answer"
	"muster/suites/prove/rewrite"
)

// wire is a request of a row and its recorded answer as they go over the wire.
func wire(t *testing.T, r answer.Row, resp history.Response) (faults.Request, faults.Answer) {
	t.Helper()
	q, a := faults.Request{Namespace: "ns"}, faults.Answer{Code: resp.Code, Body: resp.Object}
	q.Verb, q.Resource = r.Target()
	attempt := r.Request(here{})
	q.Name, q.Body = attempt.Name, attempt.Patch
	if attempt.Object != nil {
		o := attempt.Object.DeepCopy()
		if attempt.Verb == "create" && o.GetName() == "" {
			o.SetName(strings.Trim(strings.NewReplacer(" ", "-", ",", "-", "'", "-").Replace(strings.ToLower(r.Label())), "-"))
		}
		var err error
		if q.Body, err = json.Marshal(o.Object); err != nil {
			t.Fatal(err)
		}
	}
	if !resp.OK() {
		s := metav1.Status{Reason: metav1.StatusReason(resp.Reason), Code: int32(resp.Code), Details: &metav1.StatusDetails{}}
		for _, c := range resp.Causes {
			field, _, _ := strings.Cut(c, ":")
			s.Details.Causes = append(s.Details.Causes, metav1.StatusCause{Field: field})
		}
		var err error
		if a.Body, err = json.Marshal(s); err != nil {
			t.Fatal(err)
		}
	}
	return q, a
}

// heard is what a driver records of an answer.
func heard(t *testing.T, a faults.Answer) history.Response {
	t.Helper()
	if a.Code < 300 {
		return history.Response{Code: a.Code, Object: a.Body}
	}
	var s metav1.Status
	if err := json.Unmarshal(a.Body, &s); err != nil {
		t.Fatal(err)
	}
	r := history.Response{Code: a.Code, Reason: string(s.Reason)}
	for _, c := range s.Details.Causes {
		r.Causes = append(r.Causes, c.Field+": x")
	}
	return r
}

// Each rewrite of a table breaks the requirement it declares, and nothing else of its table.
func TestRewritesOfTablesAreKills(t *testing.T) {
	answers := recorded(t)
	for name, rows := range tables() {
		s, _ := suites.ScenarioByName(name)
		good := s.Judge(tell(rows, answers[name], "", history.Response{}))
		for _, w := range rewrite.Table("api", rows) {
			var book faults.Book
			if err := book.Add(w.Rules()...); err != nil {
				t.Fatal(err)
			}
			said := map[string]history.Response{}
			for _, r := range rows {
				recorded, ok := answers[name][r.Label()]
				if !ok {
					continue
				}
				q, a := wire(t, r, recorded)
				if page, _ := book.Take(q); page != nil {
					var err error
					if a, err = page.Rule.Fault.Answer(q, a); err != nil {
						t.Errorf("%s: %v", w.Name, err)
					}
				}
				said[r.Label()] = heard(t, a)
			}
			for _, f := range s.Judge(tell(rows, said, "", history.Response{})) {
				want := verdictOf(t, good, f.Requirement)
				if f.Requirement == w.Kills[0] {
					want = suites.Fail
				}
				if f.Verdict != want {
					t.Errorf("%s: with %s %s is %s, want %s: %s", name, w.Name, f.Requirement, f.Verdict, want, f.Message)
				}
			}
		}
	}
}

// A version that is switched off is answered with text and not with a Status; with the rewrite it is there all the same.
func TestRewriteOfAVersionThatIsOff(t *testing.T) {
	rows := slices.Concat(versionOn, versionOff, versionBack)
	good := map[string]history.Response{}
	for _, r := range rows {
		good[r.Label()] = history.Response{Code: http.StatusOK,
			Object: []byte(`{"metadata":{"name":"kept","uid":"u"},"spec":{"schedulingPolicy":{"gang":{"minCount":2}}}}`)}
	}
	off := []string{"API-002 a group", "API-002 a workload", "API-002 the group from before"}
	said := maps.Clone(good)
	w := rewrite.Table("api", rows)[0]
	var book faults.Book
	if err := book.Add(w.Rules()...); err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		q, a := wire(t, r, good[r.Label()])
		if slices.Contains(off, r.Label()) {
			good[r.Label()] = history.Response{Code: http.StatusNotFound, Reason: "NotFound"}
			a = faults.Answer{Code: http.StatusNotFound, Body: []byte("404 page not found\n")}
		}
		if page, _ := book.Take(q); page != nil {
			var err error
			if a, err = page.Rule.Fault.Answer(q, a); err != nil {
				t.Fatal(err)
			}
		}
		if said[r.Label()] = good[r.Label()]; a.Code < 300 {
			said[r.Label()] = heard(t, a)
		}
	}
	s, _ := suites.ScenarioByName("api-version-off")
	for want, answers := range map[suites.Verdict]map[string]history.Response{suites.Pass: good, suites.Fail: said} {
		if findings := s.Judge(tell(rows, answers, "", history.Response{})); verdictOf(t, findings, "API-002") != want {
			t.Errorf("judged %+v, want %s", findings, want)
		}
	}
}
