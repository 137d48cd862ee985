package rest

// The patterns of routes, in the router's syntax: "/products/{id:[0-9]+}".

import (
	"cmp"
	"strings"
)

// piece is a text of a pattern, and the variable that follows it.
type piece struct{ text, variable, form string }

// piecesOf splits a pattern. The last piece has no variable.
func piecesOf(path string) []piece {
	var pieces []piece
	for {
		text, rest, more := strings.Cut(path, "{")
		if !more {
			return append(pieces, piece{text: text})
		}
		end := closingBrace(rest)
		name, form, _ := strings.Cut(rest[:end], ":")
		pieces = append(pieces, piece{text, name, form})
		path = rest[end+1:]
	}
}

// closingBrace finds the brace that ends what text begins with; there may be pairs of them before.
func closingBrace(text string) int {
	depth := 1
	return strings.IndexFunc(text, func(c rune) bool {
		switch c {
		case '{':
			depth++
		case '}':
			depth--
		}
		return depth == 0
	})
}

// withoutPatterns leaves only the names of a route's variables: "/products/{id}".
func withoutPatterns(path string) string {
	var plain strings.Builder
	for _, p := range piecesOf(path) {
		plain.WriteString(p.text)
		if p.variable != "" {
			plain.WriteString("{" + p.variable + "}")
		}
	}
	return plain.String()
}

// expression is a pattern as indexes of this API family write it: "/products/(?P<id>[\d]+)".
func expression(path string) string {
	var written strings.Builder
	for _, p := range piecesOf(path) {
		written.WriteString(p.text)
		if p.variable != "" {
			form := strings.ReplaceAll(cmp.Or(p.form, "[^/]+"), digits, `[\d]+`)
			written.WriteString("(?P<" + p.variable + ">" + form + ")")
		}
	}
	return written.String()
}

// lastWord is the last segment of a route that is no variable: "variations".
func lastWord(path string) string {
	last := ""
	for segment := range strings.SplitSeq(withoutPatterns(path), "/") {
		if segment != "" && segment[0] != '{' {
			last = segment
		}
	}
	return last
}

// variablesOf declares the variables of a route.
func variablesOf(path string) []Param {
	var variables []Param
	for _, p := range piecesOf(path) {
		kind := String
		if p.form == digits {
			kind = Integer
		}
		if p.variable != "" {
			variables = append(variables, Param{Name: p.variable, Type: kind})
		}
	}
	return variables
}
