package requirements

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"muster/suites"
)

//go:embed data/*.yaml
var data embed.FS

// sourcesFile holds the sentences; every other file of data is an area.
const sourcesFile = "sources.yaml"

// area is one file of data/: requirements whose IDs share a prefix. Profile, maturity, release and gates are the defaults
// of its requirements.
type area struct {
	Area         string          `json:"area"`
	Profile      string          `json:"profile"`
	Maturity     suites.Maturity `json:"maturity"`
	Release      string          `json:"release"`
	Gates        []string        `json:"gates"`
	Requirements []entry         `json:"requirements"`
}

// entry is a suites.Requirement as it is written down: sources by key, defaults left away.
type entry struct {
	ID       string          `json:"id"`
	Title    string          `json:"title"`
	Text     string          `json:"text"`
	Level    suites.Level    `json:"level"`
	Core     bool            `json:"core"`
	Maturity suites.Maturity `json:"maturity"`
	// Release replaces the area's when it is given at all; an empty one says "any".
	Release *string `json:"release"`
	// Gates replaces the area's when it is given at all; an empty list says "none".
	Gates   *[]string `json:"gates"`
	Subject string    `json:"subject"`
	Sources []string  `json:"sources"`
	Note    string    `json:"note"`
}

// All is the whole catalogue, sorted by ID. An error means that the catalogue in this binary is broken; it lists
// everything that is wrong, by file.
func All() ([]suites.Requirement, error) {
	sub, err := fs.Sub(data, "data")
	if err != nil {
		return nil, fmt.Errorf("opening the catalogue: %w", err)
	}
	return load(sub)
}

// load reads a catalogue from a folder: sources.yaml and one file an area.
func load(dir fs.FS) ([]suites.Requirement, error) {
	sources, err := loadSources(dir)
	if err != nil {
		return nil, err
	}
	names, err := fs.Glob(dir, "*.yaml")
	if err != nil {
		return nil, fmt.Errorf("listing the catalogue: %w", err)
	}
	used := map[string]bool{}
	var out []suites.Requirement
	for _, name := range names {
		if name == sourcesFile {
			continue
		}
		var a area
		if err := readStrict(dir, name, &a); err != nil {
			return nil, err
		}
		for _, e := range a.Requirements {
			r, err := e.requirement(a, sources, used)
			if err != nil {
				return nil, fmt.Errorf("reading %s of %s: %w", e.ID, name, err)
			}
			if got := areaOf(r.ID); got != a.Area {
				return nil, fmt.Errorf("reading %s: %s is not an ID of area %s", name, r.ID, a.Area)
			}
			out = append(out, r)
		}
	}
	for key := range sources {
		if !used[key] {
			return nil, fmt.Errorf("reading %s: no requirement rests on %q; remove it or use it", sourcesFile, key)
		}
	}
	slices.SortFunc(out, func(a, b suites.Requirement) int { return strings.Compare(a.ID, b.ID) })
	if errs := check(out); len(errs) > 0 {
		return nil, fmt.Errorf("checking the catalogue: %w", joined(errs))
	}
	return out, nil
}

func loadSources(dir fs.FS) (map[string]suites.Source, error) {
	var file struct {
		Sources map[string]suites.Source `json:"sources"`
	}
	if err := readStrict(dir, sourcesFile, &file); err != nil {
		return nil, err
	}
	return file.Sources, nil
}

// readStrict decodes a file and refuses fields nobody knows: a typo must not silently drop a gate.
func readStrict(dir fs.FS, name string, into any) error {
	raw, err := fs.ReadFile(dir, name)
	if err != nil {
		return fmt.Errorf("reading %s of the catalogue: %w", path.Base(name), err)
	}
	if err := yaml.UnmarshalStrict(raw, into); err != nil {
		return fmt.Errorf("parsing %s of the catalogue: %w", path.Base(name), err)
	}
	return nil
}

// requirement fills in the area's defaults and resolves the sources, noting which of them were used.
func (e entry) requirement(a area, sources map[string]suites.Source, used map[string]bool) (suites.Requirement, error) {
	r := suites.Requirement{
		ID: e.ID, Profile: a.Profile, Title: e.Title, Text: strings.TrimSpace(e.Text), Level: e.Level, Core: e.Core,
		Maturity: a.Maturity, Release: a.Release, Gates: slices.Clone(a.Gates), Subject: e.Subject, Note: strings.TrimSpace(e.Note),
	}
	if e.Maturity != "" {
		r.Maturity = e.Maturity
	}
	if e.Release != nil {
		r.Release = *e.Release
	}
	if e.Gates != nil {
		r.Gates = slices.Clone(*e.Gates)
	}
	for _, key := range e.Sources {
		s, ok := sources[key]
		if !ok {
			return r, fmt.Errorf("source %q is not in %s", key, sourcesFile)
		}
		used[key] = true
		r.Sources = append(r.Sources, s)
	}
	return r, nil
}
