package main

import (
	"os"
	"syscall"
	"unsafe"
)

// terminalWidth is the number of characters on a line of the terminal that stdout is, if it is one.
func terminalWidth() (int, bool) {
	var size struct{ rows, columns, x, y uint16 }
	_, _, errno := syscall.Syscall(syscall.SYS_IOCTL, os.Stdout.Fd(), syscall.TIOCGWINSZ, uintptr(unsafe.Pointer(&size)))
	return int(size.columns), errno == 0 && size.columns > 0
}
