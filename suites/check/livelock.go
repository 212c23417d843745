package check

import (
	"slices"

	"muster/suites"
	"muster/suites/history"
)

// noLivelock looks for evictions that lead nowhere. Twice may be bad luck, since watches are late; the third time for the
// same waiting unit is a circle.
var noLivelock = Check{
	ID: "INV-014", Name: "NoLivelock",
	Rule: `"Avoid deadlock and livelock scenario when multiple workloads are being scheduled at the same time by kube-scheduler." (KEP-4671)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-014", "NoLivelock", true, "pods")
		chains := chainsOf(v)
		for _, c := range chains {
			if len(c) < circle {
				continue
			}
			last := c[len(c)-1]
			if who, ok := waitedThrough(v, c[0].Deleting, last.Deleting); ok {
				r.fail(last.Deleting, names(c), "a workload was preempted, replaced and preempted again %d times while %s waited", len(c), who.name)
			}
		}
		inVain(v, r)
		for _, w := range wavesOf(v) {
			r.pass("%d pods preempted at the same time, none of them in a circle", len(w.pods))
		}
		if len(r.fails) > 0 {
			r.passed = 0
		}
		return r.findings()
	},
}

// circle is how often is too often.
const circle = 3

// chainsOf are, for each workload, preempted pods each of which was created after the one before had been preempted.
// Pods of one controller are one workload, and so are pods of one name.
func chainsOf(v *history.View) (out [][]*history.Pod) {
	at := map[string]int{}
	for _, p := range v.PreemptedPods() {
		key := p.Namespace + "/" + p.Name
		for _, o := range p.First.OwnerReferences {
			if o.Controller != nil && *o.Controller {
				key = string(o.UID)
			}
		}
		i, seen := at[key]
		if !seen {
			at[key] = len(out)
			out = append(out, []*history.Pod{p})
			continue
		}
		if c := out[i]; p.Created.After(c[len(c)-1].Deleting) {
			out[i] = append(c, p)
		}
	}
	return out
}

// waitedThrough is somebody who waited from one stamp to the other, and was not placed in between.
func waitedThrough(v *history.View, from, to history.Stamp) (contender, bool) {
	then, _ := contendersAt(v, from, from)
	for _, c := range then {
		if !slices.ContainsFunc(c.pods, func(p *history.Pod) bool { return !p.Bound.IsZero() && !p.Bound.After(to) || reached(lostAt(p), to) }) {
			return c, true
		}
	}
	return contender{}, false
}

// inVain looks for a unit that alone can have caused several waves, each later than the last, and still waited.
func inVain(v *history.View, r *report) {
	var run []wave
	var who contender
	for _, w := range wavesOf(v) {
		all, known := contendersAt(v, w.from, w.to)
		if !known || len(all) != 1 {
			run = nil
			continue
		}
		if len(run) == 0 || all[0].name != who.name || all[0].gang != who.gang {
			run, who = nil, all[0]
		}
		run = append(run, w)
		still, ok := waitedThrough(v, run[0].from, w.to)
		if !ok || still.name != who.name {
			run = []wave{w}
			continue
		}
		if len(run) == circle {
			r.fail(w.from, names(w.pods), "%s had pods preempted %d times, one wave after the other, and was not placed", who.name, circle)
			return
		}
	}
}
