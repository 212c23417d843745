package cluster

import (
	"context"

	"k8s.io/client-go/rest"
)

// Capability is something a cluster may or may not be able to do. Scenarios declare what they need; where it is
// missing they are NotSupported.
type Capability string

const (
	// CreateNodes: node objects can be created and deleted through the API.
	CreateNodes Capability = "create-nodes"
	// SeedNodes: objects can be put into storage before the API server starts.
	SeedNodes Capability = "seed-nodes"
	// RestartComponents: control plane components can be stopped and started.
	RestartComponents Capability = "restart-components"
	// SetGates: a further cluster with other gates can be had.
	SetGates Capability = "set-gates"
	// RestartScheduler: the scheduler under test can be stopped and started.
	RestartScheduler Capability = "restart-scheduler"
	// ReadMetrics: the metrics of the controller manager and the API server can be read.
	ReadMetrics Capability = "read-metrics"
	// BreakAPI: a fault proxy can stand between a client and the API server.
	BreakAPI Capability = "break-api"
	// FinishPods: something takes pods to Running and lets them end when told to.
	FinishPods Capability = "finish-pods"
)

// Cluster is a control plane to put a scheduler in front of.
type Cluster interface {
	// Name is unique on this machine while the cluster lives.
	Name() string
	// RESTConfig is an administrator's, with client limits raised and warnings silenced. A copy.
	RESTConfig() *rest.Config
	// Kubeconfig is the path of an administrator's kubeconfig (0600); SchedulerKubeconfig of one whose user is
	// system:kube-scheduler.
	Kubeconfig() string
	SchedulerKubeconfig() string
	// Capabilities the cluster offers.
	Capabilities() []Capability
	// Gates in force in the control plane by name; nil where unknown.
	Gates() map[string]bool
	// Storage is "single-etcd" where resource versions order events across resources, else "unknown".
	Storage() string
	// Versions of the components: name → version.
	Versions() map[string]string
	// Processes are the component processes: name → PID. Empty for a cluster that is not ours.
	Processes() map[string]int
	// LogTail is the end of a component's log.
	LogTail(component string, lines int) []string
	// Died receives the first component that ends without being asked to, with its last log lines.
	Died() <-chan error
	// Stop ends every process and removes the run directory (unless kept). Idempotent.
	Stop(ctx context.Context) error
}
