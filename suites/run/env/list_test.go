package env

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"muster/suites"
	"muster/suites/history"
)

// What is not watched can be listed: the items are kept as any object is, and the list orders nothing.
func TestListsAreStoredItemByItem(t *testing.T) {
	s := prepared(t, nil)
	p := pod("x")
	p.Object["spec"] = map[string]any{"containers": []any{map[string]any{"name": "c", "env": []any{map[string]any{"name": "K", "value": "hunter2"}}}}}
	if err := s.Create(t.Context(), podsGVR, p); err != nil {
		t.Fatal(err)
	}
	resp, err := s.Try(t.Context(), "all pods", suites.Attempt{Verb: "list", GVR: podsGVR})
	if got := string(resp.Object); err != nil || !resp.OK() || resp.RV != "" || !strings.Contains(got, `"name":"c"`) || strings.Contains(got, "hunter2") {
		t.Errorf("%v: %+v %s", err, resp, got)
	}
	if e := s.journal.last(); e.Verb != history.VerbList || e.Resource != "pods" || e.Namespace != s.Namespace() || e.Action.Label != "all pods" {
		t.Errorf("recorded as %+v", e)
	}
	secret := map[string]any{"kind": "Secret", "data": "hunter2"}
	for kind, want := range map[string]string{"SecretList": "", "List": `{"items":[],"kind":"List"}`} {
		l := &unstructured.Unstructured{Object: map[string]any{"kind": kind, "items": []any{secret}}}
		if got := string(storable(l)); got != want {
			t.Errorf("a %s of secrets is stored as %q", kind, got)
		}
	}
}
