package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"shopcheck/mockserver"
)

// listening runs "shopmock listen" and returns its address and the lines that it prints.
func listening(t *testing.T, args ...string) (address string, lines *bufio.Scanner) {
	t.Helper()
	ctx, interrupt := context.WithCancel(context.Background())
	output, printed := io.Pipe()
	command := command()
	command.SetArgs(append([]string{"listen", "--listen", "127.0.0.1:0"}, args...))
	command.SetOut(printed)
	ended := make(chan error, 1)
	go func() { ended <- command.ExecuteContext(ctx) }()
	t.Cleanup(func() {
		interrupt()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		output.Close()
	})
	lines = bufio.NewScanner(output)
	_, address, found := strings.Cut(next(t, lines), "receiving webhooks at ")
	if !found {
		t.Fatal("the first line does not say where it listens")
	}
	return address, lines
}

func next(t *testing.T, lines *bufio.Scanner) string {
	t.Helper()
	if !lines.Scan() {
		t.Fatalf("nothing more is printed: %v", lines.Err())
	}
	return lines.Text()
}

func TestListenPrintsTheEventsOfAShop(t *testing.T) {
	address, lines := listening(t, "--secret", "s3cret", "--body")
	shop := mockserver.Start(t)
	post(t, shop.URL()+"/shop/v3/webhooks", fmt.Sprintf(`{"topic":"coupon.created","delivery_url":%q,"secret":"s3cret"}`, address))
	if got := next(t, lines); !strings.HasPrefix(got, "signature ok: webhook_id=1 (webhook 1, ") {
		t.Errorf("ping: %s", got)
	}
	next(t, lines) // its payload
	post(t, shop.URL()+"/shop/v3/coupons", `{"code":"listen","amount":"5"}`)
	if got := next(t, lines); !strings.HasPrefix(got, "signature ok: coupon.created ") {
		t.Errorf("event: %s", got)
	}
	if got := next(t, lines); !strings.Contains(got, `"code":"listen"`) {
		t.Errorf("payload: %s", got)
	}
}

// A webhook is delivered in the dialect in which it was registered.
func TestListenKnowsTheDialectsOfAShop(t *testing.T) {
	file := filepath.Join("..", "..", "fixtures", "dialects", "testdata", "awkward.yaml")
	shop := mockserver.StartWith(t, mockserver.Options{Dialect: file})
	for path, args := range map[string][]string{"/wp-json/wc/v3/webhooks": nil, "/shop/shop/v2/webhooks": {"--dialect", file}} {
		address, lines := listening(t, append(args, "--secret", "s3cret")...)
		post(t, shop.URL()+path, fmt.Sprintf(`{"topic":"coupon.created","delivery_url":%q,"secret":"s3cret"}`, address))
		if got := next(t, lines); !strings.HasPrefix(got, "signature ok: webhook_id=") || strings.Contains(got, "(webhook ,") {
			t.Errorf("%s: ping: %s", path, got)
		}
	}
}

func post(t *testing.T, address, body string) {
	t.Helper()
	request, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusCreated {
		text, _ := io.ReadAll(response.Body)
		t.Fatalf("POST %s: status %d: %s", address, response.StatusCode, text)
	}
}

func TestListenRefusesWhatIsNotSigned(t *testing.T) {
	address, lines := listening(t, "--secret", "s3cret")
	const body = `{"id":7}`
	for _, c := range []struct {
		name, body, signature string
		status                int
		printed               string
	}{
		{"signed", body, mockserver.SignWebhook("s3cret", []byte(body)), 200, "signature ok: order.created 7 "},
		{"signed with another secret", body, mockserver.SignWebhook("other", []byte(body)), 401, "refused: the signature"},
		{"changed afterwards", body + " ", mockserver.SignWebhook("s3cret", []byte(body)), 401, "refused: the signature"},
		{"not signed", body, "", 401, "refused: the signature is missing"},
		{"ping of a shop that does not sign pings", "webhook_id=7", "", 200, "ping, not signed: webhook_id=7"},
		{"ping that never ends", "webhook_id=" + strings.Repeat("7", 5000), "", 200,
			"ping, not signed: webhook_id=" + strings.Repeat("7", 89) + "…"},
		{"too long", strings.Repeat("x", maxEvent+1), "", 413, "refused: a payload"},
	} {
		t.Run(c.name, func(t *testing.T) {
			request, err := http.NewRequest(http.MethodPost, address, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			request.Header.Set("X-Shop-Webhook-Topic", "order.created")
			if c.signature != "" {
				request.Header.Set("X-Shop-Webhook-Signature", c.signature)
			}
			printed := make(chan string, 1)
			go func() { lines.Scan(); printed <- lines.Text() }()
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			response.Body.Close()
			if got := <-printed; response.StatusCode != c.status || !strings.HasPrefix(got, c.printed) {
				t.Errorf("status %d, printed %q; want %d, %q", response.StatusCode, got, c.status, c.printed)
			}
		})
	}
}

func TestListenPrintsNoControlCharacters(t *testing.T) {
	if got := printable("a\x1b[31mb\r\nc\u202e\u00fc"); got != "a·[31mb··c·ü" {
		t.Errorf("printable: %q", got)
	}
	if got := cut(strings.Repeat("ü", 200)); len([]rune(got)) != maxShown+1 {
		t.Errorf("cut: %q", got)
	}
}

func TestListenNeedsASecret(t *testing.T) {
	command := command()
	command.SetArgs([]string{"listen"})
	if err := command.Execute(); err == nil || !strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
}

func TestListenPassesOnWhatIsSigned(t *testing.T) {
	got := make(chan string, 10)
	app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- r.URL.Path + " " + r.Header.Get("X-Shop-Webhook-Topic") + " " + r.Header.Get("X-Shop-Webhook-Signature") + " " + string(body)
		w.WriteHeader(http.StatusTeapot)
	}))
	t.Cleanup(app.Close)
	address, lines := listening(t, "--secret", "s3cret", "--forward-to", app.URL+"/hook")
	const body = `{"id":7}`
	signature := mockserver.SignWebhook("s3cret", []byte(body))
	go func() {
		for lines.Scan() { // what is printed is read, so that nothing waits for it
		}
	}()
	for _, c := range []struct {
		signature string
		status    int
	}{{"wrong", http.StatusUnauthorized}, {signature, http.StatusTeapot}} {
		request, err := http.NewRequest(http.MethodPost, address, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		request.Header.Set("X-Shop-Webhook-Topic", "order.created")
		request.Header.Set("X-Shop-Webhook-Signature", c.signature)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != c.status {
			t.Errorf("signed with %s: status %d, want %d", c.signature, response.StatusCode, c.status)
		}
	}
	if first := <-got; first != "/hook order.created "+signature+" "+body || len(got) > 0 {
		t.Errorf("passed on: %q, and %d more", first, len(got))
	}
	app.Close()
	response, err := http.Post(address, "application/x-www-form-urlencoded", strings.NewReader("webhook_id=7"))
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	if response.StatusCode != http.StatusBadGateway {
		t.Errorf("an app that is gone: status %d", response.StatusCode)
	}
}

// deliver sends a signed event, and returns the status of the answer.
func deliver(t *testing.T, address string) int {
	t.Helper()
	const event = `{"id":7}`
	request, err := http.NewRequest(http.MethodPost, address, strings.NewReader(event))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("X-Shop-Webhook-Signature", mockserver.SignWebhook("s", []byte(event)))
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	return response.StatusCode
}

// TestListenPassesNothingOnToItself gives a receiver an app that is itself, behind a proxy.
func TestListenPassesNothingOnToItself(t *testing.T) {
	var further atomic.Value
	proxied := httptest.NewServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		to, _ := url.Parse(further.Load().(string))
		r.SetURL(to)
	}})
	t.Cleanup(proxied.Close)
	address, lines := listening(t, "--secret", "s", "--forward-to", proxied.URL)
	further.Store(address)
	printed := make(chan string, 10)
	go func() {
		for lines.Scan() {
			printed <- lines.Text()
		}
	}()
	if status := deliver(t, address); status != http.StatusLoopDetected {
		t.Errorf("status %d, want 508", status)
	}
	<-printed
	<-printed
	if refused := <-printed; !strings.Contains(refused, "--forward-to") {
		t.Errorf("printed: %s", refused)
	}
}

// TestListenTakesAnyAnswerOfAnApp passes an event on to apps that answer with what is no status.
func TestListenTakesAnyAnswerOfAnApp(t *testing.T) {
	for _, status := range []string{"000", "099", "101"} {
		app := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			connection, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				t.Error(err)
				return
			}
			fmt.Fprintf(connection, "HTTP/1.1 %s x\r\nContent-Length: 0\r\n\r\n", status)
			connection.Close()
		}))
		t.Cleanup(app.Close)
		address, lines := listening(t, "--secret", "s", "--forward-to", app.URL)
		told := make(chan string, 2)
		go func() {
			for lines.Scan() {
				told <- lines.Text()
			}
		}()
		if got := deliver(t, address); got != http.StatusBadGateway {
			t.Errorf("an app answers %s: status %d, want 502", status, got)
		}
		<-told
		if line := <-told; !strings.Contains(line, "not passed on") {
			t.Errorf("an app answers %s: %q", status, line)
		}
	}
}

func TestListenPrintsItsSecret(t *testing.T) {
	t.Parallel()
	ctx, interrupt := context.WithCancel(context.Background())
	interrupt()
	var out strings.Builder
	flags := listenFlags{listen: "127.0.0.1:0", printSecret: true}
	if err := runListen(ctx, &out, flags); err != nil {
		t.Fatal(err)
	}
	if secret := strings.TrimPrefix(strings.Split(out.String(), "\n")[0], "shopmock: the secret is "); len(secret) < 32 {
		t.Errorf("printed: %q", out.String())
	}
	flags.secret = "mine"
	out.Reset()
	if err := runListen(ctx, &out, flags); err != nil || !strings.HasPrefix(out.String(), "shopmock: the secret is mine\n") {
		t.Errorf("%v, printed: %q", err, out.String())
	}
}

func TestListenRefusesWhatIsNoAddress(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"localhost:3000", "/hook", "ftp://x/y", "http://", "http://a b/"} {
		if err := runListen(context.Background(), io.Discard, listenFlags{forwardTo: address}); err == nil ||
			!strings.Contains(err.Error(), "passed on") {
			t.Errorf("%s: %v", address, err)
		}
	}
}
