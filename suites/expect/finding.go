package expect

// Structured failures inside Gomega's failure messages.

import (
	"crypto/rand"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"shopcheck/reports"
)

// NoExchange marks a finding that is about no particular exchange.
const NoExchange = -1

// marker comes before the structure. It is another one in each process: no text of a target can hold it, and talk a failure away.
var marker = "\x00findings " + rand.Text() + ":"

// Encode writes findings as a failure message: readable text first, then the structure.
func Encode(findings ...reports.Finding) string {
	var text strings.Builder
	for i, f := range findings {
		if i > 0 {
			text.WriteByte('\n')
		}
		text.WriteString(Explain(f))
	}
	structure, err := json.Marshal(findings)
	if err != nil { // strings and integers only: cannot happen
		return text.String()
	}
	return text.String() + marker + string(structure)
}

// Decode finds the structure in a failure message. A message of a plain Gomega matcher is read as well as it can be; where
// nobody said what it is about, the finding's message is empty.
func Decode(message string) []reports.Finding {
	description, structure, found := strings.Cut(message, marker)
	if !found {
		return []reports.Finding{readPlain(message)}
	}
	var findings []reports.Finding
	if err := json.NewDecoder(strings.NewReader(structure)).Decode(&findings); err != nil {
		return []reports.Finding{readPlain(description)}
	}
	return findings
}

// Explain says a finding in one paragraph.
func Explain(f reports.Finding) string {
	where := ""
	if f.Path != "" {
		where = " at " + f.Path
	}
	return fmt.Sprintf("%s%s: wanted %s, got %s", f.Message, where, f.Want, f.Got)
}

// readPlain splits Gomega's "Expected\n    <int>: 3\nto equal\n    <int>: 5".
func readPlain(message string) reports.Finding {
	f := reports.Finding{Message: strings.TrimSpace(message), Exchange: NoExchange}
	lead, rest, found := strings.Cut(message, "Expected\n")
	if !found {
		return f
	}
	var got, want []string
	for _, line := range strings.Split(rest, "\n") {
		if len(want) == 0 && strings.HasPrefix(line, "    ") {
			got = append(got, strings.TrimSpace(line))
			continue
		}
		want = append(want, strings.TrimSpace(line))
	}
	f.Got, f.Want = bare(strings.Join(got, "\n")), bare(strings.TrimPrefix(strings.TrimSpace(strings.Join(want, " ")), "to equal "))
	f.Message = strings.TrimSpace(lead)
	if f.Message == "" && strings.Contains(rest, idsNote) {
		f.Message = "the answer lists other records, or in another order (these are their ids)"
	}
	return f
}

// idsNote is how Gomega marks the lists that specs compare most: of ids.
const idsNote = "<[]int64 "

// bare leaves the types out that Gomega writes before values: <[]int64 | len:1, cap:2>: [138].
func bare(text string) string { return typeNote.ReplaceAllString(text, "") }

var typeNote = regexp.MustCompile(`<[^<>\n]*(\|[^<>\n]*)?>: `)
