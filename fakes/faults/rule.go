package faults

import (
	"bytes"
	"errors"
	"fmt"
	"hash/fnv"
	"path"
	"strings"
	"time"
)

// Rule picks requests and says what happens to them. The zero value of each field that picks takes every request.
type Rule struct {
	// Name is unique among the rules in force; strikes are counted by it.
	Name string
	// Verb and Resource as in Request ("create", "pods/binding"), with the wildcards of path.Match in each path element.
	Verb, Resource string
	// Namespace and Object are patterns of path.Match for the object's namespace and name.
	Namespace, Object string
	// Body is text that the request's body has to contain: a node's name picks the binds to it, in JSON and in protobuf.
	Body string

	// Skip is how many of the requests it picks pass before the first is struck.
	Skip int
	// Times is how many are struck; 0: all that follow.
	Times int
	// Chance of each of these to be struck, from 0 to 1; 0 is certainty.
	Chance float64

	Fault Fault
}

// Fault is what happens to a request. Delay goes with everything; of the others exactly one can be chosen, or none.
type Fault struct {
	// Delay before the request is passed on or answered.
	Delay time.Duration
	// Status answers with this code, and the API server never sees the request: 409, 429, 500, ….
	Status int
	// Drop ends the connection without an answer; the API server never sees the request.
	Drop bool
	// Lose passes the request on and ends the connection instead of giving the answer back: what was asked for has
	// happened, and the client does not know.
	Lose bool
	// Hang gives no answer, and passes nothing on, for as long as the rule is in force; then the connection ends.
	Hang bool
	// Hold keeps back what a watch has to say for as long as the rule is in force: the client has a stale view. It acts on
	// watches that are open already and counts no strikes.
	Hold bool
	// Rewrite changes the JSON body of the answer. The client is answered in JSON whatever it asked for.
	Rewrite func(body []byte) ([]byte, error)
	// Answer changes an answer altogether: a refusal into an acceptance, or the other way round. The API server has done
	// what it did. It sees no watches, and the client is answered in JSON.
	Answer func(Request, Answer) (Answer, error)
	// Also are requests that the proxy makes besides, when the API server has answered and before the client hears of it:
	// the deed of a component that does what it must not. One that is refused costs the client its answer. It sees no
	// watches, and the client is answered in JSON.
	Also func(Request, Answer) []Call
	// Lens changes what the client gets to see of objects, in every answer and in every watch.
	Lens *Lens
}

// Call is a request that nobody asked for.
type Call struct {
	// Method is PATCH, DELETE or POST; Path is that of the API, from the slash on.
	Method, Path string
	// Body is JSON, of a patch a merge patch; empty for none.
	Body []byte
}

// Answer is what the API server said, or what the client is told that it said.
type Answer struct {
	// Code is the HTTP status.
	Code int
	// Body is JSON.
	Body []byte
}

// Lens is a distorted view of objects, decoded from JSON. What it makes of an object may depend on nothing but the object
// (and what never changes), so that lists, reads and watches agree about it. A list may carry nothing but an object's
// metadata.
type Lens struct {
	// Show is the object as the client sees it; nil: it does not see it at all. A watch tells of an object that is not to
	// be seen any more as deleted, and of one that comes into view as added. The object may be changed in place.
	Show func(object map[string]any) map[string]any
	// Keep reports whether the object is still there for the client after it was deleted, in the form last seen. nil: no
	// object is.
	Keep func(object map[string]any) bool
}

// Check refuses what cannot be carried out.
func (r Rule) Check() error {
	var errs []error
	complain := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	complain(r.Name == "", "it has no name")
	for _, p := range []string{r.Verb, r.Resource, r.Namespace, r.Object} {
		_, err := path.Match(p, "")
		complain(err != nil, "pattern %q: %v", p, err)
	}
	complain(r.Skip < 0 || r.Times < 0, "it skips %d requests and strikes %d: neither can be negative", r.Skip, r.Times)
	complain(r.Chance < 0 || r.Chance > 1, "a chance of %g is not between 0 and 1", r.Chance)
	f := r.Fault
	complain(f.Delay < 0, "a delay of %s", f.Delay)
	complain(f.Status != 0 && (f.Status < 400 || f.Status > 599), "status %d is no refusal: use 400 to 599", f.Status)
	chosen := 0
	for _, on := range []bool{f.Status != 0, f.Drop, f.Lose, f.Hang, f.Hold, f.Rewrite != nil, f.Answer != nil, f.Also != nil, f.Lens != nil} {
		if on {
			chosen++
		}
	}
	complain(chosen > 1, "it wants %d things to happen to one request: choose one", chosen)
	complain(chosen == 0 && f.Delay == 0, "it wants nothing to happen")
	complain(f.Lens != nil && f.Lens.Show == nil && f.Lens.Keep == nil, "a lens that changes nothing")
	complain(f.Lens != nil && (r.Skip > 0 || r.Times > 0 || r.Chance > 0), "a lens is in force for as long as the rule is, not by count")
	complain(f.Hold && (r.Skip > 0 || r.Times > 0 || r.Chance > 0), "watches are held for as long as the rule is in force, not by count")
	if err := errors.Join(errs...); err != nil {
		return fmt.Errorf("fault %q: %w", r.Name, err)
	}
	return nil
}

// Picks reports whether the rule is about the request.
func (r Rule) Picks(q Request) bool {
	return matches(r.Verb, q.Verb) && matches(r.Resource, q.Resource) && matches(r.Namespace, q.Namespace) &&
		matches(r.Object, q.Name) && (r.Body == "" || bytes.Contains(q.Body, []byte(r.Body)))
}

func matches(pattern, s string) bool {
	if pattern == "" {
		return true
	}
	ok, err := path.Match(pattern, s)
	return err == nil && ok
}

// Strikes reports whether the k-th request (from 1) that the rule picks is struck, before Times is counted.
func (r Rule) Strikes(seed int64, k int) bool {
	if k <= r.Skip {
		return false
	}
	if r.Chance == 0 {
		return true
	}
	h := fnv.New64a()
	_, _ = fmt.Fprintf(h, "%d/%s/%d", seed, r.Name, k)
	// The upper bits of a sum over texts that differ in their last letters are poorly mixed: mix them once more.
	x := h.Sum64()
	x = (x ^ x>>33) * 0xff51afd7ed558ccd
	x = (x ^ x>>33) * 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return float64(x>>11)/(1<<53) < r.Chance
}

// String says in words what the rule does, for the record.
func (r Rule) String() string {
	var what []string
	for _, w := range []struct {
		on   bool
		text string
	}{
		{r.Fault.Delay > 0, "delay " + r.Fault.Delay.String()}, {r.Fault.Status != 0, fmt.Sprintf("answer %d", r.Fault.Status)},
		{r.Fault.Drop, "drop"}, {r.Fault.Lose, "lose the answer of"}, {r.Fault.Hang, "never answer"},
		{r.Fault.Hold, "hold back"}, {r.Fault.Rewrite != nil, "rewrite the answer of"},
		{r.Fault.Answer != nil, "change the answer of"}, {r.Fault.Lens != nil, "distort the view of"},
	} {
		if w.on {
			what = append(what, w.text)
		}
	}
	out := strings.Join(what, ", ")
	for _, part := range []struct{ label, value string }{
		{"", r.Verb}, {"", r.Resource}, {"in ", r.Namespace}, {"of ", r.Object}, {"with ", r.Body},
	} {
		if part.value != "" {
			out += " " + part.label + part.value
		}
	}
	if r.Skip > 0 {
		out += fmt.Sprintf(", after %d", r.Skip)
	}
	if r.Times > 0 {
		out += fmt.Sprintf(", %d times", r.Times)
	}
	if r.Chance > 0 {
		out += fmt.Sprintf(", %g of them", r.Chance)
	}
	return out
}
