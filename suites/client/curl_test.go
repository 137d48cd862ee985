package client

import (
	"context"
	"net/http"
	"slices"
	"strings"
	"testing"

	"shopcheck/suites/profile"
)

func TestLinesThatRepeatARequest(t *testing.T) {
	c, exchanges := recorded(t, nil, func(http.ResponseWriter, *http.Request) {})
	basic := Auth{Credentials: c.profile.Credentials.ReadWrite, Way: BasicWay}
	long := map[string]any{"a": strings.Repeat("x", curlBody)}
	for _, test := range []struct {
		req            Request
		holds, without string
	}{
		{get("/shop/v3/products"), "curl -sS -i 'http://127.0.0.1:", "-X"},
		{get("/shop/v3/products"), "/shop/v3/products'", "--data-raw"},
		{Request{Method: http.MethodDelete, Path: "/x"}, "curl -sS -i -X DELETE 'http://", "--data-raw"},
		{Request{Method: http.MethodPost, Path: "/x", Body: map[string]any{"it's": 1}}, ` --data-raw '{"it'\''s":1}'`, "-u "},
		{Request{Method: http.MethodPost, Path: "/x", Body: long}, "-X POST", "--data-raw"},
		{Request{Method: http.MethodGet, Path: "/x", Auth: basic}, ` -u 'ck_1:'"$SHOPCHECK_`, "cs_secret"},
		{Request{Method: http.MethodGet, Path: "/x", Auth: ByToken("a.b.c")},
			` -H "Authorization: Bearer $` + bearerVariable + `"`, "a.b.c"},
		{Request{Method: http.MethodGet, Path: "/x", Header: http.Header{"Cart-Token": {"t0k3n"}, "X-Trace": {"it's"}}},
			` -H 'X-Trace: it'\''s'`,
			"t0k3n"},
	} {
		c.Do(context.Background(), test.req)
		line := (*exchanges)[len(*exchanges)-1].Curl
		if !strings.Contains(line, test.holds) || strings.Contains(line, test.without) {
			t.Errorf("%s: %s, which should hold %s, and not %s", test.req.Method, line, test.holds, test.without)
		}
	}
}

// A line that does not trust what the run trusts repeats nothing.
func TestLinesTrustTheAuthoritiesOfTheProfile(t *testing.T) {
	p := profile.New("https://shop.example.test")
	p.CAFile = "/etc/it's.pem"
	r := NewRedactor(p)
	for address, want := range map[string]string{
		p.Target + "/x":          `curl -sS -i --cacert '/etc/it'\''s.pem' 'https://shop.example.test/x'`,
		"http://other.example/x": `curl -sS -i 'http://other.example/x'`,
	} {
		if line := r.curlLine(get("/x"), address, http.Header{}, nil); line != want {
			t.Errorf("%s, want %s", line, want)
		}
	}
}

func TestVariablesOfCurlLinesAreListed(t *testing.T) {
	if all := CurlVariables(); !slices.Contains(all, "SHOPCHECK_CART_TOKEN") || !slices.Contains(all, "SHOPCHECK_OAUTH_HEADER") {
		t.Error(all)
	}
}
