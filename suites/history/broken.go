package history

import (
	"encoding/json"
	"time"
)

// Broken is where a fault was put into force and taken back. ok is false where it never was; a zero mended means that
// it was in force to the end. Of a fault that was put into force more than once it is the first time.
func (v *View) Broken(rule string) (broken, mended Stamp, ok bool) {
	for _, a := range v.Actions {
		switch {
		case a.Value.Name != rule:
		case a.Value.Verb == VerbBreak && !ok:
			broken, ok = a.Stamp, true
		case a.Value.Verb == VerbMend && ok && mended.IsZero():
			mended = a.Stamp
		}
	}
	return broken, mended, ok
}

// Strikes are the places at which a request of the scheduler was struck by the rule.
func (v *View) Strikes(rule string) []Stamp {
	var out []Stamp
	for _, a := range v.Actions {
		if a.Value.Verb == VerbStrike && a.Value.Name == rule {
			out = append(out, a.Stamp)
		}
	}
	return out
}

// Calls are how many requests the scheduler had made when they were counted under the label, by verb and resource
// ("create pods/binding"), and when that was.
func (v *View) Calls(label string) (by map[string]int, at time.Duration, ok bool) {
	for _, a := range v.Actions {
		if a.Value.Verb != VerbCalls || a.Value.Name != label || a.Value.Action == nil {
			continue
		}
		if err := json.Unmarshal(a.Value.Action.Response.Object, &by); err != nil {
			return nil, 0, false
		}
		return by, a.Stamp.Mono, true
	}
	return nil, 0, false
}
