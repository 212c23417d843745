package rewrite

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"muster/fakes/faults"
	"muster/suites/kit/answer"
)

// Table is one rewrite for each requirement of which the rows demand something: all rows of it that say most (see
// answer.Crucial) get an answer that they cannot take, and nothing else does.
func Table(profile string, rows []answer.Row) []Rewrite {
	var out []Rewrite
	for _, id := range answer.IDs(rows) {
		crucial := answer.Crucial(rows, id)
		if len(crucial) == 0 {
			continue
		}
		var names []string
		for _, r := range crucial {
			names = append(names, r.Name)
		}
		mine := slices.DeleteFunc(slices.Clone(rows), func(r answer.Row) bool { return r.ID != id })
		out = append(out, Rewrite{
			Name: Prefix + id, Profile: profile, Kills: []string{id},
			About: fmt.Sprintf("The answer is the contrary of what it has to be: %s; it %s.", strings.Join(names, ", "), crucial[0].Demand()),
			Rules: func() []faults.Rule { return rules(id, mine, crucial) },
		})
	}
	return out
}

// Together is one rewrite for several requirements of a table, each broken as in a rewrite of its own. It is for scenarios that cost too
// much to be run for each: a requirement is still seen to fail by its own rows alone, as nobody lies about the others'.
func Together(profile string, rows []answer.Row, ids ...string) Rewrite {
	var crucial []answer.Row
	var names []string
	for _, id := range ids {
		for _, r := range answer.Crucial(rows, id) {
			crucial, names = append(crucial, r), append(names, r.Name)
		}
	}
	mine := slices.DeleteFunc(slices.Clone(rows), func(r answer.Row) bool { return !slices.Contains(ids, r.ID) })
	return Rewrite{
		Name: Prefix + ids[0], Profile: profile, Kills: slices.Clone(ids),
		About: fmt.Sprintf("The answers are the contrary of what they have to be: %s.", strings.Join(names, ", ")),
		Rules: func() []faults.Rule { return rules(ids[0], mine, crucial) },
	}
}

// liar changes the answers to some rows. It remembers the objects that were answered, since the answer to a patch that was
// refused is the object before it with the patch applied.
type liar struct {
	rows []answer.Row

	mu     sync.Mutex
	stored map[string]answer.Object
}

// rules for the requests of the rows, of which the crucial ones are lied about.
func rules(id string, rows, crucial []answer.Row) []faults.Rule {
	l := &liar{rows: crucial, stored: map[string]answer.Object{}}
	var out []faults.Rule
	for _, r := range rows {
		verb, resource := r.Target()
		name := fmt.Sprintf("%s%s %s %s", Prefix, id, verb, resource)
		if slices.ContainsFunc(out, func(f faults.Rule) bool { return f.Name == name }) {
			continue
		}
		out = append(out, faults.Rule{Name: name, Verb: verb, Resource: resource, Fault: faults.Fault{Answer: l.answer}})
	}
	return out
}

func (l *liar) answer(q faults.Request, a faults.Answer) (faults.Answer, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	resource, _, _ := strings.Cut(q.Resource, "/")
	at := func(name string) string { return resource + " " + q.Namespace + "/" + name }
	before := l.stored[at(q.Name)]
	if a.Code < 300 {
		o := answer.Decode(a.Body)
		if name, ok := answer.Field(o, "metadata.name"); ok {
			l.stored[at(fmt.Sprint(name))] = o
		}
	}
	for _, r := range l.rows {
		if !r.Sent(q.Verb, q.Resource, q.Name, q.Body) {
			continue
		}
		e, err := r.Spoiled(answer.Exchange{Sent: q.Body, Stored: before, Code: a.Code, Body: a.Body})
		return faults.Answer{Code: e.Code, Body: e.Body}, err
	}
	return a, nil
}
