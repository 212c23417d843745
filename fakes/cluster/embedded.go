package cluster

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"k8s.io/client-go/rest"

	"muster/fakes/cluster/process"
)

// Embedded is a control plane made of processes of this binary.
type Embedded struct {
	options  Options
	dir      string
	lock     *os.File
	gates    Resolution
	layout   layout
	users    map[string]*user
	pki      *pki
	ports    []*process.Reservation
	server   string
	versions map[string]string
	died     chan error

	mu        sync.Mutex
	processes map[string]*process.Process
	stopping  bool

	stopOnce sync.Once
	stopErr  error
}

var _ Cluster = (*Embedded)(nil)

// Name is unique on this machine while the cluster lives.
func (e *Embedded) Name() string { return e.options.Name }

// Dir is the run directory. It is gone after Stop, unless Options.Keep.
func (e *Embedded) Dir() string { return e.dir }

// Server is the API server's URL.
func (e *Embedded) Server() string { return e.server }

// RESTConfig is an administrator's, with the client limits of Options and warnings silenced. A copy.
func (e *Embedded) RESTConfig() *rest.Config {
	return &rest.Config{
		Host:            e.server,
		BearerToken:     e.users["admin"].token,
		TLSClientConfig: rest.TLSClientConfig{CAData: slices.Clone(e.pki.ca)},
		QPS:             float32(e.options.QPS),
		Burst:           e.options.Burst,
		UserAgent:       "muster",
		// Every request about a PodGroup is answered with a warning about its deprecation.
		WarningHandlerWithContext: rest.NoWarnings{},
		// Nothing leaves the machine, and the API server would compress every event for every watch.
		DisableCompression: true,
	}
}

// Kubeconfig is the path of an administrator's kubeconfig.
func (e *Embedded) Kubeconfig() string { return filepath.Join(e.dir, e.users["admin"].file) }

// SchedulerKubeconfig is the path of one whose user is system:kube-scheduler.
func (e *Embedded) SchedulerKubeconfig() string {
	return filepath.Join(e.dir, e.users["scheduler"].file)
}

// MetricsURL is where a component serves its metrics, which the administrator's token opens; empty for one that does not.
func (e *Embedded) MetricsURL(component string) string {
	switch component {
	case APIServer:
		return e.server + "/metrics"
	case ControllerManager:
		return fmt.Sprintf("https://127.0.0.1:%d/metrics", e.layout.ctrlPort)
	}
	return ""
}

// Capabilities the embedded cluster offers.
func (e *Embedded) Capabilities() []Capability {
	return []Capability{CreateNodes, SeedNodes, RestartComponents, SetGates, RestartScheduler, ReadMetrics, FinishPods}
}

// Gates in force in the control plane: every gate Kubernetes knows.
func (e *Embedded) Gates() map[string]bool {
	out := make(map[string]bool, len(e.gates.Gates))
	for k, v := range e.gates.Gates {
		out[k] = v
	}
	return out
}

// GateNotes say which gates went off with one they depend on.
func (e *Embedded) GateNotes() []string { return slices.Clone(e.gates.Notes) }

// Storage is one etcd: resource versions order events across resources.
func (e *Embedded) Storage() string { return "single-etcd" }

// Versions of the components.
func (e *Embedded) Versions() map[string]string {
	out := make(map[string]string, len(e.versions))
	for k, v := range e.versions {
		out[k] = v
	}
	return out
}

// Limits are the client limits every component was given: requests a second, and burst.
func (e *Embedded) Limits() (qps float64, burst int) { return e.options.QPS, e.options.Burst }

// Binary is what the roles are executed from; empty for this very binary.
func (e *Embedded) Binary() string { return e.options.Binary }

// Processes are the component processes by name.
func (e *Embedded) Processes() map[string]int {
	e.mu.Lock()
	defer e.mu.Unlock()
	out := make(map[string]int, len(e.processes))
	for name, p := range e.processes {
		if p.Ended() == "" {
			out[name] = p.PID()
		}
	}
	return out
}

// LogTail is the end of a component's log; nil for a component there is not.
func (e *Embedded) LogTail(component string, lines int) []string {
	return process.Tail(e.logFile(component), lines)
}

func (e *Embedded) logFile(component string) string {
	return filepath.Join(e.dir, "logs", filepath.Base(component)+".log")
}

// Died receives the first component that ends without being asked to, a *DeathError.
func (e *Embedded) Died() <-chan error { return e.died }

// Stop ends every process and removes the run directory unless it is to be kept. Processes are not asked: nothing of
// what they would write down is of use afterwards. Calling it again does nothing and returns the same.
func (e *Embedded) Stop(context.Context) error {
	e.stopOnce.Do(func() {
		e.mu.Lock()
		e.stopping = true
		running := make([]*process.Process, 0, len(e.processes))
		for _, p := range e.processes {
			running = append(running, p)
		}
		e.mu.Unlock()

		var wg sync.WaitGroup
		for _, p := range running {
			wg.Go(p.Kill)
		}
		wg.Wait()
		for _, r := range e.ports {
			r.Release()
		}
		if !e.options.Keep && e.dir != "" {
			if err := os.RemoveAll(e.dir); err != nil {
				e.stopErr = fmt.Errorf("removing the run directory: %w", err)
			}
		}
		if e.lock != nil {
			_ = e.lock.Close()
		}
	})
	return e.stopErr
}
