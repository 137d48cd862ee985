package reports

// Reports as a hostile target would have them.

import (
	"reflect"
	"slices"
)

// poison appends text to every string of the report, so that each is hostile and still told apart.
func poison(report *Report, text string) {
	*report = *Rewritten(report, func(s string) string { return s + text })
	if counts := countEmptyStrings(reflect.ValueOf(*report)); counts > 0 {
		panic("a string of the report was left out")
	}
}

func countEmptyStrings(at reflect.Value) int {
	empty := 0
	switch at.Kind() {
	case reflect.String:
		if at.Len() == 0 {
			empty++
		}
	case reflect.Slice:
		for i := range at.Len() {
			empty += countEmptyStrings(at.Index(i))
		}
	case reflect.Struct:
		for i := range at.NumField() {
			if at.Type().Field(i).IsExported() {
				empty += countEmptyStrings(at.Field(i))
			}
		}
	}
	return empty
}

// hostileReports are reports in which a target tries to break out of the page with every string it can reach.
func hostileReports() map[string]*Report {
	everything, texts := failingSample(), failingSample()
	poison(everything, hostileText)
	*texts = *Rewritten(texts, hostile(hostileText))
	return map[string]*Report{"every string": everything, "every string that isn't a word of the format": texts}
}

const hostileText = `"'><img src=x onerror="window.pwned=1"></script></style></title></pre></noscript><script>window.pwned=1</script>` +
	"<svg/onload=window.pwned=1><!-- \u202e\x1b[31m\x00 javascript:window.pwned=1 {{.}} ${window.pwned=1} \\u003cscript\\u003e"

// hostile appends text to all strings but the words by which the page tells outcomes, levels and verdicts apart.
func hostile(text string) func(string) string {
	words := []string{string(Must), string(Should), string(Observed), string(NotConformant)}
	for _, outcome := range Outcomes() {
		words = append(words, string(outcome))
	}
	return func(s string) string {
		if slices.Contains(words, s) {
			return s
		}
		return s + text
	}
}
