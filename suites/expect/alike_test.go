package expect

import (
	"testing"

	"github.com/onsi/gomega/types"
)

func TestAlike(t *testing.T) {
	a := answered(200, `{"ids":[3,1,1],"prices":["1.00","2.50"],"postcode":"AB1 2C","params":{"a.b":1}}`)
	for name, c := range map[string]struct {
		matcher types.GomegaMatcher
		want    bool
	}{
		"any order":       {HaveJSON("ids", BeInAnyOrder(1, 3, 1)), true},
		"one more":        {HaveJSON("ids", BeInAnyOrder(1, 3, 1, 1)), false},
		"one less":        {HaveJSON("ids", BeInAnyOrder(1, 3)), false},
		"another":         {HaveJSON("ids", BeInAnyOrder(1, 3, 3)), false},
		"no array":        {HaveJSON("postcode", BeInAnyOrder("AB1 2C")), false},
		"any case":        {HaveJSON("postcode", EqualFold("ab1 2c")), true},
		"other text":      {HaveJSON("postcode", EqualFold("ab1 2d")), false},
		"no text":         {HaveJSON("ids", EqualFold("3")), false},
		"alike":           {HaveJSON("prices", BeAlike([]any{"2.5", "1"})), true},
		"another amount":  {HaveJSON("prices", BeAlike([]any{"2.05", "1"})), false},
		"another text":    {HaveJSON("postcode", BeAlike("AB1 2C.")), false},
		"a name with dot": {HaveJSON(`params.a\.b`, 1), true},
	} {
		if got, _ := c.matcher.Match(a); got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
	missing := HaveJSON(`params.a\.c`, EqualFold("x"))
	if matched, _ := missing.Match(a); matched {
		t.Fatal("a field that is not there is found")
	}
	if f := Decode(missing.FailureMessage(a))[0]; f.Path != "params.a.c" || f.Want != `"x" in any case` {
		t.Errorf("%+v", f)
	}
}
