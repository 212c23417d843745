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
		l, err := s.catchUp(ctx, partOf{})
		if err == nil {
			err = s.consistent(history.Closing, l.rv, l.all)
		}
		if err != nil {
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
