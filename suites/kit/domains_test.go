package kit_test

import (
	"reflect"
	"testing"

	corev1 "k8s.io/api/core/v1"

	"muster/suites"
	"muster/suites/history/historytest"
	"muster/suites/kit"
)

func TestDomains(t *testing.T) {
	one, two := historytest.NodeLabel("rack", "one"), historytest.NodeLabel("rack", "two")
	v := historytest.New().Nodes(1, historytest.Has("gpu=1"), one).Nodes(1, historytest.Has("gpu=1"), two).Nodes(1).
		Gang("g", 3).Pods("g", 3, gpu).Mark("before").
		Bind("g-0", "node-0").Bind("g-1", "node-2").
		ChangeNode("node-0", two).Mark("after").View()
	if got, want := kit.DomainsOf(v, v.Members("g"), "rack"), []string{"", "one"}; !reflect.DeepEqual(got, want) {
		t.Errorf("domains %q, want %q: as they were at the binds", got, want)
	}
	for at, want := range map[string]string{"before": "one", "after": "two"} {
		if got := kit.DomainOf(v, "node-0", "rack", mark(t, v, at)); got != want {
			t.Errorf("node-0 %s: %q, want %q", at, got, want)
		}
	}
	if got := kit.DomainOf(v, "nobody", "rack", mark(t, v, "after")); got != "" {
		t.Errorf("a node that never was is in %q", got)
	}
}

func TestWithinPremises(t *testing.T) {
	v := historytest.New().Nodes(2, historytest.Has("gpu=1"), func(n *corev1.Node) { n.Labels["rack"] = "of-" + n.Labels[corev1.LabelHostname] }).
		Pods("g", 2, gpu).Mark("now").View()
	pods := kit.Named(v, "g-0", "g-1")
	for _, c := range []struct {
		name  string
		check func(*kit.Case)
		want  suites.Verdict
	}{
		{"both fit somewhere", func(c *kit.Case) { c.FitsWithin(c.Mark("now"), pods, "", "", 2) }, suites.Pass},
		{"both do not fit into one", func(c *kit.Case) { c.FitsWithin(c.Mark("now"), pods, "rack", "", 2) }, suites.Inconclusive},
		{"one is short of both", func(c *kit.Case) { c.ShortWithin(c.Mark("now"), pods, "rack", "", 2) }, suites.Pass},
		{"one is not short of one", func(c *kit.Case) { c.ShortWithin(c.Mark("now"), pods, "rack", "", 1) }, suites.Inconclusive},
		{"nobody to place", func(c *kit.Case) { c.ShortWithin(c.Mark("now"), nil, "rack", "", 1) }, suites.Inconclusive},
	} {
		k := kit.For(v, "X-001")
		c.check(k)
		if got := k.Holds(true, "held").Verdict; got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}
