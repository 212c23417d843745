package answer

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// Judge gives one finding for every requirement of the rows: what the answers say about it, all rows together.
func Judge(v *history.View, rows []Row) []suites.Finding {
	var out []suites.Finding
	for _, id := range IDs(rows) {
		var mine []Row
		for _, r := range rows {
			if r.ID == id {
				mine = append(mine, r)
			}
		}
		out = append(out, judge(v, id, mine))
	}
	return out
}

func judge(v *history.View, id string, rows []Row) suites.Finding {
	// The answers are the driver's own record: gaps in the watches hide none of them.
	c := kit.Answers(v, id)
	var wrong, values []string
	for _, r := range rows {
		e, ok := v.TryEvent(r.Label())
		c.Premise(ok, nil, "%q was answered", r.Name)
		if !ok {
			continue
		}
		resp := e.Value.Action.Response
		o := Decode(resp.Object)
		switch r.want.kind {
		case given:
			c.Premise(resp.OK(), nil, "%q was accepted (the answer: %s)", r.Name, short(resp))
			if r.want.shows != nil {
				c.Premise(r.want.shows(o), nil, "%q was answered with %s", r.Name, r.want.what)
			}
		case observed:
			value := short(resp)
			if r.want.value != nil {
				value = r.want.value(value, o)
			}
			values = append(values, fmt.Sprintf("%s: %s", r.Name, value))
		default:
			problem, decided := r.want.problem(resp, o)
			c.Premise(decided, nil, "%q was answered for its own sake (the answer: %s)", r.Name, long(resp))
			if problem != "" {
				c.About(e.Stamp, e.Value.Resource+" "+e.Value.Namespace+"/"+e.Value.Name)
				wrong = append(wrong, fmt.Sprintf("%q %s", r.Name, problem))
			}
		}
	}
	if len(values) > 0 {
		return c.Saw(strings.Join(values, "; "), "what %d requests were answered with", len(values))
	}
	if len(wrong) == 0 {
		return c.Holds(true, "all %d requests were answered as they have to be", len(rows))
	}
	return c.Holds(false, "%s", strings.Join(wrong, "; "))
}

// problem says what is wrong with an answer; empty: nothing. decided is false where the answer speaks about something
// else than was asked: a refusal for another field than the one under test.
func (w want) problem(resp history.Response, o Object) (problem string, decided bool) {
	switch {
	case w.kind == accepted && !resp.OK():
		return "was refused with " + long(resp) + "; it has to be accepted", true
	case w.kind == accepted && w.shows != nil && !w.shows(o):
		return "was accepted, but the object does not show " + w.what, true
	case w.kind == accepted:
		return "", true
	case w.kind == absent && resp.OK() && !w.shows(o):
		return "was accepted and kept " + w.what, true
	case w.kind == absent:
		return "", resp.OK() || resp.Reason == "Invalid"
	case resp.OK():
		return "was accepted; it has to be refused", true
	case !slices.Contains(w.reasons, resp.Reason):
		return "", false
	case len(w.fields) > 0 && !names(resp.Causes, w.fields):
		return "", false
	}
	return "", true
}

// names reports whether a cause is about one of the fields, something in it, or what holds it.
func names(causes, fields []string) bool {
	return slices.ContainsFunc(causes, func(c string) bool {
		at, _, _ := strings.Cut(c, ":")
		return slices.ContainsFunc(fields, func(f string) bool { return at != "" && (within(at, f) || within(f, at)) })
	})
}

// within reports whether a field path is the other one or lies in it.
func within(path, in string) bool {
	rest, ok := strings.CutPrefix(path, in)
	return ok && (rest == "" || rest[0] == '.' || rest[0] == '[')
}

// Decode is a recorded object; nil where there is none. Numbers are float64.
func Decode(raw json.RawMessage) Object {
	var o Object
	if len(raw) == 0 || json.Unmarshal(raw, &o) != nil {
		return nil
	}
	return o
}

// short is an answer without its causes.
func short(resp history.Response) string {
	if resp.OK() {
		return "accepted"
	}
	return resp.Reason
}

// long is an answer with the fields that its causes name.
func long(resp history.Response) string {
	var fields []string
	for _, c := range resp.Causes {
		at, _, _ := strings.Cut(c, ":")
		fields = append(fields, at)
	}
	if len(fields) == 0 {
		return fmt.Sprintf("%d %s", resp.Code, resp.Reason)
	}
	return fmt.Sprintf("%d %s (%s)", resp.Code, resp.Reason, strings.Join(fields, ", "))
}

// Of is the object that a row was answered with; ok is false where it was not accepted.
func Of(v *history.View, id, name string) (o Object, ok bool) {
	resp, found := v.Try(Row{ID: id, Name: name}.Label())
	if !found || !resp.OK() {
		return nil, false
	}
	return Decode(resp.Object), true
}

// Premises notes as premises of a case that the requirement's rows were accepted: for scenarios in which requests only
// set the stage.
func Premises(c *kit.Case, v *history.View, id string, tables ...[]Row) {
	for _, rows := range tables {
		for _, r := range rows {
			if r.ID == id {
				resp, ok := v.Try(r.Label())
				c.Premise(ok && resp.OK(), nil, "%q was accepted", r.Name)
			}
		}
	}
}
