package runner

import (
	"context"
	"errors"
	"fmt"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"muster/fakes/nodes"
	"muster/suites/history"
	"muster/suites/history/record"
)

// driver acts in a run's cluster and writes down what came back. It is made to be light: pods are written in protobuf,
// and of an answer no more is kept than what places it in the record.
type driver struct {
	typed   kubernetes.Interface
	dynamic dynamic.Interface
	rec     *record.Recorder
	about   string // the scenario, for the record
}

func newDriver(cfg *rest.Config) (*driver, error) {
	cfg = rest.CopyConfig(cfg)
	cfg.QPS, cfg.RateLimiter = -1, nil
	dyn, err := dynamic.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("making the driver's client: %w", err)
	}
	cfg.ContentType, cfg.AcceptContentTypes = runtime.ContentTypeProtobuf, runtime.ContentTypeProtobuf+","+runtime.ContentTypeJSON
	typed, err := kubernetes.NewForConfig(cfg)
	if err != nil {
		return nil, fmt.Errorf("making the driver's client: %w", err)
	}
	return &driver{typed: typed, dynamic: dyn}, nil
}

// pod creates a pod, bound where it names a node.
func (d *driver) pod(ctx context.Context, pod *corev1.Pod) error {
	sent := d.stamp()
	made, err := d.typed.CoreV1().Pods(namespace).Create(ctx, pod, metav1.CreateOptions{})
	e := history.Event{Verb: history.VerbCreate, Version: "v1", Resource: "pods", Namespace: namespace, Name: pod.Name}
	if err == nil {
		e.UID, e.RV = string(made.UID), made.ResourceVersion
	}
	d.note(e, sent, 201, err)
	if err != nil {
		return fmt.Errorf("creating pod %s: %w", pod.Name, err)
	}
	return nil
}

// object creates a group's own object.
func (d *driver) object(ctx context.Context, o object) error {
	sent := d.stamp()
	made, err := d.dynamic.Resource(o.gvr).Namespace(namespace).Create(ctx, o.obj, metav1.CreateOptions{})
	e := history.Event{
		Verb: history.VerbCreate, Group: o.gvr.Group, Version: o.gvr.Version, Resource: o.gvr.Resource,
		Namespace: namespace, Name: o.obj.GetName(),
	}
	if err == nil {
		e.UID, e.RV = string(made.GetUID()), made.GetResourceVersion()
	}
	d.note(e, sent, 201, err)
	if err != nil {
		return fmt.Errorf("creating %s %s: %w", o.gvr.Resource, o.obj.GetName(), err)
	}
	return nil
}

// finishing is the patch that makes a pod on a simulated node end well.
var finishing = []byte(`{"metadata":{"annotations":{"` + nodes.FinishAnnotation + `":"` + nodes.FinishSucceeded + `"}}}`)

// finish asks for a pod to end. One that is gone already has.
func (d *driver) finish(ctx context.Context, pod string) error {
	sent := d.stamp()
	_, err := d.typed.CoreV1().Pods(namespace).Patch(ctx, pod, types.MergePatchType, finishing, metav1.PatchOptions{})
	d.note(history.Event{
		Verb: history.VerbPatch, Version: "v1", Resource: "pods", Namespace: namespace, Name: pod, Patch: finishing,
	}, sent, 200, err)
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("finishing pod %s: %w", pod, err)
	}
	return nil
}

// remove deletes a pod at once. One that is gone already is.
func (d *driver) remove(ctx context.Context, pod string) error {
	sent := d.stamp()
	now := int64(0)
	err := d.typed.CoreV1().Pods(namespace).Delete(ctx, pod, metav1.DeleteOptions{GracePeriodSeconds: &now})
	d.note(history.Event{Verb: history.VerbDelete, Version: "v1", Resource: "pods", Namespace: namespace, Name: pod}, sent, 200, err)
	if err != nil && !apierrors.IsNotFound(err) {
		return fmt.Errorf("deleting pod %s: %w", pod, err)
	}
	return nil
}

// stamped is when a request was sent, on the recorder's clocks.
type stamped struct {
	wall time.Time
	mono time.Duration
}

func (d *driver) stamp() stamped {
	wall, mono := d.rec.Now()
	return stamped{wall, mono}
}

// note records a deed with its answer.
func (d *driver) note(e history.Event, sent stamped, code int, err error) {
	a := &history.Action{Scenario: d.about, SentWall: sent.wall, SentMono: sent.mono}
	a.Response = history.Response{Code: code, UID: e.UID, RV: e.RV}
	if err != nil {
		a.Response = history.Response{Message: err.Error()}
		var status apierrors.APIStatus
		if errors.As(err, &status) {
			s := status.Status()
			a.Response.Code, a.Response.Reason = int(s.Code), string(s.Reason)
		}
	}
	e.Action = a
	d.rec.Action(e)
}

// say records a deed without a request: a mark, the begin, the end, the scheduler's stop and start.
func (d *driver) say(verb, name string, a history.Action) history.Folded {
	a.Scenario = d.about
	a.SentWall, a.SentMono = d.rec.Now()
	return d.rec.Action(history.Event{Verb: verb, Name: name, Action: &a})
}
