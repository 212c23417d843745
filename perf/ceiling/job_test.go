package ceiling

import (
	"testing"

	"k8s.io/client-go/kubernetes"
)

// What is measured ends with the last bind: a condition that is due must not wait behind the binds of a backlog.
func TestConditionsDoNotWaitBehindBinds(t *testing.T) {
	b, err := New(Options{Clients: []kubernetes.Interface{newServer().Clientset}})
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a", "b"} {
		b.put(&job{pod: &pod{}, node: name})
	}
	b.put(&job{group: key{"n", "g"}})
	if got := b.tells.next(); got.group.name != "g" {
		t.Errorf("of the conditions the first is %+v", got)
	}
	for _, want := range []string{"a", "b"} {
		if got := b.binds.next(); got.node != want {
			t.Errorf("the bind to %s came where the one to %s was due", got.node, want)
		}
	}
	b.tells.end()
	if j := b.tells.next(); j != nil {
		t.Errorf("after the end came %+v", j)
	}
}
