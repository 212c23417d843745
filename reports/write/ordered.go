package write

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"sigs.k8s.io/yaml"
)

// ordered turns a JSON document into YAML and keeps the order of its fields, which the usual way by Go maps would sort
// by name.
func ordered(asJSON []byte) ([]byte, error) {
	o := orderedWriter{in: json.NewDecoder(bytes.NewReader(asJSON))}
	o.in.UseNumber()
	if err := o.value("", ""); err != nil {
		return nil, err
	}
	return o.out.Bytes(), nil
}

type orderedWriter struct {
	in  *json.Decoder
	out bytes.Buffer
}

// value writes the next value. before stands between what precedes it on its line and a scalar or an empty list or
// map; indent is that of the lines of anything longer.
func (o *orderedWriter) value(before, indent string) error {
	t, err := o.in.Token()
	if err != nil {
		return fmt.Errorf("reading JSON: %w", err)
	}
	open, nested := t.(json.Delim)
	if !nested {
		text, err := scalar(t)
		if err != nil {
			return err
		}
		o.out.WriteString(before + text + "\n")
		return nil
	}
	if !o.in.More() {
		o.out.WriteString(before + map[json.Delim]string{'{': "{}", '[': "[]"}[open] + "\n")
	} else if before == " " {
		o.out.WriteByte('\n') // it begins on a line of its own
	}
	for first := true; o.in.More(); first = false {
		// The first entry of a map in a list stands on the line of the dash.
		if !first || before != "" {
			o.out.WriteString(indent)
		}
		if open == '[' {
			o.out.WriteString("- ")
			if err := o.value("", indent+"  "); err != nil {
				return err
			}
			continue
		}
		key, err := o.in.Token()
		if err != nil {
			return fmt.Errorf("reading JSON: %w", err)
		}
		name, err := scalar(key)
		if err != nil {
			return err
		}
		o.out.WriteString(name + ":")
		if err := o.value(" ", indent+"  "); err != nil {
			return err
		}
	}
	if _, err := o.in.Token(); err != nil {
		return fmt.Errorf("reading JSON: %w", err)
	}
	return nil
}

// scalar is a value on one line: plain where YAML reads it back as it is, and else quoted.
func scalar(t json.Token) (string, error) {
	switch v := t.(type) {
	case json.Number:
		return v.String(), nil
	case string:
		if strings.ContainsFunc(v, func(r rune) bool { return !unicode.IsPrint(r) }) {
			return strconv.Quote(v), nil // line breaks and control characters, as escapes
		}
	}
	data, err := yaml.Marshal(t)
	if err != nil {
		return "", fmt.Errorf("encoding %v: %w", t, err)
	}
	out := strings.TrimSuffix(string(data), "\n")
	if text, ok := t.(string); ok && strings.Contains(out, "\n") {
		// Folded over several lines, whose indent would have to be that of this place: other readers of YAML insist on it.
		return strconv.Quote(text), nil
	}
	return out, nil
}
