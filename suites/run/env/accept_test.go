package env

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"

	"muster/suites"
)

// A get asks for the media type that it names, and is answered with a table, of which the cells are kept.
func TestAccepting(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		asked = append(asked, q.Header.Get("Accept"))
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"kind":"Table","apiVersion":"meta.k8s.io/v1","metadata":{},"rows":[{"cells":["x"],"object":{"metadata":{"name":"x"}}}]}`))
	}))
	defer server.Close()
	client, err := dynamic.NewForConfig(Accepting(&rest.Config{Host: server.URL}))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"", "application/json;as=Table;v=v1;g=meta.k8s.io"} {
		u, err := client.Resource(podsGVR).Namespace("ns").Get(accepting(t.Context(), want), "x", metav1.GetOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := asked[len(asked)-1]; want != "" && got != want || want == "" && strings.Contains(got, "Table") {
			t.Errorf("asked for %q, want %q", got, want)
		}
		if kept := string(storable(u)); !strings.Contains(kept, `"cells":["x"]`) || strings.Contains(kept, `"name"`) {
			t.Errorf("kept %s", kept)
		}
	}
}

func TestTryGets(t *testing.T) {
	s := prepared(t, nil)
	if err := s.Create(t.Context(), podsGVR, pod("x")); err != nil {
		t.Fatal(err)
	}
	resp, err := s.Try(t.Context(), "read", suites.Attempt{Verb: "get", GVR: podsGVR, Name: "x"})
	if err != nil || resp.Code != http.StatusOK || !strings.Contains(string(resp.Object), `"name":"x"`) {
		t.Errorf("%+v, %v", resp, err)
	}
}
