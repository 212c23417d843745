package runner

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"

	"muster/perf/measure"
	"muster/suites/history/record"
	"muster/workloads/build"
)

// Probes tell how late the observer is, through the very watch by which binds are seen. They are pods that have ended:
// schedulers do not watch those, so they cost them nothing and wake nobody. There are many, changed in turn, since requests
// that change one object at the same time undo each other's work: the API server begins each anew for every one that was
// quicker, and sixty of them at once keep it busier than the load that is to be measured.
const (
	probeNamespace = "perf-probe"
	probeName      = "probe-"
	// probeScheduler is the name of a scheduler there is not.
	probeScheduler = "muster-probe"
	// probeEvery is often enough for a p99 (500 of them) within half a minute, and 20 small requests a second.
	probeEvery = 50 * time.Millisecond
	// probes there are; each is under way once at most, for at most probeTimeout.
	probes       = 64
	probeTimeout = 10 * time.Second
)

// makeProbes creates the probes and ends them.
func makeProbes(ctx context.Context, client kubernetes.Interface) error {
	if err := makeNamespace(ctx, client, probeNamespace); err != nil {
		return err
	}
	pods := client.CoreV1().Pods(probeNamespace)
	for i := range probes {
		pod := build.PodObject(build.Pod{Name: probeName + strconv.Itoa(i)},
			build.Defaults{Namespace: probeNamespace, SchedulerName: probeScheduler})
		made, err := pods.Create(ctx, pod, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("creating probe %d of %d: %w", i+1, probes, err)
		}
		made.Status.Phase = corev1.PodSucceeded
		if _, err := pods.UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("ending probe %d of %d: %w", i+1, probes, err)
		}
	}
	return nil
}

// probe changes one probe after the other until the context ends, whether or not those before were answered: a stall is seen
// by all who would have been sent in it, until it has lasted so long that all are under way. A request that fails is a probe
// less. Those under way are waited for.
func probe(ctx context.Context, client kubernetes.Interface, rec *record.Recorder) {
	var sending sync.WaitGroup
	defer sending.Wait()
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	free := make(chan int, probes)
	for i := range probes {
		free <- i
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		_, sent := rec.Now()
		select {
		case i := <-free:
			sending.Go(func() {
				defer func() { free <- i }()
				sendProbe(context.WithoutCancel(ctx), client, i, sent)
			})
		default: // the stall is long enough to be seen by those that are under way
		}
	}
}

// sendProbe sends one, and lets it come to its end: to break it off would gain nothing.
func sendProbe(ctx context.Context, client kubernetes.Interface, i int, sent time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	patch := []byte(`{"metadata":{"annotations":{"` + measure.ProbeAnnotation + `":"` + strconv.FormatInt(int64(sent), 10) + `"}}}`)
	_, _ = client.CoreV1().Pods(probeNamespace).Patch(ctx, probeName+strconv.Itoa(i), types.MergePatchType, patch, metav1.PatchOptions{})
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
