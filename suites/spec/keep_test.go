package spec

import (
	"slices"
	"testing"

	"shopcheck/reports"
)

func isAt(k reports.Kept, path string) bool { return k.Path == path }

// Specs that only share a record with one that failed are not what anybody looks for.
func TestWhatIsKeptNamesTheSpecsThatFailed(t *testing.T) {
	made := NewMade("0a1b2c3d")
	made.begin("passes")
	made.create("/shop/v3/products", 5)
	made.create("/shop/v3/products", 6)
	made.begin("fails")
	made.use([]string{"/shop/v3/products/5"})
	made.Keep("fails")
	kept := made.Kept()
	if !slices.EqualFunc(kept, []string{"/shop/v3/products/5"}, isAt) ||
		!slices.Equal(kept[0].Specs, []string{"fails"}) || !made.Stays("/shop/v3/products/5") || made.Stays("/shop/v3/products/6") {
		t.Errorf("%+v", kept)
	}
}
