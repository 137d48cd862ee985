package client

// Recording: every exchange as a report shows it, redacted and cut.

import (
	"fmt"
	"net/http"
	"sort"
	"strings"
	"unicode/utf8"

	"shopcheck/reports"
	"shopcheck/suites/profile"
)

const (
	recordedBody   = 16 << 10         // bytes of a body that are kept of each direction
	scannedBody    = 4 * recordedBody // bytes that are searched for secrets before cutting, so that none is cut in two
	recordedValue  = 2 << 10          // bytes of the value of a header that are kept
	recordedHeader = 64               // lines of a header that are kept
)

// message cuts and redacts one direction of an exchange.
func (r *Redactor) message(h http.Header, body []byte) reports.Message {
	text, cut := r.body(body)
	return reports.Message{Header: r.headers(h), Body: text, Truncated: cut}
}

func (r *Redactor) body(body []byte) (string, int) {
	scanned := body
	if len(scanned) > scannedBody {
		scanned = scanned[:scannedBody]
	}
	text := strings.ToValidUTF8(r.Text(string(scanned)), string(utf8.RuneError))
	kept, _ := Cut(text, recordedBody)
	if len(body) <= recordedBody && kept == text {
		return kept, 0
	}
	return kept, max(1, len(body)-len(kept))
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

// Brief is a text of at most about limit bytes, which says how much is missing.
func Brief(text string, limit int) string {
	kept, cut := Cut(text, limit)
	if cut == 0 {
		return text
	}
	return fmt.Sprintf("%s… (%d more bytes)", kept, cut)
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
			out = append(out, reports.Header{Name: Brief(name, recordedValue), Value: Brief(r.Text(value), recordedValue)})
		}
	}
	return out
}
