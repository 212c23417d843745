package smoke

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	killGangs   = 100
	killMembers = 8
	killNodes   = 100 // of 8 GPUs: all gangs fit, with no room to spare
)

// TestGangsSurviveKills kills the reference scheduler with SIGKILL at random moments, MUSTER_KILLS times, while gangs
// arrive that fill the cluster to the last GPU. In the end every gang is complete, no node holds more than it has, and of
// two gangs that cannot be placed (one is short of a member, one asks for more than any node has) no pod is bound. One
// bind at a time, so that gangs are hit halfway. It takes about a second for each kill, so that it runs in a soak only.
func TestGangsSurviveKills(t *testing.T) {
	kills, _ := strconv.Atoi(os.Getenv("MUSTER_KILLS"))
	if kills == 0 {
		t.Skip("MUSTER_KILLS is not set: make soak sets it")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	random := rand.New(rand.NewPCG(seed, 0))
	kubeconfig := killCluster(t)
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst, config.WarningHandler = 1000, 1000, rest.NoWarnings{}
	client := kubernetes.NewForConfigOrDie(config)
	limited, cancel := context.WithTimeout(t.Context(), time.Duration(kills)*10*time.Second+limit)
	defer cancel()

	arrived := make(chan error, 1)
	pace := time.Duration(kills) * time.Second / killGangs
	go func() { arrived <- arriveGangs(limited, client, pace) }()
	halves := 0
	for i := range kills {
		s := startScheduler(t, kubeconfig)
		life := time.NewTimer(time.Duration(100+random.IntN(1300)) * time.Millisecond)
		select {
		case <-life.C:
		case err := <-s.ended:
			t.Fatalf("the scheduler ended by itself before kill %d: %v\n%s", i+1, err, s.stderr.String())
		}
		if err := s.cmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		<-s.ended
		halves += halfBound(t, client)
	}
	if err := <-arrived; err != nil {
		t.Fatal(err)
	}
	before := len(boundPods(t, client))
	s := startScheduler(t, kubeconfig)
	await(t, "every gang to be complete", func() bool { return len(boundPods(t, client)) == killGangs*killMembers })
	if err := s.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-s.ended
	on := map[string]int{}
	for _, p := range boundPods(t, client) {
		if on[p.Spec.NodeName]++; on[p.Spec.NodeName] > 8 {
			t.Errorf("node %s holds %d pods of one GPU each and has 8", p.Spec.NodeName, on[p.Spec.NodeName])
		}
	}
	if n := halfBound(t, client); n > 0 {
		t.Errorf("%d gangs are bound in part", n)
	}
	t.Logf("%d kills left %d gangs half bound; %d of %d pods were bound by those that were killed", kills, halves, before, killGangs*killMembers)
}

// halfBound counts the gangs of which some pods have a node and some have none.
func halfBound(t *testing.T, client kubernetes.Interface) (n int) {
	members := map[string]int{}
	for _, p := range boundPods(t, client) {
		members[*p.Spec.SchedulingGroup.PodGroupName]++
	}
	for _, m := range members {
		if m < killMembers {
			n++
		}
	}
	return n
}

// killCluster brings up a cluster without scheduler and returns its kubeconfig.
func killCluster(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	r := muster(t, "up", "--name", "kills", "--scheduler", "none", "--nodes", fmt.Sprint(killNodes), "--gpus", "8", "-o", "json").want(t, 0)
	t.Cleanup(func() { muster(t, "down", "--name", "kills") })
	var up struct {
		Kubeconfig string `json:"kubeconfig"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &up); err != nil || up.Kubeconfig == "" {
		t.Fatalf("muster up -o json printed no kubeconfig (%v): %s", err, r.stdout)
	}
	return up.Kubeconfig
}

type schedulerProcess struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	ended  chan error
}

func startScheduler(t *testing.T, kubeconfig string) *schedulerProcess {
	t.Helper()
	return startProcess(t, "scheduler", "--kubeconfig", kubeconfig, "--leader-elect=false", "--address", "", "--bind-parallel", "1")
}

// startProcess executes the binary and does not wait for it.
func startProcess(t *testing.T, args ...string) *schedulerProcess {
	t.Helper()
	s := &schedulerProcess{ended: make(chan error, 1)}
	s.cmd = exec.Command(binary(t), args...)
	s.cmd.Stderr = &s.stderr
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() { s.ended <- s.cmd.Wait() }()
	t.Cleanup(func() { _ = s.cmd.Process.Kill() })
	return s
}

// arriveGangs creates the gangs, one in each interval, and before them two that cannot be placed.
func arriveGangs(ctx context.Context, client kubernetes.Interface, pace time.Duration) error {
	tick := time.NewTicker(pace)
	defer tick.Stop()
	if err := arriveGang(ctx, client, "short", killMembers-1, 1); err != nil {
		return err
	}
	if err := arriveGang(ctx, client, "large", killMembers, 9); err != nil {
		return err
	}
	for i := range killGangs {
		if err := arriveGang(ctx, client, fmt.Sprint("gang-", i), killMembers, 1); err != nil {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// arriveGang creates a gang of which killMembers must be bound together, and so many members.
func arriveGang(ctx context.Context, client kubernetes.Interface, name string, members int, gpus int64) error {
	g := &schedulingv1beta1.PodGroup{ObjectMeta: metav1.ObjectMeta{Name: name}}
	g.Spec.SchedulingPolicy.Gang = &schedulingv1beta1.GangSchedulingPolicy{MinCount: killMembers}
	if _, err := client.SchedulingV1beta1().PodGroups(metav1.NamespaceDefault).Create(ctx, g, metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("creating PodGroup %s: %w", name, err)
	}
	for j := range members {
		p := &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("%s-%d", name, j)}}
		asks := corev1.ResourceList{"nvidia.com/gpu": *resource.NewQuantity(gpus, resource.DecimalSI)}
		p.Spec.SchedulerName = "muster"
		p.Spec.SchedulingGroup = &corev1.PodSchedulingGroup{PodGroupName: &name}
		p.Spec.Containers = []corev1.Container{{Name: "main", Image: "registry.k8s.io/pause:3.10", Resources: corev1.ResourceRequirements{Requests: asks, Limits: asks}}}
		if _, err := client.CoreV1().Pods(metav1.NamespaceDefault).Create(ctx, p, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating pod %s: %w", p.Name, err)
		}
	}
	return nil
}

// boundPods are the members of gangs that have a node.
func boundPods(t *testing.T, client kubernetes.Interface) (out []corev1.Pod) {
	t.Helper()
	list, err := client.CoreV1().Pods(metav1.NamespaceDefault).List(t.Context(), metav1.ListOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range list.Items {
		if p.Spec.NodeName != "" {
			out = append(out, p)
		}
	}
	return out
}
