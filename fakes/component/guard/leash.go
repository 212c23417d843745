package guard

import (
	"errors"
	"fmt"
	"os"
	"syscall"

	"muster/fakes/cluster/process"
)

// Leash is the read end of a pipe whose write end lies in the parent. Nothing is ever written to it; its end-of-file
// is the parent's end.
type Leash struct{ file *os.File }

var errNoLeash = errors.New("roles are started by muster itself, which holds a pipe to each of them as descriptor " +
	"3 so that none outlives it; to run a cluster by hand use muster up")

// PickUp takes hold of the inherited descriptor and keeps the role's own children from inheriting it.
func PickUp() (Leash, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(process.LeashFD, &st); err != nil || st.Mode&syscall.S_IFMT != syscall.S_IFIFO {
		return Leash{}, errNoLeash
	}
	syscall.CloseOnExec(process.LeashFD)
	// Reads block a goroutine in the poller, not a thread.
	if err := syscall.SetNonblock(process.LeashFD, true); err != nil {
		return Leash{}, fmt.Errorf("taking up the leash: %w", err)
	}
	return Leash{os.NewFile(process.LeashFD, "leash")}, nil
}

// wait returns when the parent has ended or let go.
func (l Leash) wait() {
	var b [1]byte
	for {
		n, err := l.file.Read(b[:])
		if n == 0 && err != nil {
			return
		}
	}
}

// EndGroup waits for the parent's end and then ends this process and everything in its group, at once and without
// any say: there is nobody left to read what a graceful shutdown would have saved.
func (l Leash) EndGroup() {
	l.wait()
	if pid := os.Getpid(); syscall.Getpgrp() == pid {
		_ = syscall.Kill(-pid, syscall.SIGKILL)
	}
	os.Exit(1) // not the leader of a group: end this process alone
}
