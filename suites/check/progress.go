package check

import (
	"errors"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/premise"
)

var progress = Check{
	ID: "INV-004", Name: "Progress",
	Rule: `"the algorithm is expected to find a placement if one exists" (kubernetes.io, PodGroup scheduling, of homogeneous groups)`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-004", "Progress", true, "pods", "nodes")
		if !served(v) || len(v.Crashes) > 0 { // a scheduler that has ended is NoCrash's to judge
			return nil
		}
		d := dutyOf(v)
		units := waitingUnits(v)
		judged := slices.DeleteFunc(slices.Clone(units), func(u *unit) bool { return !u.clean || u.gang != nil && u.gang.Basic })
		fits := newFittings(v)
		fits.follow(judged)
		for _, u := range judged {
			stuck(v, d, r, u, fits, units)
		}
		for _, g := range v.Gangs {
			if met := v.QuorumBoundOf(g); !met.IsZero() && !firstBind(membersOf(v, g), g).IsZero() {
				r.pass("gang %s was bound", g.Name)
			}
		}
		for _, p := range v.Pods {
			if p.Gang == "" && p.ByScheduler() {
				r.pass("pod %s was bound", p.Name)
			}
		}
		return r.findings()
	},
}

// stuck fails a clean unit that could be placed for longer than its settle bound and still waits. It is excused while one of the
// others that is before it waits and does not fit, since a scheduler may keep room together for that one.
func stuck(v *history.View, d duty, r *report, u *unit, fits *fittings, others []*unit) {
	since, err := fits.of(u).since, fits.of(u).err
	objects := names(u.pods)
	if u.gang != nil {
		objects = append([]string{gangName(u.gang)}, objects...)
	}
	if usesClaims(u.pods) && errors.Is(err, premise.ErrUnmodelled) {
		return // what devices there are is no part of a record; the scenarios that publish them judge who waits
	}
	if err != nil {
		if d.awake(u.complete, history.Stamp{}) > patience(v, u.members, u.complete, history.Stamp{}) {
			r.doubt(u.complete, objects, "%s waits; whether it could be placed is not known: %v", u.name, err)
		}
		return
	}
	if since.IsZero() || promised(v, since) {
		return
	}
	took, settle := d.awake(since, history.Stamp{}), patience(v, u.members, since, history.Stamp{})
	if took <= settle {
		return
	}
	first := slices.DeleteFunc(slices.Clone(others), func(o *unit) bool { return o == u || !o.before(u) || o.need <= 0 })
	fits.follow(first)
	for _, o := range first {
		if f := fits.of(o); f.err != nil || f.since.IsZero() {
			return
		}
	}
	if !v.Ordered() && took <= settle+lag {
		r.doubt(since, objects, "%s waits although it could be placed for about its settle bound", u.name)
		return
	}
	r.fail(since, objects, "%s (%d needed) could be placed for %s and is not bound (settle bound %s)",
		u.name, u.need, suites.Seconds(took), suites.Seconds(settle))
}

// usesClaims reports whether any of the pods uses a ResourceClaim, or a volume through a claim. Where it may stand then
// depends on who else uses them, which no question to the oracle says; the scenarios that know it judge it.
func usesClaims(pods []*history.Pod) bool {
	return slices.ContainsFunc(pods, func(p *history.Pod) bool {
		return len(p.First.Spec.ResourceClaims) > 0 || slices.ContainsFunc(p.First.Spec.Volumes, func(v corev1.Volume) bool {
			return v.PersistentVolumeClaim != nil || v.Ephemeral != nil
		})
	})
}

// specsOf are the pods as they were created.
func specsOf(pods []*history.Pod) []*corev1.Pod {
	out := make([]*corev1.Pod, len(pods))
	for i, p := range pods {
		out[i] = p.First
	}
	return out
}
