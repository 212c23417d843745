package proxy

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"pgregory.net/rapid"

	"muster/fakes/faults"
)

func TestAnswersAreChangedAltogether(t *testing.T) {
	s := newStage(t)
	var saw faults.Answer
	refuse := func(q faults.Request, a faults.Answer) (faults.Answer, error) {
		saw = a
		return faults.Answer{Code: http.StatusConflict, Body: status(http.StatusConflict, "no")}, nil
	}
	if err := s.Add(faults.Rule{Name: "f", Verb: "delete", Fault: faults.Fault{Answer: refuse}}); err != nil {
		t.Fatal(err)
	}
	if err := s.put(t); !apierrors.IsConflict(err) {
		t.Errorf("answered: %v", err)
	}
	if saw.Code != http.StatusOK || !strings.Contains(string(saw.Body), `"name":"p"`) || s.up.saw("delete pods") != 1 {
		t.Errorf("the API server said %d %s", saw.Code, saw.Body)
	}
	if err := s.get(t); err != nil {
		t.Errorf("another request: %v", err)
	}
}

func TestObjectsAreSeenThroughLenses(t *testing.T) {
	s := newStage(t)
	hide := &faults.Lens{Show: func(o map[string]any) map[string]any {
		if meta(o, "name") == "hidden" {
			return nil
		}
		o["metadata"].(map[string]any)["labels"] = map[string]any{"seen": "so"}
		return o
	}}
	if err := s.Add(faults.Rule{Name: "f", Resource: "pods", Fault: faults.Fault{Lens: hide}}); err != nil {
		t.Fatal(err)
	}
	pod, err := s.client.CoreV1().Pods("a").Get(t.Context(), "p", metav1.GetOptions{})
	if err != nil || pod.Labels["seen"] != "so" {
		t.Errorf("read: %v, %v", pod, err)
	}
	w := s.watch(t)
	s.up.events <- "hidden"
	s.up.events <- "open"
	if e := <-w.ResultChan(); fmt.Sprint(e.Type) != "ADDED" || !strings.Contains(fmt.Sprint(e.Object), "open") || !strings.Contains(fmt.Sprint(e.Object), "so") {
		t.Errorf("told of %v", e)
	}
}

// object is one of a make-believe API server.
func object(uid string, rv int, visible bool) map[string]any {
	return map[string]any{"kind": "Pod", "metadata": map[string]any{"uid": uid, "name": uid, "resourceVersion": fmt.Sprint(rv)}, "visible": visible}
}

// Whatever happens to objects that come into view and leave it, are deleted, and are kept: a client that follows the watch
// knows what a list shows.
func TestListsAndWatchesAgree(t *testing.T) {
	lenses := []*faults.Lens{{
		Show: func(o map[string]any) map[string]any {
			if v, ok := o["visible"].(bool); ok && !v {
				return nil
			}
			return o
		},
		Keep: func(o map[string]any) bool { return meta(o, "uid") >= "c" },
	}}
	rapid.Check(t, func(t *rapid.T) {
		s, q := newSight(), faults.Request{Resource: "pods"}
		real, client, unseen, ended := map[string]map[string]any{}, map[string]bool{}, map[string]bool{}, map[string]bool{}
		for i := range rapid.IntRange(1, 40).Draw(t, "events") {
			uid := rapid.SampledFrom([]string{"a", "b", "c", "d"}).Draw(t, "uid")
			kind := "ADDED"
			o := object(uid, i+1, rapid.Bool().Draw(t, "visible"))
			if _, ok := real[uid]; ok {
				kind = rapid.SampledFrom([]string{"MODIFIED", "DELETED"}).Draw(t, "kind")
			}
			if kind == "DELETED" {
				o["visible"] = real[uid]["visible"]
			} else if ended[uid] {
				continue // a uid is never used again
			}
			real[uid] = o
			if kind == "DELETED" {
				delete(real, uid)
				ended[uid] = true
			}
			line, err := json.Marshal(map[string]any{"type": kind, "object": o})
			if err != nil {
				t.Fatal(err)
			}
			told, err := s.event(q, lenses, unseen, line)
			if err != nil {
				t.Fatal(err)
			}
			follow(t, client, told)
		}
		var items []any
		for _, o := range real {
			items = append(items, o)
		}
		var listed []string
		for _, o := range s.list(q, lenses, items, false) {
			listed = append(listed, meta(o.(map[string]any), "uid"))
		}
		slices.Sort(listed)
		var followed []string
		for _, uid := range []string{"a", "b", "c", "d"} {
			if client[uid] {
				followed = append(followed, uid)
			}
		}
		if !slices.Equal(listed, followed) {
			t.Fatalf("a list shows %v, the watch told of %v", listed, followed)
		}
	})
}

func follow(t *rapid.T, client map[string]bool, told []byte) {
	if told == nil {
		return
	}
	var e struct {
		Type   string
		Object map[string]any
	}
	if err := json.Unmarshal(told, &e); err != nil {
		t.Fatal(err)
	}
	uid := meta(e.Object, "uid")
	switch {
	case e.Type == "ADDED" && client[uid], e.Type != "ADDED" && !client[uid]:
		t.Fatalf("%s of %s, which the client knows: %t", e.Type, uid, client[uid])
	}
	client[uid] = e.Type != "DELETED"
}

// What is done besides is done once the API server has answered, and nothing is answered where it is refused.
func TestAlso(t *testing.T) {
	s := newStage(t)
	also := func(q faults.Request, a faults.Answer) []faults.Call {
		if s.up.saw(q.Kind()) != 1 || !strings.Contains(string(a.Body), `"name":"p"`) {
			t.Errorf("asked before the API server had answered: %s", a.Body)
		}
		return []faults.Call{
			{Method: http.MethodPatch, Path: "/api/v1/namespaces/a/pods/q/status", Body: []byte(`{}`)},
			{Method: http.MethodDelete, Path: "/api/v1/nodes/n"},
		}
	}
	if err := s.Add(faults.Rule{Name: "f", Verb: "delete", Resource: "pods", Fault: faults.Fault{Also: also}}); err != nil {
		t.Fatal(err)
	}
	if err := s.put(t); err != nil {
		t.Fatal(err)
	}
	if s.up.saw("patch pods/status") != 1 || s.up.saw("delete nodes") != 1 {
		t.Errorf("the API server was asked %v", s.up.asked)
	}
	if len(s.up.tokens) != 1 || !s.up.tokens["Bearer the-schedulers"] {
		t.Errorf("asked as %v", s.up.tokens)
	}
	if err := s.Mend(); err != nil {
		t.Fatal(err)
	}
	nowhere := func(faults.Request, faults.Answer) []faults.Call {
		return []faults.Call{{Method: "NO METHOD", Path: "/"}}
	}
	if err := s.Add(faults.Rule{Name: "f", Verb: "delete", Resource: "pods", Fault: faults.Fault{Also: nowhere}}); err != nil {
		t.Fatal(err)
	}
	if err := s.put(t); err == nil {
		t.Error("answered although it could not be done")
	}
}

// What is kept is listed also where the API server lists nothing any more, and says so with a null.
func TestKeptInAnEmptyList(t *testing.T) {
	s, q := newSight(), faults.Request{Resource: "pods"}
	lenses := []*faults.Lens{{Keep: func(map[string]any) bool { return true }}}
	if _, err := s.event(q, lenses, map[string]bool{}, []byte(`{"type":"ADDED","object":{"kind":"Pod","metadata":{"uid":"u","name":"p"}}}`)); err != nil {
		t.Fatal(err)
	}
	for kind, items := range map[string]string{"PodList": "null", "PartialObjectMetadataList": "[]"} {
		_, body, err := s.answer(q, lenses, http.StatusOK, fmt.Appendf(nil, `{"kind":%q,"items":%s}`, kind, items))
		if err != nil || !strings.Contains(string(body), `"uid":"u"`) {
			t.Errorf("%s with items %s is shown as %s (%v)", kind, items, body, err)
		}
	}
}
