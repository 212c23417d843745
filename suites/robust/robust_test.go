package robust

import (
	"fmt"
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

const (
	pass    = suites.Pass
	fail    = suites.Fail
	unclear = suites.Inconclusive
	seen    = suites.Observed
)

// tale is a story that is told as it ends well or badly.
type tale func(b *teller, well bool)

// teller tells of gangs whose members stand on nodes of their own.
type teller struct {
	*historytest.Builder
	node int
}

func told(nodes int, well bool, f tale) *historytest.Builder {
	b := &teller{Builder: historytest.New().Nodes(nodes, historytest.Has("nvidia.com/gpu=1"))}
	f(b, well)
	return b.Builder
}

var worker = historytest.Wants("nvidia.com/gpu=1")

// gang creates a gang with all its members.
func (b *teller) gang(name string, n int) {
	b.Gang(name, int32(n)).Pods(name, n, worker)
}

// bind binds members from to to-1, each to the next node.
func (b *teller) bind(name string, from, to int) {
	for i := from; i < to; i++ {
		b.Bind(fmt.Sprintf("%s-%d", name, i), fmt.Sprintf("node-%d", b.node))
		b.node++
	}
}

// rest binds the members from the given one on, all of them where it ends well, and marks the place.
func (b *teller) rest(name, mark string, from, n int, well bool) {
	if well {
		b.bind(name, from, n)
	} else {
		b.bind(name, from, n-1)
		b.Wait(time.Minute)
	}
	b.Mark(mark)
}

func stories() (out []kittest.Story) {
	for _, s := range []struct {
		scenario, id string
		nodes        int
		tell         tale
	}{
		{"robust-killed-between-binds", "ROB-001", killedSize * killedSize, tellKilled},
		{"robust-bind-refused-once", "ROB-002", len(refusals) * refusedSize, tellRefused},
		{"robust-binds-to-one-node-refused", "ROB-003", badNodeSize, func(b *teller, well bool) {
			b.Break("bad node")
			b.gang("g", badNodeSize)
			b.rest("g", "complete", 0, badNodeSize, well)
		}},
		{"robust-answers-lost", "ROB-004", lostSize, tellLost},
		{"robust-watches-cut", "ROB-005", 2 * watchesSize, func(b *teller, well bool) {
			b.Break("cut ").Strike("expired")
			for _, name := range []string{"resumed", "expired"} {
				b.gang(name, watchesSize)
				b.rest(name, name+" complete", 0, watchesSize, well)
			}
		}},
		{"robust-watches-stale", "ROB-006", watchesSize, tellStale},
		{"robust-node-lost-mid-gang", "ROB-007", nodeLostSize, func(b *teller, well bool) {
			b.gang("g", nodeLostSize)
			b.Strike("under way").Mark("node lost")
			b.rest("g", "complete", 0, nodeLostSize, well)
		}},
		{"robust-node-lost-and-back", "ROB-020", nodeBackSize, func(b *teller, well bool) {
			b.gang("first", nodeBackSize)
			b.rest("first", "first complete", 0, nodeBackSize, true)
			b.Gone("first-0", "first-1", "first-2").Mark("node lost")
			b.gang("second", nodeBackSize)
			b.Mark("node back")
			b.rest("second", "second complete", 0, nodeBackSize, well)
		}},
		{"robust-api-away", "ROB-008", 2 * awaySize, func(b *teller, well bool) {
			b.gang("before", awaySize)
			b.Strike("under way").Break("away")
			b.gang("meanwhile", awaySize)
			b.Mend("away")
			b.rest("before", "before complete", 0, awaySize, well)
			b.rest("meanwhile", "meanwhile complete", 0, awaySize, true)
		}},
		{"robust-api-restarted", "ROB-019", 2 * restartedSize, func(b *teller, well bool) {
			b.gang("before", restartedSize)
			b.gang("waiting", restartedSize)
			b.Strike("under way").Break("kube-apiserver").Mend("kube-apiserver")
			b.rest("before", "before complete", 0, restartedSize, true)
			b.rest("waiting", "waiting complete", 0, restartedSize, well)
		}},
		{"robust-deleted-at-every-stage", "ROB-009", len(stages) * len(plainly.first) * deletedSize, tellDeleted(plainly)},
		{"robust-tree-deleted-at-every-stage", "ROB-016", len(stages) * len(inTree.first) * deletedSize, tellDeleted(inTree)},
		{"robust-claim-deleted-at-every-stage", "ROB-017", len(stages) * len(withClaim.first) * deletedSize, tellDeleted(withClaim)},
		{"robust-churn", "ROB-010", churnNodes, func(b *teller, well bool) {
			b.Strike("conflicts").Mark("calm")
			b.gang("last", churnNodes)
			b.rest("last", "last complete", 0, churnNodes, well)
		}},
		{"robust-slow-api", "ROB-011", slowSize, tellSlow},
		{"robust-nothing-changes", "ROB-012", idleSize - 1, func(b *teller, well bool) {
			b.gang("g", idleSize)
			b.Reject("g-0", "g-1", "g-2")
			counted(b, well)
		}},
		{"robust-binds-refused-for-a-while", "ROB-013", idleSize, func(b *teller, well bool) {
			b.gang("g", idleSize)
			b.Strike("refused")
			counted(b, well)
			b.rest("g", "complete", 0, idleSize, true)
		}},
	} {
		out = append(out,
			kittest.Story{Scenario: s.scenario, Name: "well", Tell: told(s.nodes, true, s.tell), Want: kittest.Verdicts{s.id: pass}},
			kittest.Story{Scenario: s.scenario, Name: "badly", Tell: told(s.nodes, false, s.tell), Want: kittest.Verdicts{s.id: fail}})
	}
	for _, s := range []struct {
		scenario, id string
		tell         tale
	}{
		{"robust-bind-refused-once", "ROB-002", func(b *teller, _ bool) {
			for _, code := range refusals { // nothing was refused
				b.gang(refusedName(code), refusedSize)
				b.rest(refusedName(code), refusedName(code)+" complete", 0, refusedSize, true)
			}
		}},
		{"robust-killed-between-binds", "ROB-001", func(b *teller, _ bool) {
			for k := range killedSize { // the kill came when all were bound
				b.gang(killedName(k), killedSize)
				b.bind(killedName(k), 0, killedSize)
				b.Strike(killedName(k)).Mark(killedName(k) + " killed").Mark(killedName(k) + " complete")
			}
		}},
	} {
		out = append(out, kittest.Story{Scenario: s.scenario, Name: "missed", Tell: told(12, true, s.tell), Want: kittest.Verdicts{s.id: unclear}})
	}
	out = append(out, leaderStories()...)
	out = append(out, keptStories()...)
	return out
}

func tellKilled(b *teller, well bool) {
	for k := range killedSize {
		name := killedName(k)
		b.Break(name)
		b.gang(name, killedSize)
		b.bind(name, 0, k)
		b.Strike(name).StopScheduler().Mark(name + " killed").Mend(name).StartScheduler()
		b.rest(name, name+" complete", k, killedSize, well || k > 0)
	}
}

func tellRefused(b *teller, well bool) {
	for _, code := range refusals {
		b.gang(refusedName(code), refusedSize)
		b.Strike(refusedName(code))
	}
	for i, code := range refusals {
		b.rest(refusedName(code), refusedName(code)+" complete", 0, refusedSize, well || i > 0)
	}
}

func tellLost(b *teller, well bool) {
	b.gang("g", lostSize)
	b.Strike("lost")
	b.rest("g", "complete", 0, lostSize, true)
	b.Deleting("g-0").Gone("g-0").Pod("next", "", worker)
	if well {
		b.Bind("next", "node-0")
	} else {
		b.Wait(time.Minute)
	}
	b.Mark("next runs")
}

func tellStale(b *teller, well bool) {
	b.Break("stale").Pod("taken-0", "", worker, historytest.Placed("node-0"))
	b.gang("g", watchesSize)
	b.Mend("stale").Mark("heard").Hold("heard → watched", time.Minute)
	if !well {
		b.Bind("g-0", "node-1")
	}
	b.Mark("watched").Deleting("taken-0").Gone("taken-0")
	if well {
		b.bind("g", 0, watchesSize)
	}
	b.Mark("complete")
}

func tellDeleted(d doomed) tale {
	return func(b *teller, well bool) {
		d.each(func(_, _, name string) {
			b.Strike(name).Mark(name + " deleted")
			b.gang("next-"+name, deletedSize)
		})
		d.each(func(stage, _, name string) {
			b.rest("next-"+name, "next-"+name+" complete", 0, deletedSize, well || stage != "binding")
		})
	}
}

func tellSlow(b *teller, well bool) {
	b.gang("a", slowSize)
	b.gang("b", slowSize)
	b.Strike("slow binds")
	if !well {
		b.Bind("a-0", "node-0").Bind("b-0", "node-1").Wait(time.Minute).Mark("one runs")
		return
	}
	b.bind("b", 0, slowSize)
	b.Mark("one runs")
	for i := range slowSize {
		b.Deleting(fmt.Sprintf("b-%d", i)).Gone(fmt.Sprintf("b-%d", i))
	}
	b.node = 0
	b.rest("a", "other runs", 0, slowSize, true)
}

func counted(b *teller, well bool) {
	from, to := map[string]int{"patch pods/status": 10}, map[string]int{"patch pods/status": 14, "list pods": 1}
	if !well {
		to["patch pods/status"] = 5000
	}
	b.Calls("from", from).Hold("requests are counted", 10*time.Second).Calls("to", to)
}

func TestStories(t *testing.T) { kittest.Stories(t, "robust", stories()) }
