package gang

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"muster/suites/history"
	"muster/suites/history/historytest"
	"muster/suites/kit"
	"muster/suites/kit/kittest"
)

const short = "gang-short-of-one-slot"

// eventTale is a gang that waits as a whole (or not) and a pod that is bound beside it, with the Events that were listed.
func eventTale(whole bool, lists ...string) *historytest.Builder {
	b := room(3).Gang("g", 4).Pods("g", 4, worker)
	if !whole {
		b.Bind("g-0", "node-1")
	}
	b = watch(b, "one slot short", "watched").Pod("plain", "", worker).Bind("plain", "node-0").Mark("plain pod")
	for i, list := range lists {
		b.Try(kit.EventLook(i), history.VerbList, "events", "", history.Response{Code: 200, Object: json.RawMessage(list)})
	}
	return b
}

// listOf is a list of Events, each given as type, reason, kind and name.
func listOf(events ...string) string {
	out := make([]string, len(events))
	for i, e := range events {
		f := strings.Fields(e)
		out[i] = fmt.Sprintf(`{"type":%q,"reason":%q,"regarding":{"kind":%q,"name":%q}}`, f[0], f[1], f[2], f[3])
	}
	return `{"items":[` + strings.Join(out, ",") + `]}`
}

func eventStories() []story {
	return []story{
		{short, "nobody is told", eventTale(true, listOf()), verdicts{"GANG-003": pass, "GANG-053": pass, "GANG-067": seen}},
		{short, "nobody looked", eventTale(true), verdicts{"GANG-067": unclear}},
		{short, "what was seen was not kept", eventTale(true, ""), verdicts{"GANG-067": unclear}},
		{short, "the gang did not wait", eventTale(false, listOf()), verdicts{"GANG-003": fail, "GANG-067": unclear}},
	}
}

// The values are what people read; the last look counts, unless it could not be read.
func TestEventsOfAGangWithoutRoom(t *testing.T) {
	told := listOf("Warning FailedScheduling Pod g-0", "Warning FailedScheduling Pod g-1", "Warning Other Pod g-1", "Normal Scheduled Pod plain",
		"Normal Told PodGroup g", "Normal Elsewhere PodGroup h", "Normal Elsewhere Workload g")
	for _, tt := range []struct {
		want  string
		lists []string
	}{
		{"of members none (0 of 4 have one); of the group none; of a pod that was bound none", []string{listOf()}},
		{"of members Warning FailedScheduling, Warning Other (2 of 4 have one); of the group Normal Told; of a pod that was bound Normal Scheduled",
			[]string{listOf(), told, `{"kind":"Status"}`}},
	} {
		_, findings := kittest.Judge(t, short, eventTale(true, tt.lists...).View())
		got := ""
		for _, f := range findings {
			got += f.Value
		}
		if got != tt.want {
			t.Errorf("observed %q, want %q", got, tt.want)
		}
	}
}
