package undertest

import "context"

// Kill ends it without asking: what is on its way is left half done. Killing one that does not run is no error.
func (s *Scheduler) Kill(context.Context) error {
	s.mu.Lock()
	p := s.process
	s.mu.Unlock()
	if p != nil {
		p.Usage() // the last look: what it has used is kept
		p.Kill()
	}
	return nil
}
