package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
)

// serving runs "shopmock serve" and returns what it prints until it is ready.
func serving(t *testing.T, args ...string) (greeting []string, stop func()) {
	t.Helper()
	ctx, interrupt := context.WithCancel(context.Background())
	output, printed := io.Pipe()
	command := command()
	command.SetArgs(append([]string{"serve", "--listen", "127.0.0.1:0", "--seed", "empty"}, args...))
	command.SetOut(printed)
	ended := make(chan error, 1)
	go func() { ended <- command.ExecuteContext(ctx) }()
	lines := bufio.NewScanner(output)
	for len(greeting) == 0 || !strings.HasPrefix(greeting[len(greeting)-1], "shopmock: ready at ") {
		greeting = append(greeting, next(t, lines))
	}
	return greeting, func() {
		interrupt()
		next(t, lines)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// TestServeTLSSaysHowToTrustIt follows the first line that is offered to try, with the file that it names.
func TestServeTLSSaysHowToTrustIt(t *testing.T) {
	greeting, stop := serving(t, "--tls", "--strict")
	text := strings.Join(greeting, "\n")
	_, after, found := strings.Cut(text, "curl --cacert ")
	file, rest, _ := strings.Cut(after, " ")
	_, address, _ := strings.Cut(rest, "'")
	address, _, _ = strings.Cut(address, "'")
	if !found || !strings.HasPrefix(address, "https://127.0.0.1:") {
		t.Fatalf("no line to try in\n%s", text)
	}
	certificate, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	trusted := x509.NewCertPool()
	if !trusted.AppendCertsFromPEM(certificate) {
		t.Fatalf("%s holds no certificate", file)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
	request, _ := http.NewRequest("GET", address, nil)
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	response, err := transport.RoundTrip(request)
	if err != nil {
		t.Fatal(err)
	}
	response.Body.Close()
	transport.CloseIdleConnections()
	if response.StatusCode != http.StatusOK {
		t.Errorf("%s: %d", address, response.StatusCode)
	}
	stop()
	if _, err := os.Stat(file); !os.IsNotExist(err) {
		t.Errorf("%s is left behind: %v", file, err)
	}
}

func TestServeStrictlyTakesNoBasicOverPlainHTTP(t *testing.T) {
	greeting, stop := serving(t, "--strict")
	defer stop()
	_, address, _ := strings.Cut(greeting[len(greeting)-1], "ready at ")
	request, _ := http.NewRequest("GET", address+"/shop/v3/coupons", nil)
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusUnauthorized {
		t.Errorf("Basic over plain HTTP: %d", response.StatusCode)
	}
}

func TestServeRefusesEveryOtherNonceWhenToldTo(t *testing.T) {
	greeting, stop := serving(t, "--nonce-reject", "50%")
	defer stop()
	_, address, _ := strings.Cut(greeting[len(greeting)-1], "ready at ")
	nonce, statuses := "", map[int]int{}
	for range 21 {
		request, _ := http.NewRequest("POST", address+"/shop/store/v1/cart/remove-item?key=x", nil)
		request.Header.Set("Nonce", nonce)
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		statuses[response.StatusCode]++
		nonce = response.Header.Get("Nonce")
	}
	if statuses[http.StatusUnauthorized] != 1 || statuses[http.StatusForbidden] != 10 || statuses[http.StatusConflict] != 10 {
		t.Errorf("one without a nonce, ten refused, ten let in: got %v", statuses)
	}
}

func TestServeSaysWhatShareItTakes(t *testing.T) {
	for _, wrong := range []string{"", "x", "-1%", "51%", "NaN", "5%%", "1"} {
		command := command()
		command.SetArgs([]string{"serve", "--listen", "127.0.0.1:0", "--nonce-reject", wrong})
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), "--nonce-reject") ||
			!strings.Contains(err.Error(), "%") {
			t.Errorf("--nonce-reject %q: %v", wrong, err)
		}
	}
	for text, want := range map[string]float64{"5%": 0.05, "0.05": 0.05, "0": 0, "50%": 0.5} {
		if got, err := share(text); err != nil || got != want {
			t.Errorf("%s: %v, %v", text, got, err)
		}
	}
}

func TestWrongCommandLinesSayWhatToDo(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for want, args := range map[string][]string{
		"in use; give another host:port": {"serve", "--listen", taken.Addr().String()},
		"give another host:port, port 0": {"listen", "--secret", "s", "--listen", taken.Addr().String()},
		"take demo or empty":             {"serve", "--listen", "127.0.0.1:0", "--seed", "full"},
		"take rotate or stable":          {"serve", "--listen", "127.0.0.1:0", "--nonce", "never"},
		`give --secret, the one that the webhook was registered with, or --print-secret`: {"listen"},
	} {
		command := command()
		command.SetArgs(args)
		command.SetOut(io.Discard)
		if err := command.ExecuteContext(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %q", args, err, want)
		}
	}
}

func TestServeTakesFaultsByNameAndFromAFile(t *testing.T) {
	rules := t.TempDir() + "/rules.yaml"
	if err := os.WriteFile(rules, []byte("rules:\n- effect: status\n  status: 503\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, faults := range []string{rules, "rate-limited"} {
		greeting, stop := serving(t, "--faults", faults)
		address := strings.TrimPrefix(greeting[len(greeting)-1], "shopmock: ready at ")
		response, err := http.Get(address + "/_mock/faults")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || !strings.Contains(string(body), `"effect":"status"`) {
			t.Errorf("%s: %s, %v", faults, body, err)
		}
		stop()
	}
}

func TestServeRefusesFaultsThatCannotBe(t *testing.T) {
	rules := t.TempDir() + "/rules.yaml"
	if err := os.WriteFile(rules, []byte("rules:\n- effect: explode\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for faults, told := range map[string]string{rules: "explode", "doomsday": "flaky-network"} {
		command := command()
		command.SetArgs([]string{"serve", "--listen", "127.0.0.1:0", "--seed", "empty", "--faults", faults})
		if err := command.Execute(); err == nil || !strings.Contains(err.Error(), told) {
			t.Errorf("%s: %v", faults, err)
		}
	}
}

func freeSocket(t *testing.T) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return listener
}
