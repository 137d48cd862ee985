package defects

// Variants of how answers are written: JSON in other forms, HTTP in other forms.

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf16"
)

func wireVariants() []Variant {
	return []Variant{
		{ID: "fair.extra-fields", What: "Every object has members that the contract does not know.", bend: rewritten(withExtras)},
		{ID: "fair.key-order", What: "The members of objects come in reverse order.",
			bend: written(func(b *bytes.Buffer, tree any) { encode(b, tree, true, plainText) })},
		{ID: "fair.white-space", What: "Bodies are indented, with line breaks around them.", bend: bodies(indented)},
		{ID: "fair.escapes", What: "Every character of every text is escaped.",
			bend: written(func(b *bytes.Buffer, tree any) { encode(b, tree, false, escapedText) })},
		{ID: "fair.content-type", What: "Content-Type has other letters and parameters.", bend: headers(func(h http.Header) {
			if h.Get("Content-Type") != "" {
				h.Set("Content-Type", `Application/JSON;charset="utf-8"; profile=shop`)
			}
		})},
		{ID: "fair.gzip", What: "Bodies are compressed.", wire: true, bend: compressed},
		{ID: "fair.chunked", What: "Bodies come in small pieces, without a length.", wire: true, bend: chunked},
		{ID: "fair.one-request-a-connection", What: "Each connection is closed after one answer.", wire: true,
			bend: headers(func(h http.Header) { h.Set("Connection", "close") })},
		{ID: "fair.slow", What: "Every answer takes a millisecond more.", delay: time.Millisecond},
		{ID: "fair.header-case", What: "The names of headers are in small letters.", wire: true,
			bend: answered(anywhere, func(_ *http.Request, a *answer) {
				for name, values := range a.Header {
					delete(a.Header, name)
					a.Header[strings.ToLower(name)] = values
				}
			})},
		{ID: "fair.extra-headers", What: "Answers have headers of caches, proxies and trackers.", bend: headers(func(h http.Header) {
			h.Add("Vary", "Accept-Encoding, Cookie")
			h.Set("Cache-Control", "no-cache, must-revalidate, max-age=0, no-store, private")
			h.Set("Expires", "Wed, 11 Jan 1984 05:00:00 GMT")
			h.Set("Server", "front/7")
			h.Add("Set-Cookie", "visitor=abc; Path=/; HttpOnly")
			h.Add("Set-Cookie", "banner=; Max-Age=0; Path=/")
			h.Set("X-Robots-Tag", "noindex")
		})},
	}
}

// withExtras adds members to all objects, of every kind and with names that look like others.
func withExtras(tree any) any {
	everywhere(tree, func(object map[string]any) {
		if isBookkeeping(object) {
			return
		}
		object["_shop_extra"] = "extra"
		object["extra_number"] = json.Number("7.5")
		object["extra_list"] = []any{true, nil}
	})
	return tree
}

// isBookkeeping tells objects whose keys are data, not names of members.
func isBookkeeping(object map[string]any) bool {
	for name := range object {
		if strings.Contains(name, ".") || strings.Contains(name, "/") {
			return true
		}
	}
	return len(object) == 0
}

// headers changes the headers of all answers.
func headers(edit func(h http.Header)) bend {
	return answered(anywhere, func(_ *http.Request, a *answer) { edit(a.Header) })
}

// bodies changes the text of all JSON bodies.
func bodies(edit func(body []byte) []byte) bend {
	return answered(anywhere, func(_ *http.Request, a *answer) {
		if a.tree() != nil {
			a.Body = edit(a.Body)
		}
	})
}

// written writes all JSON bodies in another hand.
func written(write func(b *bytes.Buffer, tree any)) bend {
	return bodies(func(body []byte) []byte {
		var b bytes.Buffer
		write(&b, parse(body))
		return b.Bytes()
	})
}

func indented(body []byte) []byte {
	var b bytes.Buffer
	b.WriteString("\r\n\t ")
	if json.Indent(&b, body, "", "\t") != nil {
		return body
	}
	b.WriteString(" \r\n\n")
	return b.Bytes()
}

// encode writes JSON with the keys of objects in either order and texts by the given function.
func encode(b *bytes.Buffer, tree any, reverse bool, text func(b *bytes.Buffer, s string)) {
	switch node := tree.(type) {
	case map[string]any:
		b.WriteByte('{')
		for i, name := range sortedNames(node, reverse) {
			if i > 0 {
				b.WriteByte(',')
			}
			text(b, name)
			b.WriteByte(':')
			encode(b, node[name], reverse, text)
		}
		b.WriteByte('}')
	case []any:
		b.WriteByte('[')
		for i, item := range node {
			if i > 0 {
				b.WriteByte(',')
			}
			encode(b, item, reverse, text)
		}
		b.WriteByte(']')
	case string:
		text(b, node)
	default:
		plain, _ := json.Marshal(node) // what was read from JSON can be written as JSON
		b.Write(plain)
	}
}

func sortedNames(object map[string]any, reverse bool) []string {
	names := make([]string, 0, len(object))
	for name := range object {
		names = append(names, name)
	}
	slices.Sort(names)
	if reverse {
		slices.Reverse(names)
	}
	return names
}

func plainText(b *bytes.Buffer, s string) {
	text, _ := json.Marshal(s) // a string can always be written
	b.Write(text)
}

func escapedText(b *bytes.Buffer, s string) {
	b.WriteByte('"')
	for _, unit := range utf16.Encode([]rune(s)) {
		if unit == '/' {
			b.WriteString(`\/`)
			continue
		}
		fmt.Fprintf(b, `\u%04X`, unit)
	}
	b.WriteByte('"')
}

// compressed sends bodies with gzip to all who take that.
func compressed(inner http.Handler) http.Handler {
	return answered(anywhere, func(r *http.Request, a *answer) {
		if len(a.Body) == 0 || !strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			return
		}
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		_, _ = z.Write(a.Body) // into memory: nothing can fail
		_ = z.Close()
		a.Body = b.Bytes()
		a.Header.Set("Content-Encoding", "gzip")
		a.Header.Del("Content-Length")
	})(inner)
}

const pieceSize = 97 // bytes: pieces end in the middle of characters and numbers

// chunked sends bodies piece by piece.
func chunked(inner http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := record(inner, r)
		for name, values := range a.Header {
			w.Header()[name] = values
		}
		w.Header().Del("Content-Length")
		w.WriteHeader(a.Status)
		flush := http.NewResponseController(w)
		for piece := range slices.Chunk(a.Body, pieceSize) {
			_, _ = w.Write(piece) // a client that has gone away is no concern of ours
			_ = flush.Flush()
		}
	})
}

// delayed answers later.
func delayed(by time.Duration) bend {
	return func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			time.Sleep(by)
			inner.ServeHTTP(w, r)
		})
	}
}
