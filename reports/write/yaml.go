package write

import (
	"encoding/json"
	"fmt"
	"io"

	"sigs.k8s.io/yaml"

	"muster/reports/v1alpha1"
)

// YAML writes the report as YAML.
func YAML(w io.Writer, r *v1alpha1.ConformanceReport) error {
	data, err := yaml.Marshal(r)
	if err != nil {
		return fmt.Errorf("encoding report: %w", err)
	}
	if _, err := w.Write(data); err != nil {
		return fmt.Errorf("writing report: %w", err)
	}
	return nil
}

// JSON writes the report as indented JSON.
func JSON(w io.Writer, r *v1alpha1.ConformanceReport) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(r); err != nil {
		return fmt.Errorf("writing report: %w", err)
	}
	return nil
}
