package reports

// The forms of a report, and the names of their files.

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Format is a form that a report can be written in.
type Format struct {
	Name  string
	File  string // in the report folder
	Holds string
	Write func(io.Writer, *Report) error
}

// Formats lists all forms. Those that every run writes come first.
func Formats() []Format {
	return []Format{
		{"json", "report.json", "the document, with the exchanges that show findings", WriteLeanJSON},
		{"exchanges", ExchangesFile, "all exchanges", WriteExchanges},
		{"junit", junitFile, "JUnit XML", WriteJUnit},
		{"html", pageFile, "the page", WriteHTML},
		{wholeFormat, "report-full.json", "the document with all exchanges", WriteJSON},
		{"markdown", "summary.md", "a summary for a job or a merge request", WriteMarkdown},
		{"sarif", "report.sarif", "SARIF 2.1.0", WriteSARIF},
		{"ctrf", "ctrf.json", "Common Test Report Format", WriteCTRF},
		{"tap", "report.tap", "TAP 14", WriteTAP},
		{"badge", "badge.svg", "a badge", WriteBadge},
		{"badge-json", "badge.json", "a badge by shields.io", WriteBadgeJSON},
	}
}

// wholeFormat is the name of the form that holds all exchanges as they are.
const wholeFormat = "json-full"

// changesFormats lists the forms of what is new since an earlier report. A run with a baseline writes them.
func changesFormats() []Format {
	inJSON := func(w io.Writer, r *Report) error { return r.Changes.WriteJSON(w) }
	inMarkdown := func(w io.Writer, r *Report) error { return r.Changes.WriteMarkdown(w) }
	return []Format{
		{"changes-json", "changes.json", "what is new, as a document", inJSON},
		{"changes-markdown", "changes.md", "what is new, for a merge request", inMarkdown},
	}
}

// usualFormats are written by every run.
const usualFormats = 4

// FormatsNamed returns the forms of these names beside those that every run writes.
func FormatsNamed(names []string) ([]Format, error) {
	all := Formats()
	chosen := all[:usualFormats:usualFormats]
	for _, name := range names {
		at := slices.IndexFunc(all, func(f Format) bool { return f.Name == name })
		if at < 0 {
			return nil, fmt.Errorf("there is no format %q; take of %s", name, strings.Join(formatNames(all), ", "))
		}
		if !slices.ContainsFunc(chosen, func(f Format) bool { return f.Name == name }) {
			chosen = append(chosen, all[at])
		}
	}
	return chosen, nil
}

// FurtherFormats returns the names of the forms that a run writes when it is asked to.
func FurtherFormats() []string { return formatNames(Formats()[usualFormats:]) }

func formatNames(all []Format) []string {
	names := make([]string, 0, len(all))
	for _, format := range all {
		names = append(names, format.Name)
	}
	return names
}
