package env

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"

	"k8s.io/client-go/dynamic"

	"muster/suites"
	"muster/suites/history"
	"muster/workloads/build"
	"muster/workloads/dialect"
)

// Options of an Env. All but Scheduler and Canary are required.
type Options struct {
	Scenario suites.Scenario
	Scope    history.Scope
	Profile  history.SchedulerProfile
	Dialect  *dialect.Dialect
	Client   dynamic.Interface
	Journal  Journal
	// Gates in force in the control plane; nil where unknown.
	Gates map[string]bool
	// Scheduler under test; nil where there is none that could be stopped.
	Scheduler Scheduler
	// Breaker stands between the scheduler and the API server; nil: nothing does.
	Breaker Breaker
	// Instance makes instances of the scheduler under test that ask for a lease; nil: there cannot be two.
	Instance InstanceFunc
	// Components of the control plane, where they can be restarted; nil: they cannot.
	Components Components
	// Metrics of the session's processes; nil: there is no way to them.
	Metrics Metrics
	// Canary is the present bind latency of a canary pod; nil: none is measured.
	Canary func() time.Duration
}

// Env is suites.Env for one scenario in one cluster.
type Env struct {
	o    Options
	live Live

	mu    sync.Mutex
	gangs map[string]build.Gang
	pools map[string]*pool
	// changed are the components that are not as the cluster had them: whether they run.
	changed map[string]bool
	// pair are the two instances that a scenario asked for; nil: it did not.
	pair []*instance
}

var _ suites.Env = (*Env)(nil)

// New opens the stage: the begin event, which says what belongs to the scenario, and the live view. Prepare then makes
// what the scenario needs. Close when the scenario has ended.
func New(o Options) *Env {
	e := &Env{o: o, gangs: map[string]build.Gang{}, pools: map[string]*pool{}, changed: map[string]bool{}}
	e.live = o.Journal.Follow(o.Scope)
	scope := o.Scope
	e.write(history.VerbBegin, o.Scenario.Name, history.Action{Scope: &scope})
	return e
}

// End records how the scenario ended, after everything that has happened to its objects. status is one of the statuses
// of a scenario; reason says why where it is not that it was executed. Where the record cannot be completed the view
// of it has gaps, and the judge sees them.
func (e *Env) End(ctx context.Context, status, reason string) {
	e.unbreak()
	if err := e.unpair(ctx); err != nil && reason == "" {
		reason = err.Error()
	}
	if err := e.restore(ctx); err != nil && reason == "" {
		reason = err.Error()
	}
	syncing, cancel := context.WithTimeout(ctx, seenWithin)
	defer cancel()
	if err := e.o.Journal.Sync(syncing, &e.o.Scope); err != nil && reason == "" {
		reason = err.Error()
	}
	e.write(history.VerbEnd, e.o.Scenario.Name, history.Action{Label: status, Response: history.Response{Message: reason}})
}

// Close ends the live view.
func (e *Env) Close() { e.live.Close() }

// Namespace is the scenario's own.
func (e *Env) Namespace() string { return e.o.Scope.Namespaces[0] }

// SchedulerName of the scheduler under test: the first of its profile.
func (e *Env) SchedulerName() string {
	if len(e.o.Profile.SchedulerNames) == 0 {
		return "default-scheduler"
	}
	return e.o.Profile.SchedulerNames[0]
}

// Seed of the scenario.
func (e *Env) Seed() int64 { return e.o.Scope.Seed }

// Gates in force in the control plane; nil where unknown. A copy.
func (e *Env) Gates() map[string]bool { return maps.Clone(e.o.Gates) }

// PriorityClass is the real name of a declared class. It panics on one that Needs does not declare, which is a mistake
// in the scenario.
func (e *Env) PriorityClass(name string) string {
	real, ok := e.o.Scope.Names["priorityclass/"+name]
	if !ok {
		panic(fmt.Sprintf("scenario %s asks for the priority class %q, which its Needs do not declare", e.o.Scenario.Name, name))
	}
	return real
}

// Settle is the settle bound in force for a group of the given size.
func (e *Env) Settle(members int) time.Duration {
	p := e.o.Profile
	if e.o.Scope.SettleRoot > 0 || e.o.Scope.SettleBase > 0 {
		p.SettleRoot, p.SettleBase = e.o.Scope.SettleRoot, e.o.Scope.SettleBase
	}
	return p.Settle(members)
}

// Prompt is five seconds more than what the canary's latency makes of a group of this size: twenty binds for the queue
// before it, and one for each member. It is no measure of speed; it only has to be shorter than a back-off that would
// hide a missed event.
func (e *Env) Prompt(members int) time.Duration {
	var canary time.Duration
	if e.o.Canary != nil {
		canary = e.o.Canary()
	}
	return 5*time.Second + time.Duration(20+members)*canary
}

// Mark writes a named point into the history.
func (e *Env) Mark(_ context.Context, name string) { e.write(history.VerbMark, name, history.Action{}) }

// write records a driver's event that is not a request. name is the mark's, or the scenario's.
func (e *Env) write(verb, name string, a history.Action) {
	if a.SentWall.IsZero() {
		a.SentWall, a.SentMono = e.o.Journal.Now()
	}
	a.Scenario = e.o.Scenario.Name
	e.o.Journal.Action(history.Event{
		Stream: stream(e.o.Scenario.Name), Origin: history.Driver, Verb: verb, Name: name, Action: &a,
	})
}

func stream(scenario string) string { return "driver:" + scenario }
