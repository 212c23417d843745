package api

import (
	"encoding/json"
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
