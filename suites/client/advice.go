package client

// What is wrong with a target that is no shop, or gives no answer, and what to do about it.

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/go-resty/resty/v2"
)

// trouble goes on after "the target": why no answer came.
func (c *Client) trouble(err error) string {
	var untrusted *tls.CertificateVerificationError
	var unknown *net.DNSError
	unreachable := fmt.Sprintf("cannot be reached: %v; ", err)
	switch {
	case errors.Is(err, resty.ErrResponseBodyTooLarge):
		return fmt.Sprintf("sends more than %d MiB as one answer; does the address lead to something else than the API?", maxAnswer>>20)
	case isTimeout(err):
		return fmt.Sprintf("gives no whole answer within %v; is it up, and can it be reached from here? limits.timeout sets how long to "+
			"wait", c.profile.Limits.Timeout)
	case errors.As(err, &untrusted):
		return unreachable + "if that certificate is the right one, name the file of its authority as ca_file in the profile " +
			"(shopcheck doctor says more)"
	case errors.As(err, &unknown):
		return unreachable + "is the name right, and known on this machine?"
	}
	return unreachable + "is it running, and is the address right?"
}

// adviceOn asks the question that an answer unlike a shop's suggests.
func adviceOn(a *Answer) string {
	switch {
	case strings.Contains(a.Body, "HTTP request to an HTTPS server"):
		return "does the address begin with https?"
	case a.redirects():
		return "is the API at the address that it leads to, or behind a login?"
	case a.Status == http.StatusUnauthorized, a.Status == http.StatusForbidden, a.Status == http.StatusProxyAuthRequired:
		return "does something before it ask for a login of its own? A header that it lets in is gate in the profile"
	case a.Status >= http.StatusInternalServerError:
		return "is it down for maintenance?"
	}
	return "is the base URL the root of the API, without /shop/v3?"
}
