package kit

import (
	"context"
	"fmt"

	"muster/suites"
	"muster/workloads/build"
)

// Worker is the shape most scenarios use: one GPU is what is scarce, the CPU is there to be more than nothing.
var Worker = build.Shape{CPU: "1", GPUs: 1}

// Member is a pod of the gang on the pool, of shape Worker. Its name is the gang's; Replicas numbers it.
func Member(gang, pool string) build.Pod {
	return build.Pod{Name: gang, Gang: gang, Pool: pool, Shape: Worker}
}

// Members are n pods of the gang on the pool, of shape Worker, named gang-0 … .
func Members(n int, gang, pool string) []build.Pod { return build.Replicas(n, Member(gang, pool)) }

// Plain is a pod of shape Worker on the pool that belongs to no gang.
func Plain(name, pool string) build.Pod { return build.Pod{Name: name, Pool: pool, Shape: Worker} }

// CreateGang creates the gang's object and then its members, in order.
func CreateGang(ctx context.Context, env suites.Env, g build.Gang, members ...build.Pod) error {
	if err := env.CreateGang(ctx, g); err != nil {
		return fmt.Errorf("creating gang %s: %w", g.Name, err)
	}
	if err := env.CreatePods(ctx, members...); err != nil {
		return fmt.Errorf("creating the members of gang %s: %w", g.Name, err)
	}
	return nil
}

// Occupy takes up one slot of shape Worker on each of the pool's first n nodes with pods named name-0 … that are
// created on their nodes, so that no scheduler has a part in it. It returns once they are seen, with their names:
// deleting one of them makes room. class is their priority class (empty for none).
func Occupy(ctx context.Context, env suites.Env, pool, name, class string, n int) ([]string, error) {
	on := env.Pool(pool).Nodes()
	if n > len(on) {
		return nil, fmt.Errorf("occupying %d nodes of pool %s: it has %d; give it more nodes or occupy fewer", n, pool, len(on))
	}
	p := Plain(name, pool)
	p.PriorityClass = class
	pods := build.Replicas(n, p)
	for i := range pods {
		pods[i].NodeName = on[i]
	}
	if err := env.CreatePods(ctx, pods...); err != nil {
		return nil, fmt.Errorf("occupying pool %s: %w", pool, err)
	}
	names := build.Names(pods)
	env.Await(ctx, "the room is taken", Patience(env, 1), PodsBound(names...))
	return names, nil
}

// Herald creates a plain pod in a pool and returns when the scheduler has bound it. Pods come to a scheduler in the order
// in which they were created, through one watch: by then it knows all that were there before. Needed where what comes next is
// no pod, which may reach it earlier.
func Herald(ctx context.Context, env suites.Env, pool, name string) error {
	if err := env.CreatePods(ctx, Plain(name, pool)); err != nil {
		return fmt.Errorf("telling the scheduler of the pods before pod %s: %w", name, err)
	}
	env.Await(ctx, "the scheduler knows the pods before "+name, Patience(env, 1), PodsBound(name))
	return nil
}

// Vacate deletes pods and returns once they are gone (or cannot be waited for any longer).
func Vacate(ctx context.Context, env suites.Env, names ...string) error {
	if err := env.DeletePods(ctx, names...); err != nil {
		return fmt.Errorf("making room: %w", err)
	}
	env.Await(ctx, "the pods are gone", Patience(env, 1), PodsGone(names...))
	return nil
}
