package auth

// What is signed, against the RFC's own words.

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/rest"
)

// TestTheExampleOfTheRFC is the example of RFC 5849, sections 3.4.1.1 and 3.4.1.3.1: names in all places, a name sent twice,
// names without a value, encoded characters of every kind.
func TestTheExampleOfTheRFC(t *testing.T) {
	t.Parallel()
	request, err := http.NewRequest("POST", "http://EXAMPLE.COM:80/request?b5=%3D%253D&a3=a&c%40=&a2=r%20b", strings.NewReader("c2&a3=2+q"))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	request.Header.Set("Authorization", `OAuth realm="Example", oauth_consumer_key="9djdj82h48djs9d2", oauth_token="kkk9d7dh3k39sjv7", `+
		`oauth_signature_method="HMAC-SHA1", oauth_timestamp="137131201", oauth_nonce="7d8f3e4a", `+
		`oauth_signature="bYT5CMsGcbgUdFHObYMEfcx6bsw%3D"`)
	dial := rest.Dial{Method: "POST", Scheme: "http", Host: "EXAMPLE.COM:80", Target: request.URL.RequestURI()}

	call, signed := readSigned(request, dial)

	const want = "POST&http%3A%2F%2Fexample.com%2Frequest&a2%3Dr%2520b%26a3%3D2%2520q%26a3%3Da%26b5%3D%253D%25253D%26c%2540%3D%26c2%3D" +
		"%26oauth_consumer_key%3D9djdj82h48djs9d2%26oauth_nonce%3D7d8f3e4a%26oauth_signature_method%3DHMAC-SHA1" +
		"%26oauth_timestamp%3D137131201%26oauth_token%3Dkkk9d7dh3k39sjv7"
	if got := baseString(call.method, call.address, call.all.normalized()); !signed || got != want {
		t.Errorf("the base string is\n%s, want\n%s", got, want)
	}
	if got := call.all.last("oauth_signature"); got != "bYT5CMsGcbgUdFHObYMEfcx6bsw=" {
		t.Errorf("the signature is read as %q", got)
	}
}

func TestParametersAreSortedAsTheyAreEncoded(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"b=1&a=2":                    "a=2&b=1",
		"a=b&a=a":                    "a=a&a=b",
		"filter[b]=1&filter=2":       "filter=2&filter%5Bb%5D=1",
		"filter[b]=1&filterz=2":      "filter%5Bb%5D=1&filterz=2",
		"é=1&z=2":                    "%C3%A9=1&z=2",
		"a=%20+&b=*~'()!":            "a=%20%20&b=%2A~%27%28%29%21",
		"a=1&oauth_signature=x&b=2":  "a=1&b=2",
		"include[]=2&include[]=1":    "include%5B%5D=1&include%5B%5D=2",
		"a%2Bb=c%26d&empty=&nothing": "a%2Bb=c%26d&empty=&nothing=",
	} {
		if got := (parameters{}).with(queryParameters(query)).normalized(); got != want {
			t.Errorf("%s is signed as %s, want %s", query, got, want)
		}
	}
}

func TestNamesSentTwiceCollapse(t *testing.T) {
	t.Parallel()
	for query, want := range map[string]string{
		"page=1&page=1": "page=1",
		"page=1&page=2": "page=2",
		"include[]=1&include[]=2&include[]=1&include[]=2": "include%5B%5D=1&include%5B%5D=2",
		"a[x]=1&a[y]=2&a[x]=3":                            "a%5Bx%5D=3&a%5By%5D=2",
	} {
		if got := (parameters{}).with(queryParameters(query)).collapsed().normalized(); got != want {
			t.Errorf("%s collapses to %s, want %s", query, got, want)
		}
	}
}

func TestTheAddressIsTheOneDialled(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ scheme, host, target, want string }{
		{"http", "Shop.Test:80", "/shop/v3/products?page=2", "http://shop.test/shop/v3/products"},
		{"https", "shop.test:443", "/", "https://shop.test/"},
		{"http", "shop.test:443", "/a%20b", "http://shop.test:443/a%20b"},
		{"HTTPS", "[::1]:8443", "/a/", "https://[::1]:8443/a/"},
		{"http", "127.0.0.1:8080", "//a//b", "http://127.0.0.1:8080//a//b"},
	} {
		target, err := url.ParseRequestURI(c.target)
		if err != nil {
			t.Fatal(err)
		}
		if got := baseAddress(rest.Dial{Scheme: c.scheme, Host: c.host, Target: c.target}, target); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

func TestABodyThatWasReadCanBeReadAgain(t *testing.T) {
	t.Parallel()
	long := "a=" + strings.Repeat("x", rest.MaxBody)
	for body, want := range map[string]string{"a=1&b=2": "a=1&b=2", long: ""} {
		request, _ := http.NewRequest("POST", "http://shop.test/", strings.NewReader(body))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")
		if got := formBody(request); got != want {
			t.Errorf("a body of %d bytes is signed as %.20q", len(body), got)
		}
		var again strings.Builder
		if _, err := io.Copy(&again, request.Body); err != nil || again.String() != body {
			t.Errorf("of %d bytes, %d can be read again: %v", len(body), again.Len(), err)
		}
	}
}
