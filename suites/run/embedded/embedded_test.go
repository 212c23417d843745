package embedded

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"k8s.io/client-go/rest"

	"muster/fakes/cluster"
	"muster/workloads/dialect"
)

// server is a cluster of which only the API's address and the gates matter.
type server struct {
	cluster.Cluster
	url   string
	gates map[string]bool
}

func (s server) Name() string             { return "test" }
func (s server) RESTConfig() *rest.Config { return &rest.Config{Host: s.url} }
func (s server) Gates() map[string]bool   { return s.gates }

func TestCheckNamesWhatIsMissing(t *testing.T) {
	groups := `{"kind":"APIResourceList","groupVersion":"scheduling.k8s.io/v1beta1","resources":[{"name":"podgroups","kind":"PodGroup","namespaced":true}]}`
	d, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		body   string
		status int
		gates  map[string]bool
		want   string
	}{
		{"served", groups, 200, nil, ""},
		{"version not served", "", 404, nil, "--runtime-config=scheduling.k8s.io/v1beta1=true"},
		{"resource not served", strings.Replace(groups, "podgroups", "others", 1), 200, nil, "--feature-gates=GenericWorkload=true"},
		{"gate known to be off", "", 404, map[string]bool{"GenericWorkload": false}, ""},
		{"another gate known to be off", "", 404, map[string]bool{"CompositePodGroup": false}, "--runtime-config="},
		{"no answer", "", 500, nil, "asking cluster test for its APIs"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(tt.status)
				_, _ = w.Write([]byte(tt.body))
			}))
			defer api.Close()
			err := (&World{Dialect: d}).Check(t.Context(), server{url: api.URL, gates: tt.gates})
			switch {
			case tt.want == "" && err != nil:
				t.Error(err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, want it to name %s", err, tt.want)
			}
		})
	}
}

func TestClusterNamesAreLabels(t *testing.T) {
	for _, session := range []string{"main", strings.Repeat("long-", 20)} {
		name := clusterName("muster-01234567", session)
		if len(name) > 63 || strings.HasSuffix(name, "-") {
			t.Errorf("%q", name)
		}
	}
}
