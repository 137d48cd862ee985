package reports

// What a target sends is untrusted. This file makes its text safe to show: on a terminal, in XML, in a page.

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	controlPictures = 0x2400 // U+2400 SYMBOL FOR NULL: the pictures of the C0 controls follow in order
	deletePicture   = '\u2421'
)

// Sanitize makes text from a target safe to print. Control characters (so escape sequences too) become their visible
// pictures, invisible, direction-changing and unassigned characters their \u notation, invalid UTF-8 and characters that
// XML forbids U+FFFD. Line breaks and tabs stay; CR LF becomes LF.
func Sanitize(text string) string {
	if isHarmless(text) {
		return text
	}
	text = strings.ReplaceAll(strings.ToValidUTF8(text, string(utf8.RuneError)), "\r\n", "\n")
	var safe strings.Builder
	safe.Grow(len(text))
	for _, char := range text {
		writeVisible(&safe, char)
	}
	return safe.String()
}

// sanitized returns a copy of a report whose texts are safe to show. Of a spec that deviates from nothing only the file of exchanges shows
// what was said, which is most of a report: it is left out here.
func sanitized(r *Report) *Report {
	shown := *r
	shown.Specs = slices.Clone(r.Specs)
	for i := range shown.Specs {
		if s := &shown.Specs[i]; !s.deviates() {
			s.Exchanges = withoutTexts(s.Exchanges)
		}
	}
	return Rewritten(&shown, Sanitize)
}

// deviates reports whether a spec has anything to show.
func (s *Spec) deviates() bool { return len(s.Findings) > 0 || isDeviation(s.Outcome) }

// withoutTexts returns exchanges without bodies, what was sent and how to repeat it, and of headers with those that softwareOf reads alone.
func withoutTexts(exchanges []Exchange) []Exchange {
	out := slices.Clone(exchanges)
	for i := range out {
		e := &out[i]
		e.Request, e.Response, e.Curl, e.Gone = Message{}, Message{Header: softwareIn(e.Response.Header)}, "", nil
	}
	return out
}

// SanitizeLine is Sanitize for places that hold one line: line breaks and tabs become visible as well, so that no
// text can pretend to be the next line of the output.
func SanitizeLine(text string) string {
	return lineBreaks().Replace(Sanitize(text))
}

func lineBreaks() *strings.Replacer {
	return strings.NewReplacer("\n", "\u240a", "\t", "\u2409")
}

// isHarmless is the quick way out for nearly all texts: printable ASCII.
func isHarmless(text string) bool {
	for i := range len(text) {
		if c := text[i]; (c < ' ' && c != '\n' && c != '\t') || c > '~' {
			return false
		}
	}
	return true
}

func writeVisible(out *strings.Builder, char rune) {
	switch {
	case char == '\n' || char == '\t':
		out.WriteRune(char)
	case char < ' ':
		out.WriteRune(controlPictures + char)
	case char == '\x7f':
		out.WriteRune(deletePicture)
	case isNonCharacter(char):
		out.WriteRune(utf8.RuneError)
	case unicode.In(char, unicode.Cc, unicode.Cf, unicode.Cn, unicode.Zl, unicode.Zp, unicode.Other_Default_Ignorable_Code_Point):
		out.WriteString(escaped(char))
	default:
		out.WriteRune(char)
	}
}

func escaped(char rune) string {
	if char > 0xffff {
		return fmt.Sprintf(`\u{%x}`, char)
	}
	return fmt.Sprintf(`\u%04x`, char)
}

// isNonCharacter tells the code points that Unicode reserves for no character, two of which XML forbids.
func isNonCharacter(char rune) bool {
	return char&0xfffe == 0xfffe || (char >= 0xfdd0 && char <= 0xfdef)
}
