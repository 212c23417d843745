package robust

import (
	"context"
	"fmt"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
)

// refusals are the answers that a bind gets once; each gang has its own pool.
var refusals = []int{409, 429, 500, 503}

// refusedSize is the size of the gangs.
const refusedSize = 3

func init() {
	pools := map[string]int{}
	for _, code := range refusals {
		pools[refusedName(code)] = refusedSize
	}
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-bind-refused-once",
		Summary:      "One bind of a gang is refused, with a conflict, for too many requests, and with server errors.",
		Requirements: []string{"ROB-002"},
		Needs:        needs(pools),
		Weight:       12,
		Drive:        driveRefused,
		Judge:        judgeRefused,
	}))
}

func refusedName(code int) string { return fmt.Sprintf("answer%d", code) }

func driveRefused(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	for i, code := range refusals {
		name := refusedName(code)
		// Not always the first: what is bound already must not be forgotten either.
		rule := bindsOf(env, name, name, faults.Fault{Status: code})
		rule.Skip, rule.Times = i%refusedSize, 1
		if err := f.Break(ctx, rule); err != nil {
			return err
		}
		if err := gang(ctx, env, name, name, refusedSize); err != nil {
			return err
		}
	}
	for _, code := range refusals {
		kit.AwaitBound(ctx, env, refusedName(code)+" complete", refusedName(code), refusedSize)
	}
	return ctx.Err()
}

func judgeRefused(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, code := range refusals {
		name := refusedName(code)
		c := kit.For(v, "ROB-002")
		hit(c, v, name, 1)
		out = append(out, completes(c, v, name+" complete", name, refusedSize))
	}
	return out
}
