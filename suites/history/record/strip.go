package record

import (
	"bytes"
	"encoding/json"
	"fmt"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"muster/suites/history"
)

// lastApplied is kubectl's copy of the whole object, environment values included.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// strip removes from a decoded object, in place, what a history never keeps: managed fields, environment values
// (their names stay) wherever there is a list of them, copies of the object in annotations, and nulls. Of a Secret
// only its identity stays.
func strip(obj map[string]any) {
	if kind, _ := obj["kind"].(string); kind == "Secret" || kind == "SecretList" {
		delete(obj, "data")
		delete(obj, "stringData")
		delete(obj, "items")
	}
	stripMeta(obj)
	stripEnv(obj)
	history.WithoutNulls(obj)
}

func stripMeta(obj map[string]any) {
	meta, _ := obj["metadata"].(map[string]any)
	delete(meta, "managedFields")
	if annotations, _ := meta["annotations"].(map[string]any); annotations != nil {
		delete(annotations, lastApplied)
		if len(annotations) == 0 {
			delete(meta, "annotations")
		}
	}
}

func stripEnv(v any) {
	switch v := v.(type) {
	case map[string]any:
		for key, e := range v {
			if key == "env" {
				dropValues(e)
			}
			stripEnv(e)
		}
	case []any:
		for _, e := range v {
			stripEnv(e)
		}
	}
}

func dropValues(env any) {
	list, _ := env.([]any)
	for _, e := range list {
		if m, _ := e.(map[string]any); m != nil {
			delete(m, "value")
		}
	}
}

// stripRaw is strip for what a driver hands over: an object or a patch. What is not a JSON object is left out, with
// an error.
func stripRaw(raw json.RawMessage) (json.RawMessage, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var obj map[string]any
	if err := utiljson.Unmarshal(raw, &obj); err != nil {
		return nil, fmt.Errorf("reading an action's object: %w", err)
	}
	strip(obj)
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(obj); err != nil {
		return nil, fmt.Errorf("writing an action's object: %w", err)
	}
	return bytes.TrimRight(buf.Bytes(), "\n"), nil
}
