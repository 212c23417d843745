package check

import (
	"strings"

	"muster/suites"
	"muster/suites/history"
)

var noCrash = Check{
	ID: "INV-008", Name: "NoCrash",
	Rule: `"Provide full backward compatibility for all existing scheduling features" (KEP-4671): a scheduler that has ended provides none.`,
	Func: func(v *history.View) []suites.Finding {
		r := reportFor(v, "INV-008", "NoCrash", false)
		for _, c := range v.Crashes {
			r.fail(c.Stamp, []string{"process " + c.Value.Process}, "the scheduler under test ended by itself (%s); the end of its log: %s",
				c.Value.Exit, strings.Join(tail(c.Value.Log, 5), " | "))
		}
		if len(v.Crashes) == 0 && served(v) {
			r.pass("the scheduler under test ran to the end")
		}
		return r.findings()
	},
}

func tail(lines []string, n int) []string { return lines[max(0, len(lines)-n):] }

// served reports whether there is a scheduler under test and the view holds a pod for it.
func served(v *history.View) bool {
	for _, p := range v.Pods {
		if p.Ours {
			return true
		}
	}
	return false
}
