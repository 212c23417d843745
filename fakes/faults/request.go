package faults

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
