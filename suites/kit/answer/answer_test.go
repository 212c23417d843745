package answer

import (
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
)

var things = schema.GroupVersionResource{Version: "v1", Resource: "things"}

func answered(rows []Row, with map[string]history.Response) *history.View {
	b := historytest.New()
	for _, r := range rows {
		if resp, ok := with[r.Name]; ok {
			b.Try(r.Label(), "create", "things", "t", resp)
		}
	}
	return b.View()
}

func ok(object string) history.Response {
	return history.Response{Code: 200, Object: json.RawMessage(object)}
}

func invalid(field string) history.Response {
	return history.Response{Code: 422, Reason: "Invalid", Causes: []string{field + ": FieldValueInvalid: no"}}
}

func TestJudging(t *testing.T) {
	rows := []Row{
		Given("X-001", "ground", Create(things, Object{})),
		GivenThat("X-001", "off", Create(things, Object{}), "no such field", Lacks("spec.new")),
		Show("X-001", "good", Create(things, Object{}), "a two", Equals("spec.n", 2)),
		Refuse("X-001", "bad", Create(things, Object{}), "spec.list[0].n"),
		Drop("X-001", "gone", Create(things, Object{}), "the field", Lacks("spec.gone")),
	}
	good := map[string]history.Response{
		"ground": ok(`{}`), "off": ok(`{"spec":{}}`), "good": ok(`{"spec":{"n":2}}`), "bad": invalid("spec.list[0].n"), "gone": ok(`{"spec":{}}`),
	}
	with := func(name string, r history.Response) map[string]history.Response {
		out := map[string]history.Response{}
		for k, v := range good {
			out[k] = v
		}
		out[name] = r
		return out
	}
	without := func(name string) map[string]history.Response {
		out := with(name, history.Response{})
		delete(out, name)
		return out
	}
	for _, tt := range []struct {
		name    string
		answers map[string]history.Response
		want    suites.Verdict
	}{
		{"all as wanted", good, suites.Pass},
		{"a cause about the whole list", with("bad", invalid("spec.list")), suites.Pass},
		{"a cause inside the field", with("bad", invalid("spec.list[0].n.deep")), suites.Pass},
		{"refused instead of dropped", with("gone", invalid("spec.gone")), suites.Pass},
		{"the good one refused", with("good", invalid("spec.n")), suites.Fail},
		{"the good one shows something else", with("good", ok(`{"spec":{"n":3}}`)), suites.Fail},
		{"the bad one accepted", with("bad", ok(`{}`)), suites.Fail},
		{"kept", with("gone", ok(`{"spec":{"gone":{"a":1}}}`)), suites.Fail},
		{"refused for another field", with("bad", invalid("spec.listing")), suites.Inconclusive},
		{"refused for another reason", with("bad", history.Response{Code: 404, Reason: "NotFound"}), suites.Inconclusive},
		{"no ground", with("ground", invalid("spec")), suites.Inconclusive},
		{"the ground is another", with("off", ok(`{"spec":{"new":1}}`)), suites.Inconclusive},
		{"not answered", without("bad"), suites.Inconclusive},
		{"nothing answered", nil, suites.Inconclusive},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Judge(answered(rows, tt.answers), rows)
			if len(got) != 1 || got[0].Verdict != tt.want {
				t.Errorf("%+v, want one %s", got, tt.want)
			}
		})
	}
}

func TestObserving(t *testing.T) {
	rows := []Row{Observe("X-002", "odd", Create(things, Object{}), nil)}
	f := Judge(answered(rows, map[string]history.Response{"odd": invalid("spec")}), rows)[0]
	if f.Verdict != suites.Observed || !strings.Contains(f.Value, "Invalid") {
		t.Errorf("%+v", f)
	}
}

func TestEveryRequirementGetsOneFinding(t *testing.T) {
	rows := []Row{Accept("X-001", "a", nil), Accept("X-002", "b", nil), Accept("X-001", "c", nil)}
	if got := IDs(rows); len(got) != 2 || got[0] != "X-001" {
		t.Errorf("%q", got)
	}
	if got := Judge(historytest.New().View(), rows); len(got) != 2 {
		t.Errorf("%+v", got)
	}
}

// stub answers every request the same way and counts them.
type stub struct {
	suites.Env
	resp  history.Response
	names []string
	held  time.Duration
}

func (s *stub) Try(_ context.Context, _ string, a suites.Attempt) (history.Response, error) {
	if a.Object != nil {
		s.names = append(s.names, a.Object.GetName())
	}
	return s.resp, nil
}

func (s *stub) Hold(_ context.Context, _ string, d time.Duration) { s.held += d }

func TestDriving(t *testing.T) {
	s := &stub{resp: history.Response{Code: 200}}
	template := Object{"metadata": Object{}}
	rows := []Row{
		Accept("X-001", "one of two", Create(things, template)), Accept("X-001", "another", Create(things, template)),
		Accept("X-001", "named", Create(things, Object{"metadata": Object{"name": "n"}})), Accept("X-001", "read", Read(things, "n")),
	}
	if err := Drive(t.Context(), s, rows); err != nil {
		t.Fatal(err)
	}
	if want := "x-001-one-of-two x-001-another n"; strings.Join(s.names, " ") != want {
		t.Errorf("names %q, want %q", s.names, want)
	}
	if len(template["metadata"].(Object)) != 0 {
		t.Errorf("the table's object was changed: %v", template)
	}
}

func TestInsisting(t *testing.T) {
	s := &stub{resp: invalid("spec")}
	if err := Insist(t.Context(), s, "known", Create(things, Object{"metadata": Object{}})); err != nil || len(s.names) != tries || s.held != tries*pause {
		t.Errorf("in vain: %v after %d tries and %s", err, len(s.names), s.held)
	}
	s = &stub{resp: history.Response{Code: 201}}
	if err := Insist(t.Context(), s, "known", Create(things, Object{"metadata": Object{}})); err != nil || len(s.names) != 1 || s.held != 0 {
		t.Errorf("at once: %v after %d tries and %s", err, len(s.names), s.held)
	}
}

func TestFields(t *testing.T) {
	o := Object{"spec": Object{"n": float64(2), "empty": Object{}, "s": "x"}}
	for name, got := range map[string]bool{
		"a number":     Equals("spec.n", 2)(o),
		"a string":     Equals("spec.s", "x")(o),
		"present":      Has("spec.empty")(o),
		"as if absent": Lacks("spec.empty")(o),
		"absent":       Lacks("spec.other")(o),
		"not equal":    !Equals("spec.n", 3)(o),
		"not there":    !Has("spec.n.m")(o),
		"no object":    !Lacks("spec")(nil),
	} {
		if !got {
			t.Errorf("%s: no", name)
		}
	}
}
