package conduct

import (
	"math"
	"runtime/debug"
	"syscall"
)

// memory of this machine in bytes; 0 where it cannot be told.
func memory() int64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}

// frugal asks Go's garbage collector to stay below two gibibytes where it can, instead of letting the heap grow to twice of
// what is needed. Where more is needed more is taken, at the cost of time. A limit that the user has set stands.
func frugal() {
	const limit = 1792 << 20 // what the runtime counts is less than what the kernel does
	if debug.SetMemoryLimit(-1) == math.MaxInt64 {
		debug.SetMemoryLimit(limit)
	}
}
