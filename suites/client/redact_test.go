package client

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"shopcheck/suites/profile"
)

func TestSecretsAreFoundInEachOfTheirForms(t *testing.T) {
	p := profile.New("https://shop.example.test")
	p.Credentials.Read = profile.Credentials{Key: "ck_1", Secret: "s3cr3t/+ &x"}
	r := NewRedactor(p)
	r.Learn("learned-token")
	for _, text := range []string{
		"plain s3cr3t/+ &x here",
		"query consumer_secret=" + url.QueryEscape("s3cr3t/+ &x"),
		"/path/" + url.PathEscape("s3cr3t/+ &x"),
		`{"echo":"s3cr3t/+ \u0026x"}`,
		`{"echo":"s3cr3t\/+ &x"}`,
		"query consumer_secret=another-one&page=1",
		"Basic " + base64.StdEncoding.EncodeToString([]byte("ck_1:s3cr3t/+ &x")),
		`{"consumer_secret": "another-one", "a": 1}`,
		`{"password":"another-one"}`,
		"token learned-token",
	} {
		got := r.Text(text)
		if !strings.Contains(got, profile.Redacted) || strings.Contains(got, "s3cr3t") || strings.Contains(got, "another-one") ||
			strings.Contains(got, "learned") {
			t.Errorf("%q became %q", text, got)
		}
	}
	r.Forget()
	if got := r.Text("learned-token"); got != "learned-token" {
		t.Errorf("after Forget: %q", got)
	}
}

func TestWhatABodySetsIsHiddenAfterwards(t *testing.T) {
	c, exchanges := recorded(t, nil, func(http.ResponseWriter, *http.Request) {})
	c.Do(context.Background(), Request{Method: "POST", Path: "/x", Body: map[string]string{"username": "ada", "password": "Made-0815"}})
	c.Do(context.Background(), Request{Method: "GET", Path: "/x", Auth: ByPassword(profile.Login{Username: "ada", Password: "Made-0815"})})
	for _, e := range *exchanges {
		if strings.Contains(e.Request.Body+e.Curl, "0815") {
			t.Errorf("the password shows: %s %s", e.Request.Body, e.Curl)
		}
	}
}

func TestSecretHeadersAreHidden(t *testing.T) {
	r := NewRedactor(profile.Profile{})
	h := http.Header{"Authorization": {"Basic x"}, "Cart-Token": {"eyJ"}, "Cookie": {"a=b"}, "Set-Cookie": {"a=b"}, "Nonce": {"n1"}}
	for _, line := range r.headers(h) {
		if hidden := line.Value == profile.Redacted; hidden == (line.Name == "Nonce") {
			t.Errorf("%s: %s", line.Name, line.Value)
		}
	}
}

func TestHugeHeadersAreCut(t *testing.T) {
	r, h := NewRedactor(profile.Profile{}), http.Header{}
	for i := range 1000 {
		h.Set(fmt.Sprintf("X-Junk-%d", i), strings.Repeat("x", 100_000))
	}
	lines, size := r.headers(h), 0
	for _, line := range lines {
		size += len(line.Name) + len(line.Value)
	}
	if len(lines) != recordedHeader+1 || size > (recordedHeader+1)*(recordedValue+100) || !strings.Contains(lines[0].Value, "more bytes") {
		t.Errorf("%d lines of %d bytes are kept", len(lines), size)
	}
}

func TestASecretOnTheEdgeOfTheCutIsHiddenWhole(t *testing.T) {
	p := profile.New("https://shop.example.test")
	p.Credentials.Read = profile.Credentials{Key: "ck_1", Secret: "cs_0123456789"}
	body := strings.Repeat("x", recordedBody-5) + "cs_0123456789" + strings.Repeat("y", 100)
	m := NewRedactor(p).message(nil, []byte(body))
	if strings.Contains(m.Body, "cs_") || m.Truncated == 0 {
		t.Errorf("the cut shows %q, %d bytes cut", m.Body[len(m.Body)-20:], m.Truncated)
	}
}

func TestASecretWithAnApostropheIsHiddenInAShellLine(t *testing.T) {
	c, exchanges := recorded(t, func(p *profile.Profile) { p.Credentials.Read = profile.Credentials{Key: "ck_1", Secret: "it's-0815"} },
		func(http.ResponseWriter, *http.Request) {})
	c.redactor.Learn("that's-0816")
	c.Do(context.Background(), Request{Method: "POST", Path: "/x", Body: `{"notes":["it's-0815","that's-0816"]}`})
	curl := (*exchanges)[0].Curl
	if strings.Contains(curl, "081") || !strings.Contains(curl, `["'"$SHOPCHECK_CREDENTIALS_READ_SECRET"'","[redacted]"]`) {
		t.Errorf("the line is %s", curl)
	}
}
