package main

// What a target tells of the harness's own secrets is in no output, whichever way it is written.

import (
	"compress/gzip"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/defects"
)

// gossip is a shop that tells everybody the credentials that it was sent, in each way of writing them.
type gossip struct {
	http.Handler
	forms []string
	told  atomic.Int64
}

// ServeHTTP implements http.Handler. Every third answer is as it was but for its header; the others are too long to be kept whole,
// and no JSON; or JSON whose every value tells.
func (g *gossip) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := &keeper{header: http.Header{}, status: http.StatusOK}
	g.Handler.ServeHTTP(answer, r)
	n := int(g.told.Add(1))
	header := w.Header()
	for name, values := range answer.header {
		header[name] = values
	}
	header.Del("Content-Length")
	for i, form := range g.forms {
		header.Add("X-Echo", url.PathEscape(strings.Repeat("x", i))+strings.Map(visible, form))
	}
	header[strings.Map(nameable, g.forms[0])] = []string{"yes"}
	body := answer.body
	switch form := g.forms[n%len(g.forms)]; n % 3 {
	case 1:
		w.Header().Set("X-Shop-Total", strings.Map(visible, form))
		w.Header().Set("Content-Type", "text/html; of="+strings.Map(visible, form))
		body = []byte("<p>" + strings.Repeat("x", 285+n%20) + strings.Join(g.forms, " ") + strings.Repeat(form+" ", 4<<10))
	case 2:
		body = regexp.MustCompile(`":("[^"]*"|\d+)`).ReplaceAll(body, []byte(`":"`+strings.ReplaceAll(form, `"`, `\"`)+`"`))
	}
	w.WriteHeader(answer.status)
	_, _ = w.Write(body)
}

// visible keeps what may stand in the value of a header, nameable what may stand in its name.
func visible(char rune) rune {
	if char < ' ' || char > '~' {
		return ' '
	}
	return char
}

func nameable(char rune) rune {
	if char >= '0' && char <= '9' || char >= 'a' && char <= 'z' || char >= 'A' && char <= 'Z' || char == '_' {
		return char
	}
	return '-'
}

// keeper keeps an answer.
type keeper struct {
	header http.Header
	status int
	body   []byte
}

func (k *keeper) Header() http.Header         { return k.header }
func (k *keeper) WriteHeader(status int)      { k.status = status }
func (k *keeper) Write(p []byte) (int, error) { k.body = append(k.body, p...); return len(p), nil }

// formsOf are the ways in which the target writes a secret.
func formsOf(secret string) []string {
	each := func(format string) string {
		var out strings.Builder
		for i := range len(secret) {
			fmt.Fprintf(&out, format, secret[i])
		}
		return out.String()
	}
	forms := []string{secret, strings.ToUpper(secret), hex.EncodeToString([]byte(secret)), each("%02X"), each("%%%02x"), each("%%%02X"),
		each(`\u%04x`), each("&#%d;"), url.QueryEscape(secret), url.PathEscape(secret), strings.ReplaceAll(each("%%%02x"), "%", "%25")}
	for before := range 3 {
		with := []byte("user:"[:before] + secret + ":"[:before%2])
		forms = append(forms, base64.StdEncoding.EncodeToString(with), base64.RawURLEncoding.EncodeToString(with))
	}
	return forms
}

// showing returns the forms of which an output shows at least so many bytes. What a form of the output escapes is read first.
func showing(output string, forms []string) (shown []string) {
	output = strings.ToLower(regexp.MustCompile(`\\+`).ReplaceAllString(output, `\`))
	for _, form := range forms {
		if strings.Contains(output, strings.ToLower(form[:len(form)*2/3])) {
			shown = append(shown, form)
		}
	}
	return shown
}

func TestNoOutputShowsASecretThatTheTargetTells(t *testing.T) {
	if testing.Short() {
		t.Skip("runs of many specs")
	}
	shop, err := newShop(defects.Setup{})
	if err != nil {
		t.Fatal(err)
	}
	credentials := map[string]string{
		"read_write.key": "ck_mock_rw", "read_write.secret": "cs_mock_rw", "read.key": "ck_mock_r", "read.secret": "cs_mock_r",
		"write.key": "ck_mock_w", "write.secret": "cs_mock_w", "revoked.key": "ck_mock_revoked", "revoked.secret": "cs_mock_revoked",
		"login.username": "admin", "login.password": "p4ss W0rd/&=+'s",
	}
	target := &gossip{Handler: shop}
	args := []string{"run", "--allow-writes", "--procs", "2",
		"--label", "cart || errorcodes || auth || pagination", "--set", "limits.timeout=2s", "--set", "limits.retries=0"}
	for key, value := range credentials {
		args = append(args, "--set", "credentials."+key+"="+value)
		if strings.HasSuffix(key, "secret") || strings.HasSuffix(key, "password") {
			target.forms = append(target.forms, formsOf(value)...)
		}
	}
	if found := showing(strings.Join(target.forms, "\n"), target.forms); len(found) != len(target.forms) {
		t.Fatalf("the test itself finds only %d of %d forms", len(found), len(target.forms))
	}
	server := httptest.NewServer(target)
	defer server.Close()
	dir := t.TempDir()
	code, out, errors := command(t, append(args, "--target", server.URL, "--out", dir, "--format", strings.Join(allFormats(), ","))...)
	if code == 0 || target.told.Load() < 100 {
		t.Errorf("exit code %d after %d answers: %s", code, target.told.Load(), errors)
	}
	outputs := map[string]string{"the console": out, "the standard error": errors}
	target.told.Store(0) // the preflight meets the same answers as before
	_, outputs["the events"], _ = command(t, append(args[:len(args):len(args)], "--target", server.URL, "--out", t.TempDir(), "--json",
		"--label", "cart")...)
	files, err := filepath.Glob(filepath.Join(dir, "*.*"))
	scripts, otherErr := filepath.Glob(filepath.Join(dir, reports.ScriptFolder, "*"))
	if err != nil || otherErr != nil {
		t.Fatal(err, otherErr)
	}
	for _, file := range append(files, scripts...) {
		outputs[filepath.Base(file)] = contentOf(t, file)
	}
	if !strings.Contains(outputs["the events"], `"event":"finding"`) {
		t.Errorf("no event tells a finding: %.2000s", outputs["the events"])
	}
	if len(outputs) < 12 || len(scripts) == 0 {
		t.Errorf("only %d outputs, %d of them scripts", len(outputs), len(scripts))
	}
	for name, text := range outputs {
		for _, form := range showing(text, target.forms) {
			at := strings.Index(strings.ToLower(text), strings.ToLower(form[:len(form)*2/3]))
			t.Errorf("%s shows %q: …%s", name, form, text[max(0, at-80):min(len(text), max(0, at)+80)])
		}
	}
}

func contentOf(t *testing.T, place string) string {
	t.Helper()
	file, err := os.Open(place)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var text io.Reader = file
	if strings.HasSuffix(place, ".gz") {
		if text, err = gzip.NewReader(file); err != nil {
			t.Fatal(err)
		}
	}
	all, err := io.ReadAll(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(all)
}
