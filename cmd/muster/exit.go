package main

import (
	"errors"
	"fmt"
)

// Exit codes of the command (docs/exit-codes.md). Where several apply, the first of this order wins: interrupted,
// usage, violations, inconclusive, regression, ok.
const (
	exitOK           = 0
	exitViolations   = 1
	exitUsage        = 2
	exitInconclusive = 3 // inconclusive, a harness error, or a requested profile in which no MUST was executed
	exitRegression   = 4
	exitInterrupted  = 130
)

// exitError is an error that knows the exit code it ends the command with. A nil err ends it without a message: the
// verb has said all there is to say.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// withCode gives err an exit code. A nil err stays nil, so that a return statement can be wrapped as it stands.
func withCode(code int, err error) error {
	if err == nil {
		return nil
	}
	return &exitError{code: code, err: err}
}

// usage marks err as the user's mistake (exit 2): an unknown name, a value that cannot be.
func usage(err error) error { return withCode(exitUsage, err) }

// silently ends the command with a code and no further message; code 0 is success.
func silently(code int) error {
	if code == exitOK {
		return nil
	}
	return &exitError{code: code}
}

// codeOf is the exit code an error ends the command with. An error nobody gave a code to is muster's own (3): nothing
// was found out about the scheduler.
func codeOf(err error) int {
	if err == nil {
		return exitOK
	}
	if e, ok := errors.AsType[*exitError](err); ok {
		return e.code
	}
	return exitInconclusive
}
