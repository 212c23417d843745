package schema

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"time"

	"muster/suites/history"
)

// ID of the schema.
const ID = "https://muster.dev/schemas/history/v1.json"

type object = map[string]any

// JSON is the schema, indented, with a newline at its end.
func JSON() ([]byte, error) {
	g := generator{defs: object{}}
	out := object{
		"$schema":     "https://json-schema.org/draft/2020-12/schema",
		"$id":         ID,
		"title":       "Line of a muster history",
		"description": "A history is a file of JSON lines: a header first, then events. Format " + fmt.Sprint(history.FormatVersion) + ".",
		"oneOf":       []any{g.of(reflect.TypeFor[history.Header]()), g.of(reflect.TypeFor[history.Event]())},
	}
	g.defs["Header"].(object)["properties"].(object)["kind"] = object{"const": history.HeaderKind}
	g.defs["Header"].(object)["properties"].(object)["format"] = object{"type": "integer", "minimum": 1, "maximum": history.FormatVersion}
	event := g.defs["Event"].(object)
	event["properties"].(object)["seq"] = object{"type": "integer", "minimum": 1}
	event["properties"].(object)["mono"] = object{"type": "integer", "minimum": 0, "description": "nanoseconds since the header's started"}
	event["properties"].(object)["verb"] = object{"type": "string", "minLength": 1}
	event["not"] = object{"required": []any{"object", "patch"}}
	out["$defs"] = g.defs
	text, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the schema: %w", err)
	}
	return append(text, '\n'), nil
}

// enums are the values of the string types that have a closed set of them.
var enums = map[reflect.Type][]any{
	reflect.TypeFor[history.Storage](): {history.SingleEtcd, history.UnknownStorage},
	reflect.TypeFor[history.Origin](): {
		history.Watch, history.List, history.Relist, history.Driver, history.Sampling, history.Closing,
	},
}

// generator makes a definition for every struct it meets.
type generator struct{ defs object }

// of is the schema of a value of the type. Maps and slices may be null, as Go writes those that are empty.
func (g generator) of(t reflect.Type) object {
	switch {
	case t == reflect.TypeFor[time.Time]():
		return object{"type": "string", "format": "date-time"}
	case t == reflect.TypeFor[json.RawMessage]():
		return object{} // an object of the API, or a list of what exists
	case enums[t] != nil:
		return object{"enum": enums[t]}
	}
	switch t.Kind() {
	case reflect.Pointer:
		return g.of(t.Elem())
	case reflect.Struct:
		return g.structure(t)
	case reflect.Map:
		return object{"type": []any{"object", "null"}, "additionalProperties": g.of(t.Elem())}
	case reflect.Slice:
		return object{"type": []any{"array", "null"}, "items": g.of(t.Elem())}
	case reflect.String:
		return object{"type": "string"}
	case reflect.Bool:
		return object{"type": "boolean"}
	case reflect.Float64:
		return object{"type": "number"}
	case reflect.Int, reflect.Int64:
		return object{"type": "integer"}
	}
	panic(fmt.Sprintf("the history has a field of type %s, which its schema does not know how to say", t))
}

func (g generator) structure(t reflect.Type) object {
	ref := object{"$ref": "#/$defs/" + t.Name()}
	if g.defs[t.Name()] != nil {
		return ref
	}
	def := object{"type": "object", "additionalProperties": false}
	g.defs[t.Name()] = def
	properties, required := object{}, []any{}
	for f := range t.Fields() {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" || !f.IsExported() {
			continue
		}
		if name == "" {
			panic(fmt.Sprintf("the field %s of %s has no name in JSON", f.Name, t))
		}
		properties[name] = g.of(f.Type)
		if !strings.Contains(options, "omitempty") && !strings.Contains(options, "omitzero") {
			required = append(required, name)
		}
	}
	def["properties"], def["required"] = properties, required
	return ref
}
