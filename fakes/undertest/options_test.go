package undertest

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"muster/fakes/cluster"
)

func TestCheck(t *testing.T) {
	type gates = map[string]bool
	for name, c := range map[string]struct {
		o            Options
		controlPlane gates
		err          string
	}{
		"default":       {},
		"none":          {o: Options{Scheduler: None}},
		"nobody's gate": {o: Options{Scheduler: None, Gates: gates{"GenericWorkload": true}}, err: "starts none"},
		"exec":          {o: Options{Exec: "/bin/sh -c true"}},
		"own gate":      {o: Options{Gates: gates{"GenericWorkload": false}}},
		"unknown":       {o: Options{Scheduler: "kubescheduler"}, err: "use kube-scheduler or none"},
		"hidden kind":   {o: Options{Scheduler: execKind}, err: "unknown scheduler"},
		"both":          {o: Options{Scheduler: None, Exec: "x"}, err: "exclude each other"},
		"no command":    {o: Options{Exec: "/no/such/scheduler"}, err: "no such file"},
		"bad command":   {o: Options{Exec: "'"}, err: "never closed"},
		"exec gates":    {o: Options{Exec: "/bin/sh", Gates: gates{"GenericWorkload": true}}, err: "in its own words"},
		"unknown gate":  {o: Options{Gates: gates{"Nope": true}}, err: "unknown feature gate"},
		"bad name":      {o: Options{Names: []string{"A b"}}, err: "DNS subdomain"},
		"gate it needs": {o: Options{Gates: gates{"WorkloadWithJob": true}}, controlPlane: gates{"GenericWorkload": false}, err: "needs GenericWorkload"},
	} {
		t.Run(name, func(t *testing.T) {
			err := c.o.Check(c.controlPlane)
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Errorf("error %v, want one with %q", err, c.err)
			}
		})
	}
}

func TestDefaults(t *testing.T) {
	p, err := Options{Names: []string{"mine", "yours"}, QPS: 7}.withDefaults(nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.kind != KubeScheduler || p.Profile.Name != KubeScheduler || p.Burst != 14 || p.Dir == "" {
		t.Errorf("plan %+v", p)
	}
	if !slices.Equal(p.Profile.SchedulerNames, []string{"mine", "yours"}) {
		t.Errorf("names %q", p.Profile.SchedulerNames)
	}
	if !p.gates.Gates["GenericWorkload"] {
		t.Error("a control plane whose gates are unknown is not taken to have the default ones")
	}
}

func TestKubeSchedulerArgs(t *testing.T) {
	gates, err := cluster.ResolveGates(cluster.DefaultGates(), map[string]bool{"GenericWorkload": false})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	args, err := kubeSchedulerArgs(launch{
		kubeconfig: "/k", names: []string{"a", "b"}, gates: gates, qps: 5000, burst: 10000, port: 1, dir: dir,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range args {
		if strings.HasPrefix(a, "--feature-gates") {
			t.Errorf("with every gate off nothing differs from Kubernetes' defaults, yet there is %s", a)
		}
	}
	config, err := os.ReadFile(filepath.Join(dir, "kube-scheduler.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"qps: 5000", "burst: 10000", "kubeconfig: /k", "leaderElect: false", "schedulerName: a", "schedulerName: b"} {
		if !strings.Contains(string(config), want) {
			t.Errorf("the configuration lacks %q:\n%s", want, config)
		}
	}
}

func TestErrorsSayWhatHappened(t *testing.T) {
	for want, err := range map[string]error{
		"before it was ready":       &ExitError{How: "exit status 1", Log: []string{"boom"}},
		"in the middle of the run":  &ExitError{Ready: true},
		"schedulerName mine":        &NotReadyError{SchedulerName: "mine"},
		"the end of its log:\n\tab": &NotReadyError{Log: []string{"ab"}},
	} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not hold %q", err, want)
		}
	}
}

func TestReferenceIsToldEverything(t *testing.T) {
	args, err := referenceArgs(launch{kubeconfig: "/k", names: []string{"a", "b"}, qps: 5000, burst: 10000, port: 1234, verbosity: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--kubeconfig=/k", "--scheduler-name=a,b", "--kube-api-qps=5000", "--kube-api-burst=10000",
		"--leader-elect=false", "--address=127.0.0.1:1234", "--permit-port-sharing", "--v=2"} {
		if !slices.Contains(args, want) {
			t.Errorf("%q lacks %q", args, want)
		}
	}
}

func TestWhoTakesGates(t *testing.T) {
	for _, tt := range []struct {
		o    Options
		want bool
	}{
		{Options{}, true},
		{Options{Scheduler: KubeScheduler}, true},
		{Options{Scheduler: Reference}, false},
		{Options{Scheduler: MutantPrefix + "x"}, false},
		{Options{Scheduler: Ceiling}, false},
		{Options{Scheduler: None}, false},
		{Options{Exec: "kube-scheduler --kubeconfig={{.Kubeconfig}}"}, false},
	} {
		if got := tt.o.TakesGates(); got != tt.want {
			t.Errorf("%+v: %t", tt.o, got)
		}
	}
}
