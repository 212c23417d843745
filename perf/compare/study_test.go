package compare

import (
	"math"
	"math/rand/v2"
	"testing"
)

// interleaved are runs of A and of B, which is ratio times as fast, with a spread and a slow drift.
func interleaved(n int, spread, ratio float64, random *rand.Rand) []Run {
	var out []Run
	for i, slot := range Interleave(n, "a", "b") {
		v := 100 * math.Exp(spread*random.NormFloat64()-0.002*float64(i))
		if slot.Side == "b" {
			v *= ratio
		}
		out = append(out, Run{Slot: slot, Value: v, Shape: "s"})
	}
	return out
}

// quick is enough to tell these cases apart.
var quick = Effort{Gates: 1000, Records: 20, RecordGates: 50}

func TestStudyFindsWhatWasPutIn(t *testing.T) {
	const seed = 11
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 1))
	s, err := StudyRuns(interleaved(60, 0.04, 0.93, random), "a", "b", 12, Options{}, quick, random)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", s)
	if s.Blocks != 30 || s.Pairs != 12 || math.Abs(s.Measured.Ratio-0.93) > 0.02 {
		t.Errorf("%d blocks, %d pairs, ratio %.3f", s.Blocks, s.Pairs, s.Measured.Ratio)
	}
	// Scaled to a loss of a tenth it is seen more often than a loss of seven hundredths, and that more often than none.
	if s.AtLoss.Regression < 0.95 || s.AsRecorded.Regression >= s.AtLoss.Regression || s.Equal.Regression >= s.AsRecorded.Regression {
		t.Errorf("seen: at the loss %.3f, as recorded %.3f, equal %.3f", s.AtLoss.Regression, s.AsRecorded.Regression, s.Equal.Regression)
	}
	if s.Equal.Regression > 0.03 {
		t.Errorf("equal sides raise an alarm in %.3f of gates", s.Equal.Regression)
	}
	for _, p := range []Power{s.AsRecorded, s.AtLoss, s.Equal} {
		if p.Low > p.Regression || p.High < p.Regression || p.Low < 0 || p.High > 1 {
			t.Errorf("%+v", p)
		}
	}
}

func TestStudyOfATime(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	s, err := StudyRuns(interleaved(60, 0.03, 1.02, random), "a", "b", 12, Options{LowerIsBetter: true}, quick, random)
	if err != nil || s.AtLoss.Regression < 0.95 || s.Equal.Regression > 0.03 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestStudyRefuses(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 5))
	if _, err := StudyRuns(interleaved(58, 0.04, 1, random), "a", "b", 12, Options{}, quick, random); err == nil {
		t.Error("58 runs a side were enough")
	}
	if _, err := StudyRuns(interleaved(60, 0.04, 1, random), "a", "b", 2_000_000_000, Options{}, quick, random); err == nil {
		t.Error("a gate of two billion pairs was drawn")
	}
	runs := interleaved(60, 0.04, 1, random)
	runs[7].Problems = []string{"invalid"}
	if _, err := StudyRuns(runs, "a", "b", 12, Options{}, quick, random); err == nil {
		t.Error("a block with an invalid run was counted")
	}
	if _, err := StudyRuns(interleaved(60, 0.04, 1, random), "a", "b", 2, Options{}, quick, random); err == nil {
		t.Error("a gate of one block has a spread")
	}
}

// Each run is in one block: in two it would be drawn as if it had been made twice.
func TestBlocksOfOneSideShareNoRun(t *testing.T) {
	var runs []Run
	for i := range 11 {
		runs = append(runs, Run{Slot: Slot{Side: "a"}, Value: float64(i + 1)})
	}
	seen := map[float64]int{}
	blocks := alone(runs, "a")
	for _, b := range blocks {
		for _, p := range b {
			seen[p.A]++
			seen[p.B]++
		}
	}
	for v, n := range seen {
		if n > 1 {
			t.Errorf("run %v is in %d blocks", v, n)
		}
	}
	if len(blocks) != 2 || blocks[1][0] != (Pair{A: 5, B: 6, AFirst: true}) || blocks[1][1] != (Pair{A: 8, B: 7}) {
		t.Errorf("%+v", blocks)
	}
}

// What equal sides raise is not what the record happens to lean to: a side whose every second run was by chance a little
// lower raises no more alarms than α allows.
func TestEqualSidesLeanNowhere(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	runs := interleaved(60, 0.04, 1, random)
	count := map[string]int{}
	for i := range runs {
		n := count[runs[i].Side] % 4
		count[runs[i].Side]++
		if n == 1 || n == 2 { // those that are called B
			runs[i].Value *= 0.97
		}
	}
	s, err := StudyRuns(runs, "a", "b", 12, Options{}, quick, random)
	if err != nil || s.Equal.Regression > 0.03 {
		t.Errorf("%+v, %v", s.Equal, err)
	}
}
