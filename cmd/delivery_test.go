package cmd_test

// How the project reaches people: as a module, and in images.

import (
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"shopcheck/mockserver"
)

// importedModules are what whoever imports mockserver downloads and builds.
var importedModules = []string{
	"github.com/agnivade/levenshtein", "github.com/cespare/xxhash/v2", "github.com/go-json-experiment/json", "github.com/goccy/go-yaml",
	"github.com/golang-jwt/jwt/v5", "github.com/gorilla/mux", "github.com/hashicorp/golang-lru/v2", "github.com/rs/cors",
	"github.com/shopspring/decimal",
	"github.com/tidwall/btree", "github.com/tidwall/gjson", "github.com/tidwall/match", "github.com/tidwall/pretty",
	"github.com/tidwall/sjson", "golang.org/x/text",
}

func TestImportersOfTheMockGetFewModules(t *testing.T) {
	t.Parallel()
	said, err := exec.Command("go", "list", "-deps", "-f", "{{with .Module}}{{if not .Main}}{{.Path}}{{end}}{{end}}",
		module+"mockserver").Output()
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Fields(string(said))
	slices.Sort(got)
	if got = slices.Compact(got); !slices.Equal(got, importedModules) {
		t.Errorf("importers of mockserver get\n%q, want\n%q", got, importedModules)
	}
}

// The guide's section on requiring the module has two blocks: the first is for a module beside a clone, the second renames a clone.
func requireLines(t *testing.T) (require, rename []string) {
	t.Helper()
	lines := shellLines(t, section(t, readGuide(t, mockGuide), "## As a module"))
	at := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "NAME=") })
	if at <= 0 {
		t.Fatalf("no line begins with NAME= in %q", lines)
	}
	return lines[:at], lines[at:]
}

const importer = `package shop_test

import (
	"net/http"
	"testing"

	"shopcheck/mockserver"
)

func TestShop(t *testing.T) {
	answer, err := http.Get(mockserver.Start(t).URL() + "/shop/store/v1/cart")
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	answer.Body.Close()
}
`

func TestTheModuleCanBeRequired(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the mock as another module's")
	}
	t.Parallel()
	parent := t.TempDir()
	copyTracked(t, filepath.Join(parent, "shopcheck"))
	app := filepath.Join(parent, "app")
	write(t, filepath.Join(app, "go.mod"), "module app\n\ngo 1.26\n")
	write(t, filepath.Join(app, "shop_test.go"), importer)
	require, _ := requireLines(t)
	runIn(t, app, append(require, "go test ./...")...)
}

func TestTheModuleCanBeRenamed(t *testing.T) {
	t.Parallel()
	clone := filepath.Join(t.TempDir(), "clone")
	copyTracked(t, clone)
	_, rename := requireLines(t)
	listed := runIn(t, clone, append(rename, "go list -deps -test ./...")...)
	if !strings.Contains(listed, "\ngit.example.com/shop/shopcheck/cmd/shopmock\n") {
		t.Errorf("go list: %.2000s", listed)
	}
	left := regexp.MustCompile(`(?m)^shopcheck/.*`).FindAllString(listed, -1)
	const search = `grep -rnE '"shopcheck/(cmd|fixtures|mockserver|reports|suites|")' --include='*.go' . || true`
	if found := runIn(t, clone, search); found != "" {
		left = append(left, found)
	}
	if len(left) > 0 {
		t.Errorf("still with the old name: %q", left)
	}
}

// copyTracked copies the files of the project into a folder, and makes it a repository of its own.
func copyTracked(t *testing.T, folder string) {
	t.Helper()
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	runIn(t, "..", "git ls-files --cached --others --exclude-standard -z | xargs -0 cp --parents -t '"+folder+"'")
	runIn(t, folder, "git init -q && git add .")
}

// runIn runs lines in one shell in a folder, and returns what it printed.
func runIn(t *testing.T, folder string, lines ...string) string {
	t.Helper()
	shell := exec.CommandContext(t.Context(), "bash", "-e", "-o", "pipefail", "-c", strings.Join(lines, "\n"))
	shell.Dir = folder
	said, err := shell.CombinedOutput()
	if err != nil {
		t.Fatalf("%s\n%v\n%s", strings.Join(lines, "\n"), err, said)
	}
	return string(said)
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// buildPrograms builds both programs as the Dockerfile does, and returns their folder.
func buildPrograms(t *testing.T) string {
	t.Helper()
	build := regexp.MustCompile(`(?m)^RUN (CGO_ENABLED=0 go build .*)$`).FindStringSubmatch(dockerfile(t))
	if build == nil {
		t.Fatal("the Dockerfile builds nothing")
	}
	programs := t.TempDir()
	runIn(t, "..", strings.Replace(build[1], "/out/", programs+"/", 1))
	return programs
}

func dockerfile(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("../Dockerfile")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The last stages of the Dockerfile have no libraries to load, and no shell.
func mustFitTheImages(t *testing.T, programs string) {
	t.Helper()
	stages := strings.Split(dockerfile(t), "\nFROM ")[2:]
	if len(stages) != 2 {
		t.Errorf("%d images, want one a program", len(stages))
	}
	for _, stage := range stages {
		if !strings.HasPrefix(stage, "gcr.io/distroless/static-debian12:nonroot AS ") || strings.Contains(stage, "\nRUN ") {
			t.Errorf("not a stage without a shell, and with a user of its own:\n%s", stage)
		}
		copied := regexp.MustCompile(`COPY --from=build /out/(\w+) /usr/local/bin/(\w+)\n`).FindStringSubmatch(stage)
		if copied == nil || copied[1] != copied[2] || !strings.Contains(stage, `ENTRYPOINT ["`+copied[1]+`"]`) {
			t.Fatalf("it starts no program that it has:\n%s", stage)
		}
		if runtime.GOOS == "linux" {
			mustBeStatic(t, filepath.Join(programs, copied[1]))
		}
	}
}

// The image of the mock says by itself whether its shop takes requests.
func mustKnowItsHealth(t *testing.T, programs string) {
	t.Helper()
	check := regexp.MustCompile(`(?m)^HEALTHCHECK .* CMD \["(\w+)", "(\w+)"\]$`).FindStringSubmatch(dockerfile(t))
	if check == nil {
		t.Fatal("no image has a health check")
	}
	healthy := func(url string) bool {
		command := exec.Command(filepath.Join(programs, check[1]), check[2])
		command.Env = append(os.Environ(), "SHOPMOCK_URL="+url)
		return command.Run() == nil
	}
	shop, err := mockserver.Listen("127.0.0.1:0", mockserver.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if !healthy(shop.URL()) {
		t.Error("a shop that serves is not healthy")
	}
	if err := shop.Close(); err != nil || healthy(shop.URL()) {
		t.Error("a shop that has ended is healthy", err)
	}
}

func mustBeStatic(t *testing.T, path string) {
	t.Helper()
	program, err := elf.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer program.Close()
	if libraries, err := program.ImportedLibraries(); err != nil || len(libraries) > 0 || program.Section(".interp") != nil {
		t.Errorf("%s is not static: %q, %v", path, libraries, err)
	}
}

// A cask installs the pages that it names, one by one.
func TestHomebrewInstallsEveryManualPage(t *testing.T) {
	t.Parallel()
	var release struct {
		Casks []struct{ Manpages []string } `yaml:"homebrew_casks"`
	}
	if err := yaml.UnmarshalWithOptions([]byte(readGuide(t, "../.goreleaser.yaml")), &release, yaml.AllowDuplicateMapKey()); err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	runIn(t, "..", "go run ./cmd/shopcheck man --dir "+folder, "go run ./cmd/shopmock man --dir "+folder)
	made, err := filepath.Glob(filepath.Join(folder, "*.1"))
	if err != nil {
		t.Fatal(err)
	}
	for i := range made {
		made[i] = "manpages/" + filepath.Base(made[i]) + ".gz"
	}
	if diff := cmp.Diff(made, release.Casks[0].Manpages); diff != "" {
		t.Errorf("pages that the programs write (-) and that Homebrew installs (+):\n%s", diff)
	}
}

// The release builds every program of the project, for the three systems, and its hooks make the completions that it packs.
func TestTheReleaseHoldsThePrograms(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var release struct {
		Before struct{ Hooks []string }
		Builds []struct {
			Main, Binary      string
			GOOS, GOARCH, Env []string
		}
	}
	if err := yaml.UnmarshalWithOptions(text, &release, yaml.AllowDuplicateMapKey()); err != nil { // a merged key is overridden
		t.Fatal(err)
	}
	var built []string
	for _, build := range release.Builds {
		built = append(built, build.Binary)
		if build.Main != "./cmd/"+build.Binary || strings.Join(build.GOOS, " ") != "linux darwin windows" ||
			strings.Join(build.GOARCH, " ") != "amd64 arm64" || !slices.Contains(build.Env, "CGO_ENABLED=0") {
			t.Errorf("%+v", build)
		}
	}
	programs, err := filepath.Glob("*/main.go")
	if err != nil || len(programs) != len(built) {
		t.Errorf("%q are built of %q, %v", built, programs, err)
	}
	_, cask, _ := strings.Cut(string(text), "\nhomebrew_casks:\n")
	for _, program := range built {
		for _, shell := range []string{"bash", "zsh", "fish"} {
			if packed := "completions/" + program + "." + shell; !strings.Contains(cask, packed) {
				t.Errorf("Homebrew installs no %s", packed)
			}
		}
	}
	clone := t.TempDir()
	write(t, filepath.Join(clone, "go"), "#!/bin/sh\n"+
		`case "$3" in man) mkdir -p "$5" && echo "$@" >"$5/${2##*/}.1";; *) echo "$@";; esac`+"\n")
	if err := os.Chmod(filepath.Join(clone, "go"), 0o755); err != nil {
		t.Fatal(err)
	}
	runIn(t, clone, append([]string{"PATH=$PWD:$PATH"}, release.Before.Hooks...)...)
	for _, packed := range regexp.MustCompile(`src: (completions/\S+),`).FindAllStringSubmatch(string(text), -1) {
		said, err := os.ReadFile(filepath.Join(clone, packed[1]))
		if err != nil || !strings.Contains(string(said), " completion ") {
			t.Errorf("%s is not made: %s %v", packed[1], said, err)
		}
	}
	for _, packed := range regexp.MustCompile(`manpages/\w+\.1\.gz`).FindAllString(string(text), -1) {
		if said := runIn(t, clone, "gzip -dc "+packed); !strings.Contains(said, " man --dir ") {
			t.Errorf("%s is not made: %s", packed, said)
		}
	}
}
