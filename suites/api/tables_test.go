package api

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit/answer"
	"muster/suites/requirements"
)

// tables are the scenarios that are judged by their rows alone.
func tables() map[string][]answer.Row {
	return map[string][]answer.Row{
		"api-podgroup-fields": podGroupFields, "api-podgroup-updates": podGroupUpdates, "api-podgroup-claims": claims,
		"api-workload-templates": workloadTemplates, "api-workload-updates": workloadUpdates, "api-composite-groups": compositeGroups,
		"api-priority": priorityRows, "api-preemption-policy": preemptionRows, "api-pod-membership": membership,
		"api-group-status": statusRows, "api-group-printed": printedRows, "api-gates-off": gatesOff, "api-workload-gate-off": workloadOff,
		"api-template-changes-later": slices.Concat(templateBefore, templateAfter),
	}
}

// here is an environment that knows names and nothing else.
type here struct{ suites.Env }

func (here) Namespace() string             { return "ns" }
func (here) PriorityClass(s string) string { return "ns-" + s }

// recorded is what kube-apiserver 1.37.2 answered, by scenario and label, but for the requests it is known to answer
// wrongly: those have the answer they should have had.
func recorded(t *testing.T) map[string]map[string]history.Response {
	t.Helper()
	raw, err := os.ReadFile("testdata/answers.json")
	if err != nil {
		t.Fatal(err)
	}
	var file map[string][]struct {
		Label    string           `json:"label"`
		Response history.Response `json:"response"`
	}
	if err := json.Unmarshal(raw, &file); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string]history.Response{}
	for scenario, all := range file {
		out[scenario] = map[string]history.Response{}
		for _, a := range all {
			out[scenario][a.Label] = a.Response
		}
	}
	out["api-preemption-policy"]["API-064 left to the class"] = history.Response{Code: 201, Object: json.RawMessage(`{"spec":{"preemptionPolicy":"Never"}}`)}
	out["api-preemption-policy"]["API-093 a composite that leaves it to the class"] = out["api-preemption-policy"]["API-064 left to the class"]
	out["api-workload-updates"]["API-068 another minGroupCount"] = history.Response{Code: 422, Reason: "Invalid", Causes: []string{"spec.compositePodGroupTemplates[0].schedulingPolicy: FieldValueInvalid"}}
	return out
}

// tell is a history in which the rows were answered so; odd replaces one answer.
func tell(rows []answer.Row, answers map[string]history.Response, odd string, resp history.Response) *history.View {
	b := historytest.New()
	for _, r := range rows {
		a, ok := answers[r.Label()]
		if r.Label() == odd {
			a = resp
		}
		if ok {
			verb, _ := r.Target()
			b.Try(r.Label(), verb, "things", "t", a)
		}
	}
	return b.View()
}

func verdictOf(t *testing.T, findings []suites.Finding, id string) suites.Verdict {
	t.Helper()
	for _, f := range findings {
		if f.Requirement == id {
			return f.Verdict
		}
	}
	t.Fatalf("no finding about %s", id)
	return ""
}

// With good answers every requirement passes; whichever of its rows is broken, it fails, and no other requirement does.
func TestEveryRowCanBreakItsRequirement(t *testing.T) {
	answers := recorded(t)
	for name, rows := range tables() {
		s, ok := suites.ScenarioByName(name)
		if !ok {
			t.Fatalf("no scenario %s", name)
		}
		good := s.Judge(tell(rows, answers[name], "", history.Response{}))
		for _, f := range good {
			if f.Verdict != suites.Pass && f.Verdict != suites.Observed {
				t.Errorf("%s: %s is %s: %s", name, f.Requirement, f.Verdict, f.Message)
			}
		}
		for _, r := range rows {
			bad, ok := r.Broken(here{})
			if !ok {
				continue
			}
			got := s.Judge(tell(rows, answers[name], r.Label(), bad))
			for _, f := range got {
				want := verdictOf(t, good, f.Requirement)
				if f.Requirement == r.ID {
					want = suites.Fail
				}
				if f.Verdict != want {
					t.Errorf("%s: with %q broken %s is %s, want %s: %s", name, r.Label(), f.Requirement, f.Verdict, want, f.Message)
				}
			}
		}
	}
}

// What was never asked proves nothing.
func TestEmptyRecordsProveNothing(t *testing.T) {
	for _, s := range ours() {
		for _, f := range s.Judge(historytest.New().View()) {
			if f.Verdict != suites.Inconclusive {
				t.Errorf("%s: %s of an empty record is %s: %s", s.Name, f.Requirement, f.Verdict, f.Message)
			}
		}
	}
}

// Every label is one request's.
func TestLabelsAreUnique(t *testing.T) {
	all := tables()
	all["api-two-versions"] = versionRows
	all["api-gates-off-later"] = storedRows()
	all["api-group-protection"] = slices.Concat(protection, deletions, releases)
	for name, rows := range all {
		seen := map[string]bool{}
		for _, r := range rows {
			if seen[r.Label()] {
				t.Errorf("%s: two rows are called %q", name, r.Label())
			}
			seen[r.Label()] = true
		}
	}
}

// Every refusal and every drop stands beside a request that is accepted.
func TestRequirementsHaveTwins(t *testing.T) {
	for name, rows := range tables() {
		accepted := map[string]bool{}
		for _, r := range rows {
			if bad, ok := r.Broken(here{}); ok && !bad.OK() {
				accepted[r.ID] = true
			}
		}
		for _, r := range rows {
			if _, judged := r.Broken(here{}); judged && !accepted[r.ID] && r.ID != "API-032" {
				t.Errorf("%s: nothing of %s has to be accepted", name, r.ID)
			}
		}
	}
}

// A MAY is observed, everything else judged.
func TestLevels(t *testing.T) {
	reqs, err := requirements.All()
	if err != nil {
		t.Fatal(err)
	}
	answers := recorded(t)
	for name, rows := range tables() {
		s, _ := suites.ScenarioByName(name)
		for _, f := range s.Judge(tell(rows, answers[name], "", history.Response{})) {
			i := slices.IndexFunc(reqs, func(r suites.Requirement) bool { return r.ID == f.Requirement })
			if i < 0 {
				t.Fatalf("%s is not in the catalogue", f.Requirement)
			}
			if may := reqs[i].Level == suites.May; may != (f.Verdict == suites.Observed) {
				t.Errorf("%s is %s and was %s", f.Requirement, reqs[i].Level, f.Verdict)
			}
			if reqs[i].Subject != "control-plane" {
				t.Errorf("%s judges %q", f.Requirement, reqs[i].Subject)
			}
		}
	}
}

func ours() []suites.Scenario {
	return slices.DeleteFunc(suites.Scenarios(), func(s suites.Scenario) bool { return s.Profile != "api" })
}
