package shopmock_test

// HTTPS, with real clients.

import (
	"crypto/tls"
	"crypto/x509"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shopmock"
)

// listenTLS needs no client of the test kit: which clients trust the certificate is what its tests ask.
func listenTLS(t *testing.T) *shopmock.Server {
	t.Helper()
	server, err := shopmock.Listen("127.0.0.1:0", shopmock.Options{Seed: fixtures.EmptySeed, TLS: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	return server
}

// getTLS asks for the shop's root, trusting what pool holds.
func getTLS(t *testing.T, address string, pool *x509.CertPool, http2 bool) (*http.Response, string, error) {
	t.Helper()
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, ForceAttemptHTTP2: http2}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Get(address)
	if err != nil {
		return nil, "", err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return response, string(body), err
}

func TestHTTPSIsTrustedByWhoKnowsTheCertificate(t *testing.T) {
	server := listenTLS(t)
	if !strings.HasPrefix(server.URL(), "https://127.0.0.1:") {
		t.Fatalf("the shop is at %s", server.URL())
	}
	port := server.URL()[strings.LastIndex(server.URL(), ":"):]
	for _, address := range []string{server.URL(), "https://localhost" + port} {
		for _, http2 := range []bool{false, true} {
			response, body, err := getTLS(t, address, server.CertPool(), http2)
			if err != nil {
				t.Fatal(err)
			}
			if response.StatusCode != http.StatusOK || response.TLS.PeerCertificates[0].PublicKeyAlgorithm != x509.ECDSA ||
				response.ProtoMajor != map[bool]int{false: 1, true: 2}[http2] {
				t.Errorf("%s: %d by %s", address, response.StatusCode, response.Proto)
			}
			if home := gjson.Get(body, "url").String(); home != address {
				t.Errorf("links begin with %s, want %s", home, address)
			}
		}
	}
	fromPEM := x509.NewCertPool()
	if !fromPEM.AppendCertsFromPEM(server.CertPEM()) {
		t.Fatal("CertPEM holds no certificate")
	}
	if _, _, err := getTLS(t, server.URL(), fromPEM, false); err != nil {
		t.Error(err)
	}
}

func TestHTTPSIsTrustedByNobodyElse(t *testing.T) {
	server, other := listenTLS(t), listenTLS(t)
	for name, pool := range map[string]*x509.CertPool{"no certificate": x509.NewCertPool(), "another server's": other.CertPool()} {
		if _, _, err := getTLS(t, server.URL(), pool, false); err == nil {
			t.Errorf("who knows %s trusts the server", name)
		}
	}
}

// TestWebhooksTrustTheMocksOwnCertificate: its catcher is an https address too, then. That of another server is not trusted.
func TestWebhooksTrustTheMocksOwnCertificate(t *testing.T) {
	server, other := listenTLS(t), listenTLS(t)
	do := func(at *shopmock.Server, method, path, body string) gjson.Result {
		transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: at.CertPool()}}
		defer transport.CloseIdleConnections()
		request, err := http.NewRequest(method, at.URL()+path, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header = keyed()
		response, err := (&http.Client{Transport: transport}).Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		text, err := io.ReadAll(response.Body)
		if err != nil || response.StatusCode >= http.StatusBadRequest {
			t.Fatalf("%s %s: %d %s %v", method, path, response.StatusCode, text, err)
		}
		return gjson.ParseBytes(text)
	}
	for _, catcher := range []*shopmock.Server{server, other} {
		do(server, "POST", "/shop/v3/webhooks", `{"topic":"product.created","delivery_url":"`+catcher.URL()+`/_mock/catcher/own"}`)
	}
	do(server, "POST", "/shop/v3/products", `{"name":"Lamp"}`)
	if !do(server, "POST", "/_mock/deliveries/drain", "").Get("drained").Bool() {
		t.Fatal("not everything was delivered or given up")
	}
	caught := do(server, "GET", "/_mock/catcher/own", "").Get("#.headers.X-Shop-Webhook-Topic.0").String()
	if !strings.Contains(caught, `"product.created"`) {
		t.Errorf("the catcher got %s: %s", caught, do(server, "GET", "/_mock/deliveries", "").Raw)
	}
	if missed := do(other, "GET", "/_mock/catcher/own", ""); missed.Raw != "[]" {
		t.Errorf("the other server got %s", missed.Raw)
	}
}

func TestPlainHTTPHasNoCertificate(t *testing.T) {
	server := shopmock.Start(t, shopmock.Options{})
	if server.CertPool() != nil || server.CertPEM() != nil {
		t.Error("a server without TLS has a certificate")
	}
}
