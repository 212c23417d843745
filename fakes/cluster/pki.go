package cluster

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"path/filepath"
	"time"
)

// Files of the run directory's pki folder.
const (
	caFile                = "ca.crt"
	servingCertFile       = "serving.crt"
	servingKeyFile        = "serving.key"
	serviceAccountKeyFile = "service-account.key"
	tokenFile             = "tokens.csv"
)

// pki is a cluster's own authority. Its key is used once, to sign the serving certificate, and never written down.
type pki struct {
	dir string
	// ca is the authority's certificate as PEM: what clients trust.
	ca []byte
}

// newPKI makes the authority, the serving certificate that every component shares, and the service account key.
// Everything is valid from an hour ago (clocks differ) for a year: no cluster of muster's lives that long.
func newPKI(dir string, now time.Time) (*pki, error) {
	caKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making the cluster's authority: %w", err)
	}
	from, until := now.Add(-time.Hour), now.AddDate(1, 0, 0)
	caTemplate := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "muster"},
		NotBefore: from, NotAfter: until,
		IsCA: true, BasicConstraintsValid: true,
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	caDER, err := x509.CreateCertificate(rand.Reader, caTemplate, caTemplate, caKey.Public(), caKey)
	if err != nil {
		return nil, fmt.Errorf("making the cluster's authority: %w", err)
	}
	caPEM := encode("CERTIFICATE", caDER)

	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making the serving key: %w", err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "muster control plane"},
		NotBefore: from, NotAfter: until,
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.ParseIP(serviceIP)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, caTemplate, key.Public(), caKey)
	if err != nil {
		return nil, fmt.Errorf("signing the serving certificate: %w", err)
	}
	accounts, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making the service account key: %w", err)
	}
	p := &pki{dir: dir, ca: caPEM}
	for name, write := range map[string]func() ([]byte, error){
		caFile:                func() ([]byte, error) { return caPEM, nil },
		servingCertFile:       func() ([]byte, error) { return append(encode("CERTIFICATE", der), caPEM...), nil },
		servingKeyFile:        func() ([]byte, error) { return encodeKey(key) },
		serviceAccountKeyFile: func() ([]byte, error) { return encodeKey(accounts) },
	} {
		data, err := write()
		if err != nil {
			return nil, fmt.Errorf("encoding %s: %w", name, err)
		}
		if err := writeSecret(p.path(name), data); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func (p *pki) path(name string) string { return filepath.Join(p.dir, name) }

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

func encodeKey(key *ecdsa.PrivateKey) ([]byte, error) {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return nil, err
	}
	return encode("EC PRIVATE KEY", der), nil
}

// newToken is a bearer token of 256 random bits.
func newToken() string {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails: it ends the program rather than return an error
	return hex.EncodeToString(b[:])
}
