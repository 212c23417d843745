// Package arrive decides when the pieces of a load are submitted, and keeps account of when they really were.
//
// There are three ways for a load to arrive. A closed burst (Burst) comes as fast as its workers can submit. A backlog is
// a burst that is complete before the scheduler is let go (Run with a Gate): it measures the scheduler and not its
// creator. An open loop (Even, Poisson, Steps) has an intended time for every item, which does not depend on how the
// cluster is doing: when the API server stalls for a second, the items of that second are late, and say so, instead of
// never having been meant to come. That is what is called coordinated omission when it is done wrong. So lateness is
// always that against the intended time.
//
//	schedule := arrive.Poisson(1000, 20, seed) // 1,000 gangs at 20 a second
//	account, err := arrive.Run(ctx, schedule, arrive.Options{}, func(ctx context.Context, item arrive.Item) error {
//		return create(ctx, gangs[item.Index])
//	})
//
// What an item is (a pod, a gang with its pods) is the caller's business. A schedule is data: the same arguments and the
// same seed give the same one. The clock is injected.
package arrive
