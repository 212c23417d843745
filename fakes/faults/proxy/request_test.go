package proxy

import (
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestRequestsAreNamedAsRBACNamesThem(t *testing.T) {
	for _, tt := range []struct{ method, url, want string }{
		{"GET", "/api/v1/pods", "list pods /"},
		{"GET", "/api/v1/pods?watch=true&resourceVersion=3", "watch pods /"},
		{"GET", "/api/v1/watch/namespaces/a/pods", "watch pods a/"},
		{"GET", "/api/v1/namespaces/a/pods/p", "get pods a/p"},
		{"GET", "/api/v1/namespaces/a", "get namespaces /a"},
		{"GET", "/api/v1/namespaces", "list namespaces /"},
		{"POST", "/api/v1/namespaces/a/pods/p/binding", "create pods/binding a/p"},
		{"PATCH", "/apis/scheduling.k8s.io/v1beta1/namespaces/a/podgroups/g/status", "patch podgroups/status a/g"},
		{"PUT", "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/l", "update leases kube-system/l"},
		{"DELETE", "/api/v1/nodes/n", "delete nodes /n"},
		{"DELETE", "/api/v1/namespaces/a/pods", "deletecollection pods a/"},
		{"GET", "/readyz", "get /readyz /"},
		{"GET", "/apis", "get /apis /"},
		{"GET", "/apis/apps/v1", "get /apis/apps/v1 /"},
		{"GET", "/", "get / /"},
	} {
		r := read(httptest.NewRequest(tt.method, tt.url, http.NoBody))
		if got := r.Kind() + " " + r.Namespace + "/" + r.Name; got != tt.want {
			t.Errorf("%s %s: %q, want %q", tt.method, tt.url, got, tt.want)
		}
	}
}
