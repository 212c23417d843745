package ceiling

import "testing"

// What is measured ends with the last bind: a condition that is due is written before the binds that still wait.
func TestQueueTakesConditionsBeforeBinds(t *testing.T) {
	q := newQueue()
	for _, name := range []string{"a", "b", "c"} {
		q.put(&job{pod: &pod{}, node: name})
	}
	if got := q.next().node; got != "a" {
		t.Errorf("first came the bind to %s", got)
	}
	q.put(&job{group: key{"n", "g"}})
	q.put(&job{group: key{"n", "h"}})
	for _, want := range []string{"g", "h", "b", "c"} {
		j := q.next()
		if got := j.node + j.group.name; got != want {
			t.Errorf("%s came where %s was due", got, want)
		}
	}
	q.end()
	if j := q.next(); j != nil {
		t.Errorf("after the end came %+v", j)
	}
}
