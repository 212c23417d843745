package job

import (
	"slices"
	"testing"

	"muster/fakes/faults"
	"muster/suites/kit/kittest"
	"muster/suites/prove/rewrite"
)

// The group that is to come late is out of sight until it was asked for; that it then comes is done to it and to no other.
func TestLateGroup(t *testing.T) {
	var book faults.Book
	if err := book.Add(lateGroup()...); err != nil {
		t.Fatal(err)
	}
	group := func(owner, annotations string) string {
		return `{"metadata":{"name":"g","annotations":` + annotations + `,"ownerReferences":[{"name":"` + owner + `"}]}}`
	}
	q := faults.Request{Verb: "patch", Resource: "podgroups", Namespace: "ns", Name: "g"}
	for owner, want := range map[string]int{plain.name: 1, whole.name: 0} {
		page, _ := book.Take(q)
		if page == nil {
			t.Fatal("nothing happens when the group is asked for")
		}
		if calls := page.Rule.Fault.Also(q, faults.Answer{Code: 200, Body: []byte(group(owner, "{}"))}); len(calls) != want {
			t.Errorf("of job %s: %d calls, want %d", owner, len(calls), want)
		}
	}
	for _, tt := range []struct {
		verb, object string
		seen         bool
	}{
		{"watch", group(plain.name, "{}"), false},
		{"watch", group(plain.name, `{"`+shown+`":"now"}`), true},
		{"list", group(plain.name, "{}"), false},
		{"list", group(whole.name, "{}"), true},
		{"patch", group(plain.name, "{}"), true},
	} {
		o, ok := parse(tt.object).(rewrite.Object)
		if !ok {
			t.Fatalf("%s is no object", tt.object)
		}
		for _, l := range book.Lenses(faults.Request{Verb: tt.verb, Resource: "podgroups"}) {
			o = l.Show(o)
		}
		if (o != nil) != tt.seen {
			t.Errorf("%s of %s: seen %t", tt.verb, tt.object, o != nil)
		}
	}
}

// Whatever of Jobs is the control plane's has a rewrite, but for what is only looked at and what no scenario exercises.
func TestEveryRequirementOnControllersHasARewrite(t *testing.T) {
	var broken []string
	for _, w := range Rewrites() {
		broken = append(broken, w.Kills...)
	}
	for _, s := range kittest.Of("job") {
		for _, id := range s.Requirements {
			if !slices.Contains([]string{"JOB-002", "JOB-016", "JOB-028", "JOB-021", "JOB-022", "JOB-026", "JOB-027", "JOB-041", "JOB-042", "JOB-045"}, id) && !slices.Contains(broken, id) {
				t.Errorf("%s is broken by no rewrite", id)
			}
		}
	}
}
