package undertest

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"muster/fakes/cluster"
)

// Options say which scheduler, and in front of what. Cluster is required; everything else has a default.
type Options struct {
	Cluster cluster.Cluster
	// Scheduler is a built-in kind: see Kinds. Default: kube-scheduler, or nothing where Exec is given.
	Scheduler string
	// Exec is a command to run instead: see Command.
	Exec string
	// Profile is what is known about it. The zero Profile stands for the kind's own.
	Profile Profile
	// Names override the profile's SchedulerNames.
	Names []string
	// Gates of a built-in scheduler alone, on top of the control plane's. What depends on one that is off goes off
	// with it.
	Gates map[string]bool
	// QPS and Burst are its client limits. Default: what the cluster's components have, else cluster.ClientQPS and
	// twice that.
	QPS   float64
	Burst int
	// Dir is a folder to make a folder of its own in. Default: the cluster's run directory, else os.TempDir().
	Dir string
	// Binary a built-in kind is executed from. Default: the cluster's, else this very binary.
	Binary string
	// Verbosity of a built-in kind's log (klog's -v).
	Verbosity int
	// Args are further arguments of a built-in kind, behind its own.
	Args []string
	// Lease makes it schedule only while it holds a lease, so that several of it can run at a time. nil: it does not ask.
	Lease *Lease
	// Handicap is the share of its time for which a built-in kind is halted, 0 (default) to MaxHandicap: a scheduler that
	// is slower by a known amount, for telling what a gate on performance can see. See handicap.go.
	Handicap float64
}

// host is what an embedded cluster can say beside what every cluster can.
type host interface {
	Dir() string
	Limits() (qps float64, burst int)
	Binary() string
}

// Check refuses options that cannot be, before anything is started. It needs no cluster: controlPlane are the gates that
// the control plane is going to have (nil: cluster.DefaultGates).
func (o Options) Check(controlPlane map[string]bool) error {
	_, err := o.withDefaults(controlPlane)
	return err
}

// plan is Options with everything decided.
type plan struct {
	Options
	kind  string
	gates cluster.Resolution
}

func (o Options) withDefaults(controlPlane map[string]bool) (plan, error) {
	p := plan{Options: o, kind: o.Scheduler}
	switch {
	case o.Exec != "" && o.Scheduler != "":
		return p, errors.New("--scheduler and --scheduler-exec exclude each other: give one of them")
	case o.Exec != "":
		p.kind = execKind
		if err := checkCommand(o.Exec); err != nil {
			return p, err
		}
	case o.Scheduler == "":
		p.kind = KubeScheduler
	case !known(o.Scheduler):
		return p, unknownKind(o.Scheduler)
	}
	if err := p.checkOwn(); err != nil {
		return p, err
	}
	if err := p.resolveGates(controlPlane); err != nil {
		return p, err
	}
	if p.Profile.Name == "" {
		p.Profile, _ = BuiltinProfile(p.kind)
	}
	if len(o.Names) > 0 {
		p.Profile.SchedulerNames = o.Names
	}
	if err := p.Profile.Validate(); err != nil {
		return p, fmt.Errorf("checking the scheduler profile: %w", err)
	}
	p.limits()
	return p, nil
}

// TakesGates reports whether Gates mean anything to the scheduler: to kube-scheduler they do. The reference scheduler reads
// none, and a command has them in its own words.
func (o Options) TakesGates() bool {
	kind := o.Scheduler
	if kind == "" {
		kind = KubeScheduler
	}
	b, ok := builtinOf(kind)
	return ok && b.gated && o.Exec == ""
}

// TellsMetrics reports whether it is known where the scheduler serves its metrics: of the built-in kinds it is, and of a
// command whose profile says so.
func (o Options) TellsMetrics() bool {
	if o.Exec != "" {
		return o.Profile.Metrics != ""
	}
	return o.Scheduler != None
}

// checkOwn refuses what only a scheduler that muster starts itself can be given.
func (p *plan) checkOwn() error {
	if err := p.checkLease(); err != nil {
		return err
	}
	if _, own := builtinOf(p.kind); own {
		return checkHandicap(p.Handicap)
	}
	if len(p.Args) > 0 || p.Handicap != 0 {
		return fmt.Errorf("further arguments and a handicap are for schedulers that muster starts itself; this is %s", p.kind)
	}
	return nil
}

// resolveGates lays the scheduler's own gates over the control plane's. A cluster whose gates are not known is taken to
// have the default ones.
func (p *plan) resolveGates(controlPlane map[string]bool) error {
	switch {
	case len(p.Gates) > 0 && p.kind == None:
		return errors.New("--scheduler-gates are for a scheduler, and --scheduler none starts none; leave them away, or name a scheduler")
	case len(p.Gates) > 0 && p.kind == execKind:
		return errors.New("--scheduler-gates are for schedulers that muster starts itself; give a command its gates in " +
			"its own words")
	}
	if controlPlane == nil {
		controlPlane = cluster.DefaultGates()
	}
	var err error
	if p.gates, err = cluster.ResolveGates(controlPlane, p.Gates); err != nil {
		return fmt.Errorf("setting the scheduler's gates: %w", err)
	}
	return nil
}

func (p *plan) limits() {
	h, _ := p.Cluster.(host)
	if h != nil {
		if p.QPS == 0 {
			p.QPS, p.Burst = h.Limits()
		}
		if p.Dir == "" {
			p.Dir = h.Dir()
		}
		if p.Binary == "" {
			p.Binary = h.Binary()
		}
	}
	if p.QPS == 0 {
		p.QPS = cluster.ClientQPS
	}
	if p.Burst == 0 {
		p.Burst = int(2 * p.QPS)
	}
	if p.Dir == "" {
		p.Dir = os.TempDir()
	}
}

func writeFile(path string, data []byte) error {
	if err := os.WriteFile(path, data, 0o600); err != nil {
		return fmt.Errorf("writing %s: %w", filepath.Base(path), err)
	}
	return nil
}
