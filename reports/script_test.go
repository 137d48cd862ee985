package reports

import (
	"errors"
	"strings"
	"testing"
)

const scriptShop = "http://shop.example.test"

// repeated is an exchange as a run records it.
func repeated(method, path, arguments, body, answer string) Exchange {
	line := "curl -sS -i"
	if method != "GET" {
		line += " -X " + method
	}
	line += " '" + scriptShop + path + "'" + arguments
	if body != "" {
		line += " --data-raw '" + body + "'"
	}
	endpoint, _, _ := strings.Cut(method+" "+path, "?")
	return Exchange{Method: method, Endpoint: endpoint, URL: scriptShop + path, Status: 200, Curl: line, Request: Message{Body: body},
		Response: Message{Body: answer}}
}

// scriptOf writes the script of a finding about the last of some exchanges.
func scriptOf(t *testing.T, f Finding, exchanges ...Exchange) (string, error) {
	t.Helper()
	f.Requirement, f.Level, f.Exchange = "cart.add-item", Must, len(exchanges)-1
	spec := Spec{ID: "cart.a", Outcome: Failed, Findings: []Finding{f}, Exchanges: exchanges}
	r := &Report{Target: Target{URL: scriptShop}, Specs: []Spec{spec}}
	causes := Causes(r)
	if len(causes) != 1 {
		t.Fatalf("%d causes", len(causes))
	}
	var text strings.Builder
	err := WriteScript(&text, r, causes[0])
	return text.String(), err
}

func TestScriptsTrustWhomTheRunTrusted(t *testing.T) {
	made := repeated("POST", "/shop/v3/products", "", `{"sku":"a"}`, `{"id":142}`)
	read := repeated("GET", "/shop/v3/products/142", "", "", "")
	for _, e := range []*Exchange{&made, &read} {
		e.Curl = strings.Replace(e.Curl, "curl -sS -i", `curl -sS -i --cacert '/etc/142/it'\''s.pem'`, 1)
	}
	text, err := scriptOf(t, Finding{Message: "m"}, made, read)
	for _, want := range []string{`|| export CURL_CA_BUNDLE='/etc/142/it'\''s.pem' #`, `ask 1 -X POST "$SHOP"`, `ask 2 "$SHOP"`} {
		if err != nil || !strings.Contains(text, want) {
			t.Errorf("%v: %s is not in\n%s", err, want, text)
		}
	}
}

func TestScriptsTakeFromAnswersWhatTheyGive(t *testing.T) {
	made := repeated("POST", "/shop/v3/products", ` -u 'ck:'"$SHOPCHECK_CREDENTIALS_READ_WRITE_SECRET"`,
		`{"sku":"shopcheck-0a1b2c3d-9"}`, `{"id":142,"sku":"shopcheck-0a1b2c3d-9","images":[{"id":7}]}`)
	cart := repeated("GET", "/shop/store/v1/cart", "", "", `{"items":[{"key":"0123456789abcdef","id":142}]}`)
	cart.GivenToken, cart.Response.Header = 3, []Header{{"Nonce", "abcdef0123"}, {"Set-Cookie", "[redacted]"}}
	other := repeated("GET", "/shop/store/v1/cart", "", "", `{}`)
	other.GivenToken = 4
	for name, c := range map[string]struct {
		last Exchange
		sent int // the number of the token that it sends
		want string
	}{
		"an id in a path": {repeated("GET", "/shop/v3/products/142", "", "", ""), 0,
			`"$SHOP"'/shop/v3/products/'"$(from 1 '.["id"]')"''`},
		"one of a query": {repeated("GET", "/shop/v3/products?include=142%2C9", "", "", ""), 0, `include='"$(from 1 '.["id"]')"'%2C9'`},
		"one of a body": {repeated("POST", "/x", "", `{"id":142,"quantity":142}`, ""), 0,
			`'{"id":'"$(from 1 '.["id"]')"',"quantity":142}'`},
		"one that is deep": {repeated("POST", "/x", "", `{"image_id":7}`, ""), 0, `"image_id":'"$(from 1 '.["images"][0]["id"]')"'}`},
		"one of a list":    {repeated("POST", "/x", "", `{"delete":[142,8]}`, ""), 0, `[` + `'"$(from 1 '.["id"]')"',8]`},
		"a key": {repeated("POST", "/x", "", `{"key":"0123456789abcdef"}`, ""), 0,
			`{"key":"'"$(from 2 '.["items"][0]["key"]')"'"}`},
		"a longer number":   {repeated("GET", "/shop/v3/products/1420", "", "", ""), 0, `products/1420'`},
		"a word of the run": {repeated("GET", "/x?search=sc0a1b2c3dn5z", "", "", ""), 0, `search=sc'"$RUN"'n5z'`},
		"a nonce":           {repeated("POST", "/x", ` -H 'Nonce: abcdef0123'`, "", ""), 0, ` -H 'Nonce: '"$(header 2 Nonce)"`},
		"a cart token": {repeated("POST", "/x", ` -H "Cart-Token: $SHOPCHECK_CART_TOKEN"`, "", ""), 3,
			`"Cart-Token: $(header 2 Cart-Token)"`},
		"another visitor's": {repeated("POST", "/x", ` -H "Cart-Token: $SHOPCHECK_CART_TOKEN"`, "", ""), 4,
			`"Cart-Token: $(header 3 Cart-Token)"`},
		"cookies": {repeated("POST", "/x", ` -H "Cookie: $SHOPCHECK_COOKIE"`, "", ""), 0, `"Cookie: $(cookies)"`},
	} {
		t.Run(name, func(t *testing.T) {
			c.last.SentToken = c.sent
			text, err := scriptOf(t, Finding{Message: "m", Want: "w", Got: "g"}, made, cart, other, c.last)
			if err != nil || !strings.Contains(text, c.want) {
				t.Errorf("%v: no %s in\n%s", err, c.want, text[strings.Index(text, "\n# "):])
			}
			if !strings.Contains(text, `: "${SHOPCHECK_CREDENTIALS_READ_WRITE_SECRET:?`) || strings.Contains(text, "0a1b2c3d") {
				t.Errorf("it does not ask for the secret, or has the old run's words\n%s", text)
			}
		})
	}
}

func TestScriptsEndAtTheDeviation(t *testing.T) {
	last := repeated("GET", "/shop/v3/orders", "", "", `[{"id":1}]`)
	last.Response.Header = []Header{{"Link", "x"}}
	for path, want := range map[string]string{
		"":              `head -c 2000 "$work/1.body"`,
		"0.items.0.key": `jq -c '.[0]["items"][0]["key"]?' "$work/1.body"`,
		"Link":          `$(header 1 Link)`,
	} {
		text, err := scriptOf(t, Finding{Message: "is odd", Path: path, Want: "it's 2", Got: "3"}, last)
		words := strings.Contains(text, `: it'\''s 2'`) && strings.Contains(text, "'it was: 3'")
		if err != nil || !words || !strings.Contains(text, want) {
			t.Errorf("%q: %v\n%s", path, err, text)
		}
	}
}

func TestNothingOfAShopIsRunByAScript(t *testing.T) {
	first := repeated("GET", "/a", "", "", `{"a'$(touch bad)":{"id":142}}`)
	first.Response.Header = []Header{{"X-`touch`", "abcdef0123"}}
	last := repeated("POST", "/b/142", ` -H 'Nonce: abcdef0123'`, "", "")
	last.Endpoint = "GET /b\ntouch bad"
	odd := Finding{Message: "odd\ntouch bad", Path: "a'\ntouch bad", Want: "'; touch bad", Got: "$(touch bad)\ntouch bad"}
	text, err := scriptOf(t, odd, first, last)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "touch bad") || strings.Contains(line, "X-`touch`") {
			t.Errorf("it runs %s", line)
		}
	}
	if !strings.Contains(text, `'.["a'\''$(touch bad)"]["id"]'`) {
		t.Errorf("the shop's key is not quoted:\n%s", text)
	}
	if got := scriptFile(Cause{Requirement: "../../x", ID: "f"}); strings.Contains(got, "/") {
		t.Errorf("a script named %s", got)
	}
}

func TestWhatCurlCannotRepeatHasNoScript(t *testing.T) {
	long := repeated("POST", "/x", "", "", "")
	long.Request.Body = "{}"
	for name, exchanges := range map[string][]Exchange{
		"no request":                         nil,
		"one without a line":                 {{Method: "POST", Status: 200}},
		"a body that is too long for a line": {long, repeated("GET", "/x", "", "", "")},
	} {
		if text, err := scriptOf(t, Finding{Message: "m"}, exchanges...); !errors.Is(err, ErrNoScript) || text != "" {
			t.Errorf("%s: %v %q", name, err, text)
		}
	}
}

func TestAScriptLooksForAHeaderThatIsMissing(t *testing.T) {
	text, err := scriptOf(t, Finding{Message: "the header is missing", Path: "Cart-Token", Want: "a header Cart-Token", Got: "none"},
		repeated("GET", "/shop/store/v1/cart", "", "", "{}"))
	if err != nil || !strings.Contains(text, `echo 'Cart-Token: '"$(header 1 Cart-Token)"`) {
		t.Errorf("%v\n%s", err, text)
	}
}
