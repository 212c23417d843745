package smoke

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/yaml"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/kubernetes/scheme"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/client-go/tools/clientcmd/api"
)

// schedulerRights are the objects of hack/rbac/scheduler.yaml.
func schedulerRights(t *testing.T) (out []runtime.Object) {
	t.Helper()
	data, err := os.ReadFile("../hack/rbac/scheduler.yaml")
	if err != nil {
		t.Fatal(err)
	}
	docs := yaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(data)))
	for {
		doc, err := docs.Read()
		if errors.Is(err, io.EOF) {
			return out
		}
		if err != nil {
			t.Fatal(err)
		}
		o, _, err := scheme.Codecs.UniversalDeserializer().Decode(doc, nil, nil)
		if err != nil {
			t.Fatalf("reading hack/rbac/scheduler.yaml: %v", err)
		}
		out = append(out, o)
	}
}

// serviceAccount gives the reference scheduler's service account its rights, all but the verbs on pods that are withheld, and
// returns a kubeconfig for it.
func serviceAccount(t *testing.T, client kubernetes.Interface, cluster *rest.Config, withhold ...string) string {
	t.Helper()
	ctx, o := t.Context(), metav1.CreateOptions{}
	var account *corev1.ServiceAccount
	for _, obj := range schedulerRights(t) {
		var err error
		switch x := obj.(type) {
		case *corev1.ServiceAccount:
			account = x
			_, err = client.CoreV1().ServiceAccounts(x.Namespace).Create(ctx, x, o)
		case *rbacv1.ClusterRole:
			_, err = client.RbacV1().ClusterRoles().Create(ctx, without(x, withhold), o)
		case *rbacv1.ClusterRoleBinding:
			_, err = client.RbacV1().ClusterRoleBindings().Create(ctx, x, o)
		case *rbacv1.Role:
			_, err = client.RbacV1().Roles(x.Namespace).Create(ctx, x, o)
		case *rbacv1.RoleBinding:
			_, err = client.RbacV1().RoleBindings(x.Namespace).Create(ctx, x, o)
		default:
			t.Fatalf("hack/rbac/scheduler.yaml holds a %T, which this test does not know", x)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	token, err := client.CoreV1().ServiceAccounts(account.Namespace).CreateToken(ctx, account.Name, &authenticationv1.TokenRequest{}, o)
	if err != nil {
		t.Fatal(err)
	}
	config := api.NewConfig()
	config.Clusters["c"] = &api.Cluster{Server: cluster.Host, CertificateAuthority: cluster.CAFile, CertificateAuthorityData: cluster.CAData}
	config.AuthInfos["u"] = &api.AuthInfo{Token: token.Status.Token}
	config.Contexts["x"] = &api.Context{Cluster: "c", AuthInfo: "u"}
	config.CurrentContext = "x"
	path := filepath.Join(t.TempDir(), "kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		t.Fatal(err)
	}
	return path
}

// restoreRights gives the service account what was withheld.
func restoreRights(t *testing.T, client kubernetes.Interface) {
	t.Helper()
	for _, obj := range schedulerRights(t) {
		if x, ok := obj.(*rbacv1.ClusterRole); ok {
			if _, err := client.RbacV1().ClusterRoles().Update(t.Context(), x, metav1.UpdateOptions{}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// without is a role that lacks verbs on pods.
func without(r *rbacv1.ClusterRole, verbs []string) *rbacv1.ClusterRole {
	for i := range r.Rules {
		if rule := &r.Rules[i]; slices.Contains(rule.Resources, "pods") {
			rule.Verbs = slices.DeleteFunc(rule.Verbs, func(v string) bool { return slices.Contains(verbs, v) })
		}
	}
	r.Rules = slices.DeleteFunc(r.Rules, func(rule rbacv1.PolicyRule) bool { return len(rule.Verbs) == 0 })
	return r
}
