package write

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"muster/reports/v1alpha1"
)

// YAML writes the report as YAML, in the order of the type's fields: a reader meets who was judged and the result
// first, and long lists last.
func YAML(w io.Writer, r *v1alpha1.ConformanceReport) error {
	var asJSON bytes.Buffer
	if err := JSON(&asJSON, r); err != nil {
		return err
	}
	data, err := ordered(asJSON.Bytes())
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
