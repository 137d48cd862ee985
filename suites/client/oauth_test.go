package client

import (
	"context"
	"encoding/base64"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/dghubble/oauth1"

	"shopcheck/suites/profile"
)

// The example of RFC 5849, section 1.2 (the signature of its last request).
func TestTheExampleOfTheRFC(t *testing.T) {
	o := OAuth{
		Consumer: profile.Credentials{Key: "dpf43f3p2l4k3l03", Secret: "kd94hf93k423kf44"},
		Token:    profile.Credentials{Key: "nnch734d00sl2jdk", Secret: "pfkkdhi9sl3r4s00"},
		SHA1:     true, Timestamp: time.Unix(137131202, 0), Nonce: "chapoH",
		Spoil: nil,
	}
	address, err := url.Parse("http://photos.example.net/photos?file=vacation.jpg&size=original")
	if err != nil {
		t.Fatal(err)
	}
	parameters := o.parameters()
	delete(parameters, "oauth_version") // which the example leaves out
	signature, err := o.signer().Sign(o.Token.Secret, baseString("GET", address, parameters))
	if want := "MdpQcU8iPSUjWoN/UDMsK2sui9I="; err != nil || signature != want {
		t.Errorf("signature %s, want %s", signature, want)
	}
}

// parametersOf reads the Authorization header that a signer has made.
func parametersOf(t *testing.T, header string) map[string]string {
	t.Helper()
	parameters := map[string]string{}
	for _, item := range strings.Split(strings.TrimPrefix(header, "OAuth "), ", ") {
		name, quoted, _ := strings.Cut(item, "=")
		value, err := url.PathUnescape(strings.Trim(quoted, `"`))
		if err != nil {
			t.Fatal(err)
		}
		parameters[name] = value
	}
	return parameters
}

// Another client signs the same requests: both must come to the same signature.
func TestAnotherSignerAgrees(t *testing.T) {
	for _, address := range []string{"/shop/v3/products", "/a%20b/c%2Fd?q=a+b&q2=%C3%BC%26%3D", "/?rest_route=/shop/v3/products&x[]=1"} {
		for _, sha1 := range []bool{true, false} {
			var signed http.Header
			server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { signed = r.Header }))
			o := OAuth{Consumer: profile.Credentials{Key: "ck 1", Secret: "cs&1"},
				Token: profile.Credentials{Key: "token", Secret: "its/secret"},
				SHA1:  sha1}
			config := oauth1.NewConfig(o.Consumer.Key, o.Consumer.Secret)
			config.Signer = o.signer()
			response, err := config.Client(context.Background(), oauth1.NewToken(o.Token.Key, o.Token.Secret)).Get(server.URL + address)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			server.Close()

			parameters := parametersOf(t, signed.Get("Authorization"))
			theirs := parameters["oauth_signature"]
			delete(parameters, "oauth_signature")
			ours, err := o.signer().Sign(o.Token.Secret, baseString("GET", response.Request.URL, parameters))
			if err != nil || ours != theirs {
				t.Errorf("%s: our signature is %s, theirs %s (%v)", address, ours, theirs, err)
			}
		}
	}
}

func TestSignaturesTravelInHeaderOrQuery(t *testing.T) {
	seen := make(chan *http.Request, 1)
	c, exchanges := recorded(t, nil, func(_ http.ResponseWriter, r *http.Request) { seen <- r })
	o := OAuth{Consumer: c.profile.Credentials.ReadWrite}
	c.Do(context.Background(), Request{Method: "GET", Path: "/x", Auth: ByOAuth(o)})
	inHeader := <-seen
	o.InQuery = true
	c.Do(context.Background(), Request{Method: "GET", Path: "/x", Query: url.Values{"a": {"b c"}}, Auth: ByOAuth(o)})
	inQuery := <-seen

	parameters := parametersOf(t, inHeader.Header.Get("Authorization"))
	query := inQuery.URL.Query()
	if query.Get("a") != "b c" || inQuery.Header.Get("Authorization") != "" || inHeader.URL.RawQuery != "" {
		t.Errorf("header: %v; query: %v", inHeader, inQuery.URL)
	}
	for _, name := range []string{"oauth_consumer_key", "oauth_nonce", "oauth_signature", "oauth_timestamp"} {
		if parameters[name] == "" || query.Get(name) == "" {
			t.Errorf("%s is %q in the header and %q in the query", name, parameters[name], query.Get(name))
		}
	}
	if parameters["oauth_nonce"] == query.Get("oauth_nonce") {
		t.Error("a nonce is used twice")
	}
	for _, e := range *exchanges {
		for _, secret := range []string{parameters["oauth_signature"], query.Get("oauth_signature"),
			url.QueryEscape(query.Get("oauth_signature"))} {
			if strings.Contains(e.URL+e.Curl, secret) {
				t.Errorf("a signature shows: %s %s", e.URL, e.Curl)
			}
		}
	}
}

// Each attempt is signed anew: a shop that remembers nonces refuses the second otherwise.
func TestRetriesAreSignedAnew(t *testing.T) {
	nonces := map[string]bool{}
	c, _ := recorded(t, nil, func(w http.ResponseWriter, r *http.Request) {
		nonces[r.URL.Query().Get("oauth_nonce")] = true
		if len(r.URL.Query()["oauth_nonce"]) != 1 {
			t.Errorf("the query is %s", r.URL.RawQuery)
		}
		if len(nonces) < 3 {
			w.WriteHeader(503)
		}
	})
	a := c.Do(context.Background(), Request{Method: "GET", Path: "/x",
		Auth: ByOAuth(OAuth{Consumer: c.profile.Credentials.ReadWrite, InQuery: true})})
	if a.Status != 200 || len(nonces) != 3 {
		t.Errorf("status %d with %d nonces", a.Status, len(nonces))
	}
}

func TestOtherWaysToSignInTravelAsAsked(t *testing.T) {
	seen := make(chan *http.Request, 1)
	body := make(chan url.Values, 1)
	c, exchanges := recorded(t, func(p *profile.Profile) { p.Credentials.Login = profile.Login{Username: "admin", Password: "password"} },
		func(w http.ResponseWriter, r *http.Request) {
			seen <- r
			_ = r.ParseForm()
			body <- r.PostForm
			if r.URL.Path == TokenPath {
				_, _ = w.Write([]byte(`{"token":"ey.bearer.token"}`))
			}
			_, _ = w.Write([]byte(r.Header.Get("Authorization")))
		})
	login := c.profile.Credentials.Login
	for _, auth := range []Auth{ByPassword(login), ByToken("ey.bearer.token")} {
		c.Do(context.Background(), Request{Method: "GET", Path: "/x", Auth: auth})
		sent := (<-seen).Header.Get("Authorization")
		<-body
		want := "Basic " + base64.StdEncoding.EncodeToString([]byte("admin:password"))
		if auth.Way == BearerWay {
			want = "Bearer ey.bearer.token"
		}
		if sent != want {
			t.Errorf("Authorization: %s, want %s", sent, want)
		}
	}
	c.Do(context.Background(), Request{Method: "POST", Path: TokenPath, Body: url.Values{"username": {"admin"}, "password": {"password"}}})
	<-seen
	if form := <-body; form.Get("username") != "admin" || form.Get("password") != "password" {
		t.Errorf("the form is %v", form)
	}
	for _, e := range *exchanges {
		text := e.URL + e.Curl + e.Request.Body + e.Response.Body
		for _, h := range e.Request.Header {
			text += h.Value
		}
		for _, secret := range []string{":password", "password=password", "bearer.token", "YWRtaW46cGFzc3dvcmQ="} {
			if strings.Contains(text, secret) {
				t.Errorf("%s shows in %s", secret, text)
			}
		}
	}
	if line := (*exchanges)[0].Curl; !strings.Contains(line, `-u 'admin:'"$SHOPCHECK_CREDENTIALS_LOGIN_PASSWORD"`) {
		t.Errorf("curl line %s", line)
	}
}
