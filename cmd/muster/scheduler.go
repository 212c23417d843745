package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strconv"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"muster/scheduler/control"
	"muster/scheduler/mutant"
)

// schedulerFlags are the flags of muster scheduler.
type schedulerFlags struct {
	kubeconfig, context string
	process             control.ProcessOptions
	qps                 float32
	burst               int
	elect               bool
	lease               control.Lease
	verbosity           int
	mutant              string
}

func newSchedulerCommand() *cobra.Command {
	var f schedulerFlags
	cmd := &cobra.Command{
		Use:   "scheduler",
		Short: "Run the reference scheduler against a cluster",
		Long: `Schedule the pods that name this scheduler (schedulerName muster) with their PodGroups and CompositePodGroups, until
interrupted. It logs to stderr. hack/rbac/scheduler.yaml holds the rights it needs. Beside it another scheduler may run,
for other pods and, at best, on other nodes: neither knows what the other is about to bind.`,
		Example: `  muster scheduler --kubeconfig ~/.kube/config
  muster scheduler --scheduler-name muster,muster-batch --head-wait 5m --address :10271`,
		Args: noArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return f.run(cmd.Context(), cmd.Flags()) },
	}
	f.add(cmd.Flags())
	return cmd
}

func (f *schedulerFlags) add(flags *pflag.FlagSet) {
	flags.StringVar(&f.kubeconfig, "kubeconfig", "", "how to reach the cluster (default as kubectl; in a pod, its service account)")
	flags.StringVar(&f.context, "context", "", "context of the kubeconfig")
	flags.StringSliceVar(&f.process.Names, "scheduler-name", []string{control.DefaultName}, "schedulerNames of the pods to schedule")
	flags.DurationVar(&f.process.HeadWait, "head-wait", control.DefaultHeadWait,
		"how long the first of the groups that do not fit lets others pass before room is kept for it")
	flags.IntVar(&f.process.Binders, "bind-parallel", control.DefaultBinders, "how many binds are under way at a time at most")
	flags.BoolVar(&f.process.PreemptForAll, "preempt-for-all", false,
		"evict pods of lower priority also for members beyond a gang's quorum, not for the quorum alone")
	flags.Uint64Var(&f.process.Seed, "seed", 0, "decides between domains that are equally good")
	flags.Float32Var(&f.qps, "kube-api-qps", 1000, "requests to the API server per second at most")
	flags.IntVar(&f.burst, "kube-api-burst", 2000, "requests to the API server at once at most")
	flags.BoolVar(&f.elect, "leader-elect", true, "schedule only while holding a lease")
	flags.StringVar(&f.lease.Namespace, "leader-elect-resource-namespace", "kube-system", "namespace of the lease")
	flags.StringVar(&f.lease.Name, "leader-elect-resource-name", "muster-scheduler", "name of the lease")
	flags.DurationVar(&f.lease.Duration, "leader-elect-lease-duration", 15*time.Second, "after which a lease that is not renewed is anybody's")
	flags.DurationVar(&f.lease.RenewDeadline, "leader-elect-renew-deadline", 10*time.Second, "after which the holder of a lease that it cannot renew gives up")
	flags.DurationVar(&f.lease.RetryPeriod, "leader-elect-retry-period", 2*time.Second, "between tries to get or renew the lease")
	flags.StringVar(&f.process.Address, "address", "127.0.0.1:10271", "where to serve /metrics, /healthz and /readyz over HTTP; empty for nowhere")
	flags.BoolVar(&f.process.SharePort, "permit-port-sharing", false, "let another process hold the same port")
	flags.BoolVar(&f.process.Profiling, "profiling", false, "serve /debug/pprof too")
	flags.StringVar(&f.mutant, "mutant", "", "schedule with a seeded fault, to show that a suite notices it (see muster list mutants)")
	flags.IntVarP(&f.verbosity, "v", "v", 0, "how much to log; 3 tells of every bind")
}

func (f *schedulerFlags) run(ctx context.Context, flags *pflag.FlagSet) error {
	if err := f.check(flags); err != nil {
		return usage(err)
	}
	if f.mutant != "" {
		m, err := mutant.ByName(f.mutant)
		if err != nil {
			return usage(fmt.Errorf("--mutant: %w", err))
		}
		f.process.Fault = m.Fault()
	}
	config, err := f.restConfig()
	if err != nil {
		return usage(fmt.Errorf("finding the cluster: %w (name a file with --kubeconfig)", err))
	}
	config.QPS, config.Burst = f.qps, f.burst
	f.process.REST, f.process.Log = config, logger(f.verbosity)
	if f.elect {
		f.process.Lease = &f.lease
	}
	err = control.RunProcess(ctx, f.process)
	klog.Flush()
	return err
}

func (f *schedulerFlags) restConfig() (*rest.Config, error) {
	rules := clientcmd.NewDefaultClientConfigLoadingRules()
	rules.ExplicitPath = f.kubeconfig
	overrides := &clientcmd.ConfigOverrides{CurrentContext: f.context}
	return clientcmd.NewNonInteractiveDeferredLoadingClientConfig(rules, overrides).ClientConfig()
}

// logger is klog on stderr.
func logger(verbosity int) klog.Logger {
	flags := flag.NewFlagSet("klog", flag.ContinueOnError)
	klog.InitFlags(flags)
	_ = flags.Set("v", strconv.Itoa(verbosity))
	return klog.Background()
}

// schedulerRole is the reference scheduler as a role this binary re-executes itself as: the same command.
func schedulerRole(args []string) int {
	pflag.CommandLine = pflag.NewFlagSet(os.Args[0], pflag.ContinueOnError) // linking Kubernetes has filled it
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	cmd := newSchedulerCommand()
	cmd.SilenceUsage, cmd.SilenceErrors = true, true
	cmd.SetArgs(args)
	if err := cmd.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "%s running the reference scheduler: %v\n", time.Now().Format(time.RFC3339), err)
		return 1
	}
	return 0
}
