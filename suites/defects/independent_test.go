package defects_test

import (
	"context"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"

	"shopcheck/suites/defects"
)

var (
	class     = flag.String("class", "", "only independent defects whose ids begin so")
	survivors = flag.Bool("survivors", false, "write testdata/survivors.txt anew")
)

// survivorsFile lists the independent defects that the suites do not catch yet: what survives for another reason than that it is
// listed is an error, and so is what is listed and caught.
const survivorsFile = "testdata/survivors.txt"

func TestIndependentDefectsHaveIDsOfTheirOwn(t *testing.T) {
	all := defects.IndependentDefects(profileFor(t).Credentials)
	if len(all) < 800 {
		t.Errorf("there are %d independent defects, want 800 at least", len(all))
	}
	seen := map[string]bool{}
	for _, d := range all {
		if seen[d.ID] {
			t.Errorf("two independent defects are called %s", d.ID)
		}
		seen[d.ID] = true
	}
}

func TestIndependentDefectsAreCaught(t *testing.T) {
	if testing.Short() && *class == "" {
		t.Skip("the suites run over each of nearly a thousand defects: that takes minutes")
	}
	listed, err := os.ReadFile(survivorsFile)
	if err != nil {
		t.Fatal(err)
	}
	known := strings.Fields(string(listed))
	lab := laboratory(t)
	chosen := slices.DeleteFunc(defects.IndependentDefects(lab.Profile.Credentials), func(d defects.Independent) bool { return !strings.HasPrefix(d.ID, *class) })
	var left []string
	err = lab.Try(context.Background(), chosen, func(f defects.Finding) {
		switch survives := !f.Caught(); {
		case survives:
			left = append(left, f.Defect.ID)
			if !slices.Contains(known, f.Defect.ID) && !*survivors {
				t.Errorf("%s %s: %s %v", f.Outcome, f.Defect.ID, f.Defect.What, f.Specs)
			}
		case slices.Contains(known, f.Defect.ID) && !*survivors:
			t.Errorf("%s is caught now by %v: take it off %s", f.Defect.ID, f.Specs, survivorsFile)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if *survivors {
		if err := os.WriteFile(survivorsFile, []byte(strings.Join(left, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
