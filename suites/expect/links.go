package expect

// The Link header (RFC 8288), read as its grammar says: what is between quotes is never taken for structure.

import (
	"net/http"
	"strings"
)

// Links reads the Link headers: relation → address. The relation "previous" is filed as "prev".
func Links(h http.Header) map[string]string {
	links := map[string]string{}
	for _, line := range h.Values("Link") {
		readLinks(line, func(rel, address string) { links[canonicalRel(rel)] = address })
	}
	return links
}

// readLinks tells each relation of the links of a line, up to what is no link.
func readLinks(line string, tell func(rel, address string)) {
	for {
		line = strings.TrimLeft(line, " \t,")
		opened, isLink := strings.CutPrefix(line, "<")
		address, rest, closed := strings.Cut(opened, ">")
		if !isLink || !closed {
			return
		}
		var relations []string
		relations, line = readParameters(rest)
		for _, rel := range relations {
			tell(rel, address)
		}
	}
}

// readParameters returns the relations that the parameters of a link name – of several rel the first counts – and what stands
// behind them.
func readParameters(text string) (relations []string, rest string) {
	for {
		after, another := strings.CutPrefix(trimBlanks(text), ";")
		if !another {
			return relations, trimBlanks(text)
		}
		var name, value string
		name, value, text = readParameter(after)
		if relations == nil && strings.EqualFold(name, "rel") {
			relations = strings.Fields(value)
		}
	}
}

// readParameter reads name, name=value or name="value".
func readParameter(text string) (name, value, rest string) {
	text = trimBlanks(text)
	end := firstOf(text, "=;, \t")
	name, text = text[:end], trimBlanks(text[end:])
	text, hasValue := strings.CutPrefix(text, "=")
	if !hasValue {
		return name, "", text
	}
	if quoted, isQuoted := strings.CutPrefix(trimBlanks(text), `"`); isQuoted {
		value, rest = readQuoted(quoted)
		return name, value, rest
	}
	text = trimBlanks(text)
	end = firstOf(text, ";,")
	return name, strings.TrimRight(text[:end], " \t"), text[end:]
}

// readQuoted reads up to the closing quote. A backslash takes the next byte as it is.
func readQuoted(text string) (value, rest string) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			return b.String(), text[i+1:]
		case text[i] == '\\' && i+1 < len(text):
			i++
		}
		b.WriteByte(text[i])
	}
	return b.String(), ""
}

func firstOf(text, ends string) int {
	if i := strings.IndexAny(text, ends); i >= 0 {
		return i
	}
	return len(text)
}

func trimBlanks(text string) string { return strings.TrimLeft(text, " \t") }

func canonicalRel(rel string) string {
	rel = strings.ToLower(rel)
	if rel == "previous" {
		return "prev"
	}
	return rel
}
