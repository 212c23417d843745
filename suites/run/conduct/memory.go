package conduct

import "syscall"

// memory of this machine in bytes; 0 where it cannot be told.
func memory() int64 {
	var info syscall.Sysinfo_t
	if err := syscall.Sysinfo(&info); err != nil {
		return 0
	}
	return int64(info.Totalram) * int64(info.Unit)
}
