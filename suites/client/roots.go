package client

// Whose certificates are trusted.

import (
	"crypto/x509"

	"shopcheck/suites/profile"
)

// Roots returns the authorities whose certificates a client of the profile trusts: those of this machine and of the profile's ca_file;
// nil stands for those of the machine alone.
func Roots(p profile.Profile) (*x509.CertPool, error) {
	if p.CAFile == "" {
		return nil, nil
	}
	certificates, err := p.Authorities()
	if err != nil {
		return nil, err
	}
	roots, err := x509.SystemCertPool()
	if err != nil {
		roots = x509.NewCertPool() // a machine that knows no authority
	}
	for _, certificate := range certificates {
		roots.AddCert(certificate)
	}
	return roots, nil
}
