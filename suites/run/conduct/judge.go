package conduct

import (
	"errors"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"muster/reports/v1alpha1"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/run"
	"muster/suites/run/compose"
	"muster/suites/run/embedded"
	"muster/suites/run/evidence"
	"muster/suites/run/fold"
)

// Stored judges histories of one run again. Warnings are scenarios this muster does not have. An error that wraps a
// *history.Problem names the line that is corrupt; a *UsageError speaks of the known findings.
func Stored(files []string, known []fold.KnownFinding) (*v1alpha1.ConformanceReport, []error, error) {
	frugal()
	c, err := Catalogue()
	if err != nil {
		return nil, nil, err
	}
	if err := checkKnown(c, known); err != nil {
		return nil, nil, err
	}
	in, _, warnings, err := composed(c, files)
	if err != nil {
		return nil, warnings, err
	}
	builtin, err := fold.BuiltinKnown()
	if err != nil {
		return nil, warnings, err
	}
	in.Known = append(builtin, known...)
	in.Provenance.Host = host()
	if in.Provenance.Muster.Version == "" {
		in.Provenance.Muster.Version = "unknown"
	}
	return compose.Report(in), warnings, nil
}

// judge reads the shards back, judges them, leaves evidence and composes the report.
func (p *prepared) judge(result *run.Result, world *embedded.World) (*v1alpha1.ConformanceReport, error) {
	p.Progress.Phase("judging the record")
	in := compose.Input{}
	var histories []*history.History
	if len(result.Shards) > 0 {
		var err error
		if in, histories, _, err = composed(p.catalogue, result.Shards); err != nil {
			// The disk was full, or the record broke: what is there is not enough to judge by.
			return nil, errors.Join(result.Err, err)
		}
	}
	in.Expected, in.Profiles, in.Narrowed = p.plan.Expected, p.Selection.Profiles, p.plan.Narrowed
	in.Profile, in.Known = p.profile, p.known
	in.Interrupted, in.Err = result.Interrupted, result.Err
	in.Scenarios = p.withMissing(in.Scenarios)
	if in.Took == 0 { // nothing was recorded; else the record says how long it took, so that judging it again gives the same
		in.Took = time.Since(p.began)
	}
	in.Provenance = p.provenance(result, world)
	p.leaveEvidence(in.Scenarios, histories, result)
	return compose.Report(in), nil
}

// withMissing adds the scenarios of the plan that no shard tells of: the run ended before it could say so.
func (p *prepared) withMissing(told []fold.Scenario) []fold.Scenario {
	add := func(scenarios []suites.Scenario, status fold.Status, reason string) {
		for _, s := range scenarios {
			if !slices.ContainsFunc(told, func(t fold.Scenario) bool { return t.Name == s.Name }) {
				told = append(told, fold.Scenario{
					Name: s.Name, Profile: s.Profile, Requirements: s.Requirements, Status: status, Reason: reason,
				})
			}
		}
	}
	add(p.plan.Scenarios, fold.NotRun, "the run ended before its turn")
	add(p.plan.Filtered, fold.Filtered, fold.NotAsked)
	slices.SortFunc(told, func(a, b fold.Scenario) int { return strings.Compare(a.Name, b.Name) })
	return told
}

func (p *prepared) leaveEvidence(scenarios []fold.Scenario, histories []*history.History, result *run.Result) {
	for _, s := range scenarios {
		if !evidence.Wanted(s) {
			continue
		}
		for _, h := range histories {
			if h.Name != s.Shard {
				continue
			}
			var log []string
			for _, session := range result.Sessions {
				if session.Name+".jsonl" == s.Shard {
					log = session.LogTail
				}
			}
			if err := evidence.Write(filepath.Join(p.Out, failuresDir), h, s, log); err != nil {
				p.Progress.Warn(err.Error())
			}
		}
	}
}

func (p *prepared) provenance(result *run.Result, world *embedded.World) v1alpha1.Provenance {
	out := v1alpha1.Provenance{
		Muster: p.Muster, Started: p.began.UTC().Truncate(time.Second), Seed: p.Seed, Host: host(), Options: p.Effective, Backdrop: scenery(world.Backdrop),
	}
	if len(result.Sessions) > 0 {
		main := result.Sessions[0]
		out.Versions = main.Versions
		out.ReadySeconds = float64(main.Ready.Milliseconds()) / 1000
		out.CanaryMilliseconds = float64(main.Canary.Microseconds()) / 1000
	}
	for _, a := range world.Abouts() {
		suffix := ""
		if a.Session != run.MainShard {
			suffix = " of " + a.Session
		}
		out.Components = append(out.Components, v1alpha1.Component{Name: "control plane" + suffix, Gates: a.Gates, Notes: a.Notes})
		if a.Scheduler != "" {
			out.Components = append(out.Components, v1alpha1.Component{
				Name: "scheduler under test" + suffix + " (" + a.Scheduler + ")", Gates: a.SchedulerGates, Notes: a.SchedulerNotes,
			})
		}
	}
	for _, s := range p.plan.Scenarios {
		for _, pool := range s.Needs.Pools {
			full := pool.WithDefaults()
			out.Pools = append(out.Pools, v1alpha1.Pool{
				Scenario: s.Name, Name: pool.Name, Count: pool.Count, CPU: full.CPU, Memory: full.Memory, GPUs: pool.GPUs, Extended: pool.Extended,
			})
		}
	}
	return out
}

// host is this machine.
func host() v1alpha1.Host {
	return v1alpha1.Host{OS: runtime.GOOS, Arch: runtime.GOARCH, Cores: runtime.NumCPU(), MemoryBytes: memory()}
}
