package dialect

import (
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// GangReading says where an object of the gang's kind keeps what a gang is. A field left out reads as empty.
type GangReading struct {
	Resource Resource `json:"resource"`
	// Basic holds for groups that are not all-or-nothing.
	Basic *Test `json:"basic,omitempty"`
	// Quorum and Priority are whole numbers.
	Quorum   Value  `json:"quorum"`
	Priority *Value `json:"priority,omitempty"`
	// PriorityClass, Parent and TopologyKey are strings.
	PriorityClass *Value `json:"priorityClass,omitempty"`
	Parent        *Value `json:"parent,omitempty"`
	TopologyKey   *Value `json:"topologyKey,omitempty"`
	// DisruptAll holds for gangs whose members are only disrupted together.
	DisruptAll *Test `json:"disruptAll,omitempty"`
	// Conditions is the list of conditions (default status.conditions).
	Conditions Path `json:"conditions,omitzero"`
	// Satisfied says how the API tells that the gang has been scheduled.
	Satisfied *Satisfied `json:"satisfied,omitempty"`
}

// Value is a value at a path, or a default where there is none. Without a path it is a constant.
type Value struct {
	Path    Path `json:"path,omitzero"`
	Default any  `json:"default,omitempty"`
}

// Test is a yes or no: a path exists (Exists), the value at a path is one of In, or a constant (Always).
type Test struct {
	Exists Path  `json:"exists,omitzero"`
	Path   Path  `json:"path,omitzero"`
	In     []any `json:"in,omitempty"`
	Always *bool `json:"always,omitempty"`
}

// Satisfied is a condition type, or a value at a path that stands for one: True and False list the values that mean so;
// any other value is Unknown.
type Satisfied struct {
	Condition string   `json:"condition,omitempty"`
	Path      Path     `json:"path,omitzero"`
	True      []string `json:"true,omitempty"`
	False     []string `json:"false,omitempty"`
}

// Group is a gang as one object states it, in neutral words.
type Group struct {
	Namespace, Name string
	Basic           bool
	// Quorum is 0 for basic.
	Quorum        int32
	Priority      int32
	PriorityClass string
	// Parent is the composite group's name, empty for none; TopologyKey the group's own constraint.
	Parent, TopologyKey string
	DisruptAll          bool
	// Conditions by type, as the object has them.
	Conditions map[string]Condition
	// Satisfied is "initially scheduled", wherever the API keeps it. An empty Status: the object does not say.
	Satisfied Condition
	// Problems are values of a wrong type, as "path: what was seen"; what they would have said is left empty. A reader
	// that finds any should doubt that the object was written in this dialect.
	Problems []string
}

// Condition without its message. It converts to the condition of a history's view.
type Condition struct {
	Status             string
	Reason             string
	ObservedGeneration int64
	LastTransition     time.Time
}

// Read understands an object (decoded JSON) of the given resource. ok is false where the resource is not the one
// this dialect keeps its gangs in; nothing is said about such an object.
func (d *Dialect) Read(obj map[string]any, gvr schema.GroupVersionResource) (g Group, ok bool) {
	r := d.spec.Read.Gang
	if gvr != r.Resource.GVR() {
		return Group{}, false
	}
	return r.read(obj), true
}

// read is the object in neutral words.
func (r GangReading) read(obj map[string]any) (g Group) {
	in := reading{obj: obj}
	g.Namespace = in.text(&Value{Path: namespacePath})
	g.Name = in.text(&Value{Path: namePath})
	g.Basic = in.test(r.Basic)
	if !g.Basic {
		g.Quorum = in.number(&r.Quorum)
	}
	g.Priority = in.number(r.Priority)
	g.PriorityClass = in.text(r.PriorityClass)
	g.Parent = in.text(r.Parent)
	g.TopologyKey = in.text(r.TopologyKey)
	g.DisruptAll = in.test(r.DisruptAll)
	g.Conditions = in.conditions(r.Conditions)
	g.Satisfied = in.satisfied(r.Satisfied, g.Conditions)
	g.Problems = in.problems
	return g
}

// Member is the gang a pod says it belongs to (in its own namespace); ok is false for a pod without one.
func (d *Dialect) Member(pod *corev1.Pod) (gang string, ok bool) {
	gang = d.member.of(pod)
	return gang, gang != ""
}

// MemberRaw is Member for a pod as decoded JSON.
func (d *Dialect) MemberRaw(pod map[string]any) (gang string, ok bool) {
	v, _ := d.spec.Read.Member.Path.Get(pod)
	gang, _ = v.(string)
	return gang, gang != ""
}

var (
	namespacePath  = mustPath("metadata.namespace")
	namePath       = mustPath("metadata.name")
	conditionsPath = mustPath("status.conditions")
)

func mustPath(text string) Path {
	p, err := ParsePath(text)
	if err != nil {
		panic(err)
	}
	return p
}
