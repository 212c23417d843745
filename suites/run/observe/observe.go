package observe

import (
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"muster/suites/history"
	"muster/suites/history/record"
	"muster/suites/run/plan"
	"muster/workloads/dialect"
)

// Options of a recording. Config, Out and Profile are required.
type Options struct {
	Config *rest.Config
	// Out receives the history and is closed.
	Out io.WriteCloser
	// Name of the shard (default "recorded"). Records of one cluster that are to be judged together have different ones.
	Name string
	// Profile of the scheduler whose pods will be judged.
	Profile history.SchedulerProfile
	// Storage of the cluster (default: unknown, as of any cluster that muster has not started).
	Storage history.Storage
	// For is how long to record; 0: until the context ends.
	For time.Duration
	// Muster is the version and revision of this build, for the header.
	Version, Revision string
	// Began is told when everything there is has been listed, with the resources the cluster does not serve.
	Began func(skipped []schema.GroupVersionResource)
}

// Recorded says what a recording has.
type Recorded struct {
	// Took is how long it lasted.
	Took time.Duration
}

// closing is what the closing lists may take once the recording is to end.
const closing = time.Minute

// Run records until the time is over or the context ends, which is no error: both complete the record.
func Run(ctx context.Context, o Options) (Recorded, error) {
	d, err := dialect.Load(o.Profile.Dialect)
	if err != nil {
		return Recorded{}, closed(o.Out, err)
	}
	header, err := headerOf(ctx, o)
	if err != nil {
		return Recorded{}, closed(o.Out, err)
	}
	rec, err := record.Start(ctx, record.Options{Config: o.Config, Out: o.Out, Header: header, Resources: resources(d)})
	if err != nil {
		return Recorded{}, closed(o.Out, err)
	}
	began := time.Now()
	if o.Began != nil {
		o.Began(rec.Skipped())
	}
	waiting, cancel := ctx, func() {}
	if o.For > 0 {
		waiting, cancel = context.WithTimeout(ctx, o.For)
	}
	<-waiting.Done()
	cancel()
	ending, done := context.WithTimeout(context.WithoutCancel(ctx), closing)
	defer done()
	if err := rec.Close(ending); err != nil {
		return Recorded{}, fmt.Errorf("completing the record: %w", err)
	}
	return Recorded{Took: time.Since(began)}, nil
}

func closed(out io.Closer, err error) error {
	_ = out.Close()
	return err
}

// resources are those that the dialect reads and those that are worth recording anyhow.
func resources(d *dialect.Dialect) []schema.GroupVersionResource {
	out := d.Resources()
	for _, gvr := range record.Optional() {
		if !slices.Contains(out, gvr) {
			out = append(out, gvr)
		}
	}
	return out
}

// headerOf asks the cluster who it is. Gates are not known: nothing is excused by them.
func headerOf(ctx context.Context, o Options) (history.Header, error) {
	client, err := kubernetes.NewForConfig(o.Config)
	if err != nil {
		return history.Header{}, fmt.Errorf("connecting to the cluster: %w", err)
	}
	system, err := client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceSystem, metav1.GetOptions{})
	if err != nil {
		return history.Header{}, fmt.Errorf("asking for the namespace kube-system, whose UID names the cluster: %w "+
			"(hack/rbac/record.yaml holds the rights that are needed)", err)
	}
	server, err := client.Discovery().ServerVersion()
	if err != nil {
		return history.Header{}, fmt.Errorf("asking for the API server's version: %w", err)
	}
	h := history.Header{
		Cluster: string(system.UID), Name: o.Name, Storage: o.Storage, Scheduler: o.Profile,
		Versions:   map[string]string{plan.APIServer: server.GitVersion},
		MusterInfo: map[string]string{"version": o.Version, "revision": o.Revision, plan.InfoOrigin: plan.InfoRecord},
	}
	if h.Name == "" {
		h.Name = "recorded"
	}
	if h.Storage == "" {
		h.Storage = history.UnknownStorage
	}
	return h, nil
}
