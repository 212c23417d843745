package seed

import (
	"bytes"
	"fmt"
	"sync"

	corev1 "k8s.io/api/core/v1"
	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/client-go/applyconfigurations"
	"k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"
)

// Manager is whom the API server takes for the owner of what clients of muster create: the first part of their user agent.
const Manager = "muster"

// converter knows the schema of every kind; it is made once and takes a while to make.
var converter = sync.OnceValue(func() managedfields.TypeConverter { return applyconfigurations.NewTypeConverter(scheme.Scheme) })

// stripped are fields that the API server never writes down an owner of.
var stripped = fieldpath.NewSet(
	fieldpath.MakePathOrDie("apiVersion"), fieldpath.MakePathOrDie("kind"), fieldpath.MakePathOrDie("metadata"),
	fieldpath.MakePathOrDie("metadata", "name"), fieldpath.MakePathOrDie("metadata", "namespace"),
	fieldpath.MakePathOrDie("metadata", "creationTimestamp"), fieldpath.MakePathOrDie("metadata", "uid"),
	fieldpath.MakePathOrDie("metadata", "generation"), fieldpath.MakePathOrDie("metadata", "resourceVersion"),
	fieldpath.MakePathOrDie("metadata", "managedFields"),
)

// owned is the set of fields of an object that whoever creates it owns, as JSON: what it has and an empty object of its kind
// has not. The status of a node is left out: it is of another endpoint, though the node is created with it.
func owned(obj runtime.Object) ([]byte, error) {
	var empty runtime.Object = &resourcev1.ResourceSlice{TypeMeta: metav1.TypeMeta{APIVersion: resourcev1.SchemeGroupVersion.String(), Kind: "ResourceSlice"}}
	_, isNode := obj.(*corev1.Node)
	if isNode {
		empty = &corev1.Node{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Node"}}
	}
	before, err := converter().ObjectToTyped(empty)
	if err != nil {
		return nil, fmt.Errorf("looking up the schema: %w", err)
	}
	after, err := converter().ObjectToTyped(obj)
	if err != nil {
		return nil, fmt.Errorf("looking up the schema: %w", err)
	}
	change, err := before.Compare(after)
	if err != nil {
		return nil, fmt.Errorf("listing the fields: %w", err)
	}
	set := change.Added.Union(change.Modified).Difference(stripped)
	if isNode {
		set = set.RecursiveDifference(fieldpath.NewSet(fieldpath.MakePathOrDie("status")))
	}
	return set.ToJSON()
}

// owners makes the managedFields of many objects of one kind that have the same fields, from those of the first of them:
// to list the fields of each would take longer than everything else together.
type owners struct {
	version string
	fields  []byte
	ownerID string // the uid of the first's owner, which is part of its fields
}

func ownersOf(first runtime.Object) (owners, error) {
	fields, err := owned(first)
	if err != nil {
		return owners{}, err
	}
	o := owners{version: corev1.SchemeGroupVersion.String(), fields: fields}
	if s, ok := first.(*resourcev1.ResourceSlice); ok {
		o.version = resourcev1.SchemeGroupVersion.String()
		if len(s.OwnerReferences) > 0 {
			o.ownerID = string(s.OwnerReferences[0].UID)
		}
	}
	return o, nil
}

// of are those of an object created at this time, whose owner has this uid (if it has one).
func (o owners) of(at metav1.Time, ownerID string) []metav1.ManagedFieldsEntry {
	fields := o.fields
	if o.ownerID != "" {
		fields = bytes.ReplaceAll(fields, []byte(o.ownerID), []byte(ownerID))
	}
	return []metav1.ManagedFieldsEntry{{
		Manager: Manager, Operation: metav1.ManagedFieldsOperationUpdate, APIVersion: o.version, Time: &at,
		FieldsType: "FieldsV1", FieldsV1: &metav1.FieldsV1{Raw: fields},
	}}
}
