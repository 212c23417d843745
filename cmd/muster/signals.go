package main

import (
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"syscall"
)

// interrupts are the signals that ask the command to end in order: to report what it has, and to clean up. A hangup (the
// terminal is gone) is one of them, unless whoever started the command had it ignored (nohup).
func interrupts() []os.Signal {
	out := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		out = append(out, syscall.SIGHUP)
	}
	return out
}

// surviveClosedPipes keeps a reader that has gone (muster conformance 2>&1 | head -1) from killing the command in the
// middle of a run, with a control plane up and nothing written. The write fails instead. The signal is caught, not
// ignored: an ignored one would be inherited by every child.
func surviveClosedPipes() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// outputClosed reports whether a verb failed only because nobody reads its output any more.
func outputClosed(err error) bool {
	wrote, ok := errors.AsType[*fs.PathError](err)
	return ok && wrote.Path == os.Stdout.Name() && errors.Is(wrote.Err, syscall.EPIPE)
}
