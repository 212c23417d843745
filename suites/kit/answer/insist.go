package answer

import (
	"context"
	"fmt"
	"time"

	"muster/suites"
)

// Tries of Insist, and the pause between two of them: ten seconds in all.
const (
	tries = 50
	pause = 200 * time.Millisecond
)

// Insist sends a request until it is accepted: for what an API server knows from a watch of its own (priority classes)
// and may learn a moment after it was written. After the last try the driver goes on; the rows that follow show it.
func Insist(ctx context.Context, env suites.Env, name string, q Request) error {
	for i := range tries {
		label := fmt.Sprintf("%s, try %d", name, i+1)
		a := q(env)
		if a.Verb == "create" && a.Object.GetName() == "" {
			a.Object = a.Object.DeepCopy()
			a.Object.SetName(slug(label))
		}
		resp, err := env.Try(ctx, label, a)
		if err != nil || resp.OK() {
			return err
		}
		env.Hold(ctx, name, pause)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}
