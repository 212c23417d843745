package smoke

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
	"sigs.k8s.io/yaml"
)

// rights are the objects of hack/rbac/record.yaml.
type rights struct {
	account corev1.ServiceAccount
	role    rbacv1.ClusterRole
	binding rbacv1.ClusterRoleBinding
}

func recordRights(t *testing.T) (r rights) {
	t.Helper()
	text, err := os.ReadFile("../hack/rbac/record.yaml")
	if err != nil {
		t.Fatal(err)
	}
	into := []any{&r.account, &r.role, &r.binding}
	docs := strings.Split(string(text), "\n---\n")
	if len(docs) != len(into) {
		t.Fatalf("%d documents, want %d", len(docs), len(into))
	}
	for i, doc := range docs {
		if err := yaml.UnmarshalStrict([]byte(doc), into[i]); err != nil {
			t.Fatalf("document %d: %v", i+1, err)
		}
	}
	return r
}

func TestTheRightsOfRecordOnlyLook(t *testing.T) {
	for _, rule := range recordRights(t).role.Rules {
		for _, verb := range rule.Verbs {
			if !slices.Contains([]string{"get", "list", "watch"}, verb) {
				t.Errorf("rule %+v gives the right to %s", rule, verb)
			}
		}
		if slices.Contains(rule.Resources, "secrets") || slices.Contains(rule.Resources, "*") {
			t.Errorf("rule %+v gives more to see than is recorded", rule)
		}
	}
}

// TestRecordWithReadOnlyRights: two recorders that may only look record a cluster at the same time, and their records are
// judged as one.
func TestRecordWithReadOnlyRights(t *testing.T) {
	bin := binary(t)
	dir := t.TempDir()
	name := "smoke-record-" + filepath.Base(dir)
	up := muster(t, "up", "--name", name, "--nodes", "2", "-o", "json").want(t, 0)
	t.Cleanup(func() { muster(t, "down", "--name", name) })
	var told struct {
		Kubeconfig string `json:"kubeconfig"`
	}
	if err := json.Unmarshal([]byte(up.stdout), &told); err != nil || told.Kubeconfig == "" {
		t.Fatalf("what was brought up: %v in %s", err, up.stdout)
	}
	admin, err := clientcmd.BuildConfigFromFlags("", told.Kubeconfig)
	if err != nil {
		t.Fatal(err)
	}
	kubeconfig := readOnly(t, admin, filepath.Join(dir, "kubeconfig"))

	var both sync.WaitGroup
	var files []string
	results := make([]result, 2)
	for i, shard := range []string{"a", "b"} {
		file := filepath.Join(dir, shard+".jsonl")
		files = append(files, file)
		both.Go(func() {
			results[i] = execute(bin, "record", "--kubeconfig", kubeconfig, "--out", file, "--shard", shard, "--for", "5s")
		})
	}
	both.Wait()
	for _, r := range results {
		r.want(t, 0)
		if strings.Contains(r.stderr, "not recorded") {
			t.Errorf("something was left out: %s", r.stderr)
		}
	}
	judged := muster(t, append([]string{"judge"}, files...)...).want(t, 0)
	if m := lastLine.FindStringSubmatch(judged.last()); m == nil || m[1] == "0" || m[2] != "0" || m[5] != "0" || m[6] != "0" {
		t.Errorf("judged: %s", judged.last())
	}
}

// readOnly gives a service account the rights of record and writes a kubeconfig with its token. A pod is created first, so
// that there is something to see, and once more with that token, which must not be possible.
func readOnly(t *testing.T, admin *rest.Config, file string) string {
	t.Helper()
	ctx := context.Background()
	client, err := kubernetes.NewForConfig(admin)
	if err != nil {
		t.Fatal(err)
	}
	r := recordRights(t)
	system := client.CoreV1().ServiceAccounts(r.account.Namespace)
	if _, err := system.Create(ctx, &r.account, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.RbacV1().ClusterRoles().Create(ctx, &r.role, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	if _, err := client.RbacV1().ClusterRoleBindings().Create(ctx, &r.binding, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	token, err := system.CreateToken(ctx, r.account.Name, &authenticationv1.TokenRequest{}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if err := createPod(ctx, client); err != nil {
		t.Fatal(err)
	}
	c := clientcmdapi.NewConfig()
	c.Clusters["c"] = &clientcmdapi.Cluster{Server: admin.Host, CertificateAuthority: admin.CAFile, CertificateAuthorityData: admin.CAData}
	c.AuthInfos["c"] = &clientcmdapi.AuthInfo{Token: token.Status.Token}
	c.Contexts["c"] = &clientcmdapi.Context{Cluster: "c", AuthInfo: "c"}
	c.CurrentContext = "c"
	if err := clientcmd.WriteToFile(*c, file); err != nil {
		t.Fatal(err)
	}
	config, err := clientcmd.BuildConfigFromFlags("", file)
	if err != nil {
		t.Fatal(err)
	}
	looker, err := kubernetes.NewForConfig(config)
	if err != nil {
		t.Fatal(err)
	}
	if err := createPod(ctx, looker); !apierrors.IsForbidden(err) {
		t.Errorf("who may only look creates a pod: %v", err)
	}
	return file
}

func createPod(ctx context.Context, client kubernetes.Interface) error {
	no := false
	_, err := client.CoreV1().Pods("default").Create(ctx, &corev1.Pod{
		ObjectMeta: metav1.ObjectMeta{GenerateName: "p-"},
		Spec: corev1.PodSpec{AutomountServiceAccountToken: &no,
			Containers: []corev1.Container{{Name: "c", Image: "registry.k8s.io/pause:3.10"}}},
	}, metav1.CreateOptions{})
	return err
}
