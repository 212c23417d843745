package undertest

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"muster/workloads/settle"
)

// Profile is what is known about a scheduler under test: data, from a file of the user's or built in.
type Profile struct {
	// Name of the scheduler, in reports.
	Name string `yaml:"name" json:"name"`
	// Version judged; empty: unknown.
	Version string `yaml:"version" json:"version,omitempty"`
	// SchedulerNames are the schedulerNames of pods it is responsible for; the first is the one muster's pods carry.
	SchedulerNames []string `yaml:"schedulerNames" json:"schedulerNames"`
	// Dialect names the API it reads gangs from.
	Dialect string `yaml:"dialect" json:"dialect"`
	// Unsupported are requirement IDs or profile names the user declares it does not support.
	Unsupported []string `yaml:"unsupported" json:"unsupported,omitempty"`
	// SettleRoot and SettleBase, in seconds: a group of m members has settled after SettleRoot × √m + SettleBase.
	SettleRoot float64 `yaml:"settleRoot" json:"settleRoot"`
	SettleBase float64 `yaml:"settleBase" json:"settleBase"`
	// Metrics is the URL at which a command serves its metrics in Prometheus' text format; empty: nobody asks for them. Of the
	// schedulers that muster starts itself it is known.
	Metrics string `yaml:"metrics" json:"metrics,omitempty"`
	// Who is judged.
	Organization string `yaml:"organization" json:"organization,omitempty"`
	Project      string `yaml:"project" json:"project,omitempty"`
	URL          string `yaml:"url" json:"url,omitempty"`
	Contact      string `yaml:"contact" json:"contact,omitempty"`
}

//go:embed profiles/*.yaml
var profiles embed.FS

// BuiltinProfile is the profile of a built-in kind (kube-scheduler, exec, none); ok is false for a kind without one. That of
// a mutant is the reference's, under its own name.
func BuiltinProfile(kind string) (p Profile, ok bool) {
	if strings.HasPrefix(kind, MutantPrefix) {
		p, ok = BuiltinProfile(Reference)
		p.Name, p.Project = kind, "muster scheduler, with a fault"
		return p, ok
	}
	data, err := profiles.ReadFile("profiles/" + kind + ".yaml")
	if err != nil {
		return Profile{}, false
	}
	p, err = parseProfile(data)
	if err != nil {
		panic(fmt.Sprintf("undertest: the profile of %s, which is part of this binary: %v", kind, err))
	}
	return p, true
}

// LoadProfile reads a user's profile. Fields it leaves out are those of an unknown scheduler (exec.yaml); a field that
// does not exist is an error that names its line, because a misspelt bound that silently stays at its default would
// change verdicts.
func LoadProfile(path string) (Profile, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Profile{}, fmt.Errorf("reading the scheduler profile: %w", err)
	}
	p, err := parseProfile(data)
	if err != nil {
		return Profile{}, fmt.Errorf("reading the scheduler profile %s: %w", path, err)
	}
	return p, nil
}

func parseProfile(data []byte) (Profile, error) {
	p := Profile{SchedulerNames: []string{"default-scheduler"}, Dialect: "native", SettleRoot: 10, SettleBase: 5}
	d := yaml.NewDecoder(bytes.NewReader(data))
	d.KnownFields(true)
	if err := d.Decode(&p); errors.Is(err, io.EOF) {
		return p, errors.New("it is empty")
	} else if err != nil {
		return p, err // names the line
	}
	var more any
	if err := d.Decode(&more); !errors.Is(err, io.EOF) {
		return p, errors.New("it holds more than one YAML document")
	}
	return p, p.Validate()
}

// schedulerNameShape is a DNS subdomain, as the API demands.
var schedulerNameShape = regexp.MustCompile(`^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$`)

// Validate says everything that is wrong with a profile.
func (p Profile) Validate() error {
	var errs []error
	if p.Name == "" {
		errs = append(errs, errors.New("name is missing: reports call the scheduler by it"))
	}
	if p.Dialect == "" {
		errs = append(errs, errors.New("dialect is empty; native is the API of Kubernetes itself"))
	}
	if len(p.SchedulerNames) == 0 {
		errs = append(errs, errors.New("schedulerNames is empty: no pod would be the scheduler's"))
	}
	for i, n := range p.SchedulerNames {
		if !schedulerNameShape.MatchString(n) {
			errs = append(errs, fmt.Errorf("schedulerNames[%d]: %q is not a DNS subdomain", i, n))
		}
		if slices.Contains(p.SchedulerNames[:i], n) {
			errs = append(errs, fmt.Errorf("schedulerNames[%d]: %q is listed twice", i, n))
		}
	}
	if u, err := url.Parse(p.Metrics); p.Metrics != "" && (err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "") {
		errs = append(errs, fmt.Errorf("metrics: %q is no URL of an endpoint; write it as http://127.0.0.1:10251/metrics", p.Metrics))
	}
	if err := settle.Check(p.SettleRoot, p.SettleBase); err != nil {
		errs = append(errs, err)
	}
	return errors.Join(errs...)
}
