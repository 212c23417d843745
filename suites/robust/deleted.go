package robust

import (
	"context"
	"fmt"
	"slices"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// deletedSize is the size of the gangs and of the pools.
const deletedSize = 2

// stages at which a gang is deleted: with fewer members than it needs, with members that wait for a gate, without room,
// half bound, and bound.
var stages = []string{"short", "gated", "waiting", "binding", "bound"}

// doomed is a kind of gang that is deleted: the pieces it is made of, in the order in which they are created, pods last.
type doomed struct {
	pieces []piece
	// first are the pieces with which its deletion begins, one after the other; the others follow in order.
	first []string
	// gang and pod add what ties them to the pieces before them.
	gang func(name string, g *build.Gang)
	pod  func(name string, p *build.Pod)
}

// piece is what a gang has beside its pods.
type piece struct {
	name           string
	create, delete func(ctx context.Context, env suites.Env, d doomed, gang string, quorum int) error
}

// group is the gang's own object.
var group = piece{
	name: "group",
	create: func(ctx context.Context, env suites.Env, d doomed, gang string, quorum int) error {
		g := build.Gang{Name: gang, Quorum: int32(quorum)}
		if d.gang != nil {
			d.gang(gang, &g)
		}
		return env.CreateGang(ctx, g)
	},
	delete: func(ctx context.Context, env suites.Env, _ doomed, gang string, _ int) error {
		return env.DeleteGang(ctx, gang)
	},
}

// pods are its members.
const pods = "pods"

// plainly is a gang of a group and pods.
var plainly = doomed{pieces: []piece{group}, first: []string{"group", pods}}

// each calls f for every stage and every beginning of a deletion, with the name of the gang and of its pool.
func (d doomed) each(f func(stage, first, name string)) {
	for _, stage := range stages {
		for _, first := range d.first {
			f(stage, first, stage+"-"+first)
		}
	}
}

// pools are one for each.
func (d doomed) pools() map[string]int {
	out := map[string]int{}
	d.each(func(_, _, name string) { out[name] = deletedSize })
	return out
}

func init() {
	suites.Register(scenario(suites.Scenario{
		Name: "robust-deleted-at-every-stage",
		Summary: "Gangs are deleted while they are incomplete, gated, without room, being bound, and bound, group or pods first; " +
			"the next one takes their room.",
		Requirements: []string{"ROB-009"},
		Needs:        needs(plainly.pools()),
		Weight:       18,
		Drive:        plainly.drive,
		Judge:        plainly.judge("ROB-009"),
	}))
}

// drive brings a gang to each stage and deletes it, and creates the next one for its room.
func (d doomed) drive(ctx context.Context, env suites.Env) (err error) {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	var names []string
	d.each(func(stage, first, name string) {
		if err != nil || ctx.Err() != nil {
			return
		}
		names = append(names, name)
		err = d.replace(ctx, env, f, stage, first, name)
	})
	if err != nil {
		return err
	}
	for _, name := range names {
		kit.AwaitBound(ctx, env, "next-"+name+" complete", "next-"+name, deletedSize)
	}
	return ctx.Err()
}

// replace is what becomes of one.
func (d doomed) replace(ctx context.Context, env suites.Env, f suites.Faults, stage, first, name string) error {
	if err := d.bringTo(ctx, env, f, stage, name); err != nil {
		return err
	}
	if err := d.remove(ctx, env, stage, first, name); err != nil {
		return err
	}
	if stage == "binding" {
		if err := f.Mend(ctx, name); err != nil {
			return err
		}
	}
	env.Mark(ctx, name+" deleted")
	return d.make(ctx, env, "next-"+name, deletedSize, d.members("", "next-"+name, name))
}

// bringTo creates a gang and waits until it has come to the stage, or for as long as that may take.
func (d doomed) bringTo(ctx context.Context, env suites.Env, f suites.Faults, stage, name string) error {
	quorum := deletedSize
	if stage == "waiting" {
		quorum++ // one more than there is room for
	}
	if stage == "binding" {
		rule := bindsOf(env, name, name, faults.Fault{Hang: true})
		rule.Skip = 1
		if err := f.Break(ctx, rule); err != nil {
			return err
		}
	}
	members := d.members(stage, name, name)
	if err := d.make(ctx, env, name, quorum, members); err != nil {
		return err
	}
	reached := map[string]kit.Cond{
		"short": kit.MembersSeen(name, len(members)), "gated": kit.MembersSeen(name, len(members)),
		"waiting": kit.Tried(name), "binding": struck(name, 1), "bound": kit.Bound(name, deletedSize),
	}[stage]
	env.Await(ctx, name, env.Settle(1), reached)
	return ctx.Err()
}

// members of a gang that is brought to the stage.
func (d doomed) members(stage, name, pool string) []build.Pod {
	n := map[string]int{"short": deletedSize - 1, "waiting": deletedSize + 1}[stage]
	if n == 0 {
		n = deletedSize
	}
	out := kit.Members(n, name, pool)
	for i := range out {
		if stage == "gated" {
			out[i].Gates = []string{"robust.muster.dev/later"}
		}
		if d.pod != nil {
			d.pod(name, &out[i])
		}
	}
	return out
}

// make creates a gang, piece by piece.
func (d doomed) make(ctx context.Context, env suites.Env, name string, quorum int, members []build.Pod) error {
	for _, p := range d.pieces {
		if err := p.create(ctx, env, d, name, quorum); err != nil {
			return fmt.Errorf("creating the %s of gang %s: %w", p.name, name, err)
		}
	}
	return env.CreatePods(ctx, members...)
}

// remove deletes a gang, one kind of its pieces before the others.
func (d doomed) remove(ctx context.Context, env suites.Env, stage, first, name string) error {
	deeds := map[string]func() error{pods: func() error {
		return env.DeletePods(ctx, build.Names(d.members(stage, name, name))...)
	}}
	order := []string{first}
	for _, p := range d.pieces {
		deeds[p.name] = func() error { return p.delete(ctx, env, d, name, 0) }
		order = append(order, p.name)
	}
	order = append(order, pods)
	for i, what := range order {
		if slices.Contains(order[:i], what) {
			continue
		}
		if err := deeds[what](); err != nil {
			return fmt.Errorf("deleting the %s of gang %s: %w", what, name, err)
		}
	}
	return nil
}

// judge judges that the next gang was bound each time.
func (d doomed) judge(id string) func(*history.View) []suites.Finding {
	return func(v *history.View) (out []suites.Finding) {
		d.each(func(stage, _, name string) {
			c := kit.For(v, id)
			c.Mark(name + " deleted")
			if stage == "binding" {
				hit(c, v, name, 1)
			}
			out = append(out, completes(c, v, "next-"+name+" complete", "next-"+name, deletedSize))
		})
		return out
	}
}
