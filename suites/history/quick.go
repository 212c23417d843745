package history

import (
	"hash/maphash"
	"strconv"
	"time"
)

// quick reads lines as recorders write them, several times as fast as encoding/json and with a fraction of the garbage: the
// line, and the object in it, in one pass, with texts that come again and again kept once. It understands no more than it
// has to. Whatever is unusual (an escape, a letter that is not ASCII, a fraction, a field it does not know, an action or a
// sample, anything that is wrong) it leaves to strict, which says what it is. What it does take it takes exactly as strict
// and decode do.
type quick struct {
	s     []byte
	i     int
	seed  maphash.Seed
	texts [4096]string
}

func newQuick() *quick { return &quick{seed: maphash.MakeSeed()} }

// quickDepth bounds how deep objects are nested; encoding/json has a bound too.
const quickDepth = 200

// event reads a line into a zero event, and the object or patch in it into its body. false: strict has to, into another one.
func (q *quick) event(line []byte, e *Event) bool {
	q.s, q.i = line, 0
	if !q.take('{') {
		return false
	}
	var seen uint32
	for {
		key, ok := q.text()
		if !ok || !q.take(':') {
			return false
		}
		bit, ok := q.field(key, e)
		if !ok || seen&bit != 0 {
			return false
		}
		seen |= bit
		if q.take(',') {
			continue
		}
		return q.take('}') && q.i == len(q.s)
	}
}

// texts of an event by the names of their fields.
func (e *Event) textField(key string) (field *string, bit uint32) {
	switch key {
	case "stream":
		return &e.Stream, 1 << 0
	case "origin":
		return (*string)(&e.Origin), 1 << 1
	case "cluster":
		return &e.Cluster, 1 << 2
	case "group":
		return &e.Group, 1 << 3
	case "version":
		return &e.Version, 1 << 4
	case "resource":
		return &e.Resource, 1 << 5
	case "verb":
		return &e.Verb, 1 << 6
	case "namespace":
		return &e.Namespace, 1 << 7
	case "name":
		return &e.Name, 1 << 8
	case "uid":
		return &e.UID, 1 << 9
	case "rv":
		return &e.RV, 1 << 10
	case "prev":
		return &e.Prev, 1 << 11
	case "after":
		return &e.After, 1 << 12
	}
	return nil, 0
}

// field reads the value of one. The bit tells the fields apart, so that none is taken twice.
func (q *quick) field(key string, e *Event) (bit uint32, ok bool) {
	if into, bit := e.textField(key); into != nil {
		*into, ok = q.text()
		return bit, ok
	}
	switch key {
	case "seq":
		e.Seq, ok = q.number()
		return 1 << 13, ok
	case "mono":
		var n int64
		n, ok = q.number()
		e.Mono = time.Duration(n)
		return 1 << 14, ok
	case "wall":
		raw, ok := q.raw()
		return 1 << 15, ok && e.Wall.UnmarshalText(raw) == nil
	case "object", "patch":
		from := q.i
		if from >= len(q.s) || q.s[from] != '{' {
			return 0, false // the list of a sync, for which nobody needs to hurry
		}
		v, ok := q.value(0)
		if !ok {
			return 0, false
		}
		e.body = v.(map[string]any)
		if key == "object" {
			e.Object = q.s[from:q.i:q.i]
		} else {
			e.Patch = q.s[from:q.i:q.i]
		}
		return 1 << 16, ok // both are not allowed, which strict says
	}
	return 0, false
}

func (q *quick) take(c byte) bool {
	if q.i < len(q.s) && q.s[q.i] == c {
		q.i++
		return true
	}
	return false
}

// raw is what stands between quotes, without anything that would have to be translated.
func (q *quick) raw() ([]byte, bool) {
	if !q.take('"') {
		return nil, false
	}
	from := q.i
	for ; q.i < len(q.s); q.i++ {
		switch c := q.s[q.i]; {
		case c == '"':
			q.i++
			return q.s[from : q.i-1], true
		case c == '\\' || c < ' ' || c >= 0x80:
			return nil, false
		}
	}
	return nil, false
}

// longText is not looked for among texts that were seen before.
const longText = 64

// text is a string. One that was read before is given again rather than copied, where it is still remembered.
func (q *quick) text() (string, bool) {
	raw, ok := q.raw()
	if !ok || len(raw) > longText {
		return string(raw), ok
	}
	known := &q.texts[maphash.Bytes(q.seed, raw)%uint64(len(q.texts))]
	if *known != string(raw) {
		*known = string(raw)
	}
	return *known, true
}

// number is a whole one that an int64 holds for sure.
func (q *quick) number() (int64, bool) {
	from := q.i
	q.take('-')
	digits := q.i
	for q.i < len(q.s) && q.s[q.i] >= '0' && q.s[q.i] <= '9' {
		q.i++
	}
	n := q.i - digits
	if n == 0 || n > 18 || q.s[digits] == '0' && q.i-from > 1 {
		return 0, false
	}
	v, err := strconv.ParseInt(string(q.s[from:q.i]), 10, 64)
	return v, err == nil
}

func (q *quick) value(depth int) (any, bool) {
	if q.i >= len(q.s) || depth > quickDepth {
		return nil, false
	}
	switch c := q.s[q.i]; c {
	case '{':
		return q.object(depth)
	case '[':
		return q.list(depth)
	case '"':
		return q.text()
	case 't':
		return true, q.word("true")
	case 'f':
		return false, q.word("false")
	case 'n':
		return nil, q.word("null")
	}
	return q.number() // a fraction ends before its point, behind which nothing can stand
}

func (q *quick) word(w string) bool {
	if len(q.s)-q.i < len(w) || string(q.s[q.i:q.i+len(w)]) != w {
		return false
	}
	q.i += len(w)
	return true
}

func (q *quick) object(depth int) (any, bool) {
	q.i++
	out := map[string]any{}
	if q.take('}') {
		return out, true
	}
	for {
		key, ok := q.text()
		if !ok || !q.take(':') {
			return nil, false
		}
		if out[key], ok = q.value(depth + 1); !ok {
			return nil, false
		}
		if q.take(',') {
			continue
		}
		return out, q.take('}')
	}
}

func (q *quick) list(depth int) (any, bool) {
	q.i++
	out := []any{}
	if q.take(']') {
		return out, true
	}
	for {
		v, ok := q.value(depth + 1)
		if !ok {
			return nil, false
		}
		out = append(out, v)
		if q.take(',') {
			continue
		}
		return out, q.take(']')
	}
}
