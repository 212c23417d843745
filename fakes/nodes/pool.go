package nodes

// Label keys that muster puts on the nodes it makes.
const (
	// PoolLabel carries the pool a node belongs to; pods of a scenario select their pool by it.
	PoolLabel = "muster.dev/pool"
	// PoolTaint keeps everything that does not tolerate it off a pool (effect NoSchedule, value: the pool).
	PoolTaint = "muster.dev/pool"
	// RackLabel and ZoneLabel are the default topology keys.
	RackLabel = "topology.kubernetes.io/rack"
	ZoneLabel = "topology.kubernetes.io/zone"
)

// Pool describes equal simulated nodes. The zero value of every field is a sensible default.
type Pool struct {
	// Name of the pool. Scenarios use short names; the runner makes them unique.
	Name string `json:"name"`
	// Count of nodes. 0 is none (they can be added later).
	Count int `json:"count"`
	// CPU (default "64"), Memory (default "512Gi") and Pods (default 110) are both capacity and allocatable.
	CPU    string `json:"cpu,omitempty"`
	Memory string `json:"memory,omitempty"`
	Pods   int    `json:"pods,omitempty"`
	// GPUs per node of the extended resource GPUResource (default nvidia.com/gpu); 0 is none.
	GPUs        int    `json:"gpus,omitempty"`
	GPUResource string `json:"gpuResource,omitempty"`
	// Extended are further extended resources: name → quantity.
	Extended map[string]string `json:"extended,omitempty"`
	// Labels and Taints on every node, beside the pool's own.
	Labels map[string]string `json:"labels,omitempty"`
	Taints []Taint           `json:"taints,omitempty"`
	// Open leaves the pool's NoSchedule taint away, for clusters used by hand.
	Open bool `json:"open,omitempty"`
	// Arch of the processors (default "amd64").
	Arch string `json:"arch,omitempty"`
	// NodesPerRack and RacksPerZone lay the nodes out in order of their index; 0 sets no label.
	NodesPerRack int `json:"nodesPerRack,omitempty"`
	RacksPerZone int `json:"racksPerZone,omitempty"`
	// RackKey and ZoneKey are the label keys (defaults RackLabel and ZoneLabel). The runner makes keys unique to a
	// scenario where it asks for "unique".
	RackKey string `json:"rackKey,omitempty"`
	ZoneKey string `json:"zoneKey,omitempty"`
	// RackLabels are labels that the nodes of one rack share, beside RackKey: in their values $rackuuid stands for a UUID of
	// the rack.
	RackLabels map[string]string `json:"rackLabels,omitempty"`
	// Devices for claims to ask for (dynamic resource allocation). The nodes alone have none: see fakes/gpus.
	Devices Devices `json:"devices,omitzero"`
}

// Taint is a node taint as data.
type Taint struct {
	Key    string `json:"key"`
	Value  string `json:"value,omitempty"`
	Effect string `json:"effect"`
}
