package robust

import (
	"testing"

	"muster/suites/history/historytest"
	"muster/suites/kit/kittest"
)

const kept = "robust-condition-when-binds-fail"

// keptTale is a gang whose binds fail at first, and what its condition says before its binds and after them.
func keptTale(strikes int, before, after []string) *historytest.Builder {
	return told(keptSize, true, func(b *teller, _ bool) {
		b.Break("refused")
		b.gang("g", keptSize)
		for range strikes {
			b.Strike("refused")
		}
		for _, status := range before {
			b.Satisfied("g", status, "Whatever")
		}
		b.bind("g", 0, keptSize)
		for _, status := range after {
			b.Satisfied("g", status, "Whatever")
		}
		b.Mark("complete")
	})
}

const takenBack = "takes it back"

var keptTales = []struct {
	name, value   string
	before, after []string
}{
	{"says so at once", "True before the first bind, and kept", []string{"True"}, nil},
	{takenBack, "True before the first bind, and taken back", []string{"True", "False"}, []string{"True"}},
	{"says so when it is", "True after the first bind", []string{"False"}, []string{"True"}},
	{"says nothing", "not True", nil, nil},
}

func keptStories() []kittest.Story {
	out := []kittest.Story{
		{Scenario: kept, Name: "no bind failed", Tell: keptTale(0, nil, []string{"True"}), Want: kittest.Verdicts{"ROB-018": unclear}},
	}
	for _, s := range keptTales {
		if s.name == takenBack { // what the condition may not do is COND-004's to say, wherever it is seen
			continue
		}
		out = append(out, kittest.Story{Scenario: kept, Name: s.name, Tell: keptTale(keptSize, s.before, s.after), Want: kittest.Verdicts{"ROB-018": seen}})
	}
	return out
}

func TestKeptValues(t *testing.T) {
	for _, s := range keptTales {
		_, findings := kittest.Judge(t, kept, keptTale(keptSize, s.before, s.after).View())
		if len(findings) != 1 || findings[0].Value != s.value {
			t.Errorf("%s: %+v, want the value %q", s.name, findings, s.value)
		}
	}
}
