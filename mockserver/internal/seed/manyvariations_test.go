package seed_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/seed"
)

// TestAProductOfManyVariations counts the objects that its seed makes: to compare the spelling of each option with that of each variation
// would make thousands for one.
func TestAProductOfManyVariations(t *testing.T) {
	const variations, most = 3000, 500
	var options, choices []string
	for i := range variations {
		options = append(options, fmt.Sprintf(`"size %d"`, i))
		choices = append(choices, fmt.Sprintf(`"size %d": 1`, i))
	}
	data := fmt.Sprintf(`{"products": {"Shoe": {"attributes": {"Size": [%s]}, "variations": {%s}}}}`,
		strings.Join(options, ", "), strings.Join(choices, ", "))
	made := testing.AllocsPerRun(1, func() {
		if _, err := seed.Open(seed.Source{Data: []byte(data)}, time.Now()); err != nil {
			t.Error(err)
		}
	})
	if each := made / variations; each > most {
		t.Errorf("%.0f objects for each variation, want at most %d", each, most)
	} else {
		t.Logf("%.0f objects for each variation", each)
	}
}
