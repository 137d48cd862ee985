package spec

import (
	"testing"

	"github.com/tidwall/gjson"
)

func TestValuesThatAreWrittenTheSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b string
		same bool
	}{
		{`"a"`, `"a"`, true},
		{`"a"`, `"b"`, false},
		{`1.0`, `1`, false}, // which is left to who compares values
		{"\"\xff\"", "\"\xff\"", false},
		{"", "", false},
	} {
		if got := saysTheSame(gjson.Result{Raw: c.a}, gjson.Result{Raw: c.b}); got != c.same {
			t.Errorf("%q and %q: %v", c.a, c.b, got)
		}
	}
}
