package env

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"muster/suites/history"
)

// answer turns what a client returned into what is recorded. Code 0 says that there was no answer: the connection
// broke or the run ended, and the request may or may not have had its effect.
func answer(verb string, obj *unstructured.Unstructured, err error) history.Response {
	if err == nil {
		r := history.Response{Code: http.StatusOK}
		if verb == history.VerbCreate || verb == history.VerbBind {
			r.Code = http.StatusCreated
		}
		if obj != nil {
			r.RV, r.UID = obj.GetResourceVersion(), string(obj.GetUID())
		}
		return r
	}
	var status apierrors.APIStatus
	if !errors.As(err, &status) {
		return history.Response{Message: err.Error()}
	}
	s := status.Status()
	r := history.Response{Code: int(s.Code), Reason: string(s.Reason), Message: s.Message}
	if s.Details != nil {
		for _, c := range s.Details.Causes {
			r.Causes = append(r.Causes, fmt.Sprintf("%s: %s: %s", c.Field, c.Type, c.Message))
		}
	}
	return r
}

// listed is a list as one object. It has no resource version: a list's is that of no event, so that it orders nothing.
func listed(l *unstructured.UnstructuredList) *unstructured.Unstructured {
	if l == nil {
		return nil
	}
	items := make([]any, len(l.Items))
	for i := range l.Items {
		items[i] = l.Items[i].Object
	}
	return &unstructured.Unstructured{Object: map[string]any{"apiVersion": l.GetAPIVersion(), "kind": l.GetKind(), "items": items}}
}

// storable is the object as it may be kept: without secrets, environment values and bookkeeping. nil for kinds that
// are secret as a whole.
func storable(obj *unstructured.Unstructured) json.RawMessage {
	if obj == nil || obj.GetKind() == "Secret" || obj.GetKind() == "SecretList" {
		return nil
	}
	c := obj.DeepCopy()
	if items, ok := c.Object["items"].([]any); ok {
		kept := make([]json.RawMessage, 0, len(items))
		for _, item := range items {
			if m, ok := item.(map[string]any); ok {
				if one := storable(&unstructured.Unstructured{Object: m}); one != nil {
					kept = append(kept, one)
				}
			}
		}
		c.Object["items"] = kept
	}
	unstructured.RemoveNestedField(c.Object, "metadata", "managedFields")
	for _, field := range []string{"containers", "initContainers", "ephemeralContainers"} {
		list, found, err := unstructured.NestedSlice(c.Object, "spec", field)
		if !found || err != nil {
			continue
		}
		for _, item := range list {
			if m, ok := item.(map[string]any); ok {
				delete(m, "env")
			}
		}
		if err := unstructured.SetNestedSlice(c.Object, list, "spec", field); err != nil {
			return nil
		}
	}
	if rows, ok := c.Object["rows"].([]any); ok && c.GetKind() == "Table" {
		for _, row := range rows { // the cells are of interest, not what they were made from
			if m, ok := row.(map[string]any); ok {
				delete(m, "object")
			}
		}
	}
	data, err := json.Marshal(c.Object)
	if err != nil {
		return nil
	}
	return data
}
