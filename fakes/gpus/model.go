package gpus

import (
	"bytes"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Model is one kind of GPU, the node it usually sits in, and what drivers publish about it: one file of models/.
type Model struct {
	// Name to ask for it by, lower-case.
	Name string `json:"name"`
	// About is one line for people.
	About string `json:"about"`
	// Resource is the extended resource that the vendor's device plugin offers.
	Resource string `json:"resource"`
	// Count of GPUs on a usual node.
	Count int `json:"count"`
	// Memory of one GPU in MiB, as its driver reports it.
	Memory int `json:"memory"`
	// Arch of the node's processors.
	Arch string `json:"arch"`
	// Labels that the vendor's labeller sets on a node; $count and $memory stand for the numbers.
	Labels map[string]string `json:"labels"`
	// NodesPerRack is the size of a rack where racks are part of the machine (a domain of NVLink); RackLabels are what
	// the labeller sets on every node of one, see nodes.Pool.
	NodesPerRack int               `json:"nodesPerRack,omitempty"`
	RackLabels   map[string]string `json:"rackLabels,omitempty"`
	// Source says where all this was taken from.
	Source string `json:"source"`
	// Sources are what the sources of attributes and capacities stand for: key → place.
	Sources map[string]string `json:"sources"`
	// Publications are what DRA drivers publish about a node with such GPUs.
	Publications []Publication `json:"drivers"`
}

// Publication is one kind of device that one driver publishes. In strings, $gpu is the number of the GPU on its node from
// 0, $render its render node (128 and up), $uuid a UUID of GPU and node, $rackuuid one of the rack.
type Publication struct {
	// Driver that publishes it; its classes are in drivers/.
	Driver string `json:"driver"`
	// Device is the name of a device.
	Device string `json:"device"`
	// PerNode is how many there are on a node, whatever the number of GPUs. 0: one a GPU.
	PerNode    int                  `json:"perNode,omitempty"`
	Attributes map[string]Attribute `json:"attributes"`
	Capacity   map[string]Capacity  `json:"capacity,omitempty"`
	// Sharing is how the driver publishes a device that claims may share; nil: it does not.
	Sharing *Sharing `json:"sharing,omitempty"`
	// Partitioning is what it publishes of a device that can be cut up; nil: it cannot.
	Partitioning *Partitioning `json:"partitioning,omitempty"`
}

// Attribute is the value of an attribute, in one of its forms, and where its name and value are from.
type Attribute struct {
	String  string `json:"string,omitempty"`
	Version string `json:"version,omitempty"`
	Int     Number `json:"int,omitempty"`
	Bool    *bool  `json:"bool,omitempty"`
	// Each and EachInt have one value for each GPU of a node.
	Each    []string `json:"each,omitempty"`
	EachInt []int64  `json:"eachInt,omitempty"`
	// Source is a key of Model.Sources.
	Source string `json:"source"`
}

// Capacity is a quantity and where it is from (a key of Model.Sources).
type Capacity struct {
	Value  resource.Quantity `json:"value"`
	Source string            `json:"source"`
}

// Sharing makes a device one that several claims can have a share of.
type Sharing struct {
	// Unit is the capacity that counts shares: a claim that asks for none gets one.
	Unit string `json:"unit"`
	// OnRequest is a capacity of which a claim gets what it asks for in steps of Step, and nothing where it does not ask.
	OnRequest string            `json:"onRequest"`
	Step      resource.Quantity `json:"step"`
	Source    string            `json:"source"`
}

// Partitioning is what is published of a device that can be cut up. Counters see to it that pieces fit into the whole.
type Partitioning struct {
	// CounterSet is the name of a GPU's set of counters.
	CounterSet string `json:"counterSet"`
	// Counters of a set.
	Counters map[string]resource.Quantity `json:"counters,omitempty"`
	// FromCapacity has a counter for each capacity of Whole (copyEngines: copy-engines), which a device uses up as its
	// own capacities say.
	FromCapacity bool `json:"fromCapacity,omitempty"`
	// Slots are counters of one each: places that a partition lies in.
	Slots *Slots `json:"slots,omitempty"`
	// Source is a key of Model.Sources.
	Source string `json:"source"`
	// Whole is the uncut device beside its partitions, which takes every counter; nil: it is not published.
	Whole      *Whole      `json:"whole,omitempty"`
	Partitions []Partition `json:"partitions"`
}

// Slots are places in a device: counters named Counter, in which $slot is the number.
type Slots struct {
	Counter string `json:"counter"`
	Count   int    `json:"count"`
}

// Whole is the uncut device where partitions are published too.
type Whole struct {
	Capacity map[string]resource.Quantity `json:"capacity"`
}

// Partition is a piece a device can be cut into. It has the attributes of the whole but for what is said here.
type Partition struct {
	// Device is its name, in which $slot is the first of its slots.
	Device string `json:"device"`
	// Attributes and Ints replace or add to those of the whole; Without are left out.
	Attributes map[string]string `json:"attributes,omitempty"`
	Ints       map[string]Number `json:"ints,omitempty"`
	Without    []string          `json:"without,omitempty"`
	// Size in slots, and the slots At which one can begin; each is a device of its own.
	Size int   `json:"size,omitempty"`
	At   []int `json:"at,omitempty"`
	// Capacity of the piece.
	Capacity map[string]resource.Quantity `json:"capacity"`
	// Consumes are counters beside those of Capacity and slots.
	Consumes map[string]resource.Quantity `json:"consumes,omitempty"`
	// Shared makes it one device for so many pieces: a capacity of which every claim gets one.
	Shared map[string]int64 `json:"shared,omitempty"`
}

// Number is a number, or a placeholder that becomes one.
type Number string

// UnmarshalJSON takes 7 as well as "$gpu".
func (n *Number) UnmarshalJSON(b []byte) error {
	*n = Number(strings.Trim(string(bytes.TrimSpace(b)), `"`))
	return nil
}

// Valid reports whether it is a number, or becomes one.
func (n Number) Valid() bool {
	_, err := strconv.ParseInt(strings.NewReplacer("$gpu", "0", "$render", "0").Replace(string(n)), 10, 64)
	return err == nil
}

// Driver is a DRA driver and the classes that its installation brings: one file of drivers/.
type Driver struct {
	Driver string `json:"driver"`
	// Source says where the classes are from.
	Source  string  `json:"source"`
	Classes []Class `json:"classes"`
}

// Class is a DeviceClass as its vendor installs it. In the expression $driver stands for the driver's name and $domain for
// the domain of its attributes.
type Class struct {
	Name       string `json:"name"`
	Expression string `json:"expression"`
	// ExtendedResource that it serves; none where empty.
	ExtendedResource string `json:"extendedResource,omitempty"`
}
