package prove

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/run/plan"
)

// Options of a run.
type Options struct {
	Subjects []Subject
	// Scenarios are all there are.
	Scenarios []suites.Scenario
	// Full runs the mutants' profiles as a whole.
	Full bool
	// WithoutReference leaves the reference scheduler out.
	WithoutReference bool
	// Parts is in how many trials the reference scheduler is judged; default 1. It has more to show than any mutant, and most of that
	// one scenario after the other.
	Parts int
	// AtOnce is how many schedulers are judged at a time, each before a control plane of its own. Default: 1.
	AtOnce int
	// Judge judges a mutant, or the reference scheduler where the name is empty.
	Judge func(ctx context.Context, mutant string, s plan.Selection) (*v1alpha1.ConformanceReport, error)
	// Tell is called when a trial has ended, by one goroutine at a time; nil for nobody.
	Tell func(Trial)
}

// Run has the reference scheduler, unless it is left out, and then every subject judged. A trial that could not be made says so. Where the context
// ended first, the error says so and the trials are those that had been made.
func Run(ctx context.Context, o Options) ([]Trial, error) {
	type task struct {
		name      string
		selection plan.Selection
	}
	var tasks []task
	if !o.WithoutReference {
		for _, part := range o.parts(o.reference()) {
			tasks = append(tasks, task{"", part})
		}
	}
	for _, s := range o.longestFirst() {
		tasks = append(tasks, task{s.Name, o.selection(s)})
	}
	trials := make([]Trial, len(tasks))
	slots := make(chan struct{}, max(1, o.AtOnce))
	var all sync.WaitGroup
	var telling sync.Mutex
	for i, t := range tasks {
		select {
		case slots <- struct{}{}:
		case <-ctx.Done():
		}
		if ctx.Err() != nil {
			break
		}
		all.Go(func() {
			defer func() { <-slots }()
			trials[i] = o.try(ctx, t.name, t.selection)
			telling.Lock()
			defer telling.Unlock()
			if o.Tell != nil {
				o.Tell(trials[i])
			}
		})
	}
	all.Wait()
	if err := ctx.Err(); err != nil {
		return whole(slices.DeleteFunc(trials, Trial.cut)), fmt.Errorf("proving: %w", err)
	}
	return whole(trials), nil
}

// whole puts the parts of the reference scheduler's trial together.
func whole(trials []Trial) []Trial {
	reference := func(t Trial) bool { return t.Scheduler == "" }
	parts := slices.DeleteFunc(slices.Clone(trials), func(t Trial) bool { return !reference(t) })
	return append(Merge(parts), slices.DeleteFunc(trials, reference)...)
}

// parts deals out what runs one after the other among several selections, the longest first; what runs beside one another stays
// in the first. What cannot share a control plane stays together: one is started for all of it.
func (o Options) parts(s plan.Selection) []plan.Selection {
	out := []plan.Selection{{Profiles: s.Profiles, Invariants: s.Invariants}}
	type share struct {
		names  []string
		weight int
	}
	var shares []share
	var apart share
	for _, sc := range o.Scenarios {
		weight := max(sc.Weight, 1)
		switch {
		case !slices.Contains(s.Scenarios, sc.Name):
		case sc.Isolation == suites.Shared || o.Parts < 2:
			out[0].Scenarios = append(out[0].Scenarios, sc.Name)
		case Alone(sc):
			apart.names, apart.weight = append(apart.names, sc.Name), apart.weight+weight
		default:
			shares = append(shares, share{[]string{sc.Name}, weight})
		}
	}
	if apart.weight > 0 {
		shares = append(shares, apart)
	}
	if len(shares) == 0 {
		return out
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(b.weight, a.weight) })
	dealt, weights := make([]plan.Selection, min(o.Parts-1, len(shares))), make([]int, o.Parts-1)
	for _, sh := range shares {
		least := 0
		for i := range dealt {
			if weights[i] < weights[least] {
				least = i
			}
		}
		dealt[least].Scenarios = append(dealt[least].Scenarios, sh.names...)
		dealt[least].Invariants = s.Invariants
		weights[least] += sh.weight
	}
	if len(out[0].Scenarios) == 0 && len(out[0].Profiles) == 0 {
		return dealt
	}
	return append(out, dealt...)
}

// Alone reports whether a scenario cannot share its control plane with other trials: it restarts components, or its schedulers take
// a lease, which all of a cluster would share.
func Alone(sc suites.Scenario) bool {
	needs := func(capability string) bool { return slices.Contains(sc.Needs.Capabilities, capability) }
	return needs(suites.RestartComponents) || needs(suites.TwoSchedulers)
}

func (o Options) try(ctx context.Context, name string, s plan.Selection) Trial {
	report, err := o.Judge(ctx, name, s)
	if err != nil {
		return Trial{Scheduler: name, Full: o.Full, Error: err.Error()}
	}
	return trialOf(name, o.Full, report)
}

// longestFirst are the subjects in the order in which they are judged: who takes longest begins, so that nobody is left alone
// at the end.
func (o Options) longestFirst() []Subject {
	expected := map[string]int{}
	for _, s := range o.Subjects {
		expected[s.Name] = o.expected(s)
	}
	out := slices.Clone(o.Subjects)
	slices.SortStableFunc(out, func(a, b Subject) int { return cmp.Compare(expected[b.Name], expected[a.Name]) })
	return out
}

// expected is how many seconds a subject is expected to take: scenarios that share a cluster run beside one another, the others
// one by one.
func (o Options) expected(s Subject) int {
	beside, alone := 0, 0
	x := o.selection(s)
	for _, sc := range o.Scenarios {
		switch {
		case !slices.Contains(x.Scenarios, sc.Name) && !slices.Contains(x.Profiles, sc.Profile):
		case sc.Isolation == suites.Shared:
			beside = max(beside, sc.Weight)
		default:
			alone += max(sc.Weight, 1)
		}
	}
	return beside + alone
}

// selection is what a subject is judged on.
func (o Options) selection(s Subject) plan.Selection {
	if o.Full {
		return plan.Selection{Profiles: s.Profiles}
	}
	return plan.Selection{Scenarios: s.scenarios(o.Scenarios), Invariants: s.Kills}
}

// reference is everything that some subject is judged on.
func (o Options) reference() plan.Selection {
	profiles, scenarios, invariants := map[string]bool{}, map[string]bool{}, map[string]bool{}
	for _, s := range o.Subjects {
		x := o.selection(s)
		for _, p := range x.Profiles {
			profiles[p] = true
		}
		for _, n := range x.Scenarios {
			scenarios[n] = true
		}
		for _, id := range x.Invariants {
			invariants[id] = true
		}
	}
	return plan.Selection{Profiles: slices.Sorted(maps.Keys(profiles)), Scenarios: slices.Sorted(maps.Keys(scenarios)),
		Invariants: slices.Sorted(maps.Keys(invariants))}
}
