package topology

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/suites/premise"
)

func init() {
	suites.Register(suites.Scenario{
		Name:         "topology-packing",
		Profile:      "topology",
		Summary:      "A gang fits into racks with 2, 3 and 4 free slots; then one comes that needs the empty rack.",
		Requirements: []string{"TAS-010"},
		Needs:        needs(racks(3, 4, 1)),
		Weight:       20,
		Drive:        drivePacking,
		Judge:        judgePacking,
	})
}

func drivePacking(ctx context.Context, env suites.Env) error {
	taken := append(rack(env, 1)[:1:1], rack(env, 2)[:2]...)
	if _, err := fill(ctx, env, "taken", "", taken...); err != nil {
		return err
	}
	env.Mark(ctx, "ready")
	if err := kit.CreateGang(ctx, env, racked(env, "small", 2), kit.Members(2, "small", mainPool)...); err != nil {
		return err
	}
	if !kit.AwaitBound(ctx, env, "small bound", "small", 2) {
		return ctx.Err()
	}
	if err := kit.CreateGang(ctx, env, racked(env, "large", 4), kit.Members(4, "large", mainPool)...); err != nil {
		return err
	}
	env.Await(ctx, "the large gang is bound", env.Settle(1), kit.Bound("large", 4))
	env.Mark(ctx, "done")
	return ctx.Err()
}

func judgePacking(v *history.View) []suites.Finding {
	c := kit.For(v, "TAS-010")
	ready, done := c.Mark("ready"), c.Mark("done")
	small, large := v.Members("small"), v.Members("large")
	var choices []premise.Domain
	if !ready.IsZero() {
		var err error
		choices, err = premise.Domains(v, ready, small, keyOf(v, "small"), 8)
		c.Premise(len(choices) > 0, err, "there are racks to choose from")
	}
	tightest, taken := 0, 0
	in := domainsAt(v, "small", done)
	for _, d := range choices {
		if d.Fits >= len(small) && (tightest == 0 || d.Free < tightest) {
			tightest = d.Free
		}
		if len(in) == 1 && d.Value == in[0] {
			taken = d.Free
		}
	}
	c.Premise(len(in) == 1, nil, "the small gang was bound in one rack")
	return []suites.Finding{c.Saw(
		fmt.Sprintf("rack with %d free slots taken, tightest %d; then %d of %d of the large gang bound", taken, tightest, len(v.BoundAt("large", done)), len(large)),
		"how tightly a gang of %d is packed, and whether one of %d still finds a rack", len(small), len(large))}
}
