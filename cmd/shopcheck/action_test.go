package main

// The GitHub action: its script runs as it stands in action.yml, as a shell, and its declarations fit it.

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rhysd/actionlint"

	"shopcheck/mockserver"
)

// action has the fields of a composite action that action.yml uses.
type action struct {
	Name        string
	Description string
	Inputs      map[string]struct {
		Description string
		Required    bool
		Default     *string
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, If, Uses, Shell, Run string
	With, Env                map[string]string
}

// readAction returns the action and its step that runs the suites.
func readAction(t *testing.T) (action, actionStep) {
	t.Helper()
	text, err := os.ReadFile("../../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var read action
	if err := yaml.UnmarshalWithOptions(text, &read, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	at := slices.IndexFunc(read.Runs.Steps, func(s actionStep) bool { return s.ID == "run" })
	if at < 0 {
		t.Fatal("no step has the id run")
	}
	return read, read.Runs.Steps[at]
}

func TestTheActionTellsTheVerdict(t *testing.T) {
	good, broken := mockserver.Start(t), mockserver.Start(t)
	refused := mockserver.FaultRule{Method: "POST", Path: "/shop/store/v1/cart/add-item", Effect: "status", Status: 418}
	if err := broken.SetFaults(1, refused); err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		target, flags string
		code          int
		verdict       string
		annotated     bool
	}{
		"conformant":     {good.URL(), "--label=errorcodes", 0, "conformant", false},
		"not conformant": {broken.URL(), "--focus=add\n\n--procs=1", 1, "not_conformant", true},
		"wrong flag":     {good.URL(), "--lable=errors", 2, "error", false},
	} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			installSelf(t, filepath.Join(folder, "shopcheck-bin"))
			output, summary := filepath.Join(folder, "output"), filepath.Join(folder, "summary.md")
			_, step := readAction(t)
			shell := exec.Command("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", step.Run)
			shell.Dir = folder
			shell.Env = append(os.Environ(), "RUNNER_TEMP="+folder, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary,
				"TARGET="+test.target, "PROFILE="+absolute(t, "../../fixtures/profiles/example.yaml"), "ALLOW_WRITES=true", "BASELINE=",
				"FLAGS="+test.flags, "OUT=report")
			said, _ := shell.CombinedOutput()
			if code := shell.ProcessState.ExitCode(); code != test.code {
				t.Fatalf("exit code %d, want %d\n%s", code, test.code, said)
			}
			if got, want := readText(t, output), "exit-code="+string(rune('0'+test.code))+"\nverdict="+test.verdict+"\n"; got != want {
				t.Errorf("outputs %q, want %q", got, want)
			}
			if annotated := strings.Contains(string(said), "\n::error"); annotated != test.annotated {
				t.Errorf("annotated: %v\n%s", annotated, said)
			}
			if test.code < 2 && (readText(t, summary) == "" || readText(t, filepath.Join(folder, "report", "report.json")) == "") {
				t.Error("no summary, or no report")
			}
		})
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	whole, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	return whole
}

func readText(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What the action declares is what its steps use, and every variable of the script comes from an input.
func TestTheActionUsesWhatItDeclares(t *testing.T) {
	read, step := readAction(t)
	if read.Runs.Using != "composite" || read.Description == "" {
		t.Errorf("using %q, description %q", read.Runs.Using, read.Description)
	}
	var used []string
	for _, match := range regexp.MustCompile(`inputs\.([\w-]+)`).FindAllStringSubmatch(readText(t, "../../action.yml"), -1) {
		used = append(used, match[1])
		if _, declared := read.Inputs[match[1]]; !declared {
			t.Errorf("inputs.%s is not declared", match[1])
		}
	}
	for name, input := range read.Inputs {
		if !slices.Contains(used, name) || input.Description == "" || input.Required == (input.Default != nil) {
			t.Errorf("input %s: it is used, described, and required or has a default", name)
		}
	}
	for name, value := range step.Env {
		if !strings.HasPrefix(value, "${{ inputs.") || !strings.Contains(step.Run, `"$`+name+`"`) {
			t.Errorf("%s is %s, and is to be quoted in the script", name, value)
		}
	}
}

// actionlint reads the local action, too, when a workflow uses it.
func TestTheWorkflowsOfTheProjectAreValid(t *testing.T) {
	linter, err := actionlint.NewLinter(os.Stderr, &actionlint.LinterOptions{WorkingDir: absolute(t, "../..")})
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(absolute(t, "../../.github/workflows") + "/*.yml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d workflows, %v", len(files), err)
	}
	problems, err := linter.LintFiles(files, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
}
