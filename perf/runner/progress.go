package runner

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"muster/perf/results"
)

// Progress is told what an invocation is at. Runs are called by their place in the plan, from 0.
type Progress interface {
	// Planned are the runs to come; called again, those that are to be made besides.
	Planned(runs []Estimate)
	Started(run int)
	// Phase is what a run is at, in a few words.
	Phase(run int, text string)
	Ended(run int, r *results.Run)
}

// Silent is Progress for nobody.
type Silent struct{}

// Planned, Started, Phase and Ended tell nobody.
func (Silent) Planned([]Estimate)      {}
func (Silent) Started(int)             {}
func (Silent) Phase(int, string)       {}
func (Silent) Ended(int, *results.Run) {}

// Estimate is a run to come, and how long it may take.
type Estimate struct {
	// Name for people, Kind of runs that take equally long: what one takes is learned from the first.
	Name, Kind string
	Took       time.Duration
}

// What an estimate is made of before the first run of a kind has ended; errs upwards on a machine of two cores.
const (
	estimatedStart   = 10 * time.Second
	estimatedPerNode = 4 * time.Millisecond
	estimatedPerPod  = 15 * time.Millisecond
)

func estimates(slots []slot) []Estimate {
	var out []Estimate
	for _, s := range slots {
		c := s.sized.Counts()
		took := estimatedStart + time.Duration(s.sized.Nodes)*estimatedPerNode + time.Duration(c.Pods)*estimatedPerPod
		out = append(out, Estimate{
			Name: fmt.Sprintf("%s %s #%d", s.sized.Name, s.side.Name, s.n), Kind: s.sized.Shape() + " " + s.side.Name, Took: took,
		})
	}
	return out
}

// Printer is Progress in lines.
type Printer struct {
	w   io.Writer
	now func() time.Time
	// phases are told too.
	phases bool

	mu      sync.Mutex
	planned []Estimate
	done    int
	phase   string
	took    map[string][]time.Duration
}

// NewPrinter writes to w; with phases every step of a run.
func NewPrinter(w io.Writer, phases bool) *Printer {
	return &Printer{w: w, now: time.Now, phases: phases, took: map[string][]time.Duration{}}
}

// Planned says how much there is to do.
func (p *Printer) Planned(runs []Estimate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	more := ""
	if len(p.planned) > 0 {
		more = " more, for a block that an invalid run has spoilt"
	}
	p.planned = append(p.planned, runs...)
	_, _ = fmt.Fprintf(p.w, "%d runs%s, about %s\n", len(runs), more, round(p.left()))
}

// Started says which run begins.
func (p *Printer) Started(run int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.phase = ""
	_, _ = fmt.Fprintf(p.w, "[%d/%d] %s\n", run+1, len(p.planned), p.planned[run].Name)
}

// Phase says what the run is at.
func (p *Printer) Phase(_ int, text string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.phases && text != p.phase {
		_, _ = fmt.Fprintf(p.w, "      %s\n", text)
	}
	p.phase = text
}

// Ended says what came of it, and how long the others will take.
func (p *Printer) Ended(run int, r *results.Run) {
	p.mu.Lock()
	defer p.mu.Unlock()
	kind := p.planned[run].Kind
	p.done++
	p.took[kind] = append(p.took[kind], r.Took)
	line := fmt.Sprintf("[%d/%d] %s: ", run+1, len(p.planned), p.planned[run].Name)
	if problems := r.Problems(); len(problems) > 0 {
		first, _, _ := strings.Cut(problems[0], "\n") // a log may follow
		line += "invalid: " + first
	} else {
		line += fmt.Sprintf("%.4g %s", r.Figure.Value, r.Figure.Unit)
	}
	line += fmt.Sprintf(" (%s)", round(r.Took))
	if p.done < len(p.planned) {
		line += fmt.Sprintf("; about %s left", round(p.left()))
	}
	_, _ = fmt.Fprintln(p.w, line)
}

// left adds up what is still to come: what runs of the kind took so far, else the estimate, scaled as those before were
// off theirs.
func (p *Printer) left() (sum time.Duration) {
	var estimated, real time.Duration
	for _, e := range p.planned[:p.done] {
		estimated += e.Took
	}
	for _, all := range p.took {
		for _, d := range all {
			real += d
		}
	}
	off := 1.0
	if estimated > 0 {
		off = real.Seconds() / estimated.Seconds()
	}
	for _, e := range p.planned[p.done:] {
		if all := p.took[e.Kind]; len(all) > 0 {
			mean := time.Duration(0)
			for _, d := range all {
				mean += d
			}
			sum += mean / time.Duration(len(all))
			continue
		}
		sum += time.Duration(float64(e.Took) * off)
	}
	return sum
}

func round(d time.Duration) time.Duration { return d.Round(time.Second) }
