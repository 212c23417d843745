package basic

import (
	"testing"
	"time"

	"muster/suites"
	"muster/suites/history/historytest"
)

func TestOtherPriority(t *testing.T) {
	mixed := func(nodes int, other int32) *historytest.Builder {
		return pool(nodes).Basic("g", historytest.GangPriority(1000)).Pods("g", 1, oneGPU, historytest.Priority(other)).
			Pods("g", 1, oneGPU, historytest.Priority(1000))
	}
	watched := func(b *historytest.Builder) *historytest.Builder {
		return b.Mark("one differs").Hold("quiet", 20*time.Second).Mark("watched")
	}
	judge(t, "basic-member-of-other-priority", []story{
		{name: "the group is refused", want: suites.Observed, value: "0 of 1 members of its priority bound; the other waits", h: watched(mixed(2, 900))},
		{name: "the other alone is refused", want: suites.Observed, value: "1 of 1 members of its priority bound; the other waits",
			h: watched(mixed(2, 900).Bind("g-1", "node-1"))},
		{name: "priorities are no matter", want: suites.Observed, value: "1 of 1 members of its priority bound; the other is bound",
			h: watched(mixed(2, 900).Bind("g-0", "node-0").Bind("g-1", "node-1"))},
		{name: "they agree", want: suites.Inconclusive, h: watched(mixed(2, 1000))},
		{name: "no room", want: suites.Inconclusive, h: watched(mixed(1, 900))},
		{name: "not watched", want: suites.Inconclusive, h: mixed(2, 900).Mark("one differs").Mark("watched")},
	})
}
