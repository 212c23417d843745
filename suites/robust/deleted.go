package robust

import (
	"context"
	"fmt"

	"muster/fakes/faults"
	"muster/suites"
	"muster/suites/history"
	"muster/suites/kit"
	"muster/workloads/build"
)

// deletedSize is the size of the gangs and of the pools.
const deletedSize = 2

// stages at which a gang is deleted, group first and then pods, and pods first and then group.
var stages = []string{"waiting", "binding", "bound"}

// orders of deletion.
var orders = []string{"group", "pods"}

func init() {
	pools := map[string]int{}
	for _, s := range stages {
		for _, o := range orders {
			pools[s+"-"+o] = deletedSize
		}
	}
	suites.Register(scenario(suites.Scenario{
		Name:         "robust-deleted-at-every-stage",
		Summary:      "Gangs are deleted while they wait, are being bound, and are bound, group or pods first; the next one takes their room.",
		Requirements: []string{"ROB-009"},
		Needs:        needs(pools),
		Weight:       15,
		Drive:        driveDeleted,
		Judge:        judgeDeleted,
	}))
}

func driveDeleted(ctx context.Context, env suites.Env) error {
	f, err := suites.FaultsOf(env)
	if err != nil {
		return err
	}
	var names []string
	for _, stage := range stages {
		for _, order := range orders {
			name := stage + "-" + order
			names = append(names, name)
			if err := bringTo(ctx, env, f, stage, name); err != nil {
				return err
			}
			if err := remove(ctx, env, order, name); err != nil {
				return err
			}
			if stage == "binding" {
				if err := f.Mend(ctx, name); err != nil {
					return err
				}
			}
			env.Mark(ctx, name+" deleted")
			if err := gang(ctx, env, "next-"+name, name, deletedSize); err != nil {
				return err
			}
		}
	}
	for _, name := range names {
		kit.AwaitBound(ctx, env, "next-"+name+" complete", "next-"+name, deletedSize)
	}
	return ctx.Err()
}

// bringTo creates a gang and waits until it has come to the stage, or for as long as that may take.
func bringTo(ctx context.Context, env suites.Env, f suites.Faults, stage, name string) error {
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
	if err := gang(ctx, env, name, name, quorum); err != nil {
		return err
	}
	reached := map[string]kit.Cond{
		"waiting": kit.Tried(name), "binding": struck(name, 1), "bound": kit.Bound(name, deletedSize),
	}[stage]
	env.Await(ctx, name, env.Settle(1), reached)
	return ctx.Err()
}

// remove deletes a gang's group and its pods in the order that is told by its first half.
func remove(ctx context.Context, env suites.Env, order, name string) error {
	group := func() error { return env.DeleteGang(ctx, name) }
	pods := func() error {
		n := deletedSize
		if name == "waiting-"+order {
			n++
		}
		return env.DeletePods(ctx, build.Names(kit.Members(n, name, name))...)
	}
	deeds := []func() error{group, pods}
	if order == "pods" {
		deeds = []func() error{pods, group}
	}
	for _, deed := range deeds {
		if err := deed(); err != nil {
			return fmt.Errorf("deleting gang %s: %w", name, err)
		}
	}
	return nil
}

func judgeDeleted(v *history.View) []suites.Finding {
	var out []suites.Finding
	for _, stage := range stages {
		for _, order := range orders {
			name := stage + "-" + order
			c := kit.For(v, "ROB-009")
			c.Mark(name + " deleted")
			if stage == "binding" {
				hit(c, v, name, 1)
			}
			out = append(out, completes(c, v, "next-"+name+" complete", "next-"+name, deletedSize))
		}
	}
	return out
}
