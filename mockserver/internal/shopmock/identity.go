package shopmock

// The certificate of a server that serves HTTPS. It is made at start and signed by an authority of its own, whose key is
// thrown away: who trusts the authority trusts this server and no other.

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"slices"
	"time"
)

// identity is what a server proves itself with.
type identity struct {
	certificate tls.Certificate
	authority   *x509.Certificate
}

// newIdentity makes a certificate for a server that listens on an address. Its keys are drawn from the system, not from
// Options.RandomSeed: a key that anybody can draw again protects nothing.
func newIdentity(address string) (*identity, error) {
	authorityKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	authority, err := certify(authorityOf(), nil, authorityKey, authorityKey)
	if err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	leaf, err := certify(leafFor(address), authority, key, authorityKey)
	if err != nil {
		return nil, err
	}
	return &identity{tls.Certificate{Certificate: [][]byte{leaf.Raw, authority.Raw}, PrivateKey: key, Leaf: leaf}, authority}, nil
}

// certify signs a certificate; without a parent it signs itself.
func certify(template, parent *x509.Certificate, key, signer *ecdsa.PrivateKey) (*x509.Certificate, error) {
	if parent == nil {
		parent = template
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	if err != nil {
		return nil, err
	}
	return x509.ParseCertificate(der)
}

// validity is wide, for the shop's clock may stand anywhere while that of its clients does not.
func validity() (from, until time.Time) {
	return time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(2049, 12, 31, 0, 0, 0, 0, time.UTC)
}

func authorityOf() *x509.Certificate {
	from, until := validity()
	return &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "shopmock authority"}, NotBefore: from, NotAfter: until,
		IsCA: true, BasicConstraintsValid: true, MaxPathLenZero: true, KeyUsage: x509.KeyUsageCertSign,
	}
}

func leafFor(address string) *x509.Certificate {
	from, until := validity()
	leaf := &x509.Certificate{
		SerialNumber: big.NewInt(2), Subject: pkix.Name{CommonName: "shopmock"}, NotBefore: from, NotAfter: until,
		BasicConstraintsValid: true, KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		DNSNames: []string{"localhost"}, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv6loopback},
	}
	host, _, _ := net.SplitHostPort(address)
	switch ip := net.ParseIP(host); {
	case host == "" || ip != nil && ip.IsUnspecified():
		leaf.IPAddresses = append(leaf.IPAddresses, networkAddresses()...)
	case ip != nil && !slices.ContainsFunc(leaf.IPAddresses, ip.Equal):
		leaf.IPAddresses = append(leaf.IPAddresses, ip)
	case ip == nil && host != "localhost":
		leaf.DNSNames = append(leaf.DNSNames, host)
	}
	return leaf
}

func (i *identity) config() *tls.Config {
	return &tls.Config{Certificates: []tls.Certificate{i.certificate}, MinVersion: tls.VersionTLS12}
}

// trusted is who vouches for the identity; nil for none.
func (i *identity) trusted() *x509.Certificate {
	if i == nil {
		return nil
	}
	return i.authority
}

// CertPool trusts the server's certificate and nothing else; nil without TLS.
func (s *Server) CertPool() *x509.CertPool {
	if s.identity == nil {
		return nil
	}
	pool := x509.NewCertPool()
	pool.AddCert(s.identity.authority)
	return pool
}

// CertPEM is what clients need in order to trust the server, as curl --cacert takes it; nil without TLS.
func (s *Server) CertPEM() []byte {
	if s.identity == nil {
		return nil
	}
	return pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: s.identity.authority.Raw})
}
