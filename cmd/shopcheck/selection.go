package main

// Which specs a run is asked for by id, and which shard of them.

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/profile"
)

// selectionFlags say which specs run.
type selectionFlags struct {
	label, focus string
	specs        []string
	failed       string
	shard        string
	durations    string
}

func (s *selectionFlags) add(f *pflag.FlagSet) {
	f.StringVar(&s.label, "label", "", `only specs with these labels: "cart && !should"`)
	f.StringVar(&s.focus, "focus", "", "only specs whose texts match this regular expression")
	f.StringArrayVar(&s.specs, "spec", nil, "only the spec with this id (may be repeated); - reads ids from standard input, one a line")
	f.StringVar(&s.failed, "failed", "", "only specs that failed or could not run, of this report.json or its folder")
	f.StringVar(&s.shard, "shard", "", "only this part of the specs: 3/8; auto takes both numbers from the CI system, auto/8 one of them")
	f.StringVar(&s.durations, "durations", "",
		"earlier report.json: shards are made equally long by it, and the time left is known from the start")
}

// narrows reports whether fewer than all specs are asked for.
func (s *selectionFlags) narrows() bool {
	return s.label != "" || s.focus != "" || len(s.specs) > 0 || s.failed != "" || s.shard != ""
}

// ids returns the specs that are named by flags, sorted; nil where all are meant.
func (s *selectionFlags) ids(in io.Reader) ([]string, error) {
	var ids []string
	for _, id := range s.specs {
		if id != "-" {
			ids = append(ids, id)
			continue
		}
		listed, err := idsFrom(in)
		if err != nil {
			return nil, err
		}
		ids = append(ids, listed...)
	}
	if s.failed != "" {
		again, err := failedSpecs(s.failed)
		if err != nil {
			return nil, err
		}
		ids = append(ids, again...)
	}
	var current []string
	for _, id := range ids {
		current = append(current, suites.CurrentIDs(id)...)
	}
	slices.Sort(current)
	return slices.Compact(current), nil
}

// idsFrom reads a list of ids. An empty one is an error: it must not stand for all.
func idsFrom(in io.Reader) ([]string, error) {
	var ids []string
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		if id := strings.TrimSpace(lines.Text()); id != "" && !strings.HasPrefix(id, "#") {
			ids = append(ids, id)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("--spec -: read standard input: %w", err)
	}
	if len(ids) == 0 {
		return nil, errors.New("--spec -: standard input holds no id; shopcheck list --ids writes such a list")
	}
	return ids, nil
}

// failedSpecs are those of an earlier report that ended without an answer, or with the wrong one.
func failedSpecs(place string) ([]string, error) {
	report, err := readReport(place)
	if err != nil {
		return nil, fmt.Errorf("--failed: %w", err)
	}
	var ids []string
	for _, spec := range report.Specs {
		switch spec.Outcome {
		case reports.Failed, reports.CouldNotRun, reports.BrokenHarness:
			ids = append(ids, spec.ID)
		}
	}
	if len(ids) == 0 {
		return nil, fmt.Errorf("--failed: no spec of %s failed or could not run (%s): there is nothing to run again", place, report.Verdict)
	}
	return ids, nil
}

// part returns the shard that is asked for, nil where there is none.
func (s *selectionFlags) part(earlier *reports.Report, lookup profile.Lookup) (*suites.Shard, error) {
	if s.shard == "" {
		return nil, nil
	}
	first, second, _ := strings.Cut(s.shard, "/")
	if first == "auto" {
		job, err := jobOf(second, lookup)
		if err != nil {
			return nil, err
		}
		first, second = job.number, job.count
	}
	number, err := strconv.Atoi(first)
	count, otherErr := strconv.Atoi(second)
	if err != nil || otherErr != nil || number < 1 || count < number || count > mostShards {
		return nil, fmt.Errorf("--shard %s: write NUMBER/COUNT such as 3/8, with a number from 1 to the count, or auto", s.shard)
	}
	return &suites.Shard{Number: number, Count: count, Durations: durationsOf(earlier)}, nil
}

// mostShards bounds a slip of the finger.
const mostShards = 1000

// job is a job's place among those of its kind, as text.
type job struct{ number, count string }

// jobVariables are how CI systems tell a job its place.
type jobVariables struct {
	number, count string
	fromZero      bool
	beside        string // a variable that tells this system from another with the same names; empty where none has them
}

func knownJobVariables() []jobVariables {
	return []jobVariables{
		{"CI_NODE_INDEX", "CI_NODE_TOTAL", true, "HEROKU_TEST_RUN_ID"},         // Heroku CI
		{"CI_NODE_INDEX", "CI_NODE_TOTAL", false, ""},                          // GitLab: parallel
		{"CIRCLE_NODE_INDEX", "CIRCLE_NODE_TOTAL", true, ""},                   // CircleCI: parallelism
		{"BUILDKITE_PARALLEL_JOB", "BUILDKITE_PARALLEL_JOB_COUNT", true, ""},   // Buildkite: parallelism
		{"SYSTEM_JOBPOSITIONINPHASE", "SYSTEM_TOTALJOBSINPHASE", false, ""},    // Azure Pipelines: strategy.parallel
		{"JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", true, ""},                  // Kubernetes: Indexed Job; the manifest sets the count
		{"CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT", true, ""},             // Cloud Run jobs
		{"AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", true, ""},    // AWS Batch array jobs
		{"BITBUCKET_PARALLEL_STEP", "BITBUCKET_PARALLEL_STEP_COUNT", true, ""}, // Bitbucket Pipelines: parallel
		{"SEMAPHORE_JOB_INDEX", "SEMAPHORE_JOB_COUNT", false, ""},              // Semaphore: parallelism
	}
}

// jobOf finds out which job this is. A count that the flag gives is taken for that of the system.
func jobOf(count string, lookup profile.Lookup) (job, error) {
	var names []string
	for _, variables := range knownJobVariables() {
		names = append(names, variables.number)
		number, known := lookup(variables.number)
		if _, isThisOne := lookup(variables.beside); !known || variables.beside != "" && !isThisOne {
			continue
		}
		if variables.fromZero {
			index, err := strconv.Atoi(number)
			if err != nil {
				return job{}, fmt.Errorf("--shard auto: %s is %q, which is no number", variables.number, number)
			}
			number = strconv.Itoa(index + 1)
		}
		told, _ := lookup(variables.count)
		if cmp.Or(count, told) == "" {
			return job{}, fmt.Errorf("--shard auto: %s says which job this is, and nothing of how many; set %s, or write --shard auto/8",
				variables.number, variables.count)
		}
		return job{number, cmp.Or(count, told)}, nil
	}
	return job{}, fmt.Errorf("--shard auto: none of %s is set; write --shard 3/8", strings.Join(slices.Compact(names), ", "))
}

// durationsOf are how long specs took, in milliseconds by id.
func durationsOf(earlier *reports.Report) map[string]float64 {
	durations := map[string]float64{}
	if earlier == nil {
		return durations
	}
	for _, spec := range earlier.Specs {
		switch spec.Outcome {
		case reports.NotApplicable, reports.CouldNotRun: // how long it takes where it runs is not known
		default:
			for _, id := range suites.CurrentIDs(spec.ID) {
				durations[id] = spec.DurationMS
			}
		}
	}
	return durations
}
