package check

import (
	"slices"

	"muster/suites"
	"muster/suites/history"
)

var workConserving = Check{
	ID: "INV-007", Name: "WorkConserving",
	Rule: `"This ensures that the resources tentatively reserved for this gang are immediately released for other workloads." (KEP-4671)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-007", "WorkConserving", true, "pods", "nodes")
		if !served(v) || len(v.Crashes) > 0 {
			return nil
		}
		d := dutyOf(v)
		units := waitingUnits(v)
		judged := slices.DeleteFunc(slices.Clone(units), func(u *unit) bool { return !u.clean || u.gang != nil && !u.gang.Basic })
		fits := newFittings(v)
		fits.follow(judged)
		for _, u := range judged {
			stuck(v, d, r, u, fits, nil)
		}
		basic := map[string]bool{"": true}
		for _, g := range v.Gangs {
			if g.Basic {
				basic[g.Namespace+"/"+g.Name] = true
			}
		}
		for _, p := range v.Pods {
			if p.ByScheduler() && (p.Gang == "" || basic[p.Namespace+"/"+p.Gang]) {
				r.pass("pod %s, which no quorum holds back, was bound", p.Name)
			}
		}
		return r.findings()
	},
}
