package main

// What a run tells programs.

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// eventsOf reads events, each of which fits the schema.
func eventsOf(t *testing.T, out string) (all []map[string]any, names []string) {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	schema, err := compiler.Compile("events.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(out) {
		var event map[string]any
		if err := json.Unmarshal([]byte(line), &event); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		if err := schema.Validate(event); err != nil {
			t.Errorf("%v in %s", err, line)
		}
		all, names = append(all, event), append(names, event["event"].(string))
	}
	return all, names
}

func TestARunTellsProgramsWhatHappens(t *testing.T) {
	for _, procs := range []string{"1", "2"} {
		t.Run(procs, func(t *testing.T) {
			folder, baseline := t.TempDir(), failingAt()
			baseline.Selection.Specs = []string{failing, "products.create.answers-201-with-the-record"}
			code, out, errors := command(t, "run", "--json", "--target", threeForTwo(t), "--profile",
				"../../fixtures/profiles/example.yaml",
				"--procs", procs, "--out", folder, "--keep", "--spec", failing, "--spec", "products.create.answers-201-with-the-record",
				"--baseline", written(t, baseline))
			all, names := eventsOf(t, out)
			if code != 1 || errors != "" || names[0] != "run_start" || names[len(names)-1] != "summary" {
				t.Fatalf("exit code %d\n%s%s", code, out, errors)
			}
			count := map[string]int{}
			for i, name := range names {
				count[name]++
				if start := all[i]; name == "spec_start" {
					isEnd := func(e map[string]any) bool { return e["event"] == "spec_end" && e["spec"] == start["spec"] }
					end := slices.IndexFunc(all, isEnd)
					if end < i {
						t.Errorf("%v begins at %d and ends at %d", start["spec"], i, end)
					}
				}
				if name == "spec_end" && (all[i]["outcome"] == "failed") != (all[i]["spec"] == failing) {
					t.Error(all[i])
				}
			}
			if count["plan"] != 1 || count["spec_start"] != 2 || count["spec_end"] != 2 || count["finding"] != 2 || count["cleanup"] == 0 {
				t.Errorf("%v", count)
			}
			finding, summary := all[len(all)-2], all[len(all)-1]
			if script := filepath.Join(folder, finding["script"].(string)); !isFile(script) || finding["new"] != true {
				t.Errorf("%v, script %s", finding, script)
			}
			if summary["verdict"] != "not_conformant" || summary["exit_code"] != 1.0 || len(summary["kept"].([]any)) != 1 ||
				!strings.Contains(summary["comparison"].(string), "2 new findings") || summary["report"] != folder {
				t.Errorf("%v", summary)
			}
		})
	}
}

func isFile(place string) bool {
	info, err := os.Stat(place)
	return err == nil && info.Mode().IsRegular()
}

func TestARunThatCannotBeginTellsProgramsWhy(t *testing.T) {
	for want, args := range map[string][]string{
		"cannot be reached":                  {"--target", "http://127.0.0.1:1", "--set", "limits.retries=0"},
		"is no label":                        {"--label", "crat"},
		"both go to standard output: choose": {"--format", "github"},
	} {
		code, out, errors := command(t, append([]string{"run", "--json", "--out", t.TempDir()}, args...)...)
		all, names := eventsOf(t, out)
		if code != 2 || len(all) == 0 || names[len(names)-1] != "error" || !strings.Contains(all[len(all)-1]["text"].(string), want) ||
			!strings.Contains(errors, want) {
			t.Errorf("%v: exit code %d\n%s%s", args, code, out, errors)
		}
	}
}
