package process

import (
	"os"
	"sync"
	"syscall"
)

// A guard ends what its command has started. A guard that is itself killed (kill -9, the kernel short of memory) takes
// only the command along, by its parent-death signal: what the command has started becomes an orphan. So whoever starts
// a guard makes itself the reaper of orphans below it, and ends those that come to it when a guard has ended.

// own are the children this package has started and not reaped yet: none of them is an orphan.
var own = struct {
	sync.Mutex
	pids map[int]bool
}{pids: map[int]bool{}}

// started runs start, which forks, and notes the child before anybody can take it for an orphan.
func started(start func() (pid int, err error)) error {
	own.Lock()
	defer own.Unlock()
	pid, err := start()
	if err == nil {
		own.pids[pid] = true
	}
	return err
}

func reaped(pid int) {
	own.Lock()
	defer own.Unlock()
	delete(own.pids, pid)
}

// adoptOrphans makes orphaned descendants children of this process instead of init's. It holds for this process alone:
// a child does not inherit it.
var adoptOrphans = sync.OnceValue(BecomeSubreaper)

// BecomeSubreaper makes orphaned descendants children of this process instead of init's, as long as it lives.
func BecomeSubreaper() error {
	const prSetChildSubreaper = 36 // PR_SET_CHILD_SUBREAPER
	if _, _, errno := syscall.Syscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0); errno != 0 {
		return errno
	}
	return nil
}

// endOrphans ends what dead guards have left to this process, until nothing of it is alive, and reaps it.
//
// An orphan is a child that this package has not started and that is not in this process's group, where children
// started in other ways are (one with a group of its own does not belong beside guards); what a guard's command starts
// is in the command's group or in one of its own. Killing an orphan makes its children ours, so that the next look finds
// those. A look that finds nobody is taken a second time: who forks and ends while /proc is being read can hide a child.
func endOrphans() {
	for empty := 0; empty < 2; {
		var ended []int
		for _, pid := range orphans() {
			if syscall.Kill(pid, syscall.SIGKILL) == nil { // another user's (sudo) cannot be ended, nor waited for
				ended = append(ended, pid)
			}
		}
		for _, pid := range ended {
			for {
				if _, err := syscall.Wait4(pid, nil, 0, nil); err != syscall.EINTR {
					break
				}
			}
		}
		if len(ended) == 0 {
			empty++
		} else {
			empty = 0
		}
	}
}

// orphans are looked for with the lock held: no child of ours can be between its fork and its note.
func orphans() []int {
	own.Lock()
	defer own.Unlock()
	self, group := os.Getpid(), syscall.Getpgrp()
	var out []int
	for pid, s := range processes() {
		if s.parent == self && s.group != group && !own.pids[pid] {
			out = append(out, pid)
		}
	}
	return out
}
