package main

// The ready pipelines: read by readers that are not ours, and their commands run as they are written.

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/rhysd/actionlint"

	"shopcheck/reports"
)

func pipeline(t *testing.T, system string) string {
	t.Helper()
	code, out, errors := command(t, "init", "ci", system)
	if code != 0 {
		t.Fatalf("exit code %d %s", code, errors)
	}
	return out
}

func TestUnknownPipelines(t *testing.T) {
	if code, _, errors := command(t, "init", "ci", "jenkins"); code != 2 || !strings.Contains(errors, "take github, gitlab, kubernetes") {
		t.Errorf("exit code %d %s", code, errors)
	}
}

// actionlint knows the schema of workflows, the types of expressions and the inputs of well-known actions.
func TestTheGitHubPipelineIsAWorkflow(t *testing.T) {
	linter, err := actionlint.NewLinter(os.Stderr, &actionlint.LinterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte(pipeline(t, "github"))
	problems, err := linter.Lint("conformance.yml", text, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range problems {
		t.Error(problem)
	}
	wrong := []byte(strings.Replace(string(text), "fail-fast", "fial-fast", 1))
	if problems, _ := linter.Lint("conformance.yml", wrong, nil); len(problems) == 0 {
		t.Error("the reader takes a workflow that is none")
	}
}

// gitlabJob has the keywords of a job that the pipeline uses, as GitLab's CI/CD YAML reference names them.
type gitlabJob struct {
	Stage        string   `yaml:"stage"`
	Image        string   `yaml:"image"`
	Parallel     int      `yaml:"parallel"`
	AllowFailure bool     `yaml:"allow_failure"`
	Timeout      string   `yaml:"timeout"`
	When         string   `yaml:"when"`
	Script       []string `yaml:"script"`
	Artifacts    struct {
		When     string            `yaml:"when"`
		Paths    []string          `yaml:"paths"`
		ExpireIn string            `yaml:"expire_in"`
		ExposeAs string            `yaml:"expose_as"`
		Reports  map[string]string `yaml:"reports"`
	} `yaml:"artifacts"`
}

type gitlabPipeline struct {
	Stages  []string  `yaml:"stages"`
	Build   gitlabJob `yaml:"build"`
	Shard   gitlabJob `yaml:"shard"`
	Verdict gitlabJob `yaml:"verdict"`
}

func readGitLab(t *testing.T) gitlabPipeline {
	t.Helper()
	var p gitlabPipeline
	if err := yaml.UnmarshalWithOptions([]byte(pipeline(t, "gitlab")), &p, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	return p
}

// kubernetesJob has the fields of a Job that are looked at here; whether the manifest is one that Kubernetes takes is tested where
// its schema is (TestKubernetesTakesTheManifests).
type kubernetesJob struct {
	APIVersion string            `yaml:"apiVersion"`
	Kind       string            `yaml:"kind"`
	Metadata   map[string]string `yaml:"metadata"`
	Spec       struct {
		CompletionMode        string `yaml:"completionMode"`
		Completions           int    `yaml:"completions"`
		Parallelism           int    `yaml:"parallelism"`
		BackoffLimit          int    `yaml:"backoffLimit"`
		ActiveDeadlineSeconds int    `yaml:"activeDeadlineSeconds"`
		Template              struct {
			Spec struct {
				RestartPolicy                 string           `yaml:"restartPolicy"`
				TerminationGracePeriodSeconds int              `yaml:"terminationGracePeriodSeconds"`
				Containers                    []kubernetesPod  `yaml:"containers"`
				Volumes                       []map[string]any `yaml:"volumes"`
			} `yaml:"spec"`
		} `yaml:"template"`
	} `yaml:"spec"`
}

type kubernetesPod struct {
	Name         string              `yaml:"name"`
	Image        string              `yaml:"image"`
	Command      []string            `yaml:"command"`
	Args         []string            `yaml:"args"`
	Env          []map[string]string `yaml:"env"`
	EnvFrom      []map[string]any    `yaml:"envFrom"`
	VolumeMounts []map[string]any    `yaml:"volumeMounts"`
}

func (j kubernetesJob) script() string { return j.Spec.Template.Spec.Containers[0].Args[0] }

func readKubernetes(t *testing.T) (shards, verdict kubernetesJob) {
	t.Helper()
	documents := strings.Split(pipeline(t, "kubernetes"), "\n---\n")
	for i, into := range []*kubernetesJob{&shards, &verdict} {
		if err := yaml.UnmarshalWithOptions([]byte(documents[i+1]), into, yaml.Strict()); err != nil {
			t.Fatal(err)
		}
	}
	return shards, verdict
}

// step is one command of a pipeline: what it is told by its environment, and whether it must end well.
type step struct {
	script      string
	environment []string
	code        int
}

func TestThePipelinesRunAsTheyAreWritten(t *testing.T) {
	const shards = 4
	github := githubScripts(t)
	gitlab := readGitLab(t)
	if gitlab.Shard.Parallel != shards {
		t.Fatalf("%d shards", gitlab.Shard.Parallel)
	}
	indexed, joined := readKubernetes(t)
	steps := map[string][]step{}
	for n := 1; n <= shards; n++ {
		steps["github"] = append(steps["github"], step{github["shard"],
			[]string{fmt.Sprint("SHARD=", n), fmt.Sprint("SHARDS=", shards)}, 0})
		steps["gitlab"] = append(steps["gitlab"], step{gitlab.Shard.Script[0],
			[]string{fmt.Sprint("CI_NODE_INDEX=", n), fmt.Sprint("CI_NODE_TOTAL=", shards)}, 0})
		steps["kubernetes"] = append(steps["kubernetes"], step{indexed.script(),
			[]string{fmt.Sprint("JOB_COMPLETION_INDEX=", n-1), fmt.Sprint("SHARDS=", indexed.Spec.Completions), "RUN=1", "REPORTS=.",
				"PROFILE=profile.yaml"}, 0})
	}
	steps["github"] = append(steps["github"], step{"mkdir shards && mv shard-* shards && " + github["verdict"], nil, 0})
	steps["gitlab"] = append(steps["gitlab"], step{gitlab.Verdict.Script[0], nil, 0},
		step{"rm -r report shard-2 && " + gitlab.Verdict.Script[0], nil, 2})
	steps["kubernetes"] = append(steps["kubernetes"], step{joined.script() + "mv 1/report .",
		[]string{"SHARDS=4", "RUN=1", "REPORTS=."}, 0})
	for system, list := range steps {
		t.Run(system, func(t *testing.T) { runSteps(t, list) })
	}
}

func runSteps(t *testing.T, list []step) {
	url, stop, err := startMock()
	if err != nil {
		t.Fatal(err)
	}
	defer stop() //nolint:errcheck // the test has what it wants
	dir := t.TempDir()
	installSelf(t, filepath.Join(dir, "bin"), "--label", "catalogue || batch")
	profile, err := os.ReadFile("../../fixtures/profiles/example.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "profile.yaml"), profile, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		shell := exec.Command("sh", "-c", s.script)
		shell.Dir = dir
		shell.Env = append(os.Environ(), append(s.environment, "SHOP_URL="+url, "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"),
			"GITHUB_STEP_SUMMARY="+filepath.Join(dir, "step.md"))...)
		out, _ := shell.CombinedOutput()
		if code := shell.ProcessState.ExitCode(); code != s.code {
			t.Fatalf("%s\nexit code %d, want %d\n%s", s.script, code, s.code, out)
		}
	}
	report, err := readReport(filepath.Join(dir, "report"))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(report.Specs); n < 20 || n > 200 {
		t.Errorf("the shards have %d specs: they test more or less than one topic or two", n)
	}
	if last := list[len(list)-1]; report.ExitCode != last.code || report.Shard != nil || report.Verdict != map[int]reports.Verdict{
		0: reports.Conformant, 2: reports.Errored}[last.code] {
		t.Errorf("%s, exit code %d: %v", report.Verdict, report.ExitCode, report.Reasons)
	}
}

// githubScripts returns the command of each job that is about shards.
func githubScripts(t *testing.T) map[string]string {
	t.Helper()
	workflow, problems := actionlint.Parse([]byte(pipeline(t, "github")))
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	scripts := map[string]string{}
	for name, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if run, ok := step.Exec.(*actionlint.ExecRun); ok && strings.HasPrefix(run.Run.Value, "bin/shopcheck ") {
				scripts[name] = run.Run.Value
			}
		}
	}
	return scripts
}

// installSelf puts this program into a folder under the name shopcheck. Its runs take further flags.
func installSelf(t *testing.T, folder string, flags ...string) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	var more string
	for _, flag := range flags {
		more += " " + reports.ShellWord(flag)
	}
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" != run ] || set -- \"$@\"%s\n%s=1 exec '%s' \"$@\"\n", more, asProgram, self)
	if err := os.WriteFile(filepath.Join(folder, "shopcheck"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
}
