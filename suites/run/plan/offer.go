package plan

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
)

// Offer is what one cluster offers a scenario.
type Offer struct {
	// Capabilities by name.
	Capabilities []string
	// Gates in force in the control plane, dependents that went off with another gate included. nil: unknown, and then
	// a gate excuses nothing.
	Gates map[string]bool
	// APIServer is the version of the API server ("v1.37.2"); empty: unknown, and then it excuses nothing.
	APIServer string
	// NoScheduler: none takes part in the run, so that only the control plane is judged.
	NoScheduler bool
	// Declared are the features the user declared unsupported: requirement IDs or profile names.
	Declared []string
}

// Unsupported says for which of the scenario's named requirements, and of the invariants, the offer has no room:
// requirement → reason. It is computed from the history's header alike by a live run and by `muster judge`.
func (o Offer) Unsupported(requirements []suites.Requirement) map[string]string {
	out := map[string]string{}
	for _, r := range requirements {
		if why := o.lacks(r); why != "" {
			out[r.ID] = why
		}
	}
	return out
}

func (o Offer) lacks(r suites.Requirement) string {
	for _, name := range []string{r.ID, r.Profile} {
		if slices.Contains(o.Declared, name) {
			return fmt.Sprintf("the scheduler profile declares %s unsupported", name)
		}
	}
	if o.NoScheduler && r.OfScheduler() {
		return NoScheduler
	}
	if here := Minor(o.APIServer); r.Release != "" && here != "" && here != r.Release {
		return fmt.Sprintf("it describes Kubernetes %s, and the API server is %s", r.Release, o.APIServer)
	}
	for _, g := range r.Gates {
		if on, known := o.Gates[g]; known && !on {
			return fmt.Sprintf("feature gate %s is off in the control plane", g)
		}
	}
	return ""
}

// AnyGates is the offer to a scenario that has a cluster of its own, with gates as it wants them.
func (o Offer) AnyGates() Offer {
	o.Gates = nil
	return o
}

// NoScheduler is why a requirement on the scheduler is not supported where there is none.
const NoScheduler = "it is about the scheduler, and none was run (--scheduler none)"

// minor is the beginning of a version of Kubernetes.
var minor = regexp.MustCompile(`^v?([0-9]+\.[0-9]+)(\.|\+|-|$)`)

// Minor is the minor release of a version: 1.37 for v1.37.2. Empty where it cannot be told.
func Minor(version string) string {
	if m := minor.FindStringSubmatch(version); m != nil {
		return m[1]
	}
	return ""
}

// Lacks says why the scenario cannot run here at all (empty: it can): a capability is missing, or every requirement it
// names is unsupported.
func (o Offer) Lacks(s suites.Scenario, unsupported map[string]string) string {
	for _, c := range s.Needs.Capabilities {
		if slices.Contains(o.Capabilities, c) {
			continue
		}
		if c == suites.ReadSchedulerMetrics {
			return fmt.Sprintf("it is not known where the scheduler serves its metrics (%s; metrics in its profile says it)", c)
		}
		return fmt.Sprintf("the cluster cannot %s", c)
	}
	if len(s.Needs.Pools) > 0 && !slices.Contains(o.Capabilities, createNodes) {
		return "the cluster cannot create-nodes"
	}
	if len(s.Needs.SchedulerGates) > 0 && !slices.Contains(o.Capabilities, suites.GateScheduler) {
		return fmt.Sprintf("the scheduler takes no feature gates from muster (%s)", suites.GateScheduler)
	}
	reasons := map[string]bool{}
	for _, id := range s.Requirements {
		why, off := unsupported[id]
		if !off {
			return ""
		}
		reasons[why] = true
	}
	return strings.Join(slices.Sorted(maps.Keys(reasons)), "; ")
}

// createNodes is the capability that node pools need; it is named here as text since a plan knows no clusters.
const createNodes = "create-nodes"

// OfferOf is what a stored history says its cluster offered. Capabilities are not recorded: a scenario that could not
// run for want of one says so in its own end event.
func OfferOf(h *history.Header) Offer {
	return Offer{
		Gates: h.Gates, APIServer: h.Versions[APIServer], NoScheduler: h.MusterInfo[InfoScheduler] == InfoNone,
		Declared: h.Scheduler.Unsupported,
	}
}

// APIServer is the component whose version decides what a control plane can be asked for.
const APIServer = "kube-apiserver"

// The key under which every header of a run says that no scheduler took part in it, and the value that says so.
// A single cluster of a scenario that wants no scheduler in it does not count.
const (
	InfoScheduler = "scheduler"
	InfoNone      = "none"
)

// The key under which a header says that its history was recorded in a cluster in which muster did nothing, and the
// value that says so. It holds no scenarios and is judged as a whole.
const (
	InfoOrigin = "origin"
	InfoRecord = "record"
)

// InfoShape is the key under which the header of a performance run's history says what was run: the load and its size.
const InfoShape = "shape"
