// Package nesting bounds how deep a text is nested before a parser reads it: parsers call themselves for each level, and a few
// megabytes of brackets end a process that nothing can recover.
package nesting

import (
	"bytes"
	"fmt"

	"github.com/tidwall/gjson"
)

// Max is how many arrays and objects may lie in each other. The records of the contract need a tenth of it.
const Max = 128

// Check returns an error for a JSON text that is nested deeper than Max. It reads the text once, and does not care whether it is
// JSON otherwise: up to the first fault that a parser would find, both agree on what is a string.
func Check[T string | []byte](text T) error {
	depth := 0
	for i := 0; i < len(text); i++ {
		switch text[i] {
		case '"':
			i = endOfString(text, i)
		case '[', '{':
			if depth++; depth > Max {
				return fmt.Errorf("it is nested deeper than %d levels (at byte %d)", Max, i)
			}
		case ']', '}':
			depth--
		}
	}
	return nil
}

// endOfString returns where the string that begins at a quote ends.
func endOfString[T string | []byte](text T, quote int) int {
	end := quote + 1
	for ; end < len(text) && text[end] != '"'; end++ {
		if text[end] == '\\' {
			end++
		}
	}
	return end
}

// ValidJSON reports whether the text is one JSON document that is not nested too deep.
func ValidJSON(text []byte) bool { return Check(text) == nil && gjson.ValidBytes(text) }

// CheckYAML returns an error for a YAML text that may be nested deeper than Max: by brackets, by indentation, or by what a single
// line or a run of lines opens. What stands in quotes is counted too: no text that people write comes near the bound.
func CheckYAML(text []byte) error {
	brackets, properties := 0, 0
	for n, line := range bytes.Split(text, []byte("\n")) {
		start := bytes.TrimLeft(line, " \t-?")
		if len(start) > 0 && (start[0] == '!' || start[0] == '&') {
			properties++
		} else {
			properties = 0
		}
		brackets = max(0, brackets+bytes.Count(line, []byte("["))+bytes.Count(line, []byte("{"))-bytes.Count(line, []byte("]"))-
			bytes.Count(line, []byte("}")))
		indentation := (len(line) - len(start)) / 2
		if max(brackets, properties, indentation, indicators(line)) > Max {
			return fmt.Errorf("line %d may be nested deeper than %d levels", n+1, Max)
		}
	}
	return nil
}

// indicators counts the characters of a line that open a level.
func indicators(line []byte) int {
	count := 0
	for i, c := range line {
		followed := i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '\t'
		preceded := i == 0 || line[i-1] == ' ' || line[i-1] == '\t'
		switch c {
		case '[', '{':
			count++
		case '-', '?', ':':
			if followed {
				count++
			}
		case '!', '&':
			if preceded {
				count++
			}
		}
	}
	return count
}
