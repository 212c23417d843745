package cluster

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestOptionsDefaults(t *testing.T) {
	o, err := Options{RuntimeConfig: map[string]bool{"scheduling.k8s.io/v1alpha3": false, "a/b": true}}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	if CheckName(o.Name) != nil || o.QPS != ClientQPS || o.Burst != 2*ClientQPS || o.Parent == "" || o.Progress == nil {
		t.Errorf("defaults are %+v", o)
	}
	if flag, want := runtimeConfigFlag(o.RuntimeConfig), "a/b=true,scheduling.k8s.io/v1alpha3=false,scheduling.k8s.io/v1beta1=true"; flag != want {
		t.Errorf("runtime config %q, want %q", flag, want)
	}
	other, _ := Options{}.withDefaults()
	if other.Name == o.Name {
		t.Error("two clusters have one default name")
	}
}

func TestOptionsRefuse(t *testing.T) {
	for _, o := range []Options{
		{Name: "Upper"}, {Name: "a/b"}, {Name: "-a"}, {Name: strings.Repeat("a", 64)}, {QPS: -1}, {Burst: -1},
	} {
		if _, err := o.withDefaults(); err == nil {
			t.Errorf("%+v was accepted", o)
		}
	}
	if _, err := Start(t.Context(), Options{Gates: map[string]bool{"Nope": true}}); err == nil {
		t.Error("a cluster was started with a gate there is not")
	}
}

func TestComponentFlags(t *testing.T) {
	o, err := Options{QPS: 100, Verbosity: 3}.withDefaults()
	if err != nil {
		t.Fatal(err)
	}
	gates, err := ResolveGates(DefaultGates(), map[string]bool{"CompositePodGroup": false})
	if err != nil {
		t.Fatal(err)
	}
	l := layout{options: o, gates: gates, pki: &pki{dir: "/p"}, users: newUsers(), apiPort: 1, ctrlPort: 2}
	for name, c := range map[string]struct {
		args []string
		want []string
	}{
		Etcd: {l.etcdArgs(), []string{"--unsafe-no-fsync", "--listen-client-urls=unix://etcd.sock"}},
		APIServer: {l.apiServerArgs(), []string{
			"--bind-address=127.0.0.1", "--secure-port=1", "--allow-privileged=true", "--anonymous-auth=false",
			"--disable-admission-plugins=TaintNodesByCondition", "--permit-port-sharing=true", "--v=3",
			"--feature-gates=DRAWorkloadResourceClaims=true,GenericWorkload=true,PodGroupPreemptionPolicy=true,TopologyAwareWorkloadScheduling=true,WorkloadWithJob=true",
			"--runtime-config=scheduling.k8s.io/v1alpha3=true,scheduling.k8s.io/v1beta1=true",
		}},
		ControllerManager: {l.controllerManagerArgs(), []string{
			"--kube-api-qps=100", "--kube-api-burst=200", "--leader-elect=false", "--secure-port=2",
			"--controllers=*,-node-lifecycle-controller,-ttl-controller",
		}},
		Kwok: {l.kwokArgs(), []string{"--manage-all-nodes=true", "--node-lease-duration-seconds=0"}},
	} {
		for _, want := range c.want {
			if !slices.Contains(c.args, want) {
				t.Errorf("%s lacks %s: %q", name, want, c.args)
			}
		}
		for _, a := range c.args {
			if strings.Contains(a, "0.0.0.0") {
				t.Errorf("%s: %s", name, a)
			}
		}
	}
}

// No token may stand on a command line: any user of the machine can read those.
func TestNoSecretsInFlags(t *testing.T) {
	l := layout{options: Options{}, pki: &pki{dir: "/p"}, users: newUsers()}
	all := slices.Concat(l.etcdArgs(), l.apiServerArgs(), l.controllerManagerArgs(), l.kwokArgs())
	for id, u := range l.users {
		if strings.Contains(strings.Join(all, " "), u.token) {
			t.Errorf("the token of %s is in the flags", id)
		}
	}
}

func TestDeathError(t *testing.T) {
	var err error = &DeathError{Component: Etcd, How: "exit status 1", Log: []string{"panic", "line 2"}}
	if got := err.Error(); !strings.Contains(got, "etcd") || !strings.Contains(got, "exit status 1") || !strings.HasSuffix(got, "\tline 2") {
		t.Errorf("message %q", got)
	}
	if got := (&DeathError{Component: Etcd}).Error(); !strings.Contains(got, "log is empty") {
		t.Errorf("message %q", got)
	}
	if !errors.As(err, new(*DeathError)) {
		t.Error("it cannot be told from other errors")
	}
}
