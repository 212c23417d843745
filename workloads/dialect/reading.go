package dialect

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"time"
)

// reading collects what is odd about one object while it is read.
type reading struct {
	obj      map[string]any
	problems []string
}

func (r *reading) odd(p Path, want string, got any) {
	r.problems = append(r.problems, fmt.Sprintf("%s: want %s, got %T %.40v", p, want, got, got))
}

func (r *reading) value(v *Value) any {
	if v == nil {
		return nil
	}
	if got, ok := v.Path.Get(r.obj); ok {
		return got
	}
	return v.Default
}

func (r *reading) text(v *Value) string {
	got := r.value(v)
	s, ok := got.(string)
	if !ok && got != nil {
		r.odd(v.Path, "text", got)
	}
	return s
}

func (r *reading) number(v *Value) int32 {
	got := r.value(v)
	if got == nil {
		return 0
	}
	n, ok := wholeNumber(got)
	if !ok || n < math.MinInt32 || n > math.MaxInt32 {
		r.odd(v.Path, "a 32-bit whole number", got)
		return 0
	}
	return int32(n)
}

func (r *reading) test(t *Test) bool {
	switch {
	case t == nil:
		return false
	case t.Always != nil:
		return *t.Always
	case !t.Exists.IsZero():
		_, ok := t.Exists.Get(r.obj)
		return ok
	}
	got, ok := t.Path.Get(r.obj)
	return ok && slices.ContainsFunc(t.In, func(want any) bool { return sameScalar(want, got) })
}

func (r *reading) conditions(at Path) map[string]Condition {
	if at.IsZero() {
		at = conditionsPath
	}
	got, ok := at.Get(r.obj)
	if !ok {
		return nil
	}
	list, ok := got.([]any)
	if !ok {
		r.odd(at, "a list of conditions", got)
		return nil
	}
	out := make(map[string]Condition, len(list))
	for _, e := range list {
		m, _ := e.(map[string]any)
		kind, _ := m["type"].(string)
		if kind == "" {
			r.odd(at, "a condition with a type", e)
			continue
		}
		var c Condition
		c.Status, _ = m["status"].(string)
		c.Reason, _ = m["reason"].(string)
		c.ObservedGeneration, _ = wholeNumber(m["observedGeneration"])
		if s, _ := m["lastTransitionTime"].(string); s != "" {
			t, err := time.Parse(time.RFC3339, s)
			if err != nil {
				r.odd(at, "an RFC 3339 lastTransitionTime", s)
			}
			c.LastTransition = t
		}
		out[kind] = c
	}
	return out
}

func (r *reading) satisfied(s *Satisfied, conditions map[string]Condition) Condition {
	switch {
	case s == nil:
		return Condition{}
	case s.Condition != "":
		return conditions[s.Condition]
	}
	phase := r.text(&Value{Path: s.Path})
	c := Condition{Status: "Unknown", Reason: phase}
	switch {
	case phase == "":
		return Condition{}
	case slices.Contains(s.True, phase):
		c.Status = "True"
	case slices.Contains(s.False, phase):
		c.Status = "False"
	}
	return c
}

// wholeNumber accepts every form a JSON number takes in Go.
func wholeNumber(v any) (int64, bool) {
	switch n := v.(type) {
	case int:
		return int64(n), true
	case int32:
		return int64(n), true
	case int64:
		return n, true
	case float64:
		return int64(n), n == math.Trunc(n) && math.Abs(n) < 1<<53
	case json.Number:
		i, err := n.Int64()
		return i, err == nil
	}
	return 0, false
}

// sameScalar compares a value of the dialect with one of an object, whatever Go type their numbers have.
func sameScalar(want, got any) bool {
	if a, ok := wholeNumber(want); ok {
		b, ok := wholeNumber(got)
		return ok && a == b
	}
	switch want.(type) {
	case string, bool:
		return want == got
	}
	return false
}
