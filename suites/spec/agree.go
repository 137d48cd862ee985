package spec

// One record, wherever it is shown.

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

// Agree expects that an answer shows, at a place of its body, the record that another answer has shown: all that is documented of it,
// but for the fields left out.
func (e *Env) Agree(requirement string, answer *client.Answer, at string, record gjson.Result, shape *contract.Shape, left ...string) {
	expectation, other := e.For(requirement), answer.Get(strings.TrimSuffix(at, "."))
	if at != "" {
		expectation.Expect(other.IsObject()).To(BeTrue(), "whether the record is at "+at)
	}
	shape.Walk(func(p contract.Place) {
		path := comparedPath(p)
		if path == "" || slices.Contains(left, p.Path) {
			return
		}
		shown, again := record.Get(path), other.Get(path)
		if !shown.Exists() || !again.Exists() {
			return // what is missing is reported as missing
		}
		if !saysTheSame(shown, again) {
			expectation.Expect(answer).To(HaveJSON(at+path, BeAlike(shown.Value())))
		}
	})
}

// saysTheSame reports whether two values are written the same. Text that is no UTF-8 says nothing, and what was counted has no text.
func saysTheSame(a, b gjson.Result) bool {
	return a.Raw != "" && a.Raw == b.Raw && utf8.ValidString(a.Raw)
}

// comparedPath is where the value of a field is that can be compared: of lists whose entries are not shown that is how many there are;
// empty for what is compared field by field, and for what may change by itself.
func comparedPath(p contract.Place) string {
	switch {
	case len(p.Inner) > 0, slices.Contains([]string{"date_modified", "date_modified_gmt", "meta_data", "extensions", "errors",
		"cross_sells"}, p.Field.Name):
		return ""
	case p.Field.Kind == contract.Array && p.Field.Items == "":
		return p.Path + ".#"
	}
	return p.Path
}
