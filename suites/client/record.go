package client

// Recording: every exchange as a report shows it, redacted and cut.

import (
	"net/http"
	"sort"
	"strings"
	"unicode/utf8"

	"shopcheck/reports"
	"shopcheck/suites/profile"
)

const (
	recordedBody   = 16 << 10 // bytes of a body that are kept of each direction
	recordedValue  = 2 << 10  // bytes of the value of a header that are kept
	recordedHeader = 64       // lines of a header that are kept
)

// message cuts and redacts one direction of an exchange.
func (r *Redactor) message(h http.Header, body string) reports.Message {
	text, cut := r.excerpt(body[:min(len(body), scanned*recordedBody+1)], recordedBody)
	if cut > 0 {
		text, cut = strings.Clone(text), max(1, len(body)-len(text)) // the rest of the body need not be kept
	}
	return reports.Message{Header: r.headers(h), Body: text, Truncated: cut}
}

// Cut shortens text to at most limit bytes without splitting a character, and returns how many bytes went.
func Cut(text string, limit int) (string, int) {
	if len(text) <= limit {
		return text, 0
	}
	for limit > 0 && !utf8.RuneStart(text[limit]) {
		limit--
	}
	return text[:limit], len(text) - limit
}

func (r *Redactor) headers(h http.Header) []reports.Header {
	names := make([]string, 0, len(h))
	for name := range h {
		names = append(names, name)
	}
	sort.Strings(names)
	out := []reports.Header{}
	for _, name := range names {
		for _, value := range h[name] {
			if isSecretHeader(name) {
				value = profile.Redacted
			}
			if len(out) == recordedHeader {
				return append(out, reports.Header{Name: "…", Value: "more lines were cut off"})
			}
			out = append(out, reports.Header{Name: r.Brief(name, recordedValue), Value: r.Brief(value, recordedValue)})
		}
	}
	return out
}
