package field

import (
	"testing"

	"muster/suites"
	"muster/suites/history/historytest"
)

func TestQuorumEditedBelow(t *testing.T) {
	begun := func() *historytest.Builder {
		return historytest.New().Nodes(3, gpus(2)).Gang("elastic", 4).Pods("elastic", 3, gpu).Quorum("elastic", 6).Pods("elastic", 1, gpu).
			Mark("hold").Hold("", wait)
	}
	four := names("elastic", 0, 4)
	judged(t, "quorum-edited-while-short-of-members",
		story{"bound under the lowered quorum", spread(begun().Mark("held").Quorum("elastic", 4), 2, four...).Mark("waited-for"), suites.Pass},
		story{"bound under the quorum of the beginning", spread(begun(), 2, four...).Mark("held").Quorum("elastic", 4).Mark("waited-for"), suites.Fail},
		story{"the lowered quorum is not noticed", begun().Mark("held").Quorum("elastic", 4).Wait(wait).Mark("waited-for"), suites.Fail},
		story{"bound in part", spread(begun().Mark("held").Quorum("elastic", 4), 2, four[:3]...).Wait(wait).Mark("waited-for"), suites.Fail},
		story{"never lowered", spread(begun().Mark("held"), 2, four...).Mark("waited-for"), suites.Inconclusive},
	)
}

func TestQuorumEditedWithoutRoom(t *testing.T) {
	begun := func(nodes int) *historytest.Builder {
		return historytest.New().Nodes(nodes, gpus(1)).Mark("empty").Gang("elastic", 3).Pods("elastic", 3, gpu).
			Quorum("elastic", 4).Quorum("elastic", 3).Mark("hold").Hold("", wait)
	}
	two := names("elastic", 0, 2)
	judged(t, "quorum-edited-while-short-of-room",
		story{"as many as fit", spread(begun(2).Mark("held").Quorum("elastic", 2), 1, two...).Mark("waited-for"), suites.Pass},
		story{"in part under a quorum without room", spread(begun(2), 1, two...).Mark("held").Quorum("elastic", 2).Mark("waited-for"), suites.Fail},
		story{"not noticed", begun(2).Mark("held").Quorum("elastic", 2).Wait(wait).Mark("waited-for"), suites.Fail},
		story{"more than there is room for", spread(begun(2).Mark("held").Quorum("elastic", 2), 2, names("elastic", 0, 3)...).Mark("waited-for"), suites.Fail},
		story{"room for all", spread(begun(3).Mark("held").Quorum("elastic", 2), 1, two...).Mark("waited-for"), suites.Inconclusive},
	)
}
