package main

import (
	"bytes"
	"strings"
	"testing"
)

// ran is what a command prints, or the error that it ends with.
func ran(t *testing.T, args ...string) string {
	t.Helper()
	var out bytes.Buffer
	command := command()
	command.SetArgs(args)
	command.SetOut(&out)
	if err := command.ExecuteContext(t.Context()); err != nil {
		return "error: " + err.Error()
	}
	return strings.TrimSuffix(out.String(), "\n")
}

// readyAddress is where a shop said that it is ready.
func readyAddress(greeting []string) string {
	_, address, _ := strings.Cut(greeting[len(greeting)-1], "ready at ")
	return address
}

func TestTheClockOfARunningShop(t *testing.T) {
	greeting, stop := serving(t, "--clock", "2026-03-01T12:00:00Z", "--freeze")
	defer stop()
	url := readyAddress(greeting)
	for _, step := range []struct{ args, want string }{
		{"", "2026-03-01T12:00:00Z (frozen)"},
		{"advance 30d", "2026-03-31T12:00:00Z (frozen)"},
		{"set 2026-12-24T18:00:00+01:00", "2026-12-24T17:00:00Z (frozen)"},
		{"freeze", "2026-12-24T17:00:00Z (frozen)"},
		{"resume", "2026-12-24T17:00:"},
		{"advance soon", `error: 400 Bad Request: "soon" is no time to move the clock by: take 90s, 36h, 30d or -15m`},
		{"--sandbox nobody", "error: 404 Not Found: There is no such sandbox, or no longer: POST /_mock/sandboxes makes one."},
		{"reset", "2026-03-01T12:0"},
	} {
		got := ran(t, append([]string{"clock", "--url", url}, strings.Fields(step.args)...)...)
		if !strings.HasPrefix(got, step.want) {
			t.Errorf("clock %s: %q, want %q", step.args, got, step.want)
		}
	}
	if got := ran(t, "clock", "--url", "http://127.0.0.1:1"); !strings.Contains(got, "start one with shopmock serve") {
		t.Errorf("no shop: %q", got)
	}
	if got := ran(t, "serve", "--clock", "noon"); !strings.Contains(got, `--clock "noon"`) {
		t.Errorf("no moment: %q", got)
	}
}
