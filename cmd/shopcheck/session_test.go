package main

// The session that the guide shows is one that happened.

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"shopcheck/mockserver"
)

// session is the block of the guide that shows one, and what stands around it.
var session = regexp.MustCompile("(?s)(\n```console\n)(.*?)(\n```\n)")

func TestTheSessionOfTheGuide(t *testing.T) {
	path, err := filepath.Abs("../../suites/README.md")
	if err != nil {
		t.Fatal(err)
	}
	guide, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	shown := session.FindStringSubmatch(string(guide))
	if shown == nil {
		t.Fatal("the guide shows no session")
	}
	shop := mockserver.Start(t)
	giveSecrets(t)
	t.Chdir(t.TempDir())
	var happened strings.Builder
	for line := range strings.Lines(shown[2]) {
		args, isCommand := strings.CutPrefix(strings.TrimSpace(line), "$ shopcheck ")
		if !isCommand {
			continue
		}
		code, out, errors := command(t, strings.Fields(strings.ReplaceAll(args, "http://127.0.0.1:8080", shop.URL()))...)
		if code != 0 {
			t.Errorf("%s: exit code %d %s", line, code, errors)
		}
		happened.WriteString("$ shopcheck " + args + "\n" + strings.ReplaceAll(out, shop.URL(), "http://127.0.0.1:8080"))
	}
	text := strings.TrimSuffix(happened.String(), "\n")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		whole := strings.Replace(string(guide), shown[2], text, 1)
		if err := os.WriteFile(path, []byte(whole), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	timed := regexp.MustCompile(`in [0-9.]+ s;`)
	mask := func(text string) string { return timed.ReplaceAllString(masked(text), "in TIME;") }
	if mask(text) != mask(shown[2]) {
		t.Errorf("the session is another (UPDATE_GOLDEN=1 writes it):\n%s", text)
	}
}
