package arrive

import (
	"context"
	"time"
)

// Clock is what time it is, and how to wait for another.
type Clock interface {
	Now() time.Time
	// Until waits for a time. It returns at once where that has passed, and with the context's error where that ends
	// first.
	Until(ctx context.Context, t time.Time) error
}

// System is the machine's monotonic clock.
type System struct{}

// Now is the present time.
func (System) Now() time.Time { return time.Now() }

// Until waits on a timer.
func (System) Until(ctx context.Context, t time.Time) error {
	d := time.Until(t)
	if d <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
