package measure

import (
	"testing"
	"time"

	"muster/suites/history/historytest"
)

const gpu = "nvidia.com/gpu"

// settled has a settle bound of one second for every gang.
func settled() *historytest.Builder { return historytest.New(historytest.SettleSeconds(0, 1)) }

func TestPartial(t *testing.T) {
	tests := []struct {
		name          string
		story         *historytest.Builder
		gangs, flight int
		rest          int
		longest       time.Duration
		gpuMillis     int // GPU × milliseconds
	}{
		{name: "nothing bound", story: settled().Nodes(1).Gang("g", 2).Pods("g", 2, gpus(1))},
		{name: "bound one after the other", gangs: 1, flight: 1, longest: ms(501), gpuMillis: 501 * 2,
			story: settled().Nodes(1).Gang("g", 2).Pods("g", 2, gpus(2)).Bind("g-0", "node-0").Wait(ms(500)).Bind("g-1", "node-0").Wait(time.Hour)},
		{name: "held longer than the settle bound", gangs: 1, flight: 1, rest: 1, longest: ms(2002), gpuMillis: 1001*1 + 1001*2,
			story: settled().Nodes(1).Gang("g", 3).Pods("g", 3, gpus(1)).Bind("g-0", "node-0").Wait(ms(1000)).Bind("g-1", "node-0").
				Wait(ms(1000)).Bind("g-2", "node-0").Wait(time.Hour)},
		{name: "the record ends on it", gangs: 1, flight: 1, rest: 1, longest: ms(101), gpuMillis: 101,
			story: settled().Nodes(1).Gang("g", 2).Pods("g", 2, gpus(1)).Bind("g-0", "node-0").Wait(ms(100))},
		{name: "given back in between", gangs: 1, flight: 1, longest: ms(301), gpuMillis: 301 + 201,
			story: settled().Nodes(1).Gang("g", 2).Pods("g", 3, gpus(1)).Bind("g-0", "node-0").Wait(ms(300)).Deleting("g-0").
				Wait(ms(5000)).Bind("g-1", "node-0").Wait(ms(200)).Bind("g-2", "node-0")},
		{name: "the driver's binds are not partial", story: settled().Nodes(1).Gang("g", 2).Pods("g", 2, gpus(1)).DriverBind("g-0", "node-0").Wait(time.Hour)},
		{name: "once met, never again partial", gangs: 1, flight: 1, longest: ms(1), gpuMillis: 1,
			story: settled().Nodes(1).Gang("g", 2).Pods("g", 2, gpus(1)).Bind("g-0", "node-0").Bind("g-1", "node-0").Deleting("g-0").Wait(time.Hour)},
		{name: "a finished member counts and holds nothing", gangs: 1, flight: 1, longest: ms(102), gpuMillis: 1,
			story: settled().Nodes(1).Gang("g", 2).Pods("g", 2, gpus(1)).Bind("g-0", "node-0").Finish("Succeeded", "g-0").Wait(ms(100)).Bind("g-1", "node-0").Wait(time.Hour)},
		{name: "a basic group cannot be partial", story: settled().Nodes(1).Basic("g").Pods("g", 2, gpus(1)).Bind("g-0", "node-0").Wait(time.Hour)},
		{name: "a quorum of one neither", gangs: 1,
			story: settled().Nodes(1).Gang("g", 1).Pods("g", 2, gpus(1)).Bind("g-0", "node-0").Wait(time.Hour)},
		{name: "the group's deletion ends it", gangs: 1, flight: 1, longest: ms(101), gpuMillis: 101,
			story: settled().Nodes(1).Gang("g", 2).Pods("g", 2, gpus(1)).Bind("g-0", "node-0").Wait(ms(100)).GangGone("g").Wait(time.Hour)},
		{name: "the smallest quorum since the first bind", gangs: 1, flight: 1, longest: ms(1), gpuMillis: 1,
			story: settled().Nodes(1).Gang("g", 3).Pods("g", 3, gpus(1)).Bind("g-0", "node-0").Bind("g-1", "node-0").Quorum("g", 2).Wait(time.Hour)},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			p := partial(tapeOf(t, tc.story), gpu)
			if p.Gangs != tc.gangs || p.InFlight != tc.flight || p.AtRest != tc.rest || p.Longest != tc.longest {
				t.Errorf("%+v", p)
			}
			if !near(p.GPUSeconds, float64(tc.gpuMillis)/1000) {
				t.Errorf("%v GPU-seconds; want %v", p.GPUSeconds, float64(tc.gpuMillis)/1000)
			}
		})
	}
}

func TestPartialRates(t *testing.T) {
	b := settled().Nodes(1).
		Gang("a", 2).Pods("a", 2).Gang("b", 2).Pods("b", 2).Gang("c", 2).Pods("c", 2).Gang("d", 1).Pods("d", 1).
		BindAll("node-0", "a-0", "a-1", "b-0", "b-1", "d-0", "c-0").Wait(time.Minute)
	p := partial(tapeOf(t, b), gpu)
	if p.Gangs != 4 || !near(p.InFlightRate, 0.75) || !near(p.AtRestRate, 0.25) || p.LongestGang != "test/c" {
		t.Errorf("%+v", p)
	}
}
