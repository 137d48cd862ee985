package shopmock_test

// How answers travel: compressed, or not at all because the client has them.

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/tls"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/shopmock"
)

// from sends a read without credentials from an address.
func from(shop *shopmock.Server, address, method, target string, header ...string) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, target, nil)
	request = request.WithContext(context.WithValue(request.Context(), http.ServerContextKey, &http.Server{}))
	request.RemoteAddr = address
	for i := 0; i < len(header); i += 2 {
		request.Header.Add(header[i], header[i+1])
	}
	recorder := httptest.NewRecorder()
	shop.Handler().ServeHTTP(recorder, request)
	return recorder
}

func TestAnswersAreCompressedWhereItIsWorthIt(t *testing.T) {
	t.Parallel()
	const phone, here, list = "192.168.1.7:4000", "127.0.0.1:4000", "/shop/store/v1/products"
	shop, local := withoutSocket(t, shopmock.Options{}), withoutSocket(t, shopmock.Options{Gzip: true})
	plain := from(shop, here, "GET", list).Body.String()
	for name, c := range map[string]struct {
		shop           *shopmock.Server
		from, method   string
		target, accept string
		zipped, varies bool
	}{
		"asked from another machine":   {shop, phone, "GET", list, "gzip, deflate, br", true, true},
		"asked with a quality":         {shop, phone, "GET", list, "br;q=1.0, GZIP ; q=0.5", true, true},
		"whatever there is":            {shop, phone, "GET", list, "*", true, true},
		"not asked":                    {shop, phone, "GET", list, "", false, true},
		"asked for another":            {shop, phone, "GET", list, "br", false, true},
		"refused":                      {shop, phone, "GET", list, "*, gzip;q=0", false, true},
		"refused with no number":       {shop, phone, "GET", list, "gzip;q=x", false, true},
		"on this machine":              {shop, here, "GET", list, "gzip", false, false},
		"on this machine, told to":     {local, here, "GET", list, "gzip", true, true},
		"the head alone":               {local, here, "HEAD", list, "gzip", false, false},
		"too short":                    {local, here, "GET", "/shop/store/v1/products?per_page=0&_fields=id", "gzip", false, false},
		"a picture that is compressed": {local, here, "GET", "/pictures/nothing.png", "gzip", false, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			answer := from(c.shop, c.from, c.method, c.target, "Accept-Encoding", c.accept)
			zipped := answer.Header().Get("Content-Encoding") == "gzip"
			varies := strings.Contains(strings.Join(answer.Header().Values("Vary"), ","), "Accept-Encoding")
			if zipped != c.zipped || varies != c.varies {
				t.Fatalf("compressed %t, varies %t; want %t, %t: %v", zipped, varies, c.zipped, c.varies, answer.Header())
			}
			if zipped && unzipped(t, answer.Body.Bytes()) != plain {
				t.Error("it is another answer")
			}
			if zipped && (answer.Header().Get("Content-Length") != "" || answer.Body.Len() > len(plain)/2) {
				t.Errorf("%d bytes of %d: %v", answer.Body.Len(), len(plain), answer.Header())
			}
		})
	}
}

func unzipped(t *testing.T, body []byte) string {
	t.Helper()
	zip, err := gzip.NewReader(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(zip)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestTheJournalKeepsWhatWasSaid reads a compressed answer in it, and one that dribbled arrives whole.
func TestTheJournalKeepsWhatWasSaid(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{Gzip: true})
	withFaults(t, shop, faults.Rule{Effect: faults.Dribble, Delay: "1ms"})
	answer := from(shop, "127.0.0.1:4000", "GET", "/shop/store/v1/products", "Accept-Encoding", "gzip")
	entry, _ := shop.Journal().Get(1)
	if text := unzipped(t, answer.Body.Bytes()); text[:1000] != entry.Answer.Body[:1000] {
		t.Errorf("%.100s, in the journal %.100s", text, entry.Answer.Body)
	}
}

func TestAnAnswerThatTheClientHasIsNotSentAgain(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	for _, path := range []string{"/shop/store/v1/products", "/shop/store/v1/cart", "/shop/store/v1/products/1",
		"/wp-json/wc/store/v1/products/1"} {
		first := asking(shop, "GET", path, "")
		tag := first.Header().Get("Etag")
		if !strings.HasPrefix(tag, `W/"`) {
			t.Fatalf("%s has the tag %q", path, tag)
		}
		for name, c := range map[string]struct {
			held string
			want int
		}{
			"the one":         {tag, 304},
			"the one, strong": {strings.TrimPrefix(tag, "W/"), 304}, "one of several": {`"a", ` + tag + `, "b"`, 304},
			"any": {"*", 304}, "another": {`W/"other"`, 200}, "a part of it": {tag[:len(tag)-3] + `"`, 200}, "none": {"", 200},
		} {
			answer := asking(shop, "GET", path, "", "If-None-Match", c.held)
			if answer.Code != c.want || answer.Header().Get("Etag") != tag || c.want == 304 && answer.Body.Len() > 0 {
				t.Errorf("%s, %s: %d, %d bytes, %v", path, name, answer.Code, answer.Body.Len(), answer.Header())
			}
			if strings.HasSuffix(path, "cart") && answer.Header().Get("Nonce") == "" {
				t.Errorf("%s, %s: no nonce", path, name)
			}
		}
	}
	tag := asking(shop, "GET", "/shop/store/v1/products/1", "").Header().Get("Etag")
	direct(shop, "PUT", "/shop/v3/products/1", `{"name":"Another"}`)
	if answer := asking(shop, "GET", "/shop/store/v1/products/1", "", "If-None-Match", tag); answer.Code != http.StatusOK {
		t.Errorf("after a change: %d", answer.Code)
	}
	if answer := asking(shop, "GET", "/shop/store/v1/products/0", "", "If-None-Match", "*"); answer.Code != 404 ||
		answer.Header().Get("Etag") != "" {
		t.Errorf("what is not there: %d %v", answer.Code, answer.Header())
	}
	if answer := asking(shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "If-None-Match", "*", "Cart-Token",
		asking(shop, "GET", "/shop/store/v1/cart", "").Header().Get("Cart-Token")); answer.Code != 201 {
		t.Errorf("a write: %d", answer.Code)
	}
}

func TestProbes(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{Seed: "empty"})
	for _, path := range []string{"/livez", "/readyz"} {
		if answer := asking(shop, "GET", path, "", "Origin", "https://evil.example"); answer.Code != http.StatusOK {
			t.Errorf("%s: %d", path, answer.Code)
		}
	}
	if _, kept := shop.Journal().Get(1); kept {
		t.Error("the journal keeps probes")
	}
	if err := shop.Close(); err != nil {
		t.Fatal(err)
	}
	if live, ready := asking(shop, "GET", "/livez", ""), asking(shop, "GET", "/readyz", ""); live.Code != 200 || ready.Code != 503 ||
		!isEnvelope(503, ready.Body.String()) {
		t.Errorf("at the end: live %d, ready %d", live.Code, ready.Code)
	}
}

// TestAPublicShopTakesKeysOverHTTP compares with one that is not.
func TestAPublicShopTakesKeysOverHTTP(t *testing.T) {
	t.Parallel()
	const basic = "Basic Y2tfbW9ja19ydzpjc19tb2NrX3J3" // ck_mock_rw:cs_mock_rw
	for public, want := range map[bool]int{true: 200, false: 401} {
		shop := withoutSocket(t, shopmock.Options{Public: public})
		if answer := from(shop, "192.168.1.7:4000", "GET", "/shop/v3/coupons", "Authorization", basic); answer.Code != want {
			t.Errorf("public %t: %d", public, answer.Code)
		}
		stranger := from(shop, "192.168.1.7:4000", "GET", "http://192.168.1.9/_mock/clock", "Origin", "https://evil.example")
		rebound := from(shop, "192.168.1.7:4000", "GET", "http://evil.example.com/_mock/clock")
		phone := from(shop, "192.168.1.7:4000", "GET", "http://192.168.1.9/_mock/clock", "Origin", "http://192.168.1.9")
		if stranger.Code != 403 || rebound.Code != 403 || phone.Code != 200 {
			t.Errorf("/_mock, public %t: a stranger's page %d, a stranger's name %d, a page of the shop %d",
				public, stranger.Code, rebound.Code, phone.Code)
		}
	}
	if _, err := shopmock.New(shopmock.Options{Public: true, Strict: true}); err == nil {
		t.Error("a shop is public and strict")
	}
}

// TestAServerThatListensEverywhereSaysWhere calls each address that it names.
func TestAServerThatListensEverywhereSaysWhere(t *testing.T) {
	t.Parallel()
	shop, err := shopmock.Listen(":0", shopmock.Options{Seed: "empty", TLS: true})
	if err != nil {
		t.Fatal(err)
	}
	defer shop.Close() //nolint:errcheck // see above
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: shop.CertPool()}}
	defer transport.CloseIdleConnections()
	for _, address := range append(shop.Addresses(), shop.URL()) {
		request, _ := http.NewRequest("GET", address+"/livez", nil)
		response, err := transport.RoundTrip(request)
		if err != nil {
			t.Errorf("%s: %v", address, err)
			continue
		}
		response.Body.Close()
	}
	if got := shopmock.Start(t, shopmock.Options{Seed: "empty"}).Addresses(); got != nil {
		t.Errorf("one that listens here: %v", got)
	}
}
