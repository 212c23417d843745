package main

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"muster/fakes/component"
	"muster/fakes/undertest"
)

func main() {
	// Before anything of muster's own: these arguments may name a role of the control plane.
	component.Main(os.Args, map[string]component.Role{undertest.Reference: schedulerRole})

	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the command the hard way
	}()
	err := newRootCommand().ExecuteContext(ctx)
	if err != nil && hasMessage(err) {
		fmt.Fprintf(os.Stderr, "muster: %v\n", err)
	}
	os.Exit(codeOf(err)) //nolint:gocritic // stop only unregisters signal handlers
}
