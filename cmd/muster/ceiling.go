package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/pflag"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"

	"muster/perf/ceiling"
)

// ceilingRole is the binder that makes no decision as a role this binary re-executes itself as.
func ceilingRole(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	if err := runCeiling(ctx, args); err != nil {
		fmt.Fprintf(os.Stderr, "%s running the ceiling: %v\n", time.Now().Format(time.RFC3339), err)
		return 1
	}
	return 0
}

func runCeiling(ctx context.Context, args []string) error {
	var (
		o          ceiling.ProcessOptions
		kubeconfig string
		qps        float32
		burst      int
		verbosity  int
	)
	flags := pflag.NewFlagSet("ceiling", pflag.ContinueOnError)
	flags.StringVar(&kubeconfig, "kubeconfig", "", "how to reach the cluster")
	flags.StringSliceVar(&o.Names, "scheduler-name", nil, "schedulerNames of the pods to bind (default "+ceiling.DefaultName+")")
	flags.IntVar(&o.Concurrency, "concurrency", ceiling.DefaultConcurrency, "binds under way at a time at most; as many conditions are written beside them")
	flags.IntVar(&o.Connections, "connections", ceiling.DefaultConnections, "connections to send them on")
	flags.Float32Var(&qps, "kube-api-qps", 1000, "requests to the API server per second at most")
	flags.IntVar(&burst, "kube-api-burst", 2000, "requests to the API server at once at most")
	flags.StringVar(&o.Address, "address", "", "where to serve /metrics and /readyz over HTTP; empty for nowhere")
	flags.IntVarP(&verbosity, "v", "v", 0, "how much to log")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if o.Concurrency < 1 || o.Connections < 1 || qps <= 0 || burst < 1 {
		return errors.New("--concurrency, --connections, --kube-api-qps and --kube-api-burst have to be positive")
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		return fmt.Errorf("finding the cluster: %w", err)
	}
	config.QPS, config.Burst = qps, burst
	o.REST, o.Log = config, logger(verbosity)
	err = ceiling.RunProcess(ctx, o)
	klog.Flush()
	return err
}
