package dialect

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	utiljson "sigs.k8s.io/json"
	"sigs.k8s.io/yaml"
)

//go:embed *.yaml
var builtin embed.FS

// Native is the name of the dialect of Kubernetes' own scheduling.k8s.io PodGroup.
const Native = "native"

// Dialect is one scheduler's way to speak of gangs. It is immutable after Parse and safe for concurrent use.
type Dialect struct {
	spec   Spec
	member podField
	said   map[string]bool // variables the render side mentions
}

// Spec is the YAML form of a dialect.
type Spec struct {
	// Name of the dialect, as scheduler profiles name it.
	Name string `json:"name"`
	// About is one line for people.
	About string `json:"about,omitempty"`
	// Read says how a gang's object and its members are understood.
	Read Read `json:"read"`
	// Render says how a gang is written.
	Render Render `json:"render"`
}

// Read is the side from objects to gangs.
type Read struct {
	Gang   GangReading `json:"gang"`
	Member Member      `json:"member"`
	// Composite says how a group of groups is understood; left away where the API has none. Its quorum counts groups.
	Composite *GangReading `json:"composite,omitempty"`
}

// Member says where a pod names its gang (an object of the gang's kind in the pod's namespace).
type Member struct {
	Path Path `json:"path"`
}

// Resource is a group, version and resource (plural) of an API.
type Resource struct {
	Group    string `json:"group"`
	Version  string `json:"version"`
	Resource string `json:"resource"`
}

// GVR is the same in client-go's words.
func (r Resource) GVR() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: r.Group, Version: r.Version, Resource: r.Resource}
}

// Render is the side from gangs to objects.
type Render struct {
	// Objects are created for a gang, in order. Exactly one of them is of the resource that Read.Gang reads.
	Objects []Template `json:"objects"`
	// Composite is the object of a group of groups, with the same variables; left away where the API has none.
	Composite *Template `json:"composite,omitempty"`
	// Member is merged into a pod to make it a member.
	Member map[string]any `json:"member"`
	// Quorum is the JSON merge patch of the gang's object that changes its quorum.
	Quorum map[string]any `json:"quorum"`
}

// Template is one object with variables in it.
type Template struct {
	// Resource it is created through.
	Resource Resource `json:"resource"`
	// Object is the tree, with apiVersion and kind.
	Object map[string]any `json:"object"`
}

// Load finds a built-in dialect by name.
func Load(name string) (*Dialect, error) {
	if slices.Contains(Names(), name) {
		data, err := builtin.ReadFile(name + ".yaml")
		if err != nil {
			return nil, fmt.Errorf("reading dialect %s: %w", name, err)
		}
		return Parse(data)
	}
	return nil, fmt.Errorf("no dialect is named %q; there are: %s", name, strings.Join(Names(), ", "))
}

// Names of the built-in dialects, sorted.
func Names() []string {
	files, err := builtin.ReadDir(".")
	if err != nil {
		return nil
	}
	names := make([]string, len(files))
	for i, f := range files {
		names[i] = strings.TrimSuffix(f.Name(), ".yaml")
	}
	return names
}

// Parse reads a dialect strictly: unknown fields, unknown variables, paths a pod does not have and templates that do
// not fit together are errors that name the YAML path.
func Parse(data []byte) (*Dialect, error) {
	d := &Dialect{}
	js, err := yaml.YAMLToJSONStrict(data)
	if err != nil {
		return nil, fmt.Errorf("parsing dialect: %w", err)
	}
	strict, err := utiljson.UnmarshalStrict(js, &d.spec)
	if err == nil && len(strict) > 0 {
		err = strict[0]
	}
	if err != nil {
		return nil, fmt.Errorf("parsing dialect: %w", err)
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("parsing dialect %q: %w", d.spec.Name, err)
	}
	return d, nil
}

// Name of the dialect.
func (d *Dialect) Name() string { return d.spec.Name }

// Resources a recorder must watch beside pods to be able to read gangs. Each is named once.
func (d *Dialect) Resources() []schema.GroupVersionResource {
	out := []schema.GroupVersionResource{d.GangResource()}
	for _, t := range d.spec.Render.Objects {
		if gvr := t.Resource.GVR(); !slices.Contains(out, gvr) {
			out = append(out, gvr)
		}
	}
	return out
}

// GangResource is the resource of a gang's own object: the one to delete, and the one QuorumPatch is for.
func (d *Dialect) GangResource() schema.GroupVersionResource { return d.spec.Read.Gang.Resource.GVR() }

// ResourceOf is the resource to create a rendered object through. ok is false for a kind the dialect does not render.
func (d *Dialect) ResourceOf(gvk schema.GroupVersionKind) (gvr schema.GroupVersionResource, ok bool) {
	for _, t := range d.spec.Render.Objects {
		if t.gvk() == gvk {
			return t.Resource.GVR(), true
		}
	}
	return gvr, false
}

// gvk of the template's object; empty where apiVersion or kind is not a string (check refuses that).
func (t Template) gvk() schema.GroupVersionKind {
	av, _ := t.Object["apiVersion"].(string)
	kind, _ := t.Object["kind"].(string)
	return schema.FromAPIVersionAndKind(av, kind)
}
