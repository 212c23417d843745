package history

import (
	"bufio"
	"errors"
	"fmt"
	"io"
)

// errLine marks what is wrong with a line as such; the lines behind it can be read.
var errLine = errors.New("bad line")

// lines reads a file line by line and counts them.
type lines struct {
	r    *bufio.Reader
	line int64
}

// next is the next line without its end. io.EOF follows the last one. A line without an end is one that was cut off:
// every line of a history ends in a newline, so that half a line is never mistaken for a whole one.
func (l *lines) next() ([]byte, error) {
	l.line++
	var text []byte
	long := false
	for {
		part, err := l.r.ReadSlice('\n')
		if !long {
			text = append(text, part...)
		}
		if len(text) > MaxLine {
			long, text = true, nil
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case err == io.EOF && len(text) == 0 && !long:
			return nil, io.EOF
		case err == io.EOF && !long:
			return nil, fmt.Errorf("%w: it is cut off (%d bytes without a newline at the end of the file)", errLine, len(text))
		case err != nil && err != io.EOF:
			return nil, err
		case long:
			return nil, fmt.Errorf("%w: it is longer than the limit of %d bytes (%d MiB) a line", errLine, MaxLine, MaxLine>>20)
		}
		return text[:len(text)-1], nil
	}
}
