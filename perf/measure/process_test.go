package measure

import (
	"testing"
	"time"

	"muster/suites/history"
	"muster/suites/history/historytest"
)

func used(at time.Duration, pid int, cpu time.Duration, rss int64) extra {
	return sampled(at, history.Sample{PID: pid, CPU: cpu, RSS: rss})
}

func TestProcesses(t *testing.T) {
	tests := []struct {
		name    string
		samples []extra
		want    Process
	}{
		{"one sample says nothing about CPU", []extra{used(ms(10), 1, time.Second, 5)}, Process{PeakRSS: 5, Samples: 1}},
		{"the difference of the last and the first", []extra{used(ms(10), 1, ms(500), 5), used(ms(20), 1, ms(600), 9), used(ms(1010), 1, ms(900), 7)},
			Process{CPU: ms(400), Over: ms(1000), PeakRSS: 9, Samples: 3}},
		{"a restart", []extra{used(ms(10), 1, ms(500), 5), used(ms(20), 1, ms(600), 5), used(ms(30), 2, ms(50), 5), used(ms(40), 2, ms(70), 5)},
			Process{CPU: ms(170), Over: ms(30), PeakRSS: 5, Samples: 4, Restarts: 1}},
		{"a PID that came again", []extra{used(ms(10), 1, ms(500), 5), used(ms(20), 1, ms(20), 5)},
			Process{CPU: ms(20), Over: ms(10), PeakRSS: 5, Samples: 2, Restarts: 1}},
		{"a canary is no sample of CPU", []extra{sampled(ms(5), history.Sample{Canary: 5}), used(ms(10), 1, ms(1), 5), used(ms(20), 1, ms(2), 5)},
			Process{CPU: ms(1), Over: ms(10), PeakRSS: 5, Samples: 2}},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			got := processes(tapeOf(t, historytest.New().Wait(time.Hour), tc.samples...))
			if got[history.ProcessScheduler] != tc.want {
				t.Errorf("%+v; want %+v", got, tc.want)
			}
		})
	}
	if c := (Process{CPU: ms(500), Over: ms(250)}).Cores(); c != 2 {
		t.Errorf("%v cores", c)
	}
	if c := (Process{CPU: ms(500)}).Cores(); c != 0 {
		t.Errorf("%v cores in no time", c)
	}
}

// Of samples outside the run only those next to it are looked at: counters are read between them.
func TestSamplesAroundTheRun(t *testing.T) {
	b := historytest.New().Mark("x").Wait(ms(997)) // begins at 1 ms, ends at 1000 ms
	tape := tapeOf(t, b, used(0, 1, 1, 1), used(ms(1), 1, 2, 1), used(ms(500), 1, 3, 1), used(ms(1500), 1, 4, 1), used(ms(2500), 1, 5, 1))
	var cpu []time.Duration
	for _, s := range tape.Samples[history.ProcessScheduler] {
		cpu = append(cpu, s.Value.CPU)
	}
	if len(cpu) == 0 || cpu[len(cpu)-1] != 4 || len(cpu) > 4 {
		t.Errorf("samples %v; want those up to the first after the end", cpu)
	}
	if got := around(tape.Samples["nobody"], 0, ms(5)); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// The preparation's CPU is not the measured load's.
func TestCPUIsThatOfTheMeasuredPart(t *testing.T) {
	b := historytest.New().Wait(ms(500)).Mark(MarkMeasured).Wait(ms(498)) // the mark at 502 ms, the end at 1001 ms
	tape := tapeOf(t, b, used(ms(10), 1, ms(5), 1), used(ms(400), 1, ms(300), 1), used(ms(900), 1, ms(350), 1))
	if got := processes(tape)[history.ProcessScheduler]; got.CPU != ms(50) || got.Over != ms(500) {
		t.Errorf("%+v; want 50 ms in 500 ms", got)
	}
}
