package nesting_test

import (
	"encoding/json"
	"strings"
	"testing"

	"shopcheck/reports/nesting"
)

func TestDepthIsBounded(t *testing.T) {
	deep := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for name, c := range map[string]struct {
		text string
		want bool
	}{
		"as deep as may be":          {deep(nesting.Max), true},
		"one deeper":                 {deep(nesting.Max + 1), false},
		"six megabytes of brackets":  {strings.Repeat("[", 6<<20), false},
		"objects":                    {strings.Repeat(`{"a":`, nesting.Max+1) + "1" + strings.Repeat("}", nesting.Max+1), false},
		"side by side":               {"[" + strings.Repeat("[],", 1000) + "[]]", true},
		"in a string":                {`"` + strings.Repeat("[", 1000) + `"`, true},
		"in a string with a quote":   {`"\"` + strings.Repeat("[", 1000) + `\\"`, true},
		"after a string":             {`["\\",` + deep(nesting.Max) + `]`, false},
		"no JSON at all":             {"<html>", false},
		"brackets closed too often":  {"]]]" + deep(nesting.Max), false},
		"nothing":                    {"", false},
		"a string that does not end": {`["`, false},
	} {
		if got := nesting.ValidJSON([]byte(c.text)); got != c.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

// FuzzCheck compares the count with the depth that a parser meets.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{"a":[1,{"b":"[\"{"}]}`, strings.Repeat("[", 200), strings.Repeat("[", 128) + strings.Repeat("]", 128), `"\\"[[`, "]]]]",
		`{"\\\"[":{}}`,
		strings.Repeat(`{"[":`, 129) + "1" + strings.Repeat("}", 129),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		accepted := nesting.Check(text) == nil
		var value any
		if json.Unmarshal(text, &value) != nil {
			return // a parser stops at the fault, where the count may go on
		}
		if want := depthOf(value) <= nesting.Max; accepted != want {
			t.Errorf("%q is accepted: %v, want %v", text, accepted, want)
		}
	})
}

func depthOf(value any) int {
	deepest := 0
	switch v := value.(type) {
	case []any:
		for _, inner := range v {
			deepest = max(deepest, depthOf(inner))
		}
	case map[string]any:
		for _, inner := range v {
			deepest = max(deepest, depthOf(inner))
		}
	default:
		return 0
	}
	return deepest + 1
}

func TestDepthOfYAMLIsBounded(t *testing.T) {
	const many = 1 << 19
	for name, text := range map[string]string{
		"sequences":  strings.Repeat("- ", many),
		"brackets":   strings.Repeat("[", many),
		"mappings":   strings.Repeat("{a: ", many),
		"lines":      strings.Repeat("[\n", many),
		"tags":       "a: " + strings.Repeat("!a ", many),
		"anchors":    strings.Repeat("&a\n", many),
		"colons":     strings.Repeat("a: ", many),
		"questions":  strings.Repeat("? ", many),
		"staircase":  staircase(1000),
		"deep blank": strings.Repeat(" ", 1000) + "a: 1",
	} {
		if nesting.CheckYAML([]byte(text)) == nil {
			t.Errorf("%s are accepted", name)
		}
	}
	ordinary := "target: http://x\nlimits: {retries: 3}\nwaivers:\n" +
		strings.Repeat("  - id: a.b\n    reason: it is [so], as in #5 - see: {x}\n    message: \"![{\"\n    link: https://x/]}\n", 1000)
	if err := nesting.CheckYAML([]byte(ordinary)); err != nil {
		t.Error(err)
	}
}

func staircase(steps int) string {
	var b strings.Builder
	for n := range steps {
		b.WriteString(strings.Repeat(" ", n) + "a:\n")
	}
	return b.String()
}
