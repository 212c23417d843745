package prove

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"sigs.k8s.io/yaml"
)

// Store writes a proof into a file, with the directories it needs.
func Store(file string, p Proof) error {
	data, err := yaml.Marshal(p)
	if err != nil {
		return fmt.Errorf("encoding the proof: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return fmt.Errorf("storing the proof: %w", err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		return fmt.Errorf("storing the proof: %w", err)
	}
	return nil
}

// Read are the trials that stored proofs rest on, put together (Merge). Only the trials are read: what they mean is decided
// anew, by what the mutants declare today.
func Read(files []string) ([]Trial, error) {
	var runs [][]Trial
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading a proof: %w", err)
		}
		var p Proof
		if err := yaml.UnmarshalStrict(data, &p); err != nil {
			return nil, fmt.Errorf("reading the proof %s: %w", file, err)
		}
		if p.Kind != Kind || p.APIVersion != APIVersion {
			return nil, fmt.Errorf("reading the proof %s: it holds %q of %q, not %s of %s", file, p.Kind, p.APIVersion, Kind, APIVersion)
		}
		runs = append(runs, p.Trials())
	}
	trials := Merge(runs...)
	if len(trials) == 0 {
		return nil, errors.New("reading proofs: there is no trial in them")
	}
	return trials, nil
}
