package undertest

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sigs.k8s.io/yaml"

	"muster/fakes/cluster"
)

// Kinds of --scheduler.
const (
	// KubeScheduler is Kubernetes' own scheduler, linked into this binary.
	KubeScheduler = "kube-scheduler"
	// Reference is the reference scheduler, a role that cmd/muster hands to component.Main.
	Reference = "reference"
	// None starts no scheduler.
	None = "none"
	// Ceiling is the binder that makes no decision, what performance is related to: a role that cmd/muster hands to
	// component.Main. It is no scheduler to choose for anything else, so Kinds does not name it.
	Ceiling = "ceiling"

	// MutantPrefix and the name of a fault make the reference scheduler with that fault. Which names there are is known to
	// the role alone; Kinds does not list them.
	MutantPrefix = "mutant:"

	// execKind is what --scheduler-exec is, under the covers.
	execKind = "exec"
)

// launch is what a built-in scheduler needs to know to be started.
type launch struct {
	kubeconfig string
	names      []string
	gates      cluster.Resolution
	qps        float64
	burst      int
	port       int
	verbosity  int
	dir        string
	lease      *Lease
}

// builtin is a scheduler inside this binary: a role, and how it is told what to do. Another one is one more entry
// here and a role for cmd/muster to hand to component.Main.
type builtin struct {
	role string
	// scheme its metrics are served over.
	scheme string
	// gated: it reads Kubernetes' feature gates.
	gated bool
	// hidden: not among Kinds.
	hidden bool
	// args writes what configuration it needs into launch.dir and returns the role's arguments.
	args func(launch) ([]string, error)
}

var builtins = map[string]builtin{
	KubeScheduler: {role: "kube-scheduler", scheme: "https", gated: true, args: kubeSchedulerArgs},
	Reference:     {role: Reference, scheme: "http", args: referenceArgs},
	Ceiling:       {role: Ceiling, scheme: "http", hidden: true, args: ceilingArgs},
}

// Kinds are the values --scheduler can take, sorted.
func Kinds() []string {
	kinds := []string{None}
	for kind, b := range builtins {
		if !b.hidden {
			kinds = append(kinds, kind)
		}
	}
	slices.Sort(kinds)
	return kinds
}

func known(kind string) bool {
	_, ok := builtinOf(kind)
	return ok || kind == None
}

// builtinOf is how a kind is started; a mutant is started as the reference is, and told its fault.
func builtinOf(kind string) (builtin, bool) {
	name, mutant := strings.CutPrefix(kind, MutantPrefix)
	if !mutant {
		b, ok := builtins[kind]
		return b, ok
	}
	b := builtins[Reference]
	args := b.args
	b.args = func(l launch) ([]string, error) {
		all, err := args(l)
		return append(all, "--mutant="+name), err
	}
	return b, name != ""
}

// kubeSchedulerArgs configures kube-scheduler as stock, but for three things: the client limits every component has,
// no leader election unless a lease is asked for (it does not give its lease back, so a restart would cost 15 s), and a
// profile for each name.
func kubeSchedulerArgs(l launch) ([]string, error) {
	type object = map[string]any
	var profiles []object
	for _, name := range l.names {
		profiles = append(profiles, object{"schedulerName": name})
	}
	election := object{"leaderElect": false}
	if t := l.lease; t != nil {
		election = object{"leaderElect": true, "leaseDuration": t.Duration.String(), "renewDeadline": t.RenewDeadline.String(), "retryPeriod": t.RetryPeriod.String()}
	}
	config, err := yaml.Marshal(object{
		"apiVersion":       "kubescheduler.config.k8s.io/v1",
		"kind":             "KubeSchedulerConfiguration",
		"clientConnection": object{"kubeconfig": l.kubeconfig, "qps": l.qps, "burst": l.burst},
		"leaderElection":   election,
		"profiles":         profiles,
	})
	if err != nil {
		return nil, fmt.Errorf("encoding kube-scheduler's configuration: %w", err)
	}
	path := filepath.Join(l.dir, "kube-scheduler.yaml")
	if err := writeFile(path, config); err != nil {
		return nil, err
	}
	args := []string{
		"--config=" + path,
		"--authentication-kubeconfig=" + l.kubeconfig,
		"--authorization-kubeconfig=" + l.kubeconfig,
		"--authentication-skip-lookup=true",
		"--bind-address=127.0.0.1",
		"--secure-port=" + strconv.Itoa(l.port),
		"--permit-port-sharing=true", // see process.Reservation
		"--cert-dir=" + l.dir,
		"--v=" + strconv.Itoa(l.verbosity),
	}
	if flag := l.gates.Flag(); flag != "" {
		args = append(args, "--feature-gates="+flag)
	}
	return args, nil
}

// referenceArgs are the flags of muster scheduler. It reads no gates: what the API server serves and keeps is what there
// is.
func referenceArgs(l launch) ([]string, error) {
	args := []string{
		"--kubeconfig=" + l.kubeconfig,
		"--scheduler-name=" + strings.Join(l.names, ","),
		"--kube-api-qps=" + strconv.FormatFloat(l.qps, 'f', -1, 64),
		"--kube-api-burst=" + strconv.Itoa(l.burst),
		"--leader-elect=" + strconv.FormatBool(l.lease != nil),
		"--address=127.0.0.1:" + strconv.Itoa(l.port),
		"--permit-port-sharing", // see process.Reservation
		"--v=" + strconv.Itoa(l.verbosity),
	}
	if t := l.lease; t != nil {
		// By the name of kube-scheduler's, as whose user it runs: that is the one it may write.
		args = append(args, "--leader-elect-resource-name=kube-scheduler", "--leader-elect-lease-duration="+t.Duration.String(),
			"--leader-elect-renew-deadline="+t.RenewDeadline.String(), "--leader-elect-retry-period="+t.RetryPeriod.String())
	}
	return args, nil
}

// ceilingArgs are the flags of the ceiling's role.
func ceilingArgs(l launch) ([]string, error) {
	return []string{
		"--kubeconfig=" + l.kubeconfig,
		"--scheduler-name=" + strings.Join(l.names, ","),
		"--kube-api-qps=" + strconv.FormatFloat(l.qps, 'f', -1, 64),
		"--kube-api-burst=" + strconv.Itoa(l.burst),
		"--address=127.0.0.1:" + strconv.Itoa(l.port),
		"--v=" + strconv.Itoa(l.verbosity),
	}, nil
}

// unknownKind names what there is.
func unknownKind(kind string) error {
	return fmt.Errorf("unknown scheduler %q: use %s, or --scheduler-exec for a command of your own", kind,
		strings.Join(Kinds(), " or "))
}
