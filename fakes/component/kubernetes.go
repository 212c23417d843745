package component

import (
	_ "time/tzdata" // CronJobs name time zones

	"github.com/spf13/cobra"
	"k8s.io/component-base/cli"
	_ "k8s.io/component-base/metrics/prometheus/clientgo" // metrics of the clients, as the released binaries have them
	_ "k8s.io/component-base/metrics/prometheus/version"  // the version metric
	apiserverapp "k8s.io/kubernetes/cmd/kube-apiserver/app"
	controllermanagerapp "k8s.io/kubernetes/cmd/kube-controller-manager/app"
	schedulerapp "k8s.io/kubernetes/cmd/kube-scheduler/app"
)

// The three roles are Kubernetes' own commands, unchanged: what is judged is what is released.

func apiserver(args []string) int { return kubernetes(apiserverapp.NewAPIServerCommand(), args) }

func controllerManager(args []string) int {
	return kubernetes(controllermanagerapp.NewControllerManagerCommand(), args)
}

func scheduler(args []string) int { return kubernetes(schedulerapp.NewSchedulerCommand(), args) }

func kubernetes(command *cobra.Command, args []string) int {
	command.SetArgs(args)
	return cli.Run(command)
}
