package suites

// The doctor's checks of the way to the target: its name, and TLS.

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"shopcheck/suites/client"
)

// proxy is what requests to the target go through, nil for nothing.
func proxy(target *url.URL) *url.URL {
	through, err := http.ProxyFromEnvironment(&http.Request{URL: target})
	if err != nil {
		return nil // the first request says so
	}
	return through
}

// checkName looks the target's name up. It reports whether the target may be reached.
func (d *doctor) checkName() bool {
	target, err := url.Parse(d.run.Profile.Target)
	if err != nil {
		return false // refused before
	}
	host := target.Hostname()
	switch through := proxy(target); {
	case through != nil:
		d.add("name", NotApplicable, "requests go through the proxy "+through.Host+", which looks names up", "")
		return true
	case net.ParseIP(host) != nil || d.run.Profile.Loopback():
		d.add("name", NotApplicable, host+" needs no look-up", "")
		return true
	}
	ctx, cancel := context.WithTimeout(d.ctx, doctorTimeout)
	defer cancel()
	addresses, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil {
		d.add("name", Problem, "the name is not found: "+err.Error(), "is it right, and known on this machine (VPN, /etc/hosts)?")
		return false
	}
	d.add("name", Well, host+" is "+strings.Join(addresses, ", "), "")
	return true
}

// expiresSoon is from when on the end of a certificate is worth a word.
const expiresSoon = 14 * 24 * time.Hour

// checkTLS looks at the target's certificate. It reports whether a client takes it.
func (d *doctor) checkTLS() bool {
	target, err := url.Parse(d.run.Profile.Target)
	switch {
	case err != nil:
		return false
	case strings.EqualFold(target.Scheme, "http") && d.run.Profile.Loopback():
		d.add("tls", NotApplicable, "plain HTTP, on this machine", "")
		return true
	case strings.EqualFold(target.Scheme, "http"):
		d.add("tls", Warning, "plain HTTP: whoever is between sees keys; passwords are not sent, and their specs could not run",
			"use https")
		return true
	case proxy(target) != nil:
		d.add("tls", NotApplicable, "through a proxy", "")
		return true
	}
	roots, err := client.Roots(d.run.Profile)
	if err != nil {
		d.add("tls", Problem, err.Error(), "name a file with certificates in PEM form as ca_file")
		return false
	}
	address := target.Host
	if target.Port() == "" {
		address = net.JoinHostPort(target.Hostname(), "443")
	}
	ctx, cancel := context.WithTimeout(d.ctx, doctorTimeout)
	defer cancel()
	dialer := tls.Dialer{Config: &tls.Config{RootCAs: roots, ServerName: target.Hostname()}}
	connection, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		d.tlsTrouble(err, address)
		return false
	}
	defer connection.Close()
	spoken, _ := connection.(*tls.Conn)
	state := spoken.ConnectionState()
	leaf := state.PeerCertificates[0]
	found := fmt.Sprintf("%s, certificate of %s by %s, valid until %s", tls.VersionName(state.Version), subject(leaf), issuer(leaf),
		leaf.NotAfter.Format(time.DateOnly))
	if time.Until(leaf.NotAfter) < expiresSoon {
		d.add("tls", Warning, found, "have it renewed")
		return true
	}
	d.add("tls", Well, found, "")
	return true
}

func issuer(certificate *x509.Certificate) string {
	return cmp.Or(certificate.Issuer.CommonName, strings.Join(certificate.Issuer.Organization, ", "), "somebody without a name")
}

func subject(certificate *x509.Certificate) string {
	if len(certificate.DNSNames) > 0 {
		return strings.Join(certificate.DNSNames, ", ")
	}
	return certificate.Subject.CommonName
}

// tlsTrouble says what is wrong with a certificate, and what to do about one that nobody has signed.
func (d *doctor) tlsTrouble(err error, address string) {
	var unverified *tls.CertificateVerificationError
	if !errors.As(err, &unverified) {
		d.add("tls", Problem, "no TLS connection: "+err.Error(), "is the port right, and does it speak https?")
		return
	}
	leaf := unverified.UnverifiedCertificates[0]
	var unknown x509.UnknownAuthorityError
	var otherName x509.HostnameError
	switch {
	case errors.As(err, &unknown):
		d.add("tls", Problem, fmt.Sprintf("the certificate of %s was issued by %s, which this machine does not know", subject(leaf),
			issuer(leaf)), trustAdvice(address))
	case errors.As(err, &otherName):
		d.add("tls", Problem, "the certificate is that of "+subject(leaf), "use one of these names in the address, or have the "+
			"certificate changed")
	default:
		d.add("tls", Problem, "the certificate is not valid: "+unverified.Err.Error(), "have it renewed; if it is good, is this "+
			"machine's clock?")
	}
}

// trustAdvice says how a certificate comes to be trusted, for shopcheck alone or for a whole machine.
func trustAdvice(address string) string {
	return "if it is the right one, keep the certificate of its authority in a file and set ca_file in the profile; a self-signed " +
		"one is its own: " +
		"openssl s_client -connect " + address + " -showcerts </dev/null | openssl x509 > ca.pem. " +
		"For the whole machine: Linux: copy it to /usr/local/share/ca-certificates/NAME.crt and run update-ca-certificates " +
		"(Fedora: /etc/pki/ca-trust/source/anchors, update-ca-trust); macOS: security add-trusted-cert -k " +
		"~/Library/Keychains/login.keychain ca.pem; " +
		"Windows: certutil -user -addstore Root ca.pem"
}
