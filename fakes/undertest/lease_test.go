package undertest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

func TestWhoCanBeRunTwice(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		want bool
	}{
		{Options{}, true},
		{Options{Scheduler: Reference}, true},
		{Options{Scheduler: MutantPrefix + "x"}, true},
		{Options{Scheduler: None}, false},
		{Options{Scheduler: Ceiling}, false},
		{Options{Exec: "sh {{.Kubeconfig}}"}, false},
		{Options{Exec: "sh --leader-elect={{.LeaderElect}}"}, true},
	} {
		if got := tt.o.Elects(); got != tt.want {
			t.Errorf("%+v: %t", tt.o, got)
		}
	}
}

func TestLeasesThatCannotBe(t *testing.T) {
	good := Lease{Duration: 3 * time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: time.Second}
	for want, o := range map[string]Options{
		"cannot be told":  {Exec: "sh", Lease: &good},
		"shorter than":    {Lease: &Lease{Duration: time.Second, RenewDeadline: 2 * time.Second, RetryPeriod: time.Second}},
		"every 0s: each ": {Lease: &Lease{Duration: 3 * time.Second, RenewDeadline: 2 * time.Second}},
	} {
		if err := o.Check(nil); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not in %v", want, err)
		}
	}
	if err := (Options{Scheduler: Reference, Lease: &good}).Check(nil); err != nil {
		t.Error(err)
	}
}

func TestLeasesAreTold(t *testing.T) {
	lease := &Lease{Duration: 7 * time.Second, RenewDeadline: 5 * time.Second, RetryPeriod: time.Second}
	dir := t.TempDir()
	if _, err := kubeSchedulerArgs(launch{names: []string{"a"}, dir: dir, lease: lease}); err != nil {
		t.Fatal(err)
	}
	config, err := os.ReadFile(filepath.Join(dir, "kube-scheduler.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"leaderElect: true", "leaseDuration: 7s", "renewDeadline: 5s", "retryPeriod: 1s"} {
		if !strings.Contains(string(config), want) {
			t.Errorf("the configuration lacks %q:\n%s", want, config)
		}
	}
	args, err := referenceArgs(launch{names: []string{"a"}, lease: lease})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--leader-elect=true", "--leader-elect-lease-duration=7s", "--leader-elect-renew-deadline=5s", "--leader-elect-retry-period=1s"} {
		if !slices.Contains(args, want) {
			t.Errorf("%q lacks %q", args, want)
		}
	}
	words, err := Command("x {{.LeaderElect}}", Fields{LeaderElect: true})
	if err != nil || words[1] != "true" {
		t.Errorf("%q, %v", words, err)
	}
}
