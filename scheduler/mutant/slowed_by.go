package mutant

import (
	"fmt"
	"strconv"
	"strings"

	"muster/scheduler/control"
)

const slowedPrefix = "slowed-by-"

// mostPercent is where slower stops being a question for a gate.
const mostPercent = 1000

func init() {
	m, _ := slowedBy(slowedPrefix + "10")
	slow[m.Name] = m
}

// slowedBy is the scheduler that a name like slowed-by-10 asks for: the number is a percentage, 1 to 1000, of the time that
// the answer about a root takes.
func slowedBy(name string) (Mutant, bool) {
	digits, is := strings.CutPrefix(name, slowedPrefix)
	percent, err := strconv.Atoi(digits)
	if !is || err != nil || percent < 1 || percent > mostPercent || strconv.Itoa(percent) != digits {
		return Mutant{}, false
	}
	return Mutant{
		Name:     name,
		About:    fmt.Sprintf("It takes %d %% longer to answer about a pod or a group than it has to.", percent),
		Profiles: []string{gangs},
		fault:    func() *control.Fault { return &control.Fault{Slower: float64(percent) / 100} },
	}, true
}
