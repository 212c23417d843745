package premise_test

import (
	"fmt"
	"reflect"
	"testing"

	"muster/suites/history"
	. "muster/suites/history/historytest"
	"muster/suites/premise"
)

// twoRacks is a rack of two slots and one of three, of which one is taken; g demands one rack for its three members.
func twoRacks(t *testing.T) (*history.View, history.Stamp, []*history.Pod) {
	t.Helper()
	b := New()
	for i, rack := range []string{"a", "a", "b", "b", "b"} {
		b.Node(fmt.Sprint("node-", i), Has("gpu=1"), NodeLabel("rack", rack))
	}
	v := b.Node("bare", Has("gpu=1")).Pod("taken", "", Wants("gpu=1"), Placed("node-4")).
		Gang("g", 3, OneDomain("rack")).Pods("g", 3, Wants("gpu=1")).Mark("now").View()
	at, ok := v.Mark("now")
	if !ok {
		t.Fatal("no mark")
	}
	return v, at, v.Members("g")
}

func TestRoomWithin(t *testing.T) {
	v, at, pods := twoRacks(t)
	for _, c := range []struct {
		key, value string
		want       int
	}{{"rack", "", 2}, {"rack", "a", 2}, {"rack", "b", 2}, {"rack", "c", 0}, {"zone", "", 0}, {"", "", 3}} {
		got, err := premise.RoomWithin(v, at, pods, c.key, c.value)
		if err != nil || got != c.want {
			t.Errorf("room within %s=%s: %d, %v; want %d", c.key, c.value, got, err, c.want)
		}
	}
	if _, err := premise.RoomWithin(v, history.Stamp{}, pods, "rack", ""); err == nil {
		t.Error("a place that was never reached has room")
	}
}

func TestDomains(t *testing.T) {
	v, at, pods := twoRacks(t)
	got, err := premise.Domains(v, at, pods[:1], "rack", 8)
	if want := []premise.Domain{{Value: "a", Fits: 1, Free: 2}, {Value: "b", Fits: 1, Free: 2}}; err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("domains %+v, %v; want %+v", got, err, want)
	}
	if got, err := premise.Domains(v, at, nil, "rack", 8); err != nil || got != nil {
		t.Errorf("domains for nobody: %v, %v", got, err)
	}
}
