package guard

import (
	"fmt"
	"io"
	"os"
)

// logCap is how large a command's log may grow. A command that prints without end shall not fill the disk the control
// plane's storage lies on.
const logCap = 64 << 20

// copyCapped appends what a command says to its log until the command's end of the pipe is closed. A log that has
// grown to limit is cut: its first half and its last lines are kept, so that both how it began and what it said last
// can always be read. The command never waits for more than a write: what cannot be written is dropped.
func copyCapped(log *os.File, from io.Reader, limit int64) {
	var size int64
	if info, err := log.Stat(); err == nil && info.Mode().IsRegular() {
		size = info.Size()
	}
	buffer := make([]byte, 64<<10)
	for {
		n, err := from.Read(buffer)
		if n > 0 {
			wrote, _ := log.Write(buffer[:n]) // a full disk is no reason to stop reading
			size += int64(wrote)
		}
		if size >= limit {
			size = cut(log, size, limit)
		}
		if err != nil {
			return
		}
	}
}

// cut takes the middle out of a log and gives its new size. The file may be open for appending only, so what is kept
// of its end is read through a descriptor of its own.
func cut(log *os.File, size, limit int64) int64 {
	head := limit / 2
	tail := make([]byte, min(limit/8, 1<<20))
	in, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", log.Fd()))
	if err != nil {
		return 0 // no file that could be cut: a pipe, in tests; ask again a whole log later
	}
	defer func() { _ = in.Close() }()
	n, _ := in.ReadAt(tail, size-int64(len(tail)))
	if err := log.Truncate(head); err != nil {
		return 0
	}
	note := fmt.Sprintf("\nguard: %d bytes of output left out here, to keep the log below %d\n", size-head-int64(n), limit)
	wrote, _ := log.Write(append([]byte(note), tail[:n]...))
	return head + int64(wrote)
}
