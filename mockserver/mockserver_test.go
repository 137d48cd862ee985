package mockserver_test

import (
	"crypto/tls"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"shopcheck/mockserver"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestNewRefusesOptionsThatCannotBe(t *testing.T) {
	t.Parallel()
	webhooks := func(options mockserver.WebhookOptions) mockserver.Options {
		return mockserver.Options{Webhooks: options}
	}
	for name, test := range map[string]struct {
		options mockserver.Options
		told    []string // what the error says, among other things
	}{
		"unknown seed":          {mockserver.Options{Seed: "dmeo"}, []string{`"dmeo"`, "demo", "empty"}},
		"no contract's address": {mockserver.Options{Contract: "javascript:alert(1)"}, []string{`"javascript:alert(1)"`, "https://"}},
		"unknown nonce mode":    {mockserver.Options{Nonce: "always"}, []string{`"always"`, "rotate", "stable"}},
		"negative share":        {mockserver.Options{NonceReject: -0.1}, []string{"-0.1", "0.5"}},
		"too large share":       {mockserver.Options{NonceReject: 0.6}, []string{"0.6", "0.5"}},
		"share that is none":    {mockserver.Options{NonceReject: math.NaN()}, []string{"NaN", "0.5"}},
		"site without a scheme": {mockserver.Options{Site: "shop.example.test"}, []string{`"shop.example.test"`, "https://"}},
		"site with a query":     {mockserver.Options{Site: "https://shop.example.test/?a=b"}, []string{"a=b", "https://"}},
		"origin with a path": {mockserver.Options{AllowOrigins: []string{"https://a.example", "https://b.example/"}},
			[]string{`"https://b.example/"`, "https://app.example.com"}},
		"negative timeout": {webhooks(mockserver.WebhookOptions{Timeout: -time.Second}), []string{"-1s"}},
		"negative journal": {mockserver.Options{Journal: mockserver.JournalOptions{Requests: -2}}, []string{"-2", "1000"}},
		"tiny journal":     {mockserver.Options{Journal: mockserver.JournalOptions{Bytes: 5}}, []string{"5", "1048576"}},
		"negative queue":   {webhooks(mockserver.WebhookOptions{QueueLength: -2}), []string{"-2"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shop, err := mockserver.New(test.options)
			if err == nil {
				shop.Close() //nolint:errcheck // the test has failed already
				t.Fatal("there is no error")
			}
			for _, told := range test.told {
				if !strings.Contains(err.Error(), told) {
					t.Errorf("the error does not say %s: %v", told, err)
				}
			}
		})
	}
}

func TestASiteNeedsNoSlashAtItsEnd(t *testing.T) {
	t.Parallel()
	shop, err := mockserver.New(mockserver.Options{Site: "https://shop.example.test/at/"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := shop.URL(), "https://shop.example.test/at"; got != want {
		t.Errorf("URL() = %s, want %s", got, want)
	}
}

func TestAServerMayBeClosedTwice(t *testing.T) {
	t.Parallel()
	shop, err := mockserver.Listen("127.0.0.1:0", mockserver.Options{Seed: "empty"})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestResetPutsTheShopBackToASeed(t *testing.T) {
	t.Parallel()
	shop, err := mockserver.New(mockserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		seed     string
		products bool
	}{{"empty", false}, {"demo", true}, {"", true}} {
		if err := shop.Reset(test.seed); err != nil {
			t.Fatal(err)
		}
		if got := get(shop.Handler(), "/shop/store/v1/products").Header.Get("X-Shop-Total") != "0"; got != test.products {
			t.Errorf("after Reset(%q) there are products: %t", test.seed, got)
		}
	}
	if err := shop.Reset("dmeo"); err == nil || !strings.Contains(err.Error(), "demo or empty") {
		t.Errorf("Reset of an unknown seed: %v", err)
	}
}

func TestCertPoolTrustsTheServer(t *testing.T) {
	t.Parallel()
	shop := mockserver.StartWith(t, mockserver.Options{Seed: "empty", TLS: true})
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: shop.CertPool()}}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport}).Get(shop.URL() + "/shop/store/v1/cart")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		t.Errorf("status %d", response.StatusCode)
	}
}
