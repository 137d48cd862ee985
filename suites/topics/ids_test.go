package topics_test

// Ids of requirements and specs are promises: reports, waivers and CI jobs name them.

import (
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"shopcheck/suites"
	"shopcheck/suites/contract"
	"shopcheck/suites/topics"
)

var update = flag.Bool("update", false, "add the ids that are new to the files of testdata")

func TestNoIDDisappears(t *testing.T) {
	specs, err := suites.List(topics.All())
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, spec := range specs {
		ids = append(ids, spec.ID)
	}
	for file, present := range map[string][]string{"specs.txt": ids, "requirements.txt": contract.All().IDs()} {
		place := filepath.Join("testdata", file)
		known := readLines(t, place)
		if *update {
			all := append(slices.Clone(known), present...)
			slices.Sort(all)
			known = slices.Compact(all)
			if err := os.WriteFile(place, []byte(strings.Join(known, "\n")+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for _, id := range known {
			for _, now := range suites.CurrentIDs(id) {
				if !slices.Contains(present, now) {
					t.Errorf("%s: %s has disappeared (it means %s): give it back, or say in suites/renames.go what took its place",
						file, id, now)
				}
			}
			if now := suites.CurrentIDs(id); now[0] != id && slices.Contains(present, id) {
				t.Errorf("%s: %s was renamed to %v and is used again: an id keeps its meaning", file, id, now)
			}
		}
		for _, id := range present {
			if !slices.Contains(known, id) {
				t.Errorf("%s: %s is new: go test ./suites/topics -run TestNoIDDisappears -update; from then on it is a promise",
					file, id)
			}
		}
	}
}

func readLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Fields(string(text))
}
