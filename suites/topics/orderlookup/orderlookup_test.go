package orderlookup

import (
	"slices"
	"testing"
)

func TestKeysThatAreNearlyRight(t *testing.T) {
	t.Parallel()
	for key, wanted := range map[string][]string{"": {"x"}, "A": {"Ax", ""}, "a1": {"a1x", "a", "A1"}} {
		if got := nearly(key); !slices.Equal(got, wanted) {
			t.Errorf("%q: %q, want %q", key, got, wanted)
		}
	}
}
