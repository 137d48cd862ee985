package defects_test

import (
	"context"
	"regexp"
	"testing"

	"shopcheck/suites/defects"
	"shopcheck/suites/topics"
)

// What an expectation finds and what is met in passing leads to the line of the spec that asked, not to the harness's own.
func TestAFindingNamesTheLineOfItsSpec(t *testing.T) {
	bed := testbed(t)
	bed.Topics = topics.All()[1:2] // products
	line := regexp.MustCompile(`^suites/topics/(products|collection)/\w+\.go:\d+$`)
	wanted := map[string]bool{"products.sku-unique:shared": true, "product.field.sku:dropped": true}
	for _, d := range defects.All(bed.Profile.Credentials) {
		if !wanted[d.ID] {
			continue
		}
		delete(wanted, d.ID)
		report, err := bed.Find(context.Background(), d)
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for _, spec := range report.Specs {
			for _, f := range spec.Findings {
				if found++; !line.MatchString(f.Location) {
					t.Errorf("%s: %s is at %q", d.ID, f.Requirement, f.Location)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s: no finding", d.ID)
		}
	}
	if len(wanted) > 0 {
		t.Errorf("there are no defects %v", wanted)
	}
}
