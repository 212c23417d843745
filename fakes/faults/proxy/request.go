package proxy

import (
	"net/http"
	"path"
	"strings"

	"muster/fakes/faults"
)

// read takes an HTTP request apart, its body left out. It follows the paths of the Kubernetes API:
// /api/v1[/namespaces/NS]/RESOURCE[/NAME[/SUB]] and /apis/GROUP/VERSION likewise.
func read(r *http.Request) faults.Request {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	var out faults.Request
	switch {
	case parts[0] == "api" && len(parts) > 2:
		parts = parts[2:]
	case parts[0] == "apis" && len(parts) > 3:
		out.Group, parts = parts[1], parts[3:]
	default:
		return faults.Request{Verb: strings.ToLower(r.Method), Resource: path.Clean(r.URL.Path)}
	}
	watches := r.URL.Query().Get("watch")
	streams := watches == "true" || watches == "1"
	if parts[0] == "watch" && len(parts) > 1 {
		streams, parts = true, parts[1:]
	}
	if parts[0] == "namespaces" && len(parts) > 2 {
		out.Namespace, parts = parts[1], parts[2:]
	}
	out.Resource = parts[0]
	if len(parts) > 1 {
		out.Name = parts[1]
	}
	if len(parts) > 2 {
		out.Resource += "/" + strings.Join(parts[2:], "/")
	}
	out.Verb = verb(r.Method, out.Name != "", streams)
	return out
}

// verb as RBAC names it.
func verb(method string, named, streams bool) string {
	switch {
	case method == http.MethodGet && streams:
		return "watch"
	case method == http.MethodGet && named:
		return "get"
	case method == http.MethodGet:
		return "list"
	case method == http.MethodPost:
		return "create"
	case method == http.MethodPut:
		return "update"
	case method == http.MethodDelete && !named:
		return "deletecollection"
	}
	return strings.ToLower(method)
}
