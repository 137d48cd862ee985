package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestNothingThatAShopSaysActsOnATerminal asks a shop whose texts hold escape sequences, also in the line of its status.
func TestNothingThatAShopSaysActsOnATerminal(t *testing.T) {
	text := `"\u001b[31m"`
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch path := r.URL.Path; path {
		case "/_mock/faults":
			fmt.Fprintf(w, `{"rules": [{"effect": %s, %[1]s: 1}]}`, text)
		case "/_mock/sandboxes":
			fmt.Fprintf(w, `[{"name": %s, "url": %[1]s, "consumer_key": %[1]s}]`, text)
		case "/_mock/trigger":
			fmt.Fprintf(w, `{"topic": %s, "made": [{"resource": %[1]s, "id": %[1]s}]}`, text)
		default:
			connection, _, err := w.(http.Hijacker).Hijack()
			if err != nil {
				panic(err)
			}
			defer connection.Close()
			fmt.Fprint(connection, "HTTP/1.1 500 \x1b[31m\r\n\r\n")
		}
	}))
	defer server.Close()
	t.Setenv("SHOPMOCK_URL", server.URL)
	for _, line := range []string{"fault list", "sandbox list", "trigger order.created", "snapshot list"} {
		if got := ran(t, strings.Fields(line)...); !strings.Contains(got, "[31m") || strings.Contains(got, "\x1b") {
			t.Errorf("%s: %q", line, got)
		}
	}
}

func TestTheFaultsOfARunningShop(t *testing.T) {
	greeting, stop := serving(t)
	defer stop()
	url := readyAddress(greeting)
	t.Setenv("SHOPMOCK_URL", url)
	ran(t, "sandbox", "create", "one")
	for _, step := range []struct{ args, want string }{
		{"", "Nothing goes wrong on purpose."},
		{"add status --status 503 --path /shop/store/v1/** --nth 1",
			"status path=/shop/store/v1/** nth=1 status=503: never fired, matched 0"},
		{"add latency --delay 1ms --delay-max 2ms --sigma 0.5", "error: 400 Bad Request: "},
		{"add flood", `error: 400 Bad Request: rules[0]: effect: there is no effect "flood"; take one of latency, `},
		{"add", "error: accepts 1 arg(s), received 0"},
		{"list --sandbox one", "Nothing goes wrong on purpose."},
		{"scenario rate-limited --sandbox one", "status "},
		{"scenario storm", "error: 400 Bad Request: "},
	} {
		if got := ran(t, append([]string{"fault"}, strings.Fields(step.args)...)...); !strings.HasPrefix(got, step.want) {
			t.Errorf("fault %s: %q, want %q", step.args, got, step.want)
		}
	}
	for _, want := range []int{http.StatusServiceUnavailable, http.StatusOK} {
		answer, err := http.Get(url + "/shop/store/v1/products")
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("the shop answers %d, want %d", answer.StatusCode, want)
		}
	}
	if got := ran(t, "fault", "list"); got != "status path=/shop/store/v1/** nth=1 status=503: fired 1 times, matched 2" {
		t.Errorf("after two requests: %q", got)
	}
	if got := ran(t, "fault", "clear") + ran(t, "fault"); got != "Nothing goes wrong on purpose." {
		t.Errorf("cleared: %q", got)
	}
}
