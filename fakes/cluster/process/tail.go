package process

import (
	"io"
	"os"
	"strings"
)

// tailBytes bounds how much of a log is read back.
const tailBytes = 256 << 10

// Tail is the end of a file, at most the given number of lines; nil where it cannot be read. A line that began before
// the bytes looked at is left out rather than shown cut.
func Tail(path string, lines int) []string {
	f, err := os.Open(path)
	if err != nil || lines <= 0 {
		return nil
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil
	}
	from := max(0, info.Size()-tailBytes)
	data, err := io.ReadAll(io.NewSectionReader(f, from, tailBytes))
	if err != nil {
		return nil
	}
	text := strings.TrimRight(string(data), "\n")
	if text == "" {
		return nil
	}
	all := strings.Split(text, "\n")
	if from > 0 && len(all) > 1 {
		all = all[1:]
	}
	return all[max(0, len(all)-lines):]
}
