package runner

import (
	"context"
	"fmt"
	"strconv"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"

	"muster/fakes/cluster/storage"
	"muster/perf/measure"
	"muster/workloads/build"
)

// Probes tell how late the observer is, through the very watch by which binds are seen. They are pods that have ended:
// schedulers do not watch those, so they cost them nothing and wake nobody. They are changed in storage itself, beside the
// API server: a request would wait there with those of the scheduler before anything is stored, 1.5 s where one binds a
// gang of 256 at once, and a bind is not seen that late: it waits before it has happened. There are many, changed in turn,
// so that a stall is seen by all who were sent in it.
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

// prober changes probes.
type prober struct {
	put  func(context.Context, storage.Item) error
	pods []*corev1.Pod // as they are stored
}

// makeProbes creates the probes and ends them.
func makeProbes(ctx context.Context, client kubernetes.Interface, store *storage.Store) (*prober, error) {
	if err := makeNamespace(ctx, client, probeNamespace); err != nil {
		return nil, err
	}
	p := &prober{put: store.Put}
	pods := client.CoreV1().Pods(probeNamespace)
	for i := range probes {
		pod := build.PodObject(build.Pod{Name: probeName + strconv.Itoa(i)},
			build.Defaults{Namespace: probeNamespace, SchedulerName: probeScheduler})
		made, err := pods.Create(ctx, pod, metav1.CreateOptions{})
		if err != nil {
			return nil, fmt.Errorf("creating probe %d of %d: %w", i+1, probes, err)
		}
		made.Status.Phase = corev1.PodSucceeded
		if made, err = pods.UpdateStatus(ctx, made, metav1.UpdateOptions{}); err != nil {
			return nil, fmt.Errorf("ending probe %d of %d: %w", i+1, probes, err)
		}
		p.pods = append(p.pods, stored(made))
	}
	return p, nil
}

// stored is a pod as storage has it: the version of an object is that of its key, and not written down.
func stored(pod *corev1.Pod) *corev1.Pod {
	pod = pod.DeepCopy()
	pod.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
	pod.ResourceVersion = ""
	return pod
}

// run changes one probe after the other until the context ends, whether or not those before were answered: a stall is seen
// by all who would have been sent in it, until it has lasted so long that all are under way. A change that fails is a probe
// less. Those under way are waited for.
func (p *prober) run(ctx context.Context, now func() time.Duration) {
	var sending sync.WaitGroup
	defer sending.Wait()
	tick := time.NewTicker(probeEvery)
	defer tick.Stop()
	free := make(chan *corev1.Pod, len(p.pods))
	for _, pod := range p.pods {
		free <- pod
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		sent := now()
		select {
		case pod := <-free:
			sending.Go(func() {
				defer func() { free <- pod }()
				p.send(context.WithoutCancel(ctx), pod, sent)
			})
		default: // the stall is long enough to be seen by those that are under way
		}
	}
}

// send changes one, and lets it come to its end: to break it off would gain nothing.
func (p *prober) send(ctx context.Context, pod *corev1.Pod, sent time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, probeTimeout)
	defer cancel()
	pod.Annotations = map[string]string{measure.ProbeAnnotation: strconv.FormatInt(int64(sent), 10)}
	_ = p.put(ctx, storage.Item{Key: "pods/" + pod.Namespace + "/" + pod.Name, Object: pod})
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
