package cmd_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
)

// A step of CI that fails fails CI. The steps are played by programs that only end: nothing is built.
func TestCIFailsWithEachOfItsSteps(t *testing.T) {
	for name, test := range map[string]struct {
		failing string // pattern of the command line that fails
		passes  bool
	}{
		"none":                    {failing: "nothing", passes: true},
		"lint":                    {failing: "make\\ lint"},
		"tests":                   {failing: "go\\ test\\ -vet*"},
		"tests with the detector": {failing: "go\\ test\\ -race*"},
		"the main job":            {failing: "go\\ run*"},
	} {
		t.Run(name, func(t *testing.T) {
			ci := exec.Command("bash", "../.ci/run")
			ci.Env = append(os.Environ(), "PATH="+stepsThatEnd(t, test.failing)+":"+os.Getenv("PATH"), "TMPDIR="+t.TempDir())
			if out, err := ci.CombinedOutput(); (err == nil) != test.passes {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// make fuzz tries every fuzz test: where one fails, it fails.
func TestFuzzingFailsWithEachFuzzTest(t *testing.T) {
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("no make in PATH")
	}
	for failing, passes := range map[string]bool{"nothing": true, "*FuzzCredentials*": false, "*FuzzStore*storeapi": false,
		"*FuzzManagement*": false, "*FuzzCostFormula*": false} {
		fuzz := exec.Command("make", "-C", "..", "fuzz")
		fuzz.Env = append(os.Environ(), "PATH="+stepsThatEnd(t, failing)+":"+os.Getenv("PATH"))
		if out, err := fuzz.CombinedOutput(); (err == nil) != passes {
			t.Errorf("%s: %v\n%s", failing, err, out)
		}
	}
}

// stepsThatEnd makes a folder with programs that succeed, but for the command line that matches the pattern.
func stepsThatEnd(t *testing.T, failing string) string {
	folder := t.TempDir()
	script := "#!/bin/sh\ncase \"$(basename \"$0\") $*\" in " + failing + ") exit 1;; esac\n"
	for _, name := range []string{"go", "make", "gcc", "chromium"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// The README's two commands, which run the main job and the tests, stand in CI, too.
func TestCIRunsTheCommandsOfTheREADME(t *testing.T) {
	ci := readGuide(t, "../.ci/run")
	lines := shellLines(t, readGuide(t, "../README.md"))
	for line, inCI := range map[string]string{
		"go run ./cmd/shopcheck run": `(?m)^go run .*\./cmd/shopcheck run`,
		"go test ./...":              `(?m)^go test .* \./\.\.\. `,
	} {
		if !slices.Contains(lines, line) {
			t.Errorf("the README does not say %q", line)
		}
		if !regexp.MustCompile(inCI).MatchString(ci) {
			t.Errorf(".ci/run does not run %q", line)
		}
	}
}
