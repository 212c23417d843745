package main

import (
	"bytes"
	"strings"
	"testing"
)

// TestSchedulerRefuses: what it cannot run with is the user's mistake, named by its flag, before a cluster is looked for.
func TestSchedulerRefuses(t *testing.T) {
	for _, tc := range []struct {
		want string
		args []string
	}{
		{"--head-wait", []string{"--head-wait", "0s"}},
		{"--bind-parallel", []string{"--bind-parallel", "0"}},
		{"--kube-api-qps", []string{"--kube-api-qps", "NaN"}},
		{"--kube-api-qps", []string{"--kube-api-qps", "Inf"}},
		{"--kube-api-burst", []string{"--kube-api-burst", "0"}},
		{"--v -1", []string{"-v", "-1"}},
		{"--scheduler-name \"My_Scheduler\"", []string{"--scheduler-name", "My_Scheduler"}},
		{"named twice", []string{"--scheduler-name", "a,a"}},
		{"--scheduler-name is given without", []string{"--scheduler-name", ""}},
		{"--leader-elect-resource-name \"A\"", []string{"--leader-elect-resource-name", "A"}},
		{"--leader-elect-resource-namespace is given without", []string{"--leader-elect-resource-namespace", ""}},
		{"--leader-elect-lease-duration 10s", []string{"--leader-elect-lease-duration", "10s"}},
		{"--leader-elect-lease-duration 900ms", []string{"--leader-elect-lease-duration", "900ms", "--leader-elect-renew-deadline", "500ms", "--leader-elect-retry-period", "100ms"}},
		{"--leader-elect-renew-deadline 2s", []string{"--leader-elect-renew-deadline", "2s"}},
		{"--leader-elect-retry-period 0s", []string{"--leader-elect-retry-period", "0s"}},
		{"--kubeconfig is given without", []string{"--kubeconfig", ""}},
		{"--address nowhere", []string{"--address", "nowhere"}},
		{"--address 127.0.0.1:99999", []string{"--address", "127.0.0.1:99999"}},
		{"--profiling", []string{"--address", "", "--profiling"}},
		{"--mutant", []string{"--mutant", "no-such-fault"}},
		{"finding the cluster", []string{"--kubeconfig", "nowhere"}},
	} {
		root := newRootCommand()
		var out bytes.Buffer
		root.SetOut(&out)
		root.SetErr(&out)
		root.SetArgs(append([]string{"scheduler"}, tc.args...))
		err := root.ExecuteContext(t.Context())
		if codeOf(err) != exitUsage || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v: %v (exit code %d); want one that says %q", tc.args, err, codeOf(err), tc.want)
		}
	}
}
