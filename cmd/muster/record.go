package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"muster/fakes/standing"
	"muster/fakes/undertest"
	"muster/suites/history"
	"muster/suites/run/conduct"
	"muster/suites/run/observe"
)

// recordFlags are the flags of muster record.
type recordFlags struct {
	kubeconfig, context, profile, name, out string
	names                                   []string
	duration                                time.Duration
}

func newRecordCommand() *cobra.Command {
	var f recordFlags
	cmd := &cobra.Command{
		Use:   "record --out FILE",
		Short: "Record a history from any cluster",
		Long: `Record what happens to pods, nodes, groups and claims in a cluster, for muster judge. Nothing is changed there; the
rights that are needed are in hack/rbac/record.yaml. It ends when it is interrupted or after --for, and the record is
complete then. Secrets and the values of environment variables are never stored; names, labels and images are.

A record has no scenarios: muster judge holds the invariants against it. Where the order of two events cannot be known
(the cluster's storage is), what depends on it is Inconclusive.`,
		Example: `  muster record --kubeconfig ~/.kube/config --context prod --for 30m --out prod.jsonl
  muster judge prod.jsonl`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := refuseEmpty(cmd.Flags()); err != nil {
				return usage(err)
			}
			return f.run(cmd)
		},
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *recordFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "how to reach the cluster (default as kubectl)")
	flags.StringVar(&f.context, "context", "", "context of the kubeconfig")
	flags.StringVar(&f.out, "out", "", "file to write; it must not exist (required)")
	flags.DurationVar(&f.duration, "for", 0, "how long to record (default: until interrupted)")
	flags.StringVar(&f.name, "shard", "recorded", "name of this record among others of the same cluster that will be judged with it")
	flags.StringVar(&f.profile, "scheduler-profile", "", "file that describes the scheduler whose pods will be judged (default: kube-scheduler)")
	flags.StringSliceVar(&f.names, "scheduler-name", nil, "schedulerNames of its pods (default: the profile's)")
}

func (f *recordFlags) run(cmd *cobra.Command) error {
	if f.out == "" {
		return usage(errors.New("name a file to write the history to: --out FILE"))
	}
	if f.duration < 0 {
		return usage(fmt.Errorf("--for %s: it cannot be negative", f.duration))
	}
	profile, err := f.schedulerProfile()
	if err != nil {
		return usage(err)
	}
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.kubeconfig
	config, err := clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, &clientcmd.ConfigOverrides{CurrentContext: f.context}).ClientConfig()
	if err != nil {
		return usage(fmt.Errorf("finding the cluster: %w (name a file with --kubeconfig)", err))
	}
	// Listing a resource in pages costs several requests at once; there is nothing to be throttled for afterwards.
	config.QPS, config.Burst, config.WarningHandler = 50, 100, rest.NoWarnings{}
	out, err := os.OpenFile(f.out, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return usage(fmt.Errorf("opening the file to write: %w", err))
	}
	began := false
	v := currentVersions()
	recorded, err := observe.Run(cmd.Context(), observe.Options{
		Config: config, Out: out, Name: f.name, Profile: profile, Storage: storageOf(config.Host), For: f.duration,
		Version: v.Kubernetes, Revision: strings.TrimSuffix(v.Revision, "-dirty"),
		Began: func(skipped []schema.GroupVersionResource) {
			began = true
			for _, gvr := range skipped {
				_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "the cluster does not serve %s of %s: not recorded\n", gvr.Resource, gvr.GroupVersion())
			}
			_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "recording into %s\n", f.out)
		},
	})
	if !began {
		// There is nothing in it to be judged, and it would be in the way of the next try.
		_ = os.Remove(f.out)
	}
	if err != nil {
		if errors.Is(err, context.Canceled) {
			return withCode(exitInterrupted, fmt.Errorf("interrupted before everything was listed: %w", err))
		}
		return withCode(exitInconclusive, err)
	}
	_, _ = fmt.Fprintf(cmd.ErrOrStderr(), "recorded %s; judge it with: muster judge %s\n", recorded.Took.Round(time.Second), f.out)
	return nil
}

func (f *recordFlags) schedulerProfile() (history.SchedulerProfile, error) {
	scheduling := undertest.Options{Names: f.names}
	if f.profile != "" {
		p, err := undertest.LoadProfile(f.profile)
		if err != nil {
			return history.SchedulerProfile{}, err
		}
		scheduling.Profile = p
	}
	return conduct.Profile(scheduling)
}

// storageOf says whether the server belongs to a cluster that muster has started, whose storage is one etcd.
func storageOf(host string) history.Storage {
	clusters, err := standing.List()
	if err != nil {
		return history.UnknownStorage // less can be decided then, and nothing wrongly
	}
	for _, c := range clusters {
		if c.Server != "" && strings.TrimSuffix(c.Server, "/") == strings.TrimSuffix(host, "/") {
			return history.SingleEtcd
		}
	}
	return history.UnknownStorage
}
