package suites

import "strings"

// Level says how binding a requirement is.
type Level string

const (
	// Must: a quoted sentence of the API documentation or of a KEP says so. A failed MUST gates (exit 1).
	Must Level = "MUST"
	// Should: sensible, not promised. A failed SHOULD is a warning.
	Should Level = "SHOULD"
	// May: a characteristic. It is observed and reported with its value, never passed or failed.
	May Level = "MAY"
)

// Maturity is the maturity of the API or feature a requirement rests on.
type Maturity string

const (
	Stable      Maturity = "Stable"
	Beta        Maturity = "Beta"
	Alpha       Maturity = "Alpha"
	Provisional Maturity = "Provisional"
)

// Source is where a requirement comes from, so that a reader can disagree with the reading and not with muster.
type Source struct {
	// Kind is api-doc, kep, doc, release-note, source, or field (a fault met in practice).
	Kind string `json:"kind"`
	// Ref names the place: a Go type and field for API documentation (with the module version), or the KEP number.
	Ref string `json:"ref"`
	// URL leads a reader there.
	URL string `json:"url"`
	// Quote is the sentence the requirement rests on, verbatim and short. Required for a MUST.
	Quote string `json:"quote,omitempty"`
}

// Requirement is one sentence a conforming scheduler or control plane must satisfy.
type Requirement struct {
	// ID is stable for ever: AREA-NNN. A withdrawn requirement's ID is not used again.
	ID string `json:"id"`
	// Profile is the profile it belongs to (gang, basic, conditions, …, invariants).
	Profile string `json:"profile"`
	// Title is a few words for a table.
	Title string `json:"title"`
	// Text is the requirement: one sentence, in muster's own words.
	Text     string   `json:"text"`
	Level    Level    `json:"level"`
	Maturity Maturity `json:"maturity"`
	// Core requirements must all be executed and passed for a profile to be called conformant (MUSTs only).
	Core bool `json:"core,omitempty"`
	// Gates are the feature gates of the control plane it depends on. When one is off (or an ancestor of it is), the
	// requirement is NotSupported.
	Gates []string `json:"gates,omitempty"`
	// Release is the minor release of Kubernetes ("1.37") whose published behaviour it describes, where another release
	// may rightly do otherwise: an alpha API, or a sentence nobody promises to keep. Against the API server of another
	// release it is NotSupported. Empty: it holds wherever its API is served.
	Release string `json:"release,omitempty"`
	// Subject says who is judged: scheduler (default when empty) or control-plane.
	Subject string   `json:"subject,omitempty"`
	Sources []Source `json:"sources"`
	// Note carries what a vendor should know: legal exceptions, what upstream does.
	Note string `json:"note,omitempty"`
}

// ControlPlane is the Subject of a requirement that is met without any scheduler.
const ControlPlane = "control-plane"

// OfScheduler reports whether it is the scheduler that is judged.
func (r Requirement) OfScheduler() bool { return r.Subject != ControlPlane }

// Judged reports whether the requirement can pass or fail at all (MUST or SHOULD).
func (r Requirement) Judged() bool { return r.Level == Must || r.Level == Should }

// Invariant reports whether checks judge it in every scenario; no scenario names it.
func (r Requirement) Invariant() bool { return strings.HasPrefix(r.ID, "INV-") }
