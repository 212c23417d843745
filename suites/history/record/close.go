package record

import (
	"context"
	"errors"
	"fmt"

	"muster/suites/history"
)

// Close completes the record: for every resource it waits until the watch has told what a consistent list shows,
// writes the list down, and then ends the watches and closes the file. Where the context ends first the list is left
// out, so that readers see that the record may be incomplete, and the error says so. Calling it again changes nothing.
func (r *Recorder) Close(ctx context.Context) error {
	if r.isClosed() {
		return r.Err()
	}
	var errs []error
	for _, s := range r.streams {
		if err := s.conclude(ctx); err != nil {
			errs = append(errs, fmt.Errorf("closing the record of %s: %w", s.gvr.Resource, err))
		}
	}
	r.stop()
	r.running.Wait()
	if err := r.finish(); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}

// conclude writes down what a consistent list shows, at a moment at which the events add up to it. An object of a short life,
// of which neither beginning nor end had been told when the list was compared, may begin before the list is written: then
// its end is waited for.
func (s *stream) conclude(ctx context.Context) error {
	l, err := s.catchUp(ctx, partOf{})
	if err != nil {
		return err
	}
	raw, err := s.write(l.all)
	if err != nil {
		return err
	}
	agree := func() bool { return s.missing(l, partOf{}, "") == "" }
	for !s.eventIf(agree, history.Closing, history.VerbSync, history.Event{RV: l.rv, Object: raw}, nil) {
		if err := s.toldOf(ctx, l, partOf{}); err != nil {
			return err
		}
	}
	return nil
}
