package smoke

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	schedulingv1beta1 "k8s.io/api/scheduling/v1beta1"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"

	"muster/workloads/build"
)

// TestRoundsThenARestartLive fills a real cluster with gangs that hold devices, lets some end and fills it again, MUSTER_ROUNDS times;
// then the scheduler is stopped and started again, and asked what the old process was asked: how many pods of an important
// gang would go to which rack, who would be evicted for it, what is said where nothing helps. It runs under the rights of
// hack/rbac/scheduler.yaml; while questions are asked without the one to delete pods, so that plans can be seen (nominations,
// conditions of victims) and change nothing. At last the right is given back, and the plan is carried out as it was told: nobody
// else goes, although others wait for what the victims free. It takes minutes, so that it runs in a soak only.
func TestRoundsThenARestartLive(t *testing.T) {
	rounds, _ := strconv.Atoi(os.Getenv("MUSTER_ROUNDS"))
	if rounds == 0 {
		t.Skip("MUSTER_ROUNDS is not set: make soak sets it")
	}
	seed := uint64(time.Now().UnixNano())
	t.Logf("seed %d", seed)
	config := hallCluster(t)
	client := kubernetes.NewForConfigOrDie(config)
	h := &hall{t: t, client: client, random: rand.New(rand.NewPCG(seed, 0)), gangs: map[string]party{}, racks: map[string]string{}, plans: map[string][]string{}}
	t.Cleanup(h.report)
	h.prepare()
	kubeconfig := serviceAccount(t, client, config, "delete")
	start := func() *schedulerProcess {
		s := startProcess(t, "scheduler", "--kubeconfig", kubeconfig, "--head-wait", "24h", "--address", "", "-v", "2")
		t.Cleanup(func() {
			if t.Failed() {
				t.Logf("the scheduler's log ends with:\n%s", s.stderr.String()[max(0, s.stderr.Len()-8000):])
			}
		})
		return s
	}
	s := start()
	for range rounds {
		h.fill()
		h.empty(1 + h.random.IntN(4))
	}
	h.fill()
	if log := s.stderr.String(); strings.Contains(log, "forbidden") {
		t.Errorf("hack/rbac/scheduler.yaml lacks a right:\n%s", log)
	}
	t.Logf("%d gangs came in %d rounds", h.next, rounds)
	before := h.answers()
	if !strings.Contains(before, "evicted [g") || !strings.Contains(before, "preemption does not help") {
		t.Errorf("the questions ask too little:\n%s", before)
	}
	h.must(s.cmd.Process.Signal(syscall.SIGTERM))
	h.must(<-s.ended)
	lease, err := client.CoordinationV1().Leases(metav1.NamespaceSystem).Get(t.Context(), "muster-scheduler", metav1.GetOptions{})
	h.must(err)
	if who := lease.Spec.HolderIdentity; who != nil && *who != "" {
		t.Errorf("the lease was not given back: %s holds it", *who)
	}
	s = start()
	after := h.answers()
	if after != before {
		t.Errorf("before the restart:\n%s\nafter it:\n%s", before, after)
	}
	t.Logf("answers, before and after:\n%s", before)
	restoreRights(t, client)
	there, arrived := h.standing(), time.Now()
	h.arrive("last", party{5, false}, "high", true)
	await(t, "the plan to be carried out", func() bool { return h.look().running["last"] == 5 })
	t.Logf("the plan was carried out %.1f s after its gang arrived", time.Since(arrived).Seconds())
	still := h.standing()
	went := slices.DeleteFunc(there, func(pod string) bool { return slices.Contains(still, pod) })
	if want := h.plans["question-2"]; !slices.Equal(went, want) {
		t.Errorf("for the last gang %v had to go, want those named in answer to the same question: %v", went, want)
	}
	h.must(s.cmd.Process.Signal(syscall.SIGTERM))
	h.must(<-s.ended)
}

// hallCluster brings up the cluster, without scheduler.
func hallCluster(t *testing.T) *rest.Config {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("XDG_RUNTIME_DIR", dir)
	r := muster(t, "up", "--name", "rounds", "--scheduler", "none", "--nodes", fmt.Sprint(hallNodes), "--devices", "h100",
		"--gpus", fmt.Sprint(hallDevices), "--nodes-per-rack", fmt.Sprint(hallRack), "-o", "json").want(t, 0)
	t.Cleanup(func() { muster(t, "down", "--name", "rounds") })
	var up struct {
		Kubeconfig string `json:"kubeconfig"`
	}
	if err := json.Unmarshal([]byte(r.stdout), &up); err != nil || up.Kubeconfig == "" {
		t.Fatalf("muster up -o json printed no kubeconfig (%v): %s", err, r.stdout)
	}
	config, err := clientcmd.BuildConfigFromFlags("", up.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	config.QPS, config.Burst, config.WarningHandler = 1000, 1000, rest.NoWarnings{}
	return config
}

// prepare creates the priorities, of which only the highest evicts, and reads where the nodes stand.
func (h *hall) prepare() {
	never := corev1.PreemptNever
	for name, value := range map[string]int32{"rank-0": 0, "rank-1": 1, "rank-2": 2, "high": 9} {
		policy := &never
		if name == "high" {
			policy = nil
		}
		_, err := h.client.SchedulingV1().PriorityClasses().Create(h.t.Context(), build.PriorityClass(name, value, policy), metav1.CreateOptions{})
		h.must(err)
	}
	list, err := h.client.CoreV1().Nodes().List(h.t.Context(), metav1.ListOptions{})
	h.must(err)
	for _, n := range list.Items {
		h.racks[n.Name] = n.Labels[rackLabel]
	}
}

// answers asks all questions, one after the other, and takes each back.
func (h *hall) answers() string {
	var b strings.Builder
	for i, p := range []party{{1, false}, {3, true}, {5, false}, {hallRack * hallDevices, true}, {hallRack*hallDevices + 1, true}, {hallNodes*hallDevices + 1, false}} {
		name := fmt.Sprint("question-", i)
		h.arrive(name, p, "high", true)
		answer, since := "", time.Now()
		await(h.t, "an answer to "+name, func() bool {
			if now := h.answer(name, p); now != answer {
				answer, since = now, time.Now()
			}
			return answer != "" && time.Since(since) > 2*time.Second // it has come to rest
		})
		fmt.Fprintf(&b, "%d members, in one rack %v: %s\n", p.size, p.constrained, answer)
		h.remove(name, p.size)
		h.unmark()
		h.rest()
	}
	return b.String()
}

// answer is where a gang was bound, the plan for it, or what its condition says; empty while there is none of them.
func (h *hall) answer(name string, p party) string {
	g, err := h.client.SchedulingV1beta1().PodGroups(metav1.NamespaceDefault).Get(h.t.Context(), name, metav1.GetOptions{})
	h.must(err)
	if c := meta.FindStatusCondition(g.Status.Conditions, schedulingv1beta1.PodGroupInitiallyScheduled); c != nil && strings.Contains(c.Message, "preemption does not help") {
		return c.Message
	}
	h.plans[name] = nil
	if s := h.look(); s.running[name] == p.size {
		return fmt.Sprintf("bound in %v", slices.Sorted(maps.Keys(s.in[name])))
	}
	nominated, count, victims := map[string]int{}, 0, []string{}
	for _, pod := range h.pods(h.t.Context()) {
		if *pod.Spec.SchedulingGroup.PodGroupName == name && pod.Status.NominatedNodeName != "" {
			nominated[h.racks[pod.Status.NominatedNodeName]]++
			count++
		}
		if marked(&pod) {
			victims = append(victims, pod.Name)
		}
	}
	if count < p.size || len(victims) == 0 {
		return ""
	}
	slices.Sort(victims)
	h.plans[name] = victims
	return fmt.Sprintf("nominated %v, evicted %v", nominated, victims)
}

func marked(p *corev1.Pod) bool {
	return slices.ContainsFunc(p.Status.Conditions, func(c corev1.PodCondition) bool {
		return c.Type == corev1.DisruptionTarget
	})
}

// unmark takes back what victims and their groups were told.
func (h *hall) unmark() {
	undo := []byte(`{"status":{"conditions":[{"type":"DisruptionTarget","$patch":"delete"}]}}`)
	for _, p := range h.pods(h.t.Context()) {
		if marked(&p) {
			_, err := h.client.CoreV1().Pods(metav1.NamespaceDefault).Patch(h.t.Context(), p.Name, types.StrategicMergePatchType, undo, metav1.PatchOptions{}, "status")
			h.must(err)
		}
	}
}
