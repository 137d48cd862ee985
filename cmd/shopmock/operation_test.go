package main

// What containers, scripts and manuals need of the program.

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

func TestReadyTellsWhenAShopTakesRequests(t *testing.T) {
	greeting, stop := serving(t)
	url := readyAddress(greeting)
	for _, args := range [][]string{{"ready", "--url", url}, {"ready", "--url", url, "--wait"}, {"ready", "--url", url, "--wait=1m"}} {
		if got := ran(t, args...); got != "ready at "+url {
			t.Errorf("%v: %s", args, got)
		}
	}
	stop()
	started := time.Now()
	if got := ran(t, "ready", "--url", url); !strings.HasPrefix(got, "error: no shop answers at "+url) {
		t.Errorf("after its end: %s", got)
	}
	if got := ran(t, "ready", "--url", url, "--wait=250ms"); !strings.HasPrefix(got, "error: the time to wait is over") {
		t.Errorf("waiting in vain: %s", got)
	}
	if took := time.Since(started); took < 250*time.Millisecond {
		t.Errorf("it waited %s", took)
	}
}

func TestReadyWaitsForAShopThatStarts(t *testing.T) {
	t.Setenv("SHOPMOCK_READY_WAIT", "1m")
	late := make(chan string)
	asked := make(chan struct{})
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		select {
		case <-asked:
		default:
			close(asked)
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	})}
	listener := freeSocket(t)
	go server.Serve(listener) //nolint:errcheck // it ends with the test
	defer server.Close()
	url := "http://" + listener.Addr().String()
	go func() { late <- ran(t, "ready", "--url", url) }()
	if got := <-late; got != "ready at "+url {
		t.Error(got)
	}
}

// TestEveryFlagIsAVariable reads the help of all commands, and sets one flag of each type.
func TestEveryFlagIsAVariable(t *testing.T) {
	seen := map[string]string{}
	visit(command(), func(c *cobra.Command) {
		c.Flags().VisitAll(func(flag *pflag.Flag) {
			variable := variableOf(c, flag)
			if !isOurs(flag) || flag.Name == "cacert" || flag.Name == "sandbox" || flag.Name == "url" {
				return // these are shared
			}
			if !strings.Contains(flag.Usage, "[$"+variable+"]") {
				t.Errorf("the help of %s --%s does not name %s", c.CommandPath(), flag.Name, variable)
			}
			if other := seen[variable]; other != "" {
				t.Errorf("%s sets %s and a flag of %s", variable, other, c.CommandPath())
			}
			seen[variable] = c.CommandPath() + " --" + flag.Name
		})
	})
	t.Setenv("SHOPMOCK_CLOCK", "2026-03-01T12:00:00Z")
	t.Setenv("SHOPMOCK_FREEZE", "true")
	t.Setenv("SHOPMOCK_SEED", "demo") // serving says --seed empty, which comes first
	greeting, stop := serving(t)
	defer stop()
	t.Setenv("SHOPMOCK_URL", readyAddress(greeting))
	if got := ran(t, "clock"); got != "2026-03-01T12:00:00Z (frozen)" {
		t.Error(got)
	}
	if !strings.Contains(greeting[0], "the empty shop") {
		t.Error(greeting[0])
	}
	t.Setenv("SHOPMOCK_JOURNAL", "many")
	if got := ran(t, "serve"); !strings.Contains(got, "SHOPMOCK_JOURNAL=many") {
		t.Error(got)
	}
}

func TestAPublicShopSaysWhereItIsReached(t *testing.T) {
	greeting, stop := serving(t, "--public", "--gzip")
	defer stop()
	text := strings.Join(greeting, "\n")
	if !strings.Contains(text, "everybody on these networks can read them on the way") {
		t.Errorf("no word of what it means in\n%s", text)
	}
	if !strings.HasPrefix(readyAddress(greeting), "http://127.0.0.1:") {
		t.Errorf("ready at %s", readyAddress(greeting))
	}
	_, after, _ := strings.Cut(text, "Other machines reach it at\n")
	for _, line := range strings.Split(after, "\n") {
		address := strings.TrimSpace(line)
		if !strings.HasPrefix(address, "http") {
			break
		}
		request, _ := http.NewRequest("GET", address+"/shop/v3/coupons", nil)
		request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
		request.Header.Set("Accept-Encoding", "identity")
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			continue
		}
		response.Body.Close()
		if response.StatusCode != http.StatusOK {
			t.Errorf("%s: %d", address, response.StatusCode)
		}
	}
	for _, args := range [][]string{{"serve", "--public", "--listen", "nowhere"}, {"serve", "--public", "--strict"}} {
		if got := ran(t, args...); !strings.HasPrefix(got, "error: ") {
			t.Errorf("%v: %s", args, got)
		}
	}
}

func TestManualAndCompletion(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "man1")
	if got := ran(t, "man", "--dir", folder); got != "" {
		t.Fatal(got)
	}
	page, err := os.ReadFile(filepath.Join(folder, "shopmock-serve.1"))
	if err != nil || !strings.Contains(string(page), "SHOPMOCK_RANDOM_SEED") {
		t.Errorf("%v: %.300s", err, page)
	}
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		if got := ran(t, "completion", shell); !strings.Contains(got, "shopmock") {
			t.Errorf("%s: %.200s", shell, got)
		}
	}
}
