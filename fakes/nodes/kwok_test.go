package nodes

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"pgregory.net/rapid"
	"sigs.k8s.io/kwok/pkg/apis/internalversion"
	"sigs.k8s.io/kwok/pkg/config"
	"sigs.k8s.io/kwok/pkg/utils/gotpl"
	"sigs.k8s.io/kwok/pkg/utils/lifecycle"
)

// kubelet plays stages.yaml with kwok's own engine, without a cluster.
type kubelet struct {
	stages   lifecycle.Lifecycle
	renderer gotpl.Renderer
}

func newKubelet(t *testing.T) kubelet {
	t.Helper()
	return newKubeletOf(t, KwokConfig)
}

func newKubeletOf(t *testing.T, configuration func() ([]byte, error)) kubelet {
	t.Helper()
	data, err := configuration()
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "kwok.yaml")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		t.Fatal(err)
	}
	objs, err := config.Load(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	var pods, others []*internalversion.Stage
	for _, o := range objs {
		switch o := o.(type) {
		case *internalversion.Stage:
			if o.Spec.ResourceRef.Kind == "Pod" {
				pods = append(pods, o)
			} else {
				others = append(others, o)
			}
		case *internalversion.KwokConfiguration:
			if !o.Options.ManageAllNodes || o.Options.NodeLeaseDurationSeconds != 0 {
				t.Errorf("options: manageAllNodes %v, leases %d s; want all nodes and no leases", o.Options.ManageAllNodes, o.Options.NodeLeaseDurationSeconds)
			}
		}
	}
	if len(others) != 1 || others[0].Spec.ResourceRef.Kind != "Node" {
		t.Fatalf("kwok learns of nodes only through a stage of kind Node; got %d others", len(others))
	}
	if nodeStages, err := lifecycle.NewLifecycle(others); err != nil || len(nodeStages) != 0 {
		t.Fatalf("the node stage does something to nodes: %d stages, %v", len(nodeStages), err)
	}
	ls, err := lifecycle.NewLifecycle(pods)
	if err != nil {
		t.Fatal(err)
	}
	return kubelet{stages: ls, renderer: gotpl.NewRenderer(nil)}
}

// step plays the one stage that matches. It returns its name ("" for none), the delay, the pod afterwards (nil: removed)
// and the number of requests it took.
func (k kubelet) step(t *testing.T, pod *corev1.Pod, now time.Time) (name string, delay time.Duration, after *corev1.Pod, requests int) {
	t.Helper()
	event := &lifecycle.Event{Labels: pod.Labels, Annotations: pod.Annotations, Data: pod}
	stage, err := k.stages.Match(context.Background(), event)
	if err != nil {
		t.Fatal(err)
	}
	if stage == nil {
		return "", 0, pod, 0
	}
	delay, _, err = stage.Delay(context.Background(), event, now)
	if err != nil {
		t.Fatal(err)
	}
	after = pod
	_, err = stage.DoSteps(0, pod.Finalizers, pod, k.renderer,
		func(*internalversion.StageEvent) error { t.Error("a stage sends events"); return nil },
		func() error { requests, after = requests+1, nil; return nil },
		func(p *lifecycle.Patch) error {
			requests++
			if p.Subresource != "status" {
				t.Errorf("stage %s patches %q; want status", stage.Name(), p.Subresource)
			}
			before, err := json.Marshal(pod)
			if err != nil {
				return err
			}
			merged, err := strategicpatch.StrategicMergePatch(before, p.Data, corev1.Pod{})
			if err != nil {
				return err
			}
			after = &corev1.Pod{}
			return json.Unmarshal(merged, after)
		},
		func(*lifecycle.Apply) error { t.Error("a stage applies objects"); return nil })
	if err != nil {
		t.Fatalf("stage %s: %v", stage.Name(), err)
	}
	return stage.Name(), delay, after, requests
}

func bound() *corev1.Pod {
	return &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{Name: "p", Namespace: "ns", UID: "1"},
		Spec: corev1.PodSpec{
			NodeName:   "n-0",
			Containers: []corev1.Container{{Name: "main", Image: "example.com/a:1"}, {Name: "second", Image: "example.com/b:1"}},
		},
		Status: corev1.PodStatus{
			Phase:      corev1.PodPending,
			Conditions: []corev1.PodCondition{{Type: corev1.PodScheduled, Status: corev1.ConditionTrue}},
		},
	}
}

func condition(p *corev1.Pod, t corev1.PodConditionType) corev1.ConditionStatus {
	for _, c := range p.Status.Conditions {
		if c.Type == t {
			return c.Status
		}
	}
	return ""
}

func TestIdleKubeletOnlyRemoves(t *testing.T) {
	k := newKubeletOf(t, KwokConfigIdle)
	pod := bound()
	if name, _, _, _ := k.step(t, pod, time.Now()); name != "" {
		t.Errorf("stage %s matches a pod that was bound", name)
	}
	at, grace := metav1.Now(), int64(30)
	pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &at, &grace
	if name, _, after, _ := k.step(t, pod, time.Now()); name != "pod-remove" || after != nil {
		t.Errorf("a pod being deleted: stage %q, left %v", name, after)
	}
}

func TestBoundPodRunsWithOnePatch(t *testing.T) {
	k := newKubelet(t)
	pod := bound()
	always := corev1.ContainerRestartPolicyAlways
	pod.Spec.InitContainers = []corev1.Container{{Name: "init", Image: "i"}, {Name: "side", Image: "s", RestartPolicy: &always}}
	name, delay, pod, requests := k.step(t, pod, time.Now())
	if name != "pod-run" || delay != 0 || requests != 1 {
		t.Fatalf("played %q after %v in %d requests; want pod-run at once in one", name, delay, requests)
	}
	if pod.Status.Phase != corev1.PodRunning || pod.Status.StartTime == nil {
		t.Errorf("phase %s, start %v; want Running with a start", pod.Status.Phase, pod.Status.StartTime)
	}
	for _, c := range []corev1.PodConditionType{corev1.PodScheduled, corev1.PodInitialized, corev1.ContainersReady, corev1.PodReady} {
		if condition(pod, c) != corev1.ConditionTrue {
			t.Errorf("condition %s is %q; want True", c, condition(pod, c))
		}
	}
	if n := len(pod.Status.ContainerStatuses); n != 2 || !pod.Status.ContainerStatuses[1].Ready {
		t.Errorf("container statuses %+v; want two, ready", pod.Status.ContainerStatuses)
	}
	inits := pod.Status.InitContainerStatuses
	if len(inits) != 2 || inits[0].State.Terminated == nil || inits[1].State.Running == nil {
		t.Errorf("init container statuses %+v; want one finished, one sidecar running", inits)
	}
	if name, _, _, _ := k.step(t, pod, time.Now()); name != "" {
		t.Errorf("a running pod is taken on to %q; want it left alone", name)
	}
}

func TestPodsEndOnlyWhenTold(t *testing.T) {
	k := newKubelet(t)
	controller := true
	for _, owner := range []string{"", "Job", "ReplicaSet", "StatefulSet"} {
		for finish, want := range map[string]corev1.PodPhase{"": corev1.PodRunning, FinishSucceeded: corev1.PodSucceeded, FinishFailed: corev1.PodFailed, "Other": corev1.PodRunning} {
			pod := bound()
			if owner != "" {
				pod.OwnerReferences = []metav1.OwnerReference{{Kind: owner, Name: "o", Controller: &controller}}
			}
			if finish != "" {
				pod.Annotations = map[string]string{FinishAnnotation: finish}
			}
			for range 4 {
				_, _, pod, _ = k.step(t, pod, time.Now())
			}
			if pod == nil || pod.Status.Phase != want {
				t.Errorf("owner %q, finish %q: ended as %+v; want %s", owner, finish, pod, want)
				continue
			}
			if want != corev1.PodRunning && (condition(pod, corev1.PodReady) != corev1.ConditionFalse || pod.Status.ContainerStatuses[0].State.Terminated == nil) {
				t.Errorf("finish %q: still looks ready: %+v", finish, pod.Status)
			}
		}
	}
}

func TestDeletedPodGoesWhenItsGraceIsOver(t *testing.T) {
	k := newKubelet(t)
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	for _, tc := range []struct {
		name  string
		grace int64
		left  time.Duration
		phase corev1.PodPhase
	}{
		{"running, 30 s left", 30, 30 * time.Second, corev1.PodRunning},
		{"not yet running, 10 s left", 30, 10 * time.Second, corev1.PodPending},
		{"overdue", 1, -2 * time.Second, corev1.PodRunning},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pod := bound()
			pod.Status.Phase = tc.phase
			pod.Finalizers = []string{"example.com/mine"}
			pod.Annotations = map[string]string{FinishAnnotation: FinishSucceeded}
			at := metav1.NewTime(now.Add(tc.left))
			pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &at, &tc.grace
			name, delay, after, requests := k.step(t, pod, now)
			if name != "pod-remove" || delay != tc.left || after != nil || requests != 1 {
				t.Errorf("played %q after %v (removed: %v, %d requests); want pod-remove after %v with one delete and finalizers left alone", name, delay, after == nil, requests, tc.left)
			}
		})
	}
}

// TestPodWithoutGraceIsLeftToTheAPIServer, which removes it when its last finalizer goes: a delete more would only find
// it gone.
func TestPodWithoutGraceIsLeftToTheAPIServer(t *testing.T) {
	k := newKubelet(t)
	pod, none := bound(), int64(0)
	at := metav1.NewTime(time.Unix(1, 0))
	pod.DeletionTimestamp, pod.DeletionGracePeriodSeconds = &at, &none
	if name, _, _, _ := k.step(t, pod, time.Now()); name != "" {
		t.Errorf("played %s", name)
	}
}

// TestAtMostOneStageMatches: kwok picks at random between stages that match together, so none may.
func TestAtMostOneStageMatches(t *testing.T) {
	k := newKubelet(t)
	rapid.Check(t, func(t *rapid.T) {
		pod := bound()
		pod.Status.Phase = rapid.SampledFrom([]corev1.PodPhase{"", corev1.PodPending, corev1.PodRunning, corev1.PodSucceeded, corev1.PodFailed}).Draw(t, "phase")
		if f := rapid.SampledFrom([]string{"", FinishSucceeded, FinishFailed, "x"}).Draw(t, "finish"); f != "" {
			pod.Annotations = map[string]string{FinishAnnotation: f}
		}
		if rapid.Bool().Draw(t, "deleted") {
			at := metav1.NewTime(time.Unix(1, 0))
			pod.DeletionTimestamp = &at
		}
		event := &lifecycle.Event{Labels: pod.Labels, Annotations: pod.Annotations, Data: pod}
		all, err := k.stages.ListAllPossible(context.Background(), event)
		if err != nil {
			t.Fatal(err)
		}
		if len(all) > 1 {
			t.Fatalf("%s and %s match the same pod", all[0].Name(), all[1].Name())
		}
	})
}
