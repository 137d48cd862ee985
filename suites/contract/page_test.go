package contract

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the page of the requirements anew")

// TestThePageOfTheRequirements compares suites/REQUIREMENTS.md with the catalogue.
func TestThePageOfTheRequirements(t *testing.T) {
	const file = "../REQUIREMENTS.md"
	if *update {
		if err := os.WriteFile(file, []byte(page()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(written) != page() {
		t.Error("suites/REQUIREMENTS.md is not what the catalogue says: run go test ./suites/contract -run Page -update")
	}
}

const pageHead = `<!-- made by go test ./suites/contract -run Page -update -->
# Requirements

All statements of the contract, in its order, under ids that never change their meaning: %d must hold, %d should, and for %d a run says
only what it observed. %d cannot be tested from outside. ` + "`shopcheck explain ID`" + ` tells of each which specs verify it, and which
deliberate violations prove that they do.
`

// page writes the catalogue down as Markdown: a section for each of the contract's, a row for each requirement.
func page() string {
	levels, untestable := map[string]int{}, 0
	rows := map[string]*strings.Builder{}
	for _, r := range All().List() {
		levels[string(r.Level)]++
		if rows[r.Section] == nil {
			rows[r.Section] = &strings.Builder{}
		}
		statement := r.Statement
		if r.Untestable != "" {
			untestable++
			statement += " *Not tested: " + r.Untestable + "*"
		}
		fmt.Fprintf(rows[r.Section], "| `%s` | %s | %s |\n", r.ID, r.Level, cell(statement))
	}
	var text strings.Builder
	fmt.Fprintf(&text, pageHead, levels["must"], levels["should"], levels["observed"], untestable)
	for _, section := range Sections() {
		const table = "\n## %s\n\n%s\n\n| Id | Level | Statement |\n|---|---|---|\n%s"
		fmt.Fprintf(&text, table, section.Title, section.Summary, rows[section.Title])
	}
	return text.String()
}

// cell keeps a text from ending its cell, or from being taken for a tag.
func cell(text string) string { return strings.NewReplacer("|", `\|`, "<", "&lt;").Replace(text) }
