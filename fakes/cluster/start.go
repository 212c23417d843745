package cluster

import (
	"cmp"
	"context"
	"debug/buildinfo"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"muster/fakes/cluster/process"
	"muster/fakes/cluster/storage"
	"muster/fakes/nodes"
)

// startTimeout is many times what a start takes on a loaded machine of two cores.
const startTimeout = 3 * time.Minute

var errTooLong = errors.New("it has taken longer than " + startTimeout.String())

// Start brings up an embedded control plane and returns when its API is ready and its controllers are at work. On an
// error, or when ctx is done, nothing is left behind.
func Start(ctx context.Context, options Options) (*Embedded, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	gates, err := ResolveGates(DefaultGates(), options.Gates)
	if err != nil {
		return nil, err
	}
	e := &Embedded{
		options:   options,
		gates:     gates,
		users:     newUsers(),
		versions:  linkedVersions(options.Binary),
		died:      make(chan error, 1),
		processes: map[string]*process.Process{},
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startTimeout, errTooLong)
	defer cancel()
	if err := e.start(ctx); err != nil {
		_ = e.Stop(ctx)
		return nil, fmt.Errorf("starting the cluster %s: %w", options.Name, err)
	}
	return e, nil
}

func (e *Embedded) start(ctx context.Context) error {
	l, err := e.prepare()
	if err != nil {
		return err
	}
	e.layout = l
	e.options.Progress("starting etcd")
	if err := e.run(Etcd, l.etcdArgs()); err != nil {
		return err
	}
	if err := e.awaitSocket(ctx); err != nil {
		return err
	}
	if err := e.preload(ctx); err != nil {
		return err
	}
	e.options.Progress("starting the API server")
	if err := e.run(APIServer, l.apiServerArgs()); err != nil {
		return err
	}
	if err := e.awaitAPI(ctx); err != nil {
		return err
	}
	if e.options.Seed != nil {
		if err := e.options.Seed(ctx, e.RESTConfig()); err != nil {
			return err
		}
	}
	e.options.Progress("starting the controllers")
	if err := e.run(ControllerManager, l.controllerManagerArgs()); err != nil {
		return err
	}
	if err := e.run(Kwok, l.kwokArgs()); err != nil {
		return err
	}
	return e.awaitControllers(ctx)
}

// OpenStorage connects to the cluster's etcd. Who writes there answers for it that the API server would have stored the same.
func (e *Embedded) OpenStorage() (*storage.Store, error) { return storage.Open(e.dir, etcdSocket) }

// preload lets the caller fill storage while nobody else uses it.
func (e *Embedded) preload(ctx context.Context) error {
	if e.options.Preload == nil {
		return nil
	}
	store, err := e.OpenStorage()
	if err != nil {
		return err
	}
	defer func() { _ = store.Close() }()
	err = e.options.Preload(ctx, store)
	select {
	case death := <-e.died: // the reason why nothing could be written
		e.died <- death
		return death
	default:
		return err
	}
}

// prepare lays out the run directory: keys, tokens, kubeconfigs, kwok's configuration; and reserves the ports.
func (e *Embedded) prepare() (layout, error) {
	l := layout{options: e.options, gates: e.gates, users: e.users}
	var err error
	if e.dir, e.lock, err = newRunDir(e.options); err != nil {
		return l, err
	}
	for _, port := range []*int{&l.apiPort, &l.ctrlPort} {
		r, err := process.Reserve()
		if err != nil {
			return l, err
		}
		e.ports = append(e.ports, r)
		*port = r.Port
	}
	e.server = fmt.Sprintf("https://127.0.0.1:%d", l.apiPort)
	if e.pki, err = newPKI(filepath.Join(e.dir, "pki"), time.Now()); err != nil {
		return l, err
	}
	l.pki = e.pki
	if err := writeSecret(e.pki.path(tokenFile), tokenCSV(e.users)); err != nil {
		return l, err
	}
	for _, u := range e.users {
		if err := writeKubeconfig(filepath.Join(e.dir, u.file), e.options.Name, e.server, e.pki.ca, u); err != nil {
			return l, err
		}
	}
	kubelets := nodes.KwokConfig
	if e.options.IdleKubelets {
		kubelets = nodes.KwokConfigIdle
	}
	stages, err := kubelets()
	if err != nil {
		return l, fmt.Errorf("making kwok's configuration: %w", err)
	}
	return l, writeSecret(filepath.Join(e.dir, kwokConfig), stages)
}

// run starts a component and watches over it.
func (e *Embedded) run(name string, args []string) error {
	p, err := process.Start(process.Spec{
		Name:    name,
		Binary:  e.options.Binary,
		Role:    name,
		Args:    args,
		Dir:     e.dir,
		LogFile: e.logFile(name),
		Env:     e.environment(name),
	})
	if err != nil {
		return err
	}
	e.mu.Lock()
	e.processes[name] = p
	stopping := e.stopping
	e.mu.Unlock()
	if stopping { // Stop has come between: it did not see this one
		p.Kill()
		return fmt.Errorf("starting %s: the cluster is being stopped", name)
	}
	go func() {
		<-p.Done()
		if p.Stopped() {
			return
		}
		select {
		case e.died <- e.death(p):
		default: // somebody died before; the first is what matters
		}
	}()
	return nil
}

// environment of the components: nothing of the user's. etcd and kwok read settings from variables, and a proxy's
// address has no business here.
//
// The API server collects garbage half as often as is usual: creating 5,000 nodes then costs it a tenth less time of
// the processor (28 s instead of 32 s on a machine with much else to do) for 100 MiB more; collecting it even less
// often brought nothing more.
func (e *Embedded) environment(component string) []string {
	env := []string{"PATH=" + os.Getenv("PATH"), "HOME=" + e.dir, "TMPDIR=" + e.dir}
	if component == APIServer {
		env = append(env, "GOGC="+strconv.Itoa(cmp.Or(e.options.APIServerGC, 200)))
	}
	return env
}

// linkedVersions are the versions of the components inside a binary, as its build information tells.
func linkedVersions(binary string) map[string]string {
	out := map[string]string{}
	if binary == "" {
		binary = "/proc/self/exe"
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		return out // a report can live without; nothing is decided by it
	}
	for _, dep := range info.Deps {
		switch {
		case dep.Path == "k8s.io/kubernetes":
			out[APIServer], out[ControllerManager], out["kube-scheduler"] = dep.Version, dep.Version, dep.Version
		case strings.HasPrefix(dep.Path, "go.etcd.io/etcd/server/"):
			out[Etcd] = dep.Version
		case dep.Path == "sigs.k8s.io/kwok":
			out[Kwok] = dep.Version
		}
	}
	return out
}
