package client

import (
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"net/url"
	"runtime"
	"strings"
	"testing"

	"shopcheck/suites/profile"
)

func TestAPieceOfAnAnswerDoesNotKeepTheRest(t *testing.T) {
	const answers, size = 32, 1 << 20
	r := NewRedactor(profile.New("https://shop.example.test"))
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	kept := make([]string, answers)
	for i := range kept {
		kept[i] = r.Brief(strings.Repeat("x", size)[:3], 100)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if stayed := int64(after.HeapAlloc) - int64(before.HeapAlloc); strings.Join(kept, "") == "" || stayed > answers*size/4 {
		t.Errorf("%d bytes stay of %d texts", stayed, len(kept))
	}
}

func TestThePasswordOfAnAddressIsASecret(t *testing.T) {
	p := profile.New("https://shop.example.test")
	p.Webhooks.PublicURL = "https://tunnel:s3cr3t%2F1@hooks.example.test"
	r := NewRedactor(p)
	for _, text := range []string{"to " + p.Webhooks.PublicURL + "/1", base64.StdEncoding.EncodeToString([]byte("tunnel:s3cr3t/1"))} {
		if got := r.Text(text); !strings.Contains(got, profile.Redacted) || strings.Contains(got, "s3cr") {
			t.Errorf("%q became %q", text, got)
		}
	}
}

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
		base64.StdEncoding.EncodeToString([]byte("s3cr3t/+ &x")),
		base64.RawURLEncoding.EncodeToString([]byte("ab:s3cr3t/+ &x:cd")),
		"czNjcjN0\r\nLysgJng=", // as mails break lines
		hex.EncodeToString([]byte("s3cr3t/+ &x")),
		"S3CR3T/+ &X",
		"s3cr3t%2F%2B%20%26x",
		"%73%33%63%72%33%74%2f%2b%20%26%78",
		`\u0073\u0033\u0063\u0072\u0033\u0074\u002f\u002b\u0020\u0026\u0078`,
		`{\"log\":\"\\u0073\\u0033cr3t/+ &x\"}`,
		`\u{73}\u{33}\u{63}\u{72}\u{33}\u{000074}\u{2f}\u{2B}\u{20}\u{26}\u{78}`,
		"&#115;&#x33;cr3t&#47;+ &amp;x",
		"s\x003\x00c\x00r\x003\x00t\x00/\x00+\x00 \x00&\x00x\x00", // UTF-16
		"https://ck_1:s3cr3t%2f+%20&x@shop.example.test/",
		"the file /var/log/s3cr3t%2F+%20&x.log is not there",
		`Get "https://shop.example.test/?consumer_secret=s3cr3t%2F%2B+%26x": dial tcp: no such host`,
		"a long answer that ends in s3cr…",
		`and in \u0073\u0033\u0063\u0072\u00…`,
	} {
		got := r.Text(text)
		if !strings.Contains(got, profile.Redacted) || strings.Contains(got, "s3cr") || strings.Contains(got, "another-one") ||
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
	for _, body := range []string{
		strings.Repeat("x", recordedBody-5) + "cs_0123456789" + strings.Repeat("y", 100),
		strings.Repeat("x", 100) + strings.Repeat("cs_0123456789", 6000),             // what is searched ends in one, too
		strings.Repeat(`\u0063\u0073\u005f\u0030123456789`, scanned*recordedBody/37), // and much shorter without them
	} {
		m := NewRedactor(p).message(nil, body)
		if strings.Contains(m.Body, "cs_0") || strings.Contains(m.Body, `\u0063\u0073\u005f\u0030`) || m.Truncated == 0 {
			t.Errorf("the cut shows %q, %d bytes cut", m.Body[len(m.Body)-20:], m.Truncated)
		}
	}
}

func TestASecretWithAnApostropheIsHiddenInAShellLine(t *testing.T) {
	c, exchanges := recorded(t, func(p *profile.Profile) { p.Credentials.Read = profile.Credentials{Key: "ck_1", Secret: "it's-0815"} },
		func(http.ResponseWriter, *http.Request) {})
	c.redactor.Learn("that's-0816")
	c.Do(context.Background(), Request{Method: "POST", Path: "/x", Body: `{"notes":["it's-0815","that's-0816"]}`})
	curl := (*exchanges)[0].Curl
	if strings.Contains(curl, "s-081") || !strings.Contains(curl, `["'"$SHOPCHECK_CREDENTIALS_READ_SECRET"'","[redacted]"]`) {
		t.Errorf("the line is %s", curl)
	}
}

// Most tokens pass by again and again, and most bodies hold no secret.
func TestWhatIsKnownAndWhatHidesNothingCostsNoMemory(t *testing.T) {
	r, body := NewRedactor(profile.Profile{}), `{"id":12,"name":"Lamp"}`
	r.Learn("learned-token")
	for name, do := range map[string]func(){
		"a token that is known": func() { r.Learn("learned-token") },
		"a body":                func() { r.message(nil, body) },
	} {
		if made := testing.AllocsPerRun(100, do); made > 1 {
			t.Errorf("%s: %.0f objects", name, made)
		}
	}
}

// BenchmarkRedactorText is about texts that hold no secret, as nearly all do.
func BenchmarkRedactorText(b *testing.B) {
	p := profile.New("https://shop.example.test")
	for i, pair := range []*profile.Credentials{&p.Credentials.ReadWrite, &p.Credentials.Read, &p.Credentials.Write} {
		*pair = profile.Credentials{Key: fmt.Sprintf("ck_%d", i), Secret: fmt.Sprintf("cs_%d0123456789abcdef", i)}
	}
	r := NewRedactor(p)
	for i := range 10 {
		r.Learn(fmt.Sprintf("eyJhbGciOiJIUzI1NiJ9.%d.signature", i))
	}
	record := `{"id":12,"name":"Lamp","price":"12.50","meta_data":[],"links":{"self":"https://shop.example.test/shop/v3/products/12"}},`
	for name, text := range map[string]string{
		"plain":   strings.Repeat(record, 50),
		"escaped": strings.Repeat(strings.ReplaceAll(record, "/", `\/`), 50),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if r.Text(text) != text {
					b.Fatal("a secret is found")
				}
			}
		})
	}
}
