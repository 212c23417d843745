package devices

import (
	"testing"

	"muster/fakes/faults"
)

// What is done besides is done to the objects of the scenario that asked, and only when it asked for that.
func TestDeedsOfWrongControllers(t *testing.T) {
	for _, tt := range []struct {
		rewrite string
		asked   faults.Request
		path    string
	}{
		{"rewrite:DRA-042", faults.Request{Verb: "delete", Resource: "podgroups", Namespace: "ns", Name: "g"}, api + "ns/resourceclaims/named/status"},
		{"rewrite:DRA-042", faults.Request{Verb: "delete", Resource: "podgroups", Namespace: "ns", Name: "h"}, ""},
		{"rewrite:DRA-042", faults.Request{Verb: "delete", Resource: "pods", Namespace: "ns", Name: "second"}, ""},
		{"rewrite:DRA-048", faults.Request{Verb: "delete", Resource: "pods", Namespace: "ns", Name: "second"}, api + "ns/resourceclaims/named/status"},
		{"rewrite:DRA-048", faults.Request{Verb: "delete", Resource: "pods", Namespace: "ns", Name: "first"}, ""},
		{"rewrite:DRA-046", faults.Request{Verb: "patch", Resource: "resourceslices", Name: "ns-devices"}, "/api/v1/namespaces/ns/pods/spared-0"},
		{"rewrite:DRA-046", faults.Request{Verb: "create", Resource: "resourceslices", Name: "ns-devices"}, ""},
	} {
		for _, w := range Rewrites() {
			if w.Name != tt.rewrite {
				continue
			}
			var book faults.Book
			if err := book.Add(w.Rules()...); err != nil {
				t.Fatal(err)
			}
			path := ""
			if page, _ := book.Take(tt.asked); page != nil {
				for _, c := range page.Rule.Fault.Also(tt.asked, faults.Answer{Code: 200}) {
					path += c.Path
				}
			}
			if path != tt.path {
				t.Errorf("%s after %s %s: %q, want %q", w.Name, tt.asked.Kind(), tt.asked.Name, path, tt.path)
			}
		}
	}
}
