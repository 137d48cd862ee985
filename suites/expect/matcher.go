package expect

// The matchers over answers.

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/onsi/gomega/types"
	"github.com/tidwall/gjson"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

// answerMatcher is a matcher that is one function: it returns the deviations it finds.
type answerMatcher struct {
	check func(*client.Answer) []reports.Finding
	what  string // what an answer that matches has
	path  string // where it has it
	found []reports.Finding
}

// Match implements types.GomegaMatcher.
func (m *answerMatcher) Match(actual any) (bool, error) {
	a, ok := actual.(*client.Answer)
	if !ok {
		return false, fmt.Errorf("this matcher takes an answer of the target, not a %T", actual)
	}
	if a.Err != nil {
		m.found = []reports.Finding{finding(a, "", a.String(), "an answer", "none: "+a.Err.Error())}
		return false, nil
	}
	m.found = m.check(a)
	return len(m.found) == 0, nil
}

// FailureMessage implements types.GomegaMatcher.
func (m *answerMatcher) FailureMessage(any) string { return Encode(m.found...) }

// NegatedFailureMessage implements types.GomegaMatcher.
func (m *answerMatcher) NegatedFailureMessage(actual any) string {
	a, _ := actual.(*client.Answer)
	return Encode(finding(a, m.path, "the answer to "+a.Method+" "+a.Path+" has what it must not have", "anything but "+m.what, m.what))
}

func matcher(what string, check func(*client.Answer) []reports.Finding) types.GomegaMatcher {
	return &answerMatcher{check: check, what: what}
}

// matcherAt is a matcher of one place in the answer.
func matcherAt(path, what string, check func(*client.Answer) []reports.Finding) types.GomegaMatcher {
	return &answerMatcher{check: check, what: what, path: path}
}

// finding is about a place in an answer.
func finding(a *client.Answer, path, message, want, got string) reports.Finding {
	return reports.Finding{Message: message, Path: place(path), Want: want, Got: got, Exchange: a.Exchange}
}

// place writes a gjson path for people: items.#.id is items[].id, meta_data.#(key=="x").value is meta_data[key="x"].value. The
// length of a list is said of the list, and names lose the backslashes before their dots.
func place(path string) string {
	path = lengthOf.ReplaceAllString(path, "")
	path = pickOf.ReplaceAllString(path, "[$1=$2]")
	return strings.TrimPrefix(strings.NewReplacer(`\`, "", ".#", "[]", "#", "[]").Replace(path), ".")
}

var (
	lengthOf = regexp.MustCompile(`(^|\.)#$`)
	pickOf   = regexp.MustCompile(`\.?#\(([\w-]+)==("[^"]*"|[^")]*)\)#?`)
)

func one(f reports.Finding) []reports.Finding { return []reports.Finding{f} }

// otherValue says what is wrong with a value at a path; # is the length of a list.
func otherValue(path string) string {
	if path == "#" || strings.HasSuffix(path, ".#") {
		return "the list has another number of entries"
	}
	return "the field has another value"
}

// HaveStatus succeeds when the answer has one of the statuses.
func HaveStatus(statuses ...int) types.GomegaMatcher {
	wanted := "status " + oneOf(statuses)
	return matcher(wanted, func(a *client.Answer) []reports.Finding {
		if slices.Contains(statuses, a.Status) {
			return nil
		}
		return one(finding(a, "", a.Method+" "+a.Path+" is answered with another status", wanted, gotStatus(a)))
	})
}

// BeSuccess succeeds when the answer has a 2xx status.
func BeSuccess() types.GomegaMatcher {
	return matcher("a 2xx status", func(a *client.Answer) []reports.Finding {
		if a.OK() {
			return nil
		}
		return one(finding(a, "", a.Method+" "+a.Path+" is refused", "a 2xx status", gotStatus(a)))
	})
}

// BeRefused succeeds when the answer has a 4xx status.
func BeRefused() types.GomegaMatcher {
	return matcher("a 4xx status", func(a *client.Answer) []reports.Finding {
		if a.Status >= 400 && a.Status < 500 {
			return nil
		}
		return one(finding(a, "", a.Method+" "+a.Path+" is not refused", "a 4xx status", gotStatus(a)))
	})
}

func oneOf(statuses []int) string {
	words := make([]string, len(statuses))
	for i, s := range statuses {
		words[i] = strconv.Itoa(s)
	}
	return strings.Join(words, " or ")
}

func gotStatus(a *client.Answer) string {
	if code := a.Code(); code != "" {
		return fmt.Sprintf("status %d with code %s", a.Status, quote(code))
	}
	return fmt.Sprintf("status %d", a.Status)
}

// BeErrorEnvelope succeeds when the answer is an error in the documented envelope with that code and one of the
// statuses. Without statuses, those of the contract's table count, or any 4xx where the table has none. An empty
// code stands for any.
func BeErrorEnvelope(code string, statuses ...int) types.GomegaMatcher {
	if row, ok := contract.ErrorCodeFor(code); ok && len(statuses) == 0 {
		statuses = row.Statuses
	}
	return matcher("an error "+code, func(a *client.Answer) []reports.Finding {
		found := statusFindings(a, statuses)
		if a.OK() { // no error at all: that its fields are missing is no news
			return about(a, found)
		}
		found = append(found, InspectRecord(a.JSON(), contract.ErrorEnvelope(), "").Findings...)
		if code != "" && a.Code() != code {
			found = append(found, finding(a, "code", "the error has another code", quote(code), quote(a.Get("code").Raw)))
		}
		return about(a, found)
	})
}

func statusFindings(a *client.Answer, statuses []int) []reports.Finding {
	if len(statuses) > 0 && !slices.Contains(statuses, a.Status) {
		return one(finding(a, "", a.Method+" "+a.Path+" is answered with another status", "status "+oneOf(statuses), gotStatus(a)))
	}
	if a.Status < 400 || a.Status > 499 {
		return one(finding(a, "", a.Method+" "+a.Path+" is not refused", "a 4xx status", gotStatus(a)))
	}
	return nil
}

// about files findings under the exchange of the answer.
func about(a *client.Answer, found []reports.Finding) []reports.Finding {
	for i := range found {
		found[i].Exchange = a.Exchange
	}
	return found
}

// MatchShape succeeds when the body is a record of the shape, or an array of such records.
func MatchShape(shape *contract.Shape) types.GomegaMatcher {
	return matcher("a "+shape.Title, func(a *client.Answer) []reports.Finding {
		i := newInspector()
		if body := a.JSON(); body.IsArray() {
			i.list(body, shape)
		} else {
			i.record(body, shape, "")
		}
		return about(a, i.Findings)
	})
}

// HaveJSON succeeds when the value at the gjson path of the body satisfies want: a Gomega matcher, or a plain value
// that the JSON value must equal. A matcher gets the value as string, float64, bool, nil, []any or map[string]any.
func HaveJSON(path string, want any) types.GomegaMatcher {
	return matcherAt(path, wording(want), func(a *client.Answer) []reports.Finding {
		value := a.Get(path)
		if !value.Exists() {
			return one(finding(a, path, "the field is missing", wording(want), "no such field"))
		}
		return fieldFindings(a, path, value, want)
	})
}

func fieldFindings(a *client.Answer, path string, value gjson.Result, want any) []reports.Finding {
	if inner, ok := want.(types.GomegaMatcher); ok {
		return innerFindings(a, path, otherValue(path), value.Value(), quote(value.Raw), inner)
	}
	if sameJSON(value, want) {
		return nil
	}
	return one(finding(a, path, otherValue(path), wording(want), quote(value.Raw)))
}

// innerFindings runs a matcher on one value and says its failure in our terms.
func innerFindings(a *client.Answer, path, message string, value any, shown string, inner types.GomegaMatcher) []reports.Finding {
	ok, err := inner.Match(value)
	if err != nil {
		return one(finding(a, path, "the value is not of the kind that is compared", err.Error(), shown))
	}
	if ok {
		return nil
	}
	plain := Decode(inner.FailureMessage(value))[0]
	if plain.Want == "" {
		plain.Want = plain.Message
	}
	return one(finding(a, path, message, plain.Want, shown))
}

// HaveNoField succeeds when the body has nothing at the path.
func HaveNoField(path string) types.GomegaMatcher {
	return matcherAt(path, "no such field", func(a *client.Answer) []reports.Finding {
		if value := a.Get(path); value.Exists() {
			return one(finding(a, path, "the field is there", "no such field", describe(value)))
		}
		return nil
	})
}

// HaveText succeeds when a text somewhere in the body holds the words, whatever field it is of.
func HaveText(words string) types.GomegaMatcher {
	return matcher("a text with "+wording(words), func(a *client.Answer) []reports.Finding {
		if holdsText(a.JSON(), words) {
			return nil
		}
		return one(finding(a, "", "no text of the answer holds the words", wording(words), quote(a.JSON().Raw)))
	})
}

func holdsText(value gjson.Result, words string) bool {
	if value.Type == gjson.String {
		return strings.Contains(value.Str, words)
	}
	found := false
	value.ForEach(func(_, inner gjson.Result) bool {
		found = value.Type == gjson.JSON && holdsText(inner, words)
		return !found
	})
	return found
}

// HaveHeader succeeds when the header is there and its value satisfies want: a Gomega matcher on a string, or a string.
func HaveHeader(name string, want any) types.GomegaMatcher {
	return matcherAt(name, wording(want), func(a *client.Answer) []reports.Finding {
		if len(a.Header.Values(name)) == 0 {
			return one(finding(a, name, "the header is missing", "a header "+name, "none"))
		}
		value := a.Header.Get(name)
		if inner, ok := want.(types.GomegaMatcher); ok {
			return innerFindings(a, name, "the header has another value", value, quote(value), inner)
		}
		if text := fmt.Sprint(want); text != value {
			return one(finding(a, name, "the header has another value", text, quote(value)))
		}
		return nil
	})
}

// HavePaging succeeds when the paging headers tell this many records on this many pages.
func HavePaging(total, pages int) types.GomegaMatcher {
	return matcher("paging headers", func(a *client.Answer) []reports.Finding {
		var found []reports.Finding
		for _, header := range []struct {
			name string
			want int
		}{{"X-Shop-Total", total}, {"X-Shop-TotalPages", pages}} {
			if got := a.Header.Get(header.name); got != strconv.Itoa(header.want) {
				found = append(found, finding(a, header.name, "the header has another value", strconv.Itoa(header.want), quote(got)))
			}
		}
		return found
	})
}

// HaveLink succeeds when a Link header names an address of that relation (next, prev). The contract's words are
// next and previous: both prev and previous stand for the latter.
func HaveLink(rel string) types.GomegaMatcher {
	return matcherAt("Link", "a link with rel="+rel, func(a *client.Answer) []reports.Finding {
		if _, ok := Links(a.Header)[canonicalRel(rel)]; ok {
			return nil
		}
		return one(finding(a, "Link", "the header names no address of that relation", "a link with rel="+rel,
			quote(strings.Join(a.Header.Values("Link"), ", "))))
	})
}
