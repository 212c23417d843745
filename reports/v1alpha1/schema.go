package v1alpha1

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"fmt"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"
)

// Schema is the JSON schema of a report (draft 2020-12).
//
//go:embed schema.json
var Schema []byte

// Parse reads a report from YAML or JSON and validates it against the schema, so that whoever reads on can rely on
// its shape. Errors name the place in the document.
func Parse(data []byte) (*ConformanceReport, error) {
	asJSON, err := yaml.YAMLToJSON(data)
	if err != nil {
		return nil, fmt.Errorf("reading report: %w", err)
	}
	if err := Validate(asJSON); err != nil {
		return nil, err
	}
	var r ConformanceReport
	if err := json.Unmarshal(asJSON, &r); err != nil {
		return nil, fmt.Errorf("reading report: %w", err)
	}
	return &r, nil
}

// Validate checks a JSON document against the schema.
func Validate(asJSON []byte) error { return validate("conformancereport.json", Schema, asJSON) }

func validate(name string, schema, asJSON []byte) error {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return fmt.Errorf("reading the report schema: %w", err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(name, doc); err != nil {
		return fmt.Errorf("adding the report schema: %w", err)
	}
	compiled, err := c.Compile(name)
	if err != nil {
		return fmt.Errorf("compiling the report schema: %w", err)
	}
	instance, err := jsonschema.UnmarshalJSON(bytes.NewReader(asJSON))
	if err != nil {
		return fmt.Errorf("reading report: %w", err)
	}
	if err := compiled.Validate(instance); err != nil {
		return fmt.Errorf("validating report: %w", err)
	}
	return nil
}
