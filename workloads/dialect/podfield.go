package dialect

import (
	"fmt"
	"reflect"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// podField is a path resolved against the Go type of a pod once, so that asking hundreds of thousands of recorded
// pods for their gang needs no conversion, and a misspelt path is an error of the dialect and not a silent "no gang".
type podField struct {
	steps []podStep
}

// podStep is a struct field, or a map key, or a list index.
type podStep struct {
	field []int
	key   string
	index int
}

// resolve walks the pod's type along the path.
func resolve(p Path) (podField, error) {
	var f podField
	t := reflect.TypeFor[corev1.Pod]()
	for _, s := range p.steps {
		if t.Kind() == reflect.Pointer {
			t = t.Elem()
		}
		switch {
		case t.Kind() == reflect.Struct && s.key != "":
			sf, ok := jsonField(t, s.key)
			if !ok {
				return podField{}, fmt.Errorf("path %q: a pod has no field %q there", p, s.key)
			}
			f.steps = append(f.steps, podStep{field: sf.Index})
			t = sf.Type
		case t.Kind() == reflect.Map && s.key != "":
			f.steps = append(f.steps, podStep{key: s.key})
			t = t.Elem()
		case t.Kind() == reflect.Slice && s.key == "":
			f.steps = append(f.steps, podStep{index: s.index})
			t = t.Elem()
		default:
			return podField{}, fmt.Errorf("path %q: a pod has nothing to descend into at %q", p, s.key)
		}
	}
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.String {
		return podField{}, fmt.Errorf("path %q: a gang's name is text, a pod has %s there", p, t)
	}
	return f, nil
}

// jsonField finds a struct's field by its JSON name.
func jsonField(t reflect.Type, name string) (reflect.StructField, bool) {
	for _, sf := range reflect.VisibleFields(t) {
		tag, _, _ := strings.Cut(sf.Tag.Get("json"), ",")
		if tag == name && sf.IsExported() {
			return sf, true
		}
	}
	return reflect.StructField{}, false
}

// of is the text at the field, empty where any part of the way is absent.
func (f podField) of(pod *corev1.Pod) string {
	v := reflect.ValueOf(pod)
	for _, s := range f.steps {
		if v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return ""
			}
			v = v.Elem()
		}
		switch v.Kind() {
		case reflect.Struct:
			v = v.FieldByIndex(s.field)
		case reflect.Map:
			v = v.MapIndex(reflect.ValueOf(s.key))
		case reflect.Slice:
			if s.index >= v.Len() {
				return ""
			}
			v = v.Index(s.index)
		}
		if !v.IsValid() {
			return ""
		}
	}
	if v.Kind() == reflect.Pointer {
		if v.IsNil() {
			return ""
		}
		v = v.Elem()
	}
	return v.String()
}
