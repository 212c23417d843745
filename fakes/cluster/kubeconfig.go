package cluster

import (
	"fmt"
	"os"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// user is somebody the API server knows by a token.
type user struct {
	// file is the kubeconfig's name in the run directory.
	file string
	// name as RBAC and flow control see it.
	name   string
	groups []string
	token  string
}

const mastersGroup = "system:masters"

// newUsers are the identities of one cluster, with fresh tokens.
func newUsers() map[string]*user {
	users := map[string]*user{
		"admin":                   {file: "kubeconfig", name: "muster:admin", groups: []string{mastersGroup}},
		"kube-controller-manager": {name: "system:kube-controller-manager"},
		"scheduler":               {name: "system:kube-scheduler"},
		"kwok":                    {name: "muster:kwok", groups: []string{mastersGroup}},
	}
	for id, u := range users {
		if u.file == "" {
			u.file = id + ".kubeconfig"
		}
		u.token = newToken()
	}
	return users
}

// tokenCSV is the API server's --token-auth-file.
func tokenCSV(users map[string]*user) []byte {
	var b strings.Builder
	for id, u := range users {
		fmt.Fprintf(&b, "%s,%s,%s,%q\n", u.token, u.name, id, strings.Join(u.groups, ","))
	}
	return []byte(b.String())
}

// writeKubeconfig writes a self-contained kubeconfig (0600) for one user.
func writeKubeconfig(path, clusterName, server string, ca []byte, u *user) error {
	c := clientcmdapi.NewConfig()
	c.Clusters[clusterName] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: ca}
	c.AuthInfos[u.name] = &clientcmdapi.AuthInfo{Token: u.token}
	c.Contexts[clusterName] = &clientcmdapi.Context{Cluster: clusterName, AuthInfo: u.name}
	c.CurrentContext = clusterName
	data, err := clientcmd.Write(*c)
	if err != nil {
		return fmt.Errorf("encoding the kubeconfig of %s: %w", u.name, err)
	}
	return writeSecret(path, data)
}

// writeSecret writes a file that nobody else may read, whatever the umask and whatever was there before.
func writeSecret(path string, data []byte) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return fmt.Errorf("replacing %s: %w", path, err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	_, err = f.Write(data)
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}
