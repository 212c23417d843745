package runner

import (
	"context"
	"fmt"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"muster/perf/measure"
	"muster/suites/history/record"
	"muster/workloads/build"
)

// A probe tells how late the observer is, through the very watch by which binds are seen. It is a pod that has ended:
// schedulers do not watch those, so it costs them nothing and wakes nobody.
const (
	probeNamespace = "perf-probe"
	probeName      = "probe"
	// probeScheduler is the name of a scheduler there is not.
	probeScheduler = "muster-probe"
	// probeEvery is often enough for a p99 (500 of them) within half a minute, and 20 small requests a second.
	probeEvery = 50 * time.Millisecond
)

// makeProbe creates the probe and ends it.
func makeProbe(ctx context.Context, client kubernetes.Interface) error {
	if err := makeNamespace(ctx, client, probeNamespace); err != nil {
		return err
	}
	pods := client.CoreV1().Pods(probeNamespace)
	pod := build.PodObject(build.Pod{Name: probeName}, build.Defaults{Namespace: probeNamespace, SchedulerName: probeScheduler})
	made, err := pods.Create(ctx, pod, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("creating the probe: %w", err)
	}
	made.Status.Phase = corev1.PodSucceeded
	if _, err := pods.UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil {
		return fmt.Errorf("ending the probe: %w", err)
	}
	return nil
}

// probe changes the probe again and again until the context ends. A request that fails is a probe less.
func probe(ctx context.Context, client kubernetes.Interface, rec *record.Recorder) {
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	pods := client.CoreV1().Pods(probeNamespace)
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_, sent := rec.Now()
		patch := []byte(`{"metadata":{"annotations":{"` + measure.ProbeAnnotation + `":"` + strconv.FormatInt(int64(sent), 10) + `"}}}`)
		_, _ = pods.Patch(ctx, probeName, types.MergePatchType, patch, metav1.PatchOptions{})
	}
}

// makeNamespace makes a namespace and the account that admission wants pods to have, without waiting for the controller
// that would make it.
func makeNamespace(ctx context.Context, client kubernetes.Interface, name string) error {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	if _, err := client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating the namespace %s: %w", name, err)
	}
	account := &corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "default", Namespace: name}}
	// Whether this or the controller's request comes first makes no difference, so neither does the answer.
	_, _ = client.CoreV1().ServiceAccounts(name).Create(ctx, account, metav1.CreateOptions{})
	return nil
}
