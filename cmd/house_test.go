// Package cmd_test keeps the rules of the house: who may import whom.
package cmd_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "shopcheck/"

// room is a part of the module: a package with those below it, but for those that are rooms themselves.
type room struct {
	path    string
	holds   string
	imports string // the rooms that it imports: those below and beside it by their name there, others by their path
}

// rooms is the house: each line says all that a room imports, and imports anything that it says.
var rooms = []room{
	{"cmd", "tests of what reaches across the house", ""},
	{"cmd/shopcheck", "the harness's program",
		"collector manual fixtures fixtures/dialects mockserver reports suites suites/client suites/contract suites/defects " +
			"suites/profile suites/suggest suites/topics"},
	{"cmd/shopmock", "the mock's program",
		"collector manual fixtures fixtures/dialects fixtures/seedfile mockserver mockserver/cluster mockserver/durable " +
			"mockserver/metrics reports suites/client suites/profile"},
	{"cmd/collector", "when memory was collected, and what it has left", ""},
	{"cmd/manual", "what both programs say of themselves: manual pages, version, usage", ""},

	{"mockserver", "the reference shop, for importers",
		"internal/advice internal/auth internal/clock internal/faults internal/journal internal/match internal/shop " +
			"internal/shopmock internal/trigger internal/webhooks"},
	{"mockserver/durable", "keeps a shop in a folder; its own package for its engine", "internal/shop"},
	{"mockserver/cluster", "replicas of a shop over NATS; its own package for its client", "internal/persist internal/shop"},
	{"mockserver/metrics", "what Prometheus is told of a shop", "mockserver"},
	{"mockserver/internal/shopmock", "the server: rooms put together, socket, certificate",
		"fixtures fixtures/dialects advice auth clock control decimal faults journal management notify openapi pages persist rest seed " +
			"shop state storeapi trigger webhooks"},
	{"mockserver/internal/persist", "a shop as pairs of keys and values, and back", "shop state"},
	{"mockserver/internal/management", "shop/v3, v2 and v1: a file a resource",
		"fixtures fixtures/dialects auth decimal rest shop shop/pricing state"},
	{"mockserver/internal/storeapi", "shop/store/v1: cart, checkout, catalogue", "auth decimal rest shop shop/pricing state"},
	{"mockserver/internal/pages", "what a browser sees: products, payment, downloads", "fixtures rest shop state"},
	{"mockserver/internal/control", "the mock's own API under /_mock",
		"fixtures advice clock faults journal match notify openapi rest shop trigger webhooks"},
	{"mockserver/internal/trigger", "topics by hand: real records, made and changed", "decimal rest shop shop/pricing"},
	{"mockserver/internal/openapi", "what is served, described for people and programs", "rest"},
	{"mockserver/internal/faults", "what goes wrong on purpose: rules, scenarios", "match"},
	{"mockserver/internal/clock", "a clock that is frozen, set and advanced", ""},
	{"mockserver/internal/journal", "the newest requests with their answers", "match notify"},
	{"mockserver/internal/advice", "what clients do wrong without failing", "decimal journal rest shop shop/pricing"},
	{"mockserver/internal/match", "which requests are meant: method, path, body", ""},
	{"mockserver/internal/notify", "wakes who waits for a change", ""},
	{"mockserver/internal/webhooks", "events to deliveries: queue, signature, log", "fixtures/dialects faults rest shop"},
	{"mockserver/internal/auth", "who calls: keys, OAuth, logins, tokens, sessions", "rest shop"},
	{"mockserver/internal/rest", "what both APIs share: endpoints, schemas, paging, errors", "shop state"},
	{"mockserver/internal/seed", "from a seed to a state", "fixtures fixtures/seedfile decimal management shop shop/pricing"},
	{"mockserver/internal/shop", "the domain; knows no HTTP and no JSON", "fixtures decimal pricing state"},
	{"mockserver/internal/shop/pricing", "quotes, discounts, tax, shipping: arithmetic", "mockserver/internal/decimal"},
	{"mockserver/internal/decimal", "exact numbers that are values", ""},
	{"mockserver/internal/state", "versioned tables, indexes, snapshots", ""},
	{"mockserver/internal/testkit", "for tests only: a shop, its clock, a client", "fixtures shop shopmock"},

	{"suites", "the runner: tree, coordinator and workers, outcome, verdict", "reports client contract profile receiver spec suggest"},
	{"suites/defects", "deliberate violations and fair variants",
		"fixtures/dialects reports suites client contract contract/documented expect profile receiver spec"},
	{"suites/topics", "only specs: a package a topic; collection has what topics share", "client contract profile spec"},
	{"suites/spec", "what a spec may touch: env, givens, matchers, its record", "reports client contract expect profile receiver"},
	{"suites/expect", "the matchers, and the checks of every answer", "reports client contract receiver"},
	{"suites/client", "how a shop is called, and what is kept of it", "reports fixtures/dialects contract profile"},
	{"suites/profile", "what is known of a shop", "reports fixtures fixtures/dialects contract suggest"},
	{"suites/suggest", "what a mistyped word may have meant", ""},
	{"suites/receiver", "the receiver of webhooks", ""},
	{"suites/contract", "the requirements and documented shapes", "reports"},
	{"suites/contract/documented", "the contract's own tables, to compare with", ""},

	{"reports", "the report document and what is made from it", ""},
	{"fixtures", "embedded data: seeds, pictures, countries, profiles", ""},
	{"fixtures/dialects", "what deployments call things, and names mapped by it", ""},
	{"fixtures/seedfile", "seeds of one's own: YAML, JSON, CSV, and large ones made up", "fixtures"},
	{"fixtures/internal", "the programs that make some of the data", ""},
	{"fixtures/browser", "a Chromium for tests: no room imports it", ""},
}

// strangers says what the importers of a room must not be made to download, build and start with.
var strangers = map[string][]string{
	"mockserver": {"github.com/onsi/ginkgo", "github.com/onsi/gomega", "github.com/go-resty", "github.com/stretchr",
		"github.com/nats-io", "github.com/getkin", "github.com/prometheus", "github.com/spf13/cobra"},
	"cmd/shopmock": {"github.com/santhosh-tekuri"}, // it does 5 ms of work whenever a program starts that links it
	"reports":      {"github.com/onsi/ginkgo", "github.com/onsi/gomega", "github.com/go-resty", "github.com/stretchr"},
}

type goPackage struct {
	ImportPath    string
	Imports, Deps []string
}

func TestEachRoomImportsWhatItsLineSays(t *testing.T) {
	t.Parallel()
	imported := map[string]map[string]bool{} // by room
	for _, p := range listPackages(t) {
		own := roomOf(strings.TrimPrefix(p.ImportPath, module))
		if own == nil {
			t.Errorf("%s is in no room of the house: give it a line in the table of this test", p.ImportPath)
			continue
		}
		for _, dependency := range p.Imports {
			inside, ours := strings.CutPrefix(dependency, module)
			if !ours || roomOf(inside) == own {
				continue
			}
			other := "no room: " + inside
			if found := roomOf(inside); found != nil {
				other = found.path
			}
			if !slices.Contains(own.allowed(), other) {
				t.Errorf("%s must not import %s; it may import %s", p.ImportPath, inside, strings.Join(own.allowed(), ", "))
			}
			if imported[own.path] == nil {
				imported[own.path] = map[string]bool{}
			}
			imported[own.path][other] = true
		}
	}
	for _, own := range rooms {
		for _, other := range own.allowed() {
			if !imported[own.path][other] {
				t.Errorf("%s imports %s no more: take it off the line in the table of this test", own.path, other)
			}
		}
	}
}

func TestTheRoomsForImportersBringNoTestLibraries(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		name := strings.TrimPrefix(p.ImportPath, module)
		for _, dependency := range p.Deps {
			if slices.ContainsFunc(strangers[name], func(stranger string) bool { return within(dependency, stranger) }) {
				t.Errorf("%s depends on %s", name, dependency)
			}
		}
	}
}

// testsOnly are the packages that only tests import.
var testsOnly = []string{
	"mockserver/internal/testkit", "mockserver/internal/rest/resttest", "mockserver/internal/shop/pricing/pricingtest", "fixtures/browser",
}

func TestWhatIsForTestsIsInNoProgram(t *testing.T) {
	t.Parallel()
	for _, p := range listPackages(t) {
		for _, name := range testsOnly {
			if p.ImportPath != module+name && slices.Contains(p.Deps, module+name) {
				t.Errorf("%s depends on %s, which is for tests", p.ImportPath, name)
			}
		}
	}
}

// A spec file reads with two dot imports, and topics share specs by one package.
func TestWhatSpecFilesImport(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("../suites/topics/*/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, spec := range parsed.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			if dot := spec.Name != nil && spec.Name.Name == "."; dot != (path == "github.com/onsi/ginkgo/v2" ||
				path == module+"suites/spec") {
				t.Errorf("%s imports %s: ginkgo and suites/spec by a dot, all else by name", file, path)
			}
			if strings.HasPrefix(path, module+"suites/topics/") && path != module+"suites/topics/collection" {
				t.Errorf("%s imports another topic: what topics share is in collection", file)
			}
		}
	}
}

// allowed returns the paths of the rooms that a room may import.
func (r room) allowed() []string {
	names := strings.Fields(r.imports)
	for i, name := range names {
		for _, from := range []string{r.path, path.Dir(r.path)} {
			if near := path.Join(from, name); isRoom(near) {
				names[i] = near
			}
		}
	}
	return names
}

func isRoom(name string) bool {
	return slices.ContainsFunc(rooms, func(r room) bool { return r.path == name })
}

// roomOf returns the room that a package is in, nil if it is in none. A room that has rooms below it holds its own package alone,
// so that a new one beside them needs a line.
func roomOf(name string) *room {
	for i := range rooms {
		divided := slices.ContainsFunc(rooms, func(r room) bool { return strings.HasPrefix(r.path, rooms[i].path+"/") })
		if name == rooms[i].path || !divided && within(name, rooms[i].path) {
			return &rooms[i]
		}
	}
	return nil
}

func within(name, parent string) bool { return name == parent || strings.HasPrefix(name, parent+"/") }

func listPackages(t *testing.T) []goPackage {
	t.Helper()
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports,Deps", module+"...").Output()
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
			if len(packages) < len(rooms) {
				t.Fatalf("go list found only %d packages for %d rooms", len(packages), len(rooms))
			}
			return packages
		default:
			t.Fatal(err)
		}
	}
}

var update = flag.Bool("update", false, "write the picture of the house in the README anew")

// TestThePictureOfTheHouse compares the README with the table that the imports are tested against.
func TestThePictureOfTheHouse(t *testing.T) {
	t.Parallel()
	const file, begin, end = "../README.md", "<!-- house: made by go test ./cmd -run Picture -update -->\n", "<!-- /house -->\n"
	readme, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, opened := strings.Cut(string(readme), begin)
	shown, after, closed := strings.Cut(rest, end)
	if !opened || !closed {
		t.Fatalf("the README has no picture between %s and %s", begin, end)
	}
	if shown == picture() {
		return
	}
	if !*update {
		t.Fatalf("the picture of the house in the README is not the one of the import rules:\n%s\nrun go test ./cmd -run Picture -update",
			picture())
	}
	if err := os.WriteFile(file, []byte(before+begin+picture()+end+after), 0o644); err != nil {
		t.Fatal(err)
	}
}

// picture draws the house as text: a storey for each top folder, a line for each room.
func picture() string {
	var text strings.Builder
	text.WriteString("```text\n")
	for i, r := range rooms {
		if top, _, _ := strings.Cut(r.path, "/"); i > 0 && top != strings.SplitN(rooms[i-1].path, "/", 2)[0] {
			text.WriteString("\n")
		}
		line := fmt.Sprintf("%-32s %s", r.path, r.holds)
		if r.imports != "" {
			line += "\n" + strings.Repeat(" ", 32) + " → " + strings.ReplaceAll(r.imports, " ", ", ")
		}
		text.WriteString(line + "\n")
	}
	text.WriteString("```\n")
	return text.String()
}
