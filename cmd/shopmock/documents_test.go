package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// printed runs a command that ends by itself.
func printed(args ...string) (string, error) {
	var out bytes.Buffer
	command := command()
	command.SetArgs(args)
	command.SetOut(&out)
	err := command.Execute()
	return out.String(), err
}

func TestOpenAPIIsPrinted(t *testing.T) {
	t.Parallel()
	text, err := printed("openapi", "--url", "http://shop.example.test")
	if err != nil || !gjson.Valid(text) || gjson.Get(text, "servers.0.url").Str != "http://shop.example.test" {
		t.Errorf("%v, %.200s", err, text)
	}
}

func TestCollectionsAreWrittenToPlacesThatAreFree(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for kind, file := range map[string]string{"postman": "", "bruno": "bruno.json"} {
		out := filepath.Join(folder, kind)
		told, err := printed("collection", kind, "--out", out)
		if err != nil || !strings.Contains(told, out) {
			t.Fatalf("%s: %v, %q", kind, err, told)
		}
		text, err := os.ReadFile(filepath.Join(out, file))
		if err != nil || !gjson.ValidBytes(text) {
			t.Errorf("%s: %v, %.100s", kind, err, text)
		}
		if _, err := printed("collection", kind, "--out", out); err == nil || !strings.Contains(err.Error(), "there already") {
			t.Errorf("%s is written over: %v", kind, err)
		}
	}
	if _, err := printed("collection", "insomnia", "--out", filepath.Join(folder, "x")); err == nil {
		t.Error("a collection of an unknown kind is made")
	}
}
