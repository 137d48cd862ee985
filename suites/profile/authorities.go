package profile

// Authorities that the profile adds to those that the machine trusts.

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"os"
)

// maxAuthorities bounds a file of certificates, in bytes.
const maxAuthorities = 1 << 20

// Authorities reads the certificates of ca_file, none where it is empty. A file without any is an error.
func (p Profile) Authorities() ([]*x509.Certificate, error) {
	if p.CAFile == "" {
		return nil, nil
	}
	info, err := os.Stat(p.CAFile)
	if err != nil {
		return nil, fmt.Errorf("ca_file: %w", err)
	}
	if info.Size() > maxAuthorities {
		return nil, fmt.Errorf("ca_file: %s has more than %d bytes; is it the right file?", p.CAFile, maxAuthorities)
	}
	rest, err := os.ReadFile(p.CAFile)
	if err != nil {
		return nil, fmt.Errorf("ca_file: %w", err)
	}
	var certificates []*x509.Certificate
	for {
		var block *pem.Block
		if block, rest = pem.Decode(rest); block == nil {
			break
		}
		certificate, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil, fmt.Errorf("ca_file: %s holds a %s that is no certificate: %w", p.CAFile, block.Type, err)
		}
		certificates = append(certificates, certificate)
	}
	if len(certificates) == 0 {
		return nil, fmt.Errorf("ca_file: %s holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)", p.CAFile)
	}
	return certificates, nil
}
