package answer

import (
	"context"

	"muster/suites"
)

// Drive sends the rows one after the other and records what comes back. Only a request without any answer is an error.
func Drive(ctx context.Context, env suites.Env, rows []Row) error {
	for _, r := range rows {
		a := r.Request(env)
		if a.Verb == "create" && a.Object.GetName() == "" && a.Object.GetGenerateName() == "" {
			a.Object = a.Object.DeepCopy()
			a.Object.SetName(slug(r.Label()))
		}
		if _, err := env.Try(ctx, r.Label(), a); err != nil {
			return err
		}
	}
	return ctx.Err()
}
