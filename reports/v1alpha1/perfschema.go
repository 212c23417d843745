package v1alpha1

import (
	_ "embed"
	"encoding/json"
	"fmt"

	"sigs.k8s.io/yaml"
)

// PerfSchema is the JSON schema of a performance report (draft 2020-12).
//
//go:embed perfschema.json
var PerfSchema []byte

// ParsePerf reads a performance report from YAML or JSON and validates it against the schema. Errors name the place in
// the document.
func ParsePerf(data []byte) (*PerfReport, error) {
	asJSON, err := yaml.YAMLToJSON(data)
	if err != nil {
		return nil, fmt.Errorf("reading performance report: %w", err)
	}
	if err := ValidatePerf(asJSON); err != nil {
		return nil, err
	}
	var r PerfReport
	if err := json.Unmarshal(asJSON, &r); err != nil {
		return nil, fmt.Errorf("reading performance report: %w", err)
	}
	return &r, nil
}

// ValidatePerf checks a JSON document against PerfSchema.
func ValidatePerf(asJSON []byte) error { return validate("perfreport.json", PerfSchema, asJSON) }
