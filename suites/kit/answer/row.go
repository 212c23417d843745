package answer

import (
	"maps"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"muster/suites"
)

// Object is the decoded JSON of an object.
type Object = map[string]any

// Request makes a row's request. It may ask the environment for names (a priority class, the namespace) and for nothing
// else.
type Request func(env suites.Env) suites.Attempt

// Row is one request and what has to come back.
type Row struct {
	// ID of the requirement it is about; Name says what is sent, unique within a requirement of a scenario.
	ID, Name string
	Request  Request
	want     want
}

type kind int

const (
	given kind = iota
	accepted
	refused
	absent
	observed
)

// want is what has to come back.
type want struct {
	kind kind
	// shows is what an accepted object has to show, what in words; nil: nothing in particular.
	shows func(Object) bool
	what  string
	// reasons of a refusal, one of which has to be given. fields: one of them has to be named by a cause, where the
	// reason is Invalid; none: any.
	reasons, fields []string
	// value of what was observed.
	value func(answer string, o Object) string
}

// Label is the name under which the answer is recorded.
func (r Row) Label() string { return r.ID + " " + r.Name }

// Given is a row without which the others of its requirement prove nothing.
func Given(id, name string, q Request) Row { return Row{id, name, q, want{kind: given}} }

// GivenThat is a row without which the others of its requirement prove nothing, and neither do they where the object it is
// answered with does not show something: that a gate is off at all, say.
func GivenThat(id, name string, q Request, what string, shows func(Object) bool) Row {
	return Row{id, name, q, want{kind: given, shows: shows, what: what}}
}

// Accept is a request that has to be accepted.
func Accept(id, name string, q Request) Row { return Row{id, name, q, want{kind: accepted}} }

// Show is a request that has to be accepted with an object that shows something; what says in words what.
func Show(id, name string, q Request, what string, shows func(Object) bool) Row {
	return Row{id, name, q, want{kind: accepted, shows: shows, what: what}}
}

// Drop is a request of which something must not be kept: it is refused, or accepted with an object that lacks it. what
// says in words what.
func Drop(id, name string, q Request, what string, lacks func(Object) bool) Row {
	return Row{id, name, q, want{kind: absent, shows: lacks, what: what}}
}

// Refuse is a request that has to be refused as Invalid, with a cause that names one of the fields (a field counts for
// what lies below and above it).
func Refuse(id, name string, q Request, fields ...string) Row {
	return Row{id, name, q, want{kind: refused, reasons: []string{"Invalid"}, fields: fields}}
}

// RefuseAs is a request that has to be refused with one of the reasons, whatever the causes.
func RefuseAs(id, name string, q Request, reasons ...string) Row {
	return Row{id, name, q, want{kind: refused, reasons: reasons}}
}

// Observe is a request of which only the outcome is of interest: the reason of a refusal, or "accepted", or what value
// makes of it.
func Observe(id, name string, q Request, value func(answer string, o Object) string) Row {
	return Row{id, name, q, want{kind: observed, value: value}}
}

// IDs are the requirements of the rows, each once, in order.
func IDs(rows ...[]Row) []string {
	var out []string
	seen := map[string]bool{}
	for _, list := range rows {
		for _, r := range list {
			if !seen[r.ID] {
				seen[r.ID] = true
				out = append(out, r.ID)
			}
		}
	}
	return out
}

// Create sends an object. Where it has no name it gets that of the row.
func Create(gvr schema.GroupVersionResource, o Object) Request {
	return func(suites.Env) suites.Attempt {
		return suites.Attempt{Verb: "create", GVR: gvr, Object: wrap(o)}
	}
}

// CreateIn is Create for an object that needs the environment.
func CreateIn(gvr schema.GroupVersionResource, o func(suites.Env) Object) Request {
	return func(env suites.Env) suites.Attempt {
		return suites.Attempt{Verb: "create", GVR: gvr, Object: wrap(o(env))}
	}
}

// CreateClusterScoped is CreateIn for an object without a namespace; its name has to be unique in the cluster.
func CreateClusterScoped(gvr schema.GroupVersionResource, o func(suites.Env) Object) Request {
	return func(env suites.Env) suites.Attempt {
		return suites.Attempt{Verb: "create", GVR: gvr, Object: wrap(o(env)), ClusterScoped: true}
	}
}

// Update replaces an object by what is given, resource version and all.
func Update(gvr schema.GroupVersionResource, o Object, subresources ...string) Request {
	return func(suites.Env) suites.Attempt {
		u := wrap(o)
		return suites.Attempt{Verb: "update", GVR: gvr, Name: u.GetName(), Object: u, Subresources: subresources}
	}
}

// Patch applies a JSON merge patch.
func Patch(gvr schema.GroupVersionResource, name, merge string, subresources ...string) Request {
	return func(suites.Env) suites.Attempt {
		return suites.Attempt{Verb: "patch", GVR: gvr, Name: name, Patch: []byte(merge), Subresources: subresources}
	}
}

// Read asks for an object: a patch that changes nothing, which the API server answers with the object and does not
// write.
func Read(gvr schema.GroupVersionResource, name string) Request { return Patch(gvr, name, `{}`) }

// Printed asks for an object as the table that an API server prints of it.
func Printed(gvr schema.GroupVersionResource, name string) Request {
	return func(suites.Env) suites.Attempt {
		return suites.Attempt{Verb: "get", GVR: gvr, Name: name, Accept: "application/json;as=Table;v=v1;g=meta.k8s.io"}
	}
}

// Delete deletes an object.
func Delete(gvr schema.GroupVersionResource, name string) Request {
	return func(suites.Env) suites.Attempt { return suites.Attempt{Verb: "delete", GVR: gvr, Name: name} }
}

// wrap copies the top of an object, so that a row's object can be sent more than once.
func wrap(o Object) *unstructured.Unstructured {
	c := maps.Clone(o)
	if meta, ok := c["metadata"].(Object); ok {
		c["metadata"] = maps.Clone(meta)
	}
	return &unstructured.Unstructured{Object: c}
}

// slug is a label as an object's name.
func slug(label string) string {
	return strings.Trim(strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			return r
		}
		return '-'
	}, strings.ToLower(label)), "-")
}
