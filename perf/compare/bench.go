package compare

import (
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchfmt"
)

// Record is what one run measured, for the Go benchmark format.
type Record struct {
	// Side becomes the file configuration "side", by which benchstat tells columns apart (-col side).
	Side     string
	Scenario string
	Nodes    int
	// Config is written as file configuration beside it (machine, versions, commit); nil for none.
	Config map[string]string
	Values []Value
}

// Value of a record. Unit as benchstat reads it: "pods/s", "sec", "B", "calls/pod", "gang-start-sec". Time is in
// seconds.
type Value struct {
	Unit string
	V    float64
	// HigherIsBetter is told to benchstat once for each unit.
	HigherIsBetter bool
}

// WriteBench writes records in the Go benchmark format: one line a run, so that benchstat sees the spread. Values that
// are not there (not a number) are left out; zeros are written, as benchstat must see them too.
func WriteBench(w io.Writer, records []Record) error {
	out := benchfmt.NewWriter(w)
	better := map[string]bool{}
	for _, r := range records {
		for _, v := range r.Values {
			if strings.ContainsAny(v.Unit, " \t\n") || v.Unit == "" {
				return fmt.Errorf("writing the benchmark of %s: the unit %q is not one word", r.Scenario, v.Unit)
			}
			better[v.Unit] = v.HigherIsBetter
		}
	}
	for _, unit := range slices.Sorted(maps.Keys(better)) {
		direction := "lower"
		if better[unit] {
			direction = "higher"
		}
		err := out.Write(&benchfmt.UnitMetadata{
			UnitMetadataKey: benchfmt.UnitMetadataKey{Unit: unit, Key: "better"}, OrigUnit: unit, Value: direction,
		})
		if err != nil {
			return fmt.Errorf("writing the unit %s: %w", unit, err)
		}
	}
	// benchstat expects runs of one configuration together.
	sorted := slices.Clone(records)
	slices.SortStableFunc(sorted, func(a, b Record) int { return cmp.Compare(a.Side, b.Side) })
	for _, r := range sorted {
		res := &benchfmt.Result{Name: benchfmt.Name(name(r)), Iters: 1}
		for _, k := range slices.Sorted(maps.Keys(r.Config)) {
			res.Config = append(res.Config, benchfmt.Config{Key: k, Value: []byte(r.Config[k]), File: true})
		}
		res.Config = append(res.Config, benchfmt.Config{Key: "side", Value: []byte(r.Side), File: true})
		for _, v := range r.Values {
			if v.V == v.V {
				res.Values = append(res.Values, benchfmt.Value{Value: v.V, Unit: v.Unit})
			}
		}
		if len(res.Values) == 0 {
			continue
		}
		if err := out.Write(res); err != nil {
			return fmt.Errorf("writing the benchmark of %s: %w", r.Scenario, err)
		}
	}
	return nil
}

// name of a benchmark: Perf/scenario=gangs-of-8/nodes=5000.
func name(r Record) string {
	clean := strings.Map(func(c rune) rune {
		if c == '/' || c <= ' ' {
			return '_'
		}
		return c
	}, r.Scenario)
	return "Perf/scenario=" + clean + "/nodes=" + strconv.Itoa(r.Nodes)
}
