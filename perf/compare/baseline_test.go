package compare

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func stored(values ...float64) *Baseline {
	return &Baseline{APIVersion: BaselineVersion, Kind: BaselineKind, Shape: "x", Figure: "throughput", Per: "ceiling", Values: values}
}

func fractions(n int, mean, spread float64, seed uint64) []float64 {
	random := rand.New(rand.NewPCG(seed, seed))
	out := make([]float64, n)
	for i := range out {
		out[i] = mean * math.Exp(spread*random.NormFloat64())
	}
	return out
}

// A zero in a baseline switches no gate off, and neither does anything else that is wrong with it.
func TestReadBaseline(t *testing.T) {
	const good = "apiVersion: muster/v1alpha1\nkind: PerfBaseline\nshape: x\nfigure: throughput\nper: ceiling\n"
	tests := []struct{ name, raw, says string }{
		{"good", good + "values: [0.5, 0.6]\nnote: here\n", ""},
		{"a zero", good + "values: [0.5, 0]\n", "value 2 is 0"},
		{"wild", good + "values: [1, 1e300]\n", "value 2 is 1e+300"},
		{"next to nothing", good + "values: [1e-300]\n", "value 1 is 1e-300"},
		{"negative", good + "values: [-0.5]\n", "value 1 is -0.5"},
		{"not a number", good + "values: [.nan]\n", "cannot be used"},
		{"empty", good + "values: []\n", "no values"},
		{"no values", good, "no values"},
		{"not normalised", strings.Replace(good, "ceiling", "second", 1) + "values: [70]\n", "store fractions of the ceiling"},
		{"does not say of what", strings.Replace(good, "shape: x\n", "", 1) + "values: [1]\n", "does not say"},
		{"another kind", strings.Replace(good, "PerfBaseline", "Other", 1) + "values: [1]\n", "Other"},
		{"a newer version", strings.Replace(good, "v1alpha1", "v9", 1) + "values: [1]\n", "v9"},
		{"an unknown field", good + "values: [1]\nvalue: 2\n", "value"},
		{"nothing", "", "this is read"},
		{"no YAML", "\t{", "cannot be used"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			b, err := ReadBaseline([]byte(tc.raw))
			if tc.says == "" {
				if err != nil || len(b.Values) != 2 || b.Note != "here" {
					t.Errorf("%+v, %v", b, err)
				}
				return
			}
			if !errors.Is(err, ErrBaseline) || !strings.Contains(err.Error(), tc.says) {
				t.Errorf("%v; want …%s…", err, tc.says)
			}
		})
	}
}

func TestGateStored(t *testing.T) {
	old := stored(fractions(12, 0.8, 0.02, 1)...)
	other := stored(fractions(12, 0.8, 0.02, 1)...)
	other.Shape = "y"
	tests := []struct {
		name  string
		b     *Baseline
		fresh []float64
		want  Outcome
		says  string
	}{
		{"equal", old, fractions(12, 0.8, 0.02, 2), Pass, "not worse"},
		{"worse by 10 %", old, fractions(12, 0.72, 0.02, 2), Regression, "worse"},
		{"better", old, fractions(12, 0.99, 0.02, 2), Pass, "not worse"},
		{"absent", nil, fractions(12, 0.8, 0.02, 2), Undecidable, "there is none"},
		{"a zero in it", stored(0.8, 0, 0.8), fractions(12, 0.1, 0.02, 2), Undecidable, "value 2 is 0"},
		{"all zero", stored(0), fractions(12, 0.1, 0.02, 2), Undecidable, "value 1 is 0"},
		{"of another shape", other, fractions(12, 0.8, 0.02, 2), Undecidable, `of "y"`},
		{"a zero now", old, []float64{0.8, 0}, Undecidable, "absent"},
		{"no runs now", old, nil, Undecidable, "no spread"},
		{"few stored", stored(0.8, 0.81, 0.79), fractions(12, 0.8, 0.001, 2), Undecidable, "only 3 runs"},
		{"wide", old, fractions(12, 0.8, 0.4, 2), Undecidable, "spread too widely"},
	}
	for _, tc := range tests {
		t.Run(tc.name, func(t *testing.T) {
			v := GateStored(tc.b, "x", "throughput", tc.fresh, Options{})
			if v.Outcome != tc.want || !strings.Contains(v.Reason, tc.says) {
				t.Errorf("%s: %s; want %s: …%s…", v.Outcome, v.Reason, tc.want, tc.says)
			}
		})
	}
	if v := GateStored(old, "x", "latency", fractions(12, 0.8, 0.02, 2), Options{}); v.Outcome != Undecidable {
		t.Errorf("another figure: %s", v.Reason)
	}
	if v := GateStored(stored(1, 1, 1, 1), "x", "throughput", []float64{0.5, 0.5, 0.5, 0.5}, Options{MinRuns: 4}); v.Outcome != Regression {
		t.Errorf("without any spread: %s", v.Reason)
	}
}

// Equal figures are equal, however many there are of each.
func TestEqualFiguresAreNoRegression(t *testing.T) {
	for n := 12; n < 40; n++ {
		for _, v := range []float64{0.1, 0.7, 1.0 / 3, 3.3} {
			b, fresh := stored(), slices.Repeat([]float64{v}, n)
			b.Values = slices.Repeat([]float64{v}, 12)
			if v := GateStored(b, "x", "throughput", fresh, Options{}); v.Outcome != Pass {
				t.Errorf("12 and %d equal figures: %s: %s", n, v.Outcome, v.Reason)
			}
		}
	}
}

func FuzzReadBaseline(f *testing.F) {
	f.Add([]byte("apiVersion: muster/v1alpha1\nkind: PerfBaseline\nshape: x\nfigure: f\nper: ceiling\nvalues: [1]\n"))
	f.Add([]byte("values: [0, -1, 1e999]"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		b, err := ReadBaseline(raw)
		if err != nil {
			return
		}
		for _, v := range b.Values {
			if !usable(v) {
				t.Fatalf("accepted %v", v)
			}
		}
	})
}
