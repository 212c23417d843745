package v1alpha1

import (
	"cmp"
	"slices"

	"muster/suites"
)

// Difference is a requirement whose verdict is not the same in two reports.
type Difference struct {
	ID       string         `json:"id"`
	Level    suites.Level   `json:"level"`
	Old, New suites.Verdict `json:"-"`
	From     string         `json:"from"`
	To       string         `json:"to"`
	// Worse: the new verdict decides against the old one for a MUST or SHOULD. A requirement that only one report has
	// is neither better nor worse.
	Worse bool `json:"worse"`
	// Reason of the new verdict; of a MAY, the old value and the new one.
	Reason string `json:"reason,omitempty"`
}

// Comparison of two reports.
type Comparison struct {
	// SameQuestions: both were asked the same requirements (equal digests).
	SameQuestions bool         `json:"sameQuestions"`
	Differences   []Difference `json:"differences"`
	// Both is how many requirements both reports have; OnlyOld and OnlyNew those that one of them has.
	Both    int `json:"both"`
	OnlyOld int `json:"onlyOld"`
	OnlyNew int `json:"onlyNew"`
}

// Worse reports whether any difference is for the worse.
func (c Comparison) Worse() bool {
	return slices.ContainsFunc(c.Differences, func(d Difference) bool { return d.Worse })
}

// Compare lists the requirements whose verdict, or whose value in the case of a MAY, differs from old to new. Those
// that one report lacks are listed as absent there and say nothing for the better or the worse: they were not asked.
func Compare(old, new *ConformanceReport) Comparison {
	c := Comparison{SameQuestions: old.Expected.Digest == new.Expected.Digest, Differences: []Difference{}}
	before, after := byID(old), byID(new)
	var ids []string
	for id := range before {
		ids = append(ids, id)
	}
	for id := range after {
		if _, both := before[id]; !both {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	for _, id := range ids {
		o, n := before[id], after[id]
		switch {
		case n.Verdict == "":
			c.OnlyOld++
		case o.Verdict == "":
			c.OnlyNew++
		default:
			c.Both++
		}
		may := cmp.Or(n.Level, o.Level) == suites.May
		if o.Verdict == n.Verdict && (!may || o.Value == n.Value) && o.Known == "" == (n.Known == "") {
			continue
		}
		reason := n.Reason
		if may && o.Value != n.Value {
			reason = cmp.Or(o.Value, "-") + " → " + cmp.Or(n.Value, "-")
		}
		c.Differences = append(c.Differences, Difference{
			ID: id, Level: cmp.Or(n.Level, o.Level), Old: o.Verdict, New: n.Verdict,
			From: label(o), To: label(n),
			Worse: worse(o, n), Reason: reason,
		})
	}
	return c
}

// label is the verdict, or that there is none.
func label(q Requirement) string {
	if q.Known != "" {
		return string(q.Verdict) + " (known)"
	}
	return cmp.Or(string(q.Verdict), "absent")
}

func worse(o, n Requirement) bool {
	if o.Verdict == "" || n.Verdict == "" {
		return false
	}
	if cmp.Or(n.Level, o.Level) == suites.May {
		return n.Verdict == suites.Error && o.Verdict != suites.Error
	}
	if o.Verdict == n.Verdict {
		return o.Known != "" && n.Known == "" // what was listed as known fails in a way that is not
	}
	return n.Verdict.Worse(o.Verdict)
}

func byID(r *ConformanceReport) map[string]Requirement {
	out := make(map[string]Requirement, len(r.Requirements))
	for _, q := range r.Requirements {
		out[q.ID] = q
	}
	return out
}
