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
	component.Main(os.Args, map[string]component.Role{undertest.Reference: schedulerRole, undertest.Ceiling: ceilingRole})

	ctx, stop := signal.NotifyContext(context.Background(), interrupts()...)
	defer stop()
	go func() {
		<-ctx.Done()
		stop() // a second Ctrl-C ends the command the hard way
	}()
	surviveClosedPipes()
	err := newRootCommand().ExecuteContext(ctx)
	if outputClosed(err) {
		os.Exit(128 + int(syscall.SIGPIPE)) //nolint:gocritic // as a program that does not handle the signal
	}
	if err != nil && hasMessage(err) {
		fmt.Fprintf(os.Stderr, "muster: %v\n", err)
	}
	os.Exit(codeOf(err)) //nolint:gocritic // stop only unregisters signal handlers
}
