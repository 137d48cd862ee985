// Package match says which requests are meant: by method, path and what their bodies hold. The journal finds requests by it, and
// faults happen to them.
package match

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/tidwall/gjson"
)

// Request says which requests are meant. What is empty means any.
type Request struct {
	Method string  // "POST"
	Path   Pattern // of the canonical path
	Body   []Field // all of which the body must hold
}

// NewRequest makes a Request of texts: a method, a pattern as NewPattern takes it, and fields as NewField takes them. It returns an error
// that says which of them cannot be.
func NewRequest(method, path string, fields ...string) (Request, error) {
	made := Request{Method: strings.ToUpper(method)}
	if !isMethod(made.Method) {
		return Request{}, fmt.Errorf("%q is no method: take %s", method, strings.Join(methods(), ", "))
	}
	var err error
	if made.Path, err = NewPattern(path); err != nil {
		return Request{}, err
	}
	for _, text := range fields {
		field, err := NewField(text)
		if err != nil {
			return Request{}, err
		}
		made.Body = append(made.Body, field)
	}
	return made, nil
}

func isMethod(method string) bool { return method == "" || slices.Contains(methods(), method) }

func methods() []string {
	return []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
		http.MethodOptions}
}

// Matches reports whether a request is meant. The body is asked for only if it matters.
func (m *Request) Matches(method, path string, body func() []byte) bool {
	return m.MatchesLine(method, path) && m.matchesBody(body)
}

// MatchesLine reports whether method and path of a request are meant.
func (m *Request) MatchesLine(method, path string) bool {
	return (m.Method == "" || m.Method == method) && m.Path.Matches(path)
}

func (m *Request) matchesBody(body func() []byte) bool {
	if len(m.Body) == 0 {
		return true
	}
	document := body()
	return gjson.ValidBytes(document) &&
		!slices.ContainsFunc(m.Body, func(field Field) bool { return !field.in(document) })
}

// Pattern is a path in which * stands for anything within a segment, and ** at the end for all that follows. A name in braces stands for a
// segment, as where routes are written.
type Pattern struct {
	text string
	form *regexp.Regexp // nil: any path
}

const maxPattern = 1000 // bytes

var named = regexp.MustCompile(`\{[^/{}]+\}`)

// NewPattern reads a pattern; "" matches every path. It returns an error for one that does not begin with a slash, is too long, or has
// ** elsewhere than at its end.
func NewPattern(text string) (Pattern, error) {
	switch head, deep := strings.CutSuffix(text, "**"); {
	case text == "":
		return Pattern{}, nil
	case len(text) > maxPattern:
		return Pattern{}, fmt.Errorf("a path pattern has at most %d bytes, not %d", maxPattern, len(text))
	case text[0] != '/':
		return Pattern{}, fmt.Errorf("%q is no path pattern: begin it with a slash, as in /shop/v3/orders/*", text)
	case strings.Contains(head, "**"):
		return Pattern{}, fmt.Errorf("%q is no path pattern: ** stands at its end only; * is anything between two slashes", text)
	default:
		form := "^" + strings.ReplaceAll(regexp.QuoteMeta(named.ReplaceAllString(head, "*")), `\*`, "[^/]*")
		if deep {
			form += ".*"
		}
		return Pattern{text, regexp.MustCompile("(?s)" + form + "$")}, nil
	}
}

// Matches reports whether a path is one that the pattern means.
func (p Pattern) Matches(path string) bool { return p.form == nil || p.form.MatchString(path) }

// String returns the pattern as it was written.
func (p Pattern) String() string { return p.text }

// Field is something that a JSON body must hold: a value at a path of gjson's syntax, or anything at all there.
type Field struct {
	path, want string
	any        bool // whatever the value is
}

// NewField reads "payment_method=bacs", which wants that value, or "items.0.id", which wants any. Strings are compared with their
// contents, all else with its JSON.
func NewField(text string) (Field, error) {
	path, want, valued := strings.Cut(text, "=")
	if path == "" || len(text) > maxPattern {
		return Field{}, fmt.Errorf("%.100q is no condition on a body: take a path, or one and a value, such as payment_method=bacs", text)
	}
	return Field{path: path, want: want, any: !valued}, nil
}

func (f Field) in(document []byte) bool {
	found := gjson.GetBytes(document, f.path)
	return found.Exists() && (f.any || found.String() == f.want)
}
