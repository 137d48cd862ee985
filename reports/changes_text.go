package reports

// A comparison as people read it: on a terminal, as Markdown, as a page. All three show the same parts in the same order.

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// changePart is one headed list of a comparison.
type changePart struct {
	Title string
	Lines []changeLine
}

// Open reports whether the page shows the list unfolded: it is what the reader came for.
func (p changePart) Open() bool {
	return slices.Contains([]string{titleIncomparable, titleNew, titleWorse}, p.Title)
}

// The titles of the lists that count.
const (
	titleIncomparable = "Not comparable"
	titleNew          = "New findings"
	titleWorse        = "Known findings that break more"
)

// changeLine is one thing that changed: what, and more about it.
type changeLine struct {
	Mark, What, More string
	Link             string // to its place in the page of the newer report; empty where it has none
}

// Class names the colour in which the page shows the line.
func (l changeLine) Class() string {
	return map[string]string{"+": "is-failed", "-": "is-passed", "=": "is-warned"}[l.Mark]
}

// Verdict says in a sentence what the comparison comes to.
func (c *Comparison) Verdict() string {
	switch c.ExitCode() {
	case NotComparable:
		return "These reports cannot be compared."
	case SomethingNew:
		return "Something is new: " + c.count() + "."
	}
	if len(c.NewFindings) > 0 {
		return "Nothing new fails; " + c.count() + "."
	}
	return "Nothing is new."
}

func (c *Comparison) count() string {
	var parts []string
	for _, part := range []struct {
		n         int
		one, many string
	}{
		{len(c.NewFindings), "new finding", "new findings"},
		{len(c.Worse), "known finding that breaks more", "known findings that break more"},
		{len(c.CoverageLost), "requirement no longer tested", "requirements no longer tested"},
	} {
		if part.n > 0 {
			parts = append(parts, Plural(part.n, part.one, part.many))
		}
	}
	return strings.Join(parts, ", ")
}

func (s Side) line() string {
	return strings.TrimSpace(fmt.Sprintf("%s, %s, %s, %s %s", s.Target, s.StartedAt.UTC().Format("2006-01-02 15:04 UTC"),
		strings.ToLower(s.Verdict.Title()), Plural(s.Findings, "finding", "findings"), s.Version))
}

// parts are the lists that hold something.
func (c *Comparison) parts() []changePart {
	parts := []changePart{
		{Title: titleIncomparable},
		causePart(titleNew, "+", c.NewFindings), causePart(titleWorse, "+", c.Worse),
		causePart("Fixed findings", "-", c.Fixed), causePart("Still broken", "=", c.Known),
		requirementPart("No longer tested", c.CoverageLost), requirementPart("Requirements with another outcome", c.Requirements),
		{Title: "Observations that differ"}, {Title: "Latency"},
	}
	for _, reason := range c.Incomparable {
		parts[0].Lines = append(parts[0].Lines, changeLine{Mark: "!", What: reason})
	}
	for _, change := range c.Observations {
		became := valuesInWords(change.Old) + " → " + valuesInWords(change.New)
		parts[7].Lines = append(parts[7].Lines, changeLine{Mark: "~", What: change.Key, More: became})
	}
	parts[8].Lines = c.Latency.lines()
	return slices.DeleteFunc(parts, func(p changePart) bool { return len(p.Lines) == 0 })
}

func causePart(title, mark string, causes []Cause) changePart {
	part := changePart{Title: title}
	for _, cause := range causes {
		more := cause.Outcome.Title() + ", " + cause.ID + ": " + cause.Requirement
		if n := len(cause.Requirements); n > 1 {
			more += fmt.Sprintf(" and %d more", n-1)
		}
		what := cause.What()
		if cause.Want != "" || cause.Got != "" {
			what += ": wanted " + shortened(cause.Want) + ", got " + shortened(cause.Got)
		}
		line := changeLine{Mark: mark, What: what, More: more}
		if mark != "-" {
			line.Link = "#finding=" + cause.ID
		}
		part.Lines = append(part.Lines, line)
	}
	return part
}

func requirementPart(title string, changes []RequirementChange) changePart {
	part := changePart{Title: title}
	for _, change := range changes {
		part.Lines = append(part.Lines, changeLine{Mark: "~", What: change.ID, Link: "#req=" + change.ID,
			More: change.Old.Title() + " → " + strings.TrimSuffix(change.New.Title()+": "+change.Reason, ": ")})
	}
	return part
}

func (l LatencyComparison) lines() []changeLine {
	var lines []changeLine
	for _, change := range l.Changes {
		lines = append(lines, changeLine{Mark: "~", What: change.Endpoint, More: fmt.Sprintf("median %s → %s (%.1f times), p95 %s → %s",
			milliseconds(change.OldP50MS), milliseconds(change.NewP50MS), change.Factor,
			milliseconds(change.OldP95MS), milliseconds(change.NewP95MS))})
	}
	if len(lines) > 0 {
		lines = append(lines, changeLine{Mark: " ", What: fmt.Sprintf("the median endpoint takes %.2f times as long", l.Factor)})
	}
	return lines
}

func valuesInWords(values []string) string {
	if len(values) == 0 {
		return "nothing"
	}
	return strings.Join(values, " | ")
}

// WriteText writes the comparison for a terminal.
func (c *Comparison) WriteText(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "old: %s\nnew: %s\n", SanitizeLine(c.Old.line()), SanitizeLine(c.New.line()))
	for _, part := range c.parts() {
		fmt.Fprintf(&text, "\n%s (%d)\n", strings.ToUpper(part.Title), len(part.Lines))
		for _, line := range part.Lines {
			fmt.Fprintf(&text, "  %s %s\n", line.Mark, SanitizeLine(line.What))
			if line.More != "" {
				fmt.Fprintf(&text, "      %s\n", SanitizeLine(line.More))
			}
		}
	}
	fmt.Fprintf(&text, "\n%s\n", c.Verdict())
	return writeAll(w, text.String())
}

// WriteMarkdown writes the comparison for a merge request.
func (c *Comparison) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	fmt.Fprintf(&text, "## %s\n\n- before: %s\n- after: %s\n", c.Verdict(), markdownLine(c.Old.line()), markdownLine(c.New.line()))
	for _, part := range c.parts() {
		fmt.Fprintf(&text, "\n### %s (%d)\n\n", part.Title, len(part.Lines))
		for _, line := range part.Lines {
			fmt.Fprintf(&text, "- %s", markdownLine(line.What))
			if line.More != "" {
				fmt.Fprintf(&text, "  \n  %s", markdownLine(line.More))
			}
			text.WriteByte('\n')
		}
	}
	return writeAll(w, text.String())
}

// WriteJSON writes the comparison as a document.
func (c *Comparison) WriteJSON(w io.Writer) error {
	return Encode(w, Rewritten(c, strings.Clone))
}

// WriteHTML writes the comparison as a page that needs no network.
func (c *Comparison) WriteHTML(w io.Writer) error {
	about, err := newSources()
	if err != nil {
		return err
	}
	shown := Rewritten(c, Sanitize)
	parts := shown.parts()
	for _, part := range parts {
		for i := range part.Lines {
			part.Lines[i].Link = "" // it leads to a place in a report's page
		}
	}
	return execute(w, "html/changes/changes.html", struct {
		*Comparison
		sources
		Parts []changePart
	}{shown, about, parts})
}

func writeAll(w io.Writer, text string) error {
	_, err := io.WriteString(w, text)
	return err
}
