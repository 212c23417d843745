package faults

import (
	"net/http"
	"path"
	"strings"
)

// Request is what a rule looks at.
type Request struct {
	// Verb is get, list, watch, create, update, patch, delete or deletecollection; for paths that are not of a resource
	// the method in lower case.
	Verb string
	// Group, Namespace and Name as in the path; each may be empty. The name of an object that is being created stands
	// in the body and not here, that of the pod of a bind does.
	Group, Namespace, Name string
	// Resource is podgroups, pods/binding; for paths that are not of a resource the path.
	Resource string
	// Body of the request.
	Body []byte
}

// Kind is verb and resource, what calls are counted by ("create pods/binding").
func (r Request) Kind() string { return r.Verb + " " + r.Resource }

// Streams reports whether the answer has no end.
func (r Request) Streams() bool { return r.Verb == "watch" }

// Read takes an HTTP request apart, its body left out. It follows the paths of the Kubernetes API:
// /api/v1[/namespaces/NS]/RESOURCE[/NAME[/SUB]] and /apis/GROUP/VERSION likewise.
func Read(r *http.Request) Request {
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	var out Request
	switch {
	case parts[0] == "api" && len(parts) > 2:
		parts = parts[2:]
	case parts[0] == "apis" && len(parts) > 3:
		out.Group, parts = parts[1], parts[3:]
	default:
		return Request{Verb: strings.ToLower(r.Method), Resource: path.Clean(r.URL.Path)}
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
