package component

import (
	"flag"
	"fmt"
	"os"

	"github.com/spf13/pflag"
	"sigs.k8s.io/kwok/pkg/config"
	kwokcmd "sigs.k8s.io/kwok/pkg/kwok/cmd"
	"sigs.k8s.io/kwok/pkg/log"
	"sigs.k8s.io/kwok/pkg/utils/signals"
)

// kwok is kwok's command. It reads its configuration files while its flags are being set up, hence the flag set that
// is parsed ahead of the command. cobra adds pflag.CommandLine to every root command, and linking Kubernetes has put
// flags of the same names (--version) there: the role starts with a clean one.
func kwok(args []string) int {
	pflag.CommandLine = pflag.NewFlagSet(os.Args[0], pflag.ExitOnError)
	flag.CommandLine = flag.NewFlagSet(os.Args[0], flag.ExitOnError)

	early := pflag.NewFlagSet("kwok", pflag.ContinueOnError)
	early.ParseErrorsAllowlist.UnknownFlags = true
	early.Usage = func() {}
	ctx, _ := log.InitFlags(signals.SetupSignalContext(), early)
	ctx, err := config.InitFlags(ctx, early)
	if err != nil {
		fmt.Fprintf(os.Stderr, "reading kwok's configuration: %v\n", err)
		return 1
	}
	command := kwokcmd.NewCommand(ctx)
	command.PersistentFlags().AddFlagSet(early)
	command.SetArgs(args)
	if err := command.ExecuteContext(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "running kwok: %v\n", err)
		return 1
	}
	return 0
}
