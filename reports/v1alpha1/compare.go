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
	// Worse: the new verdict decides against the old one for a MUST or SHOULD.
	Worse bool `json:"worse"`
	// Reason of the new verdict.
	Reason string `json:"reason,omitempty"`
}

// Comparison of two reports.
type Comparison struct {
	// SameQuestions: both were asked the same requirements (equal digests).
	SameQuestions bool         `json:"sameQuestions"`
	Differences   []Difference `json:"differences"`
}

// Worse reports whether any difference is for the worse.
func (c Comparison) Worse() bool {
	return slices.ContainsFunc(c.Differences, func(d Difference) bool { return d.Worse })
}

// Compare lists the requirements whose verdict differs from old to new. A requirement that is absent from one of them
// counts as absent there; one that has gone absent, although it was decided before, is for the worse.
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
		if o.Verdict == n.Verdict {
			continue
		}
		c.Differences = append(c.Differences, Difference{
			ID: id, Level: cmp.Or(n.Level, o.Level), Old: o.Verdict, New: n.Verdict,
			From: cmp.Or(string(o.Verdict), absent), To: cmp.Or(string(n.Verdict), absent),
			Worse: worse(o, n), Reason: n.Reason,
		})
	}
	return c
}

const absent = "absent"

func worse(o, n Requirement) bool {
	if cmp.Or(n.Level, o.Level) == suites.May {
		return n.Verdict == suites.Error && o.Verdict != suites.Error
	}
	switch {
	case n.Verdict == "":
		return o.Verdict == suites.Pass
	case o.Verdict == "":
		return n.Verdict == suites.Fail || n.Verdict == suites.Error
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
