package record

import (
	"fmt"
	"os"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"muster/suites/history"
	"muster/workloads/dialect"
)

// A real API server, where KUBECONFIG leads to one (for instance that of "muster up"): what many clients write at
// once is recorded without a gap, also when watches are protobuf.
func TestRealCluster(t *testing.T) {
	path := os.Getenv("KUBECONFIG")
	if path == "" {
		t.Skip("KUBECONFIG is not set")
	}
	cfg, err := clientcmd.BuildConfigFromFlags("", path)
	if err != nil {
		t.Fatal(err)
	}
	cfg.QPS, cfg.WarningHandler = -1, rest.NoWarnings{}
	native, err := dialect.Load(dialect.Native)
	if err != nil {
		t.Fatal(err)
	}
	b := startOn(t, newAPI(t), func(o *Options) {
		o.Config = cfg
		o.Resources = append(native.Resources(), Optional()...)
	})
	t.Logf("not served: %v", b.rec.Skipped())
	client := kubernetes.NewForConfigOrDie(cfg)
	ns := fmt.Sprintf("record-%d", time.Now().UnixNano())
	if _, err := client.CoreV1().Namespaces().Create(b.ctx, &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: ns}}, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := client.CoreV1().Namespaces().Delete(b.ctx, ns, metav1.DeleteOptions{}); err != nil {
			t.Log(err)
		}
	}()
	const writers, each = 8, 50
	done := make(chan error)
	for w := range writers {
		go func() {
			for i := range each {
				p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("p-%d-%d", w, i)}, Spec: corev1.PodSpec{
					Containers: []corev1.Container{{Name: "c", Image: "i", Env: []corev1.EnvVar{{Name: "A", Value: "hidden"}}}}}}
				if _, err := client.CoreV1().Pods(ns).Create(b.ctx, p, metav1.CreateOptions{}); err != nil {
					done <- err
					return
				}
				if i%2 == 1 {
					if err := client.CoreV1().Pods(ns).Delete(b.ctx, p.Name, metav1.DeleteOptions{}); err != nil {
						done <- err
						return
					}
				}
			}
			done <- nil
		}()
	}
	for range writers {
		if err := <-done; err != nil {
			t.Fatal(err)
		}
	}
	scope := history.Scope{Scenario: "s", Namespaces: []string{ns}}
	begin := time.Now()
	if err := b.rec.Sync(b.ctx, &scope); err != nil {
		t.Fatal(err)
	}
	t.Logf("Sync took %s", time.Since(begin))
	begin = time.Now()
	h := b.close()
	t.Logf("Close took %s; %d events, %d bytes", time.Since(begin), len(h.Events), len(b.out.String()))
	v := history.NewView(h, native, scope)
	if len(v.Gaps) > 0 || len(v.Pods) != writers*each {
		t.Errorf("%d pods, gaps %+v", len(v.Pods), v.Gaps)
	}
	for _, p := range v.Pods {
		if p.Object.Spec.Containers[0].Env[0].Value != "" {
			t.Fatal("environment values are stored")
		}
	}
}
