// Package cmd_test keeps the rules of the house: who may import whom.
package cmd_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

const module = "shopcheck/"

// rooms says for each part of the module what else of the module it may depend on, through any number of packages. The longest
// matching prefix counts.
var rooms = map[string][]string{
	"fixtures":                   {"fixtures"},
	"reports":                    {"reports"},
	"suites":                     {"suites", "reports", "fixtures"},
	"suites/contract":            {"suites/contract", "reports"},
	"suites/contract/documented": {"suites/contract/documented"},
	"suites/profile":             {"suites/profile", "suites/contract", "reports", "fixtures"},
	"suites/client":              {"suites/client", "suites/profile", "suites/contract", "reports", "fixtures"},
	"suites/receiver":            {"suites/receiver"},
	"suites/expect":              {"suites/expect", "suites/client", "suites/profile", "suites/contract", "suites/receiver", "reports", "fixtures"},
	"suites/spec": {"suites/spec", "suites/expect", "suites/client", "suites/profile", "suites/contract", "suites/receiver",
		"reports", "fixtures"},
	"mockserver":                     {"mockserver", "fixtures"},
	"mockserver/internal/state":      {"mockserver/internal/state"},
	"mockserver/internal/shop":       {"mockserver/internal/shop", "mockserver/internal/state", "fixtures"},
	"mockserver/internal/rest":       {"mockserver/internal/rest", "mockserver/internal/shop", "mockserver/internal/state", "fixtures"},
	"mockserver/internal/auth":       {"mockserver/internal/auth", "mockserver/internal/rest", "mockserver/internal/shop", "mockserver/internal/state", "fixtures"},
	"mockserver/internal/seed":       {"mockserver/internal/seed", "mockserver/internal/shop", "mockserver/internal/state", "fixtures"},
	"mockserver/internal/management": {"mockserver/internal/management", "mockserver/internal/rest", "mockserver/internal/auth", "mockserver/internal/shop", "mockserver/internal/state", "fixtures"},
	"mockserver/internal/storeapi":   {"mockserver/internal/storeapi", "mockserver/internal/rest", "mockserver/internal/auth", "mockserver/internal/shop", "mockserver/internal/state", "fixtures"},
	"mockserver/internal/pages":      {"mockserver/internal/pages", "mockserver/internal/rest", "mockserver/internal/auth", "mockserver/internal/shop", "mockserver/internal/state", "fixtures"},
	"mockserver/internal/webhooks":   {"mockserver/internal/webhooks", "mockserver/internal/rest", "mockserver/internal/auth", "mockserver/internal/shop", "mockserver/internal/state", "fixtures"},
	browser:                          {browser},
	"cmd":                            {"cmd", "mockserver", "suites", "reports", "fixtures"},
}

// browser is for tests: no package depends on it.
const browser = "fixtures/browser"

type goPackage struct {
	ImportPath string
	Deps       []string
}

func TestEachRoomImportsOnlyWhatItMay(t *testing.T) {
	packages := listPackages(t)
	if len(packages) < 10 {
		t.Fatalf("go list found only %d packages", len(packages))
	}
	for _, p := range packages {
		name := strings.TrimPrefix(p.ImportPath, module)
		allowed, known := allowedFor(name)
		if !known {
			t.Errorf("%s is in no room of the house: say in this test what it may import", name)
		}
		for _, dep := range p.Deps {
			if ours, inside := strings.CutPrefix(dep, module); inside && !slices.ContainsFunc(allowed, func(room string) bool { return within(ours, room) }) {
				t.Errorf("%s must not depend on %s; it may depend on %s", name, ours, strings.Join(allowed, ", "))
			}
			if dep == module+browser {
				t.Errorf("%s must not depend on %s, which is for tests", name, browser)
			}
		}
	}
}

func allowedFor(name string) (allowed []string, known bool) {
	longest := -1
	for room, may := range rooms {
		if within(name, room) && len(room) > longest {
			allowed, known, longest = may, true, len(room)
		}
	}
	return allowed, known
}

func within(name, room string) bool { return name == room || strings.HasPrefix(name, room+"/") }

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Deps", module+"...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var packages []goPackage
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p goPackage
		switch err := decoder.Decode(&p); err {
		case nil:
			packages = append(packages, p)
		case io.EOF:
			return packages
		default:
			t.Fatal(err)
		}
	}
}
