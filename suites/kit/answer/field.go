package answer

import (
	"reflect"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

// Field is what stands at a dotted path of an object; ok is false where nothing does.
func Field(o Object, path string) (v any, ok bool) {
	v, ok, err := unstructured.NestedFieldNoCopy(o, strings.Split(path, ".")...)
	return v, ok && err == nil
}

// Has is the question whether something stands at the path.
func Has(path string) func(Object) bool {
	return func(o Object) bool { _, ok := Field(o, path); return ok }
}

// Lacks is the question whether nothing stands at the path, or something empty.
func Lacks(path string) func(Object) bool {
	return func(o Object) bool {
		v, ok := Field(o, path)
		if !ok {
			return o != nil
		}
		switch v := v.(type) {
		case Object:
			return len(v) == 0
		case []any:
			return len(v) == 0
		}
		return v == nil
	}
}

// Equals is the question whether a value stands at the path. Numbers are compared as numbers.
func Equals(path string, want any) func(Object) bool {
	return func(o Object) bool {
		got, ok := Field(o, path)
		return ok && reflect.DeepEqual(number(got), number(want))
	}
}

// number turns every number into a float64, as encoding/json does.
func number(v any) any {
	switch v := v.(type) {
	case int:
		return float64(v)
	case int32:
		return float64(v)
	case int64:
		return float64(v)
	}
	return v
}
