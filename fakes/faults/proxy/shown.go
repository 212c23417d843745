package proxy

import (
	"bufio"
	"io"

	"muster/fakes/faults"
)

// shown is the body of a watch as lenses show it.
type shown struct {
	io.Closer
	p       *Proxy
	request faults.Request
	lenses  []*faults.Lens
	lines   *bufio.Reader
	unseen  map[string]bool
	rest    []byte
	// end is why there is nothing more.
	end error
}

func (p *Proxy) show(body io.ReadCloser, q faults.Request, lenses []*faults.Lens) *shown {
	return &shown{Closer: body, p: p, request: q, lenses: lenses, lines: bufio.NewReader(body), unseen: map[string]bool{}}
}

// Read gives whole events, one after the other.
func (s *shown) Read(into []byte) (int, error) {
	for len(s.rest) == 0 && s.end == nil {
		line, err := s.lines.ReadBytes('\n')
		s.end = err
		if len(line) == 0 || err != nil { // half an event is none
			continue
		}
		s.rest, s.end = s.p.sight.event(s.request, s.lenses, s.unseen, line)
	}
	if len(s.rest) == 0 {
		return 0, s.end
	}
	n := copy(into, s.rest)
	s.rest = s.rest[n:]
	return n, nil
}
