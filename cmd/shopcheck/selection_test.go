package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"shopcheck/mockserver"
	"shopcheck/reports"
)

func TestSpecsAreRunByTheirIDs(t *testing.T) {
	for _, c := range []struct {
		name, in string
		args     []string
		want     []string
		error    string
	}{
		{"all", "", nil, nil, ""},
		{"one", "", []string{"--spec", "a.b"}, []string{"a.b"}, ""},
		{"a list", "# mine\n\n c.d \na.b\na.b\n", []string{"--spec", "-", "--spec", "e.f"}, []string{"a.b", "c.d", "e.f"}, ""},
		{"an empty list", "\n# none\n", []string{"--spec", "-"}, nil, "standard input holds no id"},
		{"what failed", "", []string{"--failed", reportWith(t, "status", "total")}, []string{"status", "total"}, ""},
		{"nothing failed", "", []string{"--failed", reportWith(t)}, nil, "there is nothing to run again"},
		{"no report", "", []string{"--failed", t.TempDir()}, nil, "--failed: "},
	} {
		var flags selectionFlags
		set := pflag.NewFlagSet("run", pflag.ContinueOnError)
		flags.add(set)
		if err := set.Parse(c.args); err != nil {
			t.Fatal(err)
		}
		got, err := flags.ids(strings.NewReader(c.in))
		if c.error != "" && (err == nil || !strings.Contains(err.Error(), c.error)) || c.error == "" && err != nil {
			t.Errorf("%s: %v, want %q", c.name, err, c.error)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestShardsAreTakenFromTheCISystem(t *testing.T) {
	for _, c := range []struct {
		flag, environment, want, error string
	}{
		{"3/8", "", "3/8", ""},
		{"auto", "CI_NODE_INDEX=1 CI_NODE_TOTAL=4 GITLAB_CI=true", "1/4", ""},
		{"auto", "CI_NODE_INDEX=4 CI_NODE_TOTAL=4 GITLAB_CI=true", "4/4", ""},
		{"auto", "CI_NODE_INDEX=0 CI_NODE_TOTAL=4 GITLAB_CI=true", "", "write NUMBER/COUNT"},
		{"auto", "CI_NODE_INDEX=0 CI_NODE_TOTAL=4 HEROKU_TEST_RUN_ID=7", "1/4", ""},
		{"auto", "CI_NODE_INDEX=3 CI_NODE_TOTAL=4 HEROKU_TEST_RUN_ID=7", "4/4", ""},
		{"auto", "CI_NODE_INDEX=4 CI_NODE_TOTAL=4 HEROKU_TEST_RUN_ID=7", "", "write NUMBER/COUNT"},
		{"auto", "CIRCLE_NODE_INDEX=0 CIRCLE_NODE_TOTAL=4", "1/4", ""},
		{"auto", "CIRCLE_NODE_INDEX=3 CIRCLE_NODE_TOTAL=4", "4/4", ""},
		{"auto", "BUILDKITE_PARALLEL_JOB=0 BUILDKITE_PARALLEL_JOB_COUNT=4", "1/4", ""},
		{"auto", "BUILDKITE_PARALLEL_JOB=3 BUILDKITE_PARALLEL_JOB_COUNT=4", "4/4", ""},
		{"auto", "SYSTEM_JOBPOSITIONINPHASE=1 SYSTEM_TOTALJOBSINPHASE=4", "1/4", ""},
		{"auto", "SYSTEM_JOBPOSITIONINPHASE=4 SYSTEM_TOTALJOBSINPHASE=4", "4/4", ""},
		{"auto", "JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=4", "1/4", ""},
		{"auto/4", "JOB_COMPLETION_INDEX=3", "4/4", ""},
		{"auto", "CLOUD_RUN_TASK_INDEX=0 CLOUD_RUN_TASK_COUNT=4", "1/4", ""},
		{"auto", "CLOUD_RUN_TASK_INDEX=3 CLOUD_RUN_TASK_COUNT=4", "4/4", ""},
		{"auto", "AWS_BATCH_JOB_ARRAY_INDEX=0 AWS_BATCH_JOB_ARRAY_SIZE=4", "1/4", ""},
		{"auto", "AWS_BATCH_JOB_ARRAY_INDEX=3 AWS_BATCH_JOB_ARRAY_SIZE=4", "4/4", ""},
		{"auto", "BITBUCKET_PARALLEL_STEP=0 BITBUCKET_PARALLEL_STEP_COUNT=4", "1/4", ""},
		{"auto", "BITBUCKET_PARALLEL_STEP=3 BITBUCKET_PARALLEL_STEP_COUNT=4", "4/4", ""},
		{"auto", "SEMAPHORE_JOB_INDEX=1 SEMAPHORE_JOB_COUNT=4", "1/4", ""},
		{"auto", "SEMAPHORE_JOB_INDEX=4 SEMAPHORE_JOB_COUNT=4", "4/4", ""},
		{"auto", "JOB_COMPLETION_INDEX=7", "", "nothing of how many"},
		{"auto", "", "", "none of CI_NODE_INDEX"},
		{"auto", "CIRCLE_NODE_INDEX=x CIRCLE_NODE_TOTAL=2", "", "no number"},
		{"0/8", "", "", "write NUMBER/COUNT"},
		{"9/8", "", "", "write NUMBER/COUNT"},
		{"3", "", "", "write NUMBER/COUNT"},
		{"1/99999", "", "", "write NUMBER/COUNT"},
	} {
		lookup := func(name string) (string, bool) {
			for _, pair := range strings.Fields(c.environment) {
				if key, value, _ := strings.Cut(pair, "="); key == name {
					return value, true
				}
			}
			return "", false
		}
		flags := selectionFlags{shard: c.flag}
		shard, err := flags.part(nil, lookup)
		switch {
		case c.error != "":
			if err == nil || !strings.Contains(err.Error(), c.error) {
				t.Errorf("%+v: %v", c, err)
			}
		case err != nil:
			t.Errorf("%+v: %v", c, err)
		default:
			if got := (reports.Shard{Number: shard.Number, Plan: make([][]string, shard.Count)}).String(); got != c.want {
				t.Errorf("%+v: %s", c, got)
			}
		}
	}
}

// What does not begin leaves the report that is there; what begins and fails takes its place (TestARunThatCannotBeginIsReported).
func TestAWrongCommandLineLeavesTheReport(t *testing.T) {
	dir := reportWith(t, "status")
	before, _ := os.ReadFile(filepath.Join(dir, "report.json"))
	for _, args := range [][]string{{"--lable", "cart"}, {"--label", "crat"}, {"--focus", "("}, {"--shard", "9/8"}, {"--format", "pdf"},
		{"--failed", t.TempDir()}, {"--durations", t.TempDir()}, {"--procs", "0"}, {"--set", "no.key=1"},
		{"--dialect", "neutrl"}, {"--set", "baseline=woocomerce-10"}, {"--target", "shop.example.test"}, {"--target", ""}} {
		code, _, errors := command(t, append([]string{"run", "--out", dir}, args...)...)
		after, err := os.ReadFile(filepath.Join(dir, "report.json"))
		if code != 2 || err != nil || string(before) != string(after) {
			t.Errorf("%v: exit code %d %s (%v)", args, code, errors, err)
		}
	}
}

func TestAWrongSpecIsRefusedWithTheNearest(t *testing.T) {
	dir := reportWith(t, "status")
	before, _ := os.ReadFile(filepath.Join(dir, "report.json"))
	code, _, errors := command(t, "run", "--out", dir, "--spec", "products.create.needs-a-nam")
	after, _ := os.ReadFile(filepath.Join(dir, "report.json"))
	if code != 2 || !strings.Contains(errors, "did you mean products.create.needs-a-name?") || string(before) != string(after) {
		t.Errorf("exit code %d %s", code, errors)
	}
}

// Each shard is a run of its own against one shop; together they are the run without shards.
func TestShardsMergeIntoTheWholeRun(t *testing.T) {
	url, stop, err := startMock()
	if err != nil {
		t.Fatal(err)
	}
	defer stop() //nolint:errcheck // the test has what it wants
	dir := t.TempDir()
	run := func(name string, more ...string) (int, string) {
		code, out, errors := command(t, append([]string{"run", "--target", url, "--profile", "../../fixtures/profiles/example.yaml",
			"--set", "features.oauth1=off", "--label", "versioning || pagination", "--out", filepath.Join(dir, name)}, more...)...)
		return code, out + errors
	}
	if code, out := run("whole"); code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	shards := []string{}
	for _, shard := range []string{"1/3", "2/3", "3/3"} {
		name := "shard-" + shard[:1]
		if code, out := run(name, "--shard", shard, "--durations", filepath.Join(dir, "whole")); code != 0 ||
			!strings.Contains(out, "of shard "+shard) {
			t.Fatalf("%s: exit code %d\n%s", shard, code, out)
		}
		shards = append(shards, filepath.Join(dir, name))
	}
	merged := filepath.Join(dir, "merged")
	if code, out, errors := command(t, append([]string{"merge", "--out", merged}, shards...)...); code != 0 {
		t.Fatalf("exit code %d\n%s%s", code, out, errors)
	}
	if code, out, _ := command(t, "compare", filepath.Join(dir, "whole"), merged, "--format", "json"); code != 0 {
		t.Errorf("exit code %d\n%s", code, out)
	} else if changed := outcomesThatDiffer(t, out); len(changed) > 0 {
		t.Errorf("the merged run is another one: %v", changed)
	}

	code, out, errors := command(t, "merge", "--out", merged, shards[0], shards[2], filepath.Join(dir, "shard-9"))
	if code != 2 || !strings.Contains(out, "shard 2/3 is lost") || !strings.Contains(out, "a shard cannot be read") {
		t.Errorf("exit code %d\n%s%s", code, out, errors)
	}
	if code, out := run("again", "--failed", merged); code != 0 {
		t.Errorf("what the lost shard had runs with exit code %d\n%s", code, out)
	}
	if err := os.Remove(filepath.Join(shards[1], reports.ExchangesFile)); err != nil {
		t.Fatal(err)
	}
	if code, out, _ := command(t, append([]string{"merge", "--out", merged}, shards...)...); code != 2 ||
		!strings.Contains(out, "hand over the whole folder") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

func outcomesThatDiffer(t *testing.T, comparison string) []string {
	t.Helper()
	var document struct {
		Requirements []struct{ ID, Old, New string } `json:"requirements"`
	}
	if err := json.Unmarshal([]byte(comparison), &document); err != nil {
		t.Fatal(err)
	}
	var differ []string
	for _, change := range document.Requirements {
		differ = append(differ, change.ID+": "+change.Old+", "+change.New)
	}
	return differ
}

func TestAFindingPrintsTheLineThatRunsIt(t *testing.T) {
	report, err := readReport(reportWith(t, "status"))
	if err != nil {
		t.Fatal(err)
	}
	flags := runFlags{profileFlags: profileFlags{target: "http://shop.test", profile: "my shop.yaml", dialect: "acme", allowWrites: true,
		set: []string{"limits.retries=0", "credentials.read.secret=hidden"}}, strict: true}
	report.Target.Arguments = flags.arguments()
	var out strings.Builder
	newConsole(&out).End(report)
	want := "again     " +
		"shopcheck run --target http://shop.test --profile 'my shop.yaml' --dialect acme " +
		"--set limits.retries=0 --allow-writes --strict --spec status\n"
	if !strings.Contains(out.String(), want) || strings.Contains(out.String(), "hidden") {
		t.Error(out.String())
	}
}

func TestARunThatOnlyReadsSaysWhatItLeavesOut(t *testing.T) {
	url, folder := mockserver.Start(t).URL(), t.TempDir()
	args := []string{"--target", url, "--profile", "../../fixtures/profiles/example.yaml", "--read-only", "--label", "catalogue"}
	const says = "nothing is written: "
	for _, c := range []struct {
		name string
		args []string
	}{
		{"run", append([]string{"run", "--procs", "1", "--out", folder}, args...)},
		{"run on workers", append([]string{"run", "--procs", "2", "--out", folder}, args...)},
		{"dry run", append([]string{"run", "--dry-run"}, args...)},
		{"doctor", append([]string{"doctor"}, args[:5]...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out, errors := command(t, c.args...)
			if code != 0 || !strings.Contains(out, says) || !strings.Contains(out, " specs that write are left out, and ") ||
				!strings.Contains(out, "catalogue ") {
				t.Errorf("exit code %d\n%s%s", code, out, errors)
			}
		})
	}
	page, err := os.ReadFile(filepath.Join(folder, "index.html"))
	if err != nil || !strings.Contains(string(page), says) {
		t.Errorf("the page does not say it: %v", err)
	}
	report, err := readReport(folder)
	if err != nil {
		t.Fatal(err)
	}
	if left := report.Selection.ReadOnly; left == nil || left.Specs == 0 || left.Topics["catalogue"] != left.Specs ||
		!slices.Contains(report.Target.Arguments, "--read-only") {
		t.Errorf("the document holds %+v, to be run again with %q", left, report.Target.Arguments)
	}
	_, listed, _ := command(t, "list", "--ids", "--read-only", "--label", "catalogue")
	if len(strings.Fields(listed)) != len(report.Specs) {
		t.Errorf("%d specs ran, of a list of\n%s", len(report.Specs), listed)
	}
	code, _, errors := command(t, append([]string{"run", "--out", folder, "--label", "batch"}, args[:5]...)...)
	if code != exitUsage || !strings.Contains(errors, "every spec of the selection writes") {
		t.Errorf("where all write: exit code %d, %s", code, errors)
	}
}
