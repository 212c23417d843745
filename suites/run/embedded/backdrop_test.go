package embedded

import (
	"testing"

	"muster/fakes/cluster"
	"muster/fakes/nodes"
	"muster/suites/run"
)

// TestBackdropStandsInTheMainClusterAlone: clusters of single scenarios are as small as they ask for.
func TestBackdropStandsInTheMainClusterAlone(t *testing.T) {
	none := (*Backdrop)(nil)
	for _, tc := range []struct {
		backdrop *Backdrop
		session  string
		want     bool
	}{
		{&Backdrop{Pool: nodes.Pool{Name: "b", Count: 3}}, run.MainShard, true},
		{&Backdrop{Pool: nodes.Pool{Name: "b", Count: 3}}, "other", false},
		{&Backdrop{}, run.MainShard, false},
		{none, run.MainShard, false},
	} {
		var o cluster.Options
		tc.backdrop.stand(tc.session, &o)
		if got := o.Preload != nil && o.Seed != nil; got != tc.want {
			t.Errorf("%+v in session %s: stands %t, want %t", tc.backdrop, tc.session, got, tc.want)
		}
	}
}
