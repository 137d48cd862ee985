package reports

// Wanted beside got: which parts of the two texts differ.

import (
	"slices"
	"strings"
	"unicode"
)

// comparison is two texts cut into parts that are the same in both and parts that are not.
type comparison struct{ Want, Got []part }

type part struct {
	Text    string
	Differs bool
}

// compare marks the lines that only one text has or, in texts of one line, what is left between the common start and
// the common end. Texts that have little in common are not marked: all of them differs.
func compare(want, got string) comparison {
	if strings.Contains(want, "\n") || strings.Contains(got, "\n") {
		wanted, gotten := strings.SplitAfter(want, "\n"), strings.SplitAfter(got, "\n")
		return comparison{markLines(wanted, gotten), markLines(gotten, wanted)}
	}
	a, b := []rune(want), []rune(got)
	start := commonStart(a, b)
	end := commonEnd(a[start:], b[start:])
	if holdsSeveralWords(a[start:len(a)-end]) || holdsSeveralWords(b[start:len(b)-end]) { // a part of a word among others would mislead
		start, end = wholeWords(a, start), wholeWords(reversed(a), end)
	}
	if 3*(start+end) < min(len(a), len(b)) {
		start, end = 0, 0
	}
	if start+end == 0 {
		return comparison{[]part{{Text: want}}, []part{{Text: got}}}
	}
	return comparison{markMiddle(a, start, end), markMiddle(b, start, end)}
}

func markLines(lines, others []string) []part {
	bare := func(line string) string { return strings.TrimSuffix(line, "\n") }
	known := make(map[string]bool, len(others))
	for _, other := range others {
		known[bare(other)] = true
	}
	parts := make([]part, 0, len(lines))
	for _, line := range lines {
		parts = append(parts, part{line, !known[bare(line)]})
	}
	return parts
}

func commonStart(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

func commonEnd(a, b []rune) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n] == b[len(b)-1-n] {
		n++
	}
	return n
}

func holdsSeveralWords(text []rune) bool {
	return slices.Contains(text, ' ') || slices.Contains(text, ',')
}

// wholeWords takes from the first n characters of a text those that are only the beginning of a word or number.
func wholeWords(text []rune, n int) int {
	inWord := func(i int) bool { return unicode.IsLetter(text[i]) || unicode.IsDigit(text[i]) }
	for 0 < n && n < len(text) && inWord(n-1) && inWord(n) {
		n--
	}
	return n
}

func reversed(text []rune) []rune {
	turned := slices.Clone(text)
	slices.Reverse(turned)
	return turned
}

func markMiddle(text []rune, start, end int) []part {
	parts := []part{
		{Text: string(text[:start])},
		{Text: string(text[start : len(text)-end]), Differs: true},
		{Text: string(text[len(text)-end:])},
	}
	return slices.DeleteFunc(parts, func(p part) bool { return p.Text == "" })
}
