package ceiling

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/rest"
)

// serving is a discovery client that knows some versions.
type serving struct {
	discovery.ServerResourcesInterface
	versions map[string][]metav1.APIResource
	err      error
}

func (s serving) ServerResourcesForGroupVersion(version string) (*metav1.APIResourceList, error) {
	if list, ok := s.versions[version]; ok {
		return &metav1.APIResourceList{APIResources: list}, nil
	}
	if s.err != nil {
		return nil, s.err
	}
	return nil, apierrors.NewNotFound(schema.GroupResource{}, version)
}

func TestServed(t *testing.T) {
	watched := metav1.Verbs{"list", "watch"}
	for name, c := range map[string]struct {
		s    serving
		want Serves
		fail bool
	}{
		"nothing": {},
		"all": {s: serving{versions: map[string][]metav1.APIResource{
			"scheduling.k8s.io/v1beta1":  {{Name: "podgroups", Verbs: watched}},
			"scheduling.k8s.io/v1alpha3": {{Name: "compositepodgroups", Verbs: watched}},
			"resource.k8s.io/v1":         {{Name: "resourceclaims", Verbs: watched}},
		}}, want: Serves{Groups: true, Composites: true, Devices: true}},
		"cannot be watched": {s: serving{versions: map[string][]metav1.APIResource{"scheduling.k8s.io/v1beta1": {{Name: "podgroups", Verbs: metav1.Verbs{"get"}}}}}},
		"no answer":         {s: serving{err: errors.New("connection refused")}, fail: true},
	} {
		got, err := served(c.s)
		if got != c.want || (err != nil) != c.fail {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}

// Every client has a connection of its own, and all speak protobuf under one limit.
func TestClientsHaveConnectionsOfTheirOwn(t *testing.T) {
	var mu sync.Mutex
	peers := map[string]int{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		peers[r.RemoteAddr]++
		if accept := r.Header.Get("Accept"); accept != "application/vnd.kubernetes.protobuf,application/json" {
			t.Errorf("accepts %s", accept)
		}
		w.WriteHeader(http.StatusNotFound)
	}))
	defer s.Close()
	all, err := clients(&rest.Config{Host: s.URL, QPS: 100, Burst: 100}, 3)
	if err != nil {
		t.Fatal(err)
	}
	for range 4 {
		for _, c := range all {
			if _, err := c.CoreV1().Nodes().Get(t.Context(), "x", metav1.GetOptions{}); !apierrors.IsNotFound(err) {
				t.Fatal(err)
			}
		}
	}
	if len(peers) != 3 {
		t.Errorf("3 clients used %d connections: %v", len(peers), peers)
	}
	limits := map[any]bool{}
	for _, c := range all {
		limits[c.CoreV1().RESTClient().GetRateLimiter()] = true
	}
	if len(limits) != 1 {
		t.Errorf("%d limiters for one limit", len(limits))
	}
}

func TestProcessRefuses(t *testing.T) {
	if err := RunProcess(context.Background(), ProcessOptions{REST: &rest.Config{}, Connections: -1}); err == nil {
		t.Error("a negative number of connections was accepted")
	}
}
