package robust

import (
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

// Leaders after whom all is well, who leave a gang in part for good, or give room away that is taken.
func leaderStories() (out []kittest.Story) {
	for _, s := range []struct {
		name         string
		stuck, stale bool
		want         kittest.Verdicts
	}{
		{"well", false, false, kittest.Verdicts{"ROB-014": pass, "ROB-015": pass}},
		{"stuck", true, false, kittest.Verdicts{"ROB-014": fail, "ROB-015": pass}},
		{"stale", false, true, kittest.Verdicts{"ROB-014": pass, "ROB-015": fail}},
	} {
		b := historytest.New()
		for _, how := range ends {
			tellLeader(b, how, s.stuck, s.stale)
		}
		out = append(out, kittest.Story{Scenario: "robust-leader-gone", Name: s.name, Tell: b, Want: s.want})
	}
	return out
}

func tellLeader(b *historytest.Builder, how string, stuck, stale bool) {
	half, whole, next := how+"-half", how+"-whole", how+"-next"
	node := func(pool string, i int) string { return fmt.Sprintf("%s-node-%d", pool, i) }
	in := func(pool string) historytest.PodOption {
		return func(p *corev1.Pod) { p.Spec.NodeSelector = map[string]string{"pool": pool} }
	}
	bind := func(gang string, i int, pool string) { b.Bind(fmt.Sprintf("%s-%d", gang, i), node(pool, i)) }
	for _, pool := range []string{half, whole} {
		for i := range leaderSize {
			b.Node(node(pool, i), historytest.Has("nvidia.com/gpu=1"), historytest.NodeLabel("pool", pool))
		}
	}
	for gang, pool := range map[string]string{half: half, whole: whole, next: whole} {
		b.Gang(gang, leaderSize).Pods(gang, leaderSize, worker, in(pool))
	}
	bind(half, 0, half)
	for i := range leaderSize {
		bind(whole, i, whole)
	}
	b.StopScheduler().Mark(how).StartScheduler()
	if stale {
		bind(next, 0, whole)
	}
	if stuck {
		b.Wait(time.Minute)
	} else {
		bind(half, 1, half)
	}
	b.Mark(half + " complete").Mark(how + " over")
	for i := range leaderSize {
		b.Deleting(fmt.Sprintf("%s-%d", whole, i)).Gone(fmt.Sprintf("%s-%d", whole, i))
	}
	for i := range leaderSize {
		if i > 0 || !stale {
			bind(next, i, whole)
		}
	}
	b.Mark(next + " complete")
}
