package answer

import (
	"bytes"
	"encoding/json"
	"strings"

	"muster/suites"
)

// nowhere is an environment for rows that are only looked at: names in it are of nobody.
type nowhere struct{ suites.Env }

func (nowhere) Namespace() string                { return "nowhere" }
func (nowhere) PriorityClass(name string) string { return "nowhere-" + name }

// Target is the verb of the row's request, as RBAC names it, and its resource with the subresource.
func (r Row) Target() (verb, resource string) {
	a := r.Request(nowhere{})
	return a.Verb, strings.Join(append([]string{a.GVR.Resource}, a.Subresources...), "/")
}

// Sent reports whether a request is the one that Drive makes of the row, in whatever environment: its verb and resource as
// Target gives them, the name in its path and its body.
func (r Row) Sent(verb, resource, name string, body []byte) bool {
	if v, res := r.Target(); v != verb || res != resource {
		return false
	}
	a := r.Request(nowhere{})
	switch a.Verb {
	case "create":
		var o struct {
			Metadata struct{ Name string }
		}
		want := a.Object.GetName()
		if want == "" {
			want = slug(r.Label())
		}
		return json.Unmarshal(body, &o) == nil && o.Metadata.Name == want
	case "patch":
		return name == a.Name && bytes.Equal(body, a.Patch)
	}
	return name == a.Name
}
