package cluster

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Names of the components, which are also their roles and the names of their logs.
const (
	Etcd              = "etcd"
	APIServer         = "kube-apiserver"
	ControllerManager = "kube-controller-manager"
	Kwok              = "kwok"
)

// serviceIP is the first address of the service range, the kubernetes Service's.
const (
	serviceRange = "10.96.0.0/16"
	serviceIP    = "10.96.0.1"
)

// Paths inside the run directory, which is every component's working directory. etcd's sockets are named relative to
// it: the kernel allows a socket's path about a hundred bytes, and a run directory may be anywhere.
const (
	etcdSocket = "etcd.sock"
	peerSocket = "etcd-peer.sock"
	kwokConfig = "kwok.yaml"
)

// disabledControllers are switched off, each for a reason:
//   - node-lifecycle would taint simulated nodes, which send no heartbeats, and evict from them;
//   - ttl writes an annotation for kubelets' caches on every node, thousands of writes nobody here reads.
var disabledControllers = []string{"node-lifecycle-controller", "ttl-controller"}

// layout is what the flags of the components are made from.
type layout struct {
	options           Options
	gates             Resolution
	pki               *pki
	users             map[string]*user
	apiPort, ctrlPort int
}

// etcdArgs: everything over unix sockets in a directory that is its owner's alone, so that no other user of the
// machine can read the cluster's storage, and without the cost of TLS. Nothing is synced to disk: the cluster does not
// outlive the machine, and a disk's speed shall not be part of any measurement. Its election is shortened since there
// is nobody to elect but itself.
func (l layout) etcdArgs() []string {
	level := "warn"
	if l.options.Verbosity >= 2 {
		level = "info"
	}
	return []string{
		"--name=muster",
		"--data-dir=etcd",
		"--listen-client-urls=unix://" + etcdSocket,
		"--advertise-client-urls=unix://" + etcdSocket,
		"--listen-peer-urls=unix://" + peerSocket,
		"--initial-advertise-peer-urls=unix://" + peerSocket,
		"--initial-cluster=muster=unix://" + peerSocket,
		"--unsafe-no-fsync",
		"--heartbeat-interval=50",
		"--election-timeout=500",
		"--quota-backend-bytes=" + strconv.Itoa(8<<30),
		"--log-level=" + level,
	}
}

func (l layout) apiServerArgs() []string {
	return append(l.common(),
		"--etcd-servers=unix://"+etcdSocket,
		"--bind-address=127.0.0.1",
		"--secure-port="+strconv.Itoa(l.apiPort),
		// Loopback is no valid endpoint address; nobody looks the API server up through its Service here.
		"--advertise-address=127.0.0.1",
		"--endpoint-reconciler-type=none",
		"--service-cluster-ip-range="+serviceRange,
		"--token-auth-file="+l.pki.path(tokenFile),
		"--anonymous-auth=false",
		"--authorization-mode=RBAC",
		// As installers set it.
		"--allow-privileged=true",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-key-file="+l.pki.path(serviceAccountKeyFile),
		"--service-account-signing-key-file="+l.pki.path(serviceAccountKeyFile),
		"--runtime-config="+runtimeConfigFlag(l.options.RuntimeConfig),
		// Without the node lifecycle controller nobody would ever take its taint off a new node.
		"--disable-admission-plugins=TaintNodesByCondition",
	)
}

func (l layout) controllerManagerArgs() []string {
	kubeconfig := l.users[ControllerManager].file
	return append(l.common(),
		"--kubeconfig="+kubeconfig,
		"--authentication-kubeconfig="+kubeconfig,
		"--authorization-kubeconfig="+kubeconfig,
		"--authentication-skip-lookup=true",
		"--bind-address=127.0.0.1",
		"--secure-port="+strconv.Itoa(l.ctrlPort),
		"--leader-elect=false",
		"--use-service-account-credentials=true",
		"--service-account-private-key-file="+l.pki.path(serviceAccountKeyFile),
		"--root-ca-file="+l.pki.path(caFile),
		"--controllers=*,-"+strings.Join(disabledControllers, ",-"),
		fmt.Sprintf("--kube-api-qps=%g", l.options.QPS),
		fmt.Sprintf("--kube-api-burst=%d", l.options.Burst),
	)
}

// kwokArgs: kwok has no client limits to raise. Nodes are created Ready and nobody watches their leases, so it keeps
// none.
func (l layout) kwokArgs() []string {
	level := "WARN"
	if l.options.Verbosity >= 2 {
		level = "INFO"
	}
	return []string{
		"--kubeconfig=" + l.users[Kwok].file,
		"--config=" + kwokConfig,
		"--manage-all-nodes=true",
		"--node-lease-duration-seconds=0",
		"--v=" + level,
	}
}

// common are the flags of the Kubernetes components that serve.
func (l layout) common() []string {
	args := []string{
		"--tls-cert-file=" + l.pki.path(servingCertFile),
		"--tls-private-key-file=" + l.pki.path(servingKeyFile),
		"--permit-port-sharing=true", // see process.Reservation
		"--v=" + strconv.Itoa(l.options.Verbosity),
	}
	if flag := l.gates.Flag(); flag != "" {
		args = append(args, "--feature-gates="+flag)
	}
	return args
}

func runtimeConfigFlag(m map[string]bool) string {
	parts := make([]string, 0, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parts = append(parts, fmt.Sprintf("%s=%t", k, m[k]))
	}
	return strings.Join(parts, ",")
}
