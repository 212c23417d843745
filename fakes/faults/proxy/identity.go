package proxy

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// newCertificate is a certificate for loopback that is its own authority, valid from an hour ago (clocks differ) for a
// year. The key is never written down.
func newCertificate(now time.Time) (c tls.Certificate, ca []byte, err error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return c, nil, fmt.Errorf("making the proxy's key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "muster fault proxy"},
		NotBefore: now.Add(-time.Hour), NotAfter: now.AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return c, nil, fmt.Errorf("making the proxy's certificate: %w", err)
	}
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key},
		pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}), nil
}

// newToken is a bearer token of 256 random bits.
func newToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program rather than return an error
	return hex.EncodeToString(b[:])
}

// writeKubeconfig writes the kubeconfig of the proxy's client into a folder (0600).
func writeKubeconfig(dir, server string, ca []byte, token string) (string, error) {
	const name = "through-the-proxy"
	c := clientcmdapi.NewConfig()
	c.Clusters[name] = &clientcmdapi.Cluster{Server: server, CertificateAuthorityData: ca}
	c.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token}
	c.Contexts[name] = &clientcmdapi.Context{Cluster: name, AuthInfo: name}
	c.CurrentContext = name
	data, err := clientcmd.Write(*c)
	if err != nil {
		return "", fmt.Errorf("encoding the kubeconfig of the proxy's client: %w", err)
	}
	file := filepath.Join(dir, "faults.kubeconfig")
	if err := os.Remove(file); err != nil && !os.IsNotExist(err) {
		return "", fmt.Errorf("replacing %s: %w", file, err)
	}
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return "", fmt.Errorf("writing %s: %w", file, err)
	}
	return file, nil
}
