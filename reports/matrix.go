package reports

// Many reports beside each other: the sections of the contract as rows, targets or runs as columns. What a team looks at that keeps a
// hundred shops.

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// Matrix holds how each section of the contract fares at each target.
type Matrix struct {
	Columns  []MatrixColumn  `json:"columns"`
	Rows     []MatrixRow     `json:"rows"`
	Findings []MatrixFinding `json:"findings"` // those of the most columns first
}

// MatrixColumn is a target with its newest run, or one run.
type MatrixColumn struct {
	Title     string    `json:"title"`
	StartedAt time.Time `json:"started_at"`
	Verdict   Verdict   `json:"verdict"`
	Revision  string    `json:"revision"` // of the contract
	Part      bool      `json:"part"`     // it is about some of the specs only
	Page      string    `json:"page,omitempty"`
	Runs      int       `json:"runs"` // how many are known of the target until then
	Total     Cell      `json:"total"`
	// Incomparable says why the run before makes no trend: it answers another question. Empty where it does, and where there is none.
	Incomparable []string `json:"incomparable,omitempty"`
}

// MatrixRow is a section of the contract, with a cell for each column.
type MatrixRow struct {
	Section string `json:"section"`
	Cells   []Cell `json:"cells"`
}

// Cell says how the requirements of a section fare at a target.
type Cell struct {
	Hold     int      `json:"hold"`
	Judged   int      `json:"judged"` // all that apply, but for those that no spec of the run is about
	Failed   int      `json:"failed"`
	Warned   int      `json:"warned"`
	Unable   int      `json:"unable"`             // could not run
	Earlier  *float64 `json:"earlier,omitempty"`  // the share of the run before
	First    string   `json:"first,omitempty"`    // the requirement to look at first
	Untested int      `json:"untested,omitempty"` // no spec of the run is about them
}

// MatrixFinding is a finding that some of the columns have.
type MatrixFinding struct {
	Cause
	At []string `json:"at"` // for each column the id of the finding there; empty where it has none
}

// MatrixRun is a report with the address of its page, seen from where the matrix will be; empty where it has none.
type MatrixRun struct {
	Report *Report
	Page   string
}

// Share is the part of the judged requirements that hold, from 0 to 1; 1 of none.
func (c Cell) Share() float64 {
	if c.Judged == 0 {
		return 1
	}
	return float64(c.Hold) / float64(c.Judged)
}

// NewMatrix sums up runs. Those of one target, by its address and dialect, are a column with the newest run and its trend; with
// eachRun each run is a column.
func NewMatrix(runs []MatrixRun, eachRun bool) *Matrix {
	byTarget := map[string][]MatrixRun{}
	var targets []string
	for _, run := range runs {
		key := run.Report.Target.URL + " " + run.Report.Target.Dialect
		if byTarget[key] == nil {
			targets = append(targets, key)
		}
		byTarget[key] = append(byTarget[key], run)
	}
	m := &Matrix{Findings: []MatrixFinding{}}
	for _, key := range targets {
		ofTarget := byTarget[key]
		slices.SortStableFunc(ofTarget, func(a, b MatrixRun) int { return a.Report.StartedAt.Compare(b.Report.StartedAt) })
		for i := range ofTarget {
			if eachRun || i == len(ofTarget)-1 {
				m.add(ofTarget[:i+1])
			}
		}
	}
	slices.SortStableFunc(m.Findings, func(a, b MatrixFinding) int { return cmp.Compare(b.count(), a.count()) })
	return m
}

// add appends a column: the last run of a target, with the one before for the trend.
func (m *Matrix) add(runs []MatrixRun) {
	run := runs[len(runs)-1]
	r := Complete(run.Report)
	var earlier map[string]Cell
	var incomparable []string
	if len(runs) > 1 {
		before := runs[len(runs)-2].Report
		if incomparable = Obstacles(before, r); len(incomparable) == 0 {
			earlier = cellsOf(before)
		}
	}
	trend := func(section string, c Cell) Cell {
		if was, known := earlier[section]; known && was.Judged > 0 {
			share := was.Share()
			c.Earlier = &share
		}
		return c
	}
	cells := cellsOf(r)
	m.Columns = append(m.Columns, MatrixColumn{Title: r.Target.URL, StartedAt: r.StartedAt, Verdict: r.Verdict,
		Revision: r.Contract.Revision, Part: !r.IsWhole(), Page: run.Page, Runs: len(runs), Total: trend(allSections, cells[allSections]),
		Incomparable: incomparable})
	for _, section := range Coverage(r) {
		if !slices.ContainsFunc(m.Rows, func(row MatrixRow) bool { return row.Section == section.Section }) {
			m.Rows = append(m.Rows, MatrixRow{Section: section.Section})
		}
	}
	for i := range m.Rows {
		row := &m.Rows[i]
		row.Cells = append(row.Cells, make([]Cell, len(m.Columns)-1-len(row.Cells))...)
		row.Cells = append(row.Cells, trend(row.Section, cells[row.Section]))
	}
	m.addFindings(r.Causes)
}

// addFindings puts those of the last column beside those that share a signature with them.
func (m *Matrix) addFindings(causes []Cause) {
	for i := range m.Findings {
		m.Findings[i].At = append(m.Findings[i].At, "")
	}
	last := len(m.Columns) - 1
	for _, cause := range causes {
		if cause.Outcome == Waived {
			continue
		}
		at := slices.IndexFunc(m.Findings, func(f MatrixFinding) bool { return sharesSignature(cause, []Cause{f.Cause}) })
		if at < 0 {
			at = len(m.Findings)
			m.Findings = append(m.Findings, MatrixFinding{cause, make([]string, len(m.Columns))})
		}
		m.Findings[at].At[last] = cause.ID
	}
}

func (f MatrixFinding) count() int {
	n := 0
	for _, id := range f.At {
		if id != "" {
			n++
		}
	}
	return n
}

// allSections is the key of the cell about the whole contract.
const allSections = "\x00all"

func cellsOf(r *Report) map[string]Cell {
	cells, worst := map[string]Cell{allSections: {}}, map[string]Outcome{}
	for _, requirement := range r.Requirements {
		for _, section := range []string{requirement.Section, allSections} {
			cell := cells[section]
			cell.count(requirement)
			deviates := requirement.Outcome != Passed && requirement.Outcome != Untested && requirement.Outcome != NotApplicable
			if deviates && (cell.First == "" || urgency(requirement.Outcome) < urgency(worst[section])) {
				cell.First, worst[section] = requirement.ID, requirement.Outcome
			}
			cells[section] = cell
		}
	}
	return cells
}

func (c *Cell) count(r Requirement) {
	switch r.Outcome {
	case NotApplicable:
		return
	case Untested:
		c.Untested++
		return
	case Passed:
		c.Hold++
	case Warned:
		c.Warned++
	case CouldNotRun:
		c.Unable++
	default:
		c.Failed++
	}
	c.Judged++
}

// Text is the cell in a few characters: share and trend.
func (c Cell) Text() string {
	if c.Judged == 0 {
		return "–"
	}
	return percent(c.Share()) + c.Trend()
}

// percent never rounds to what is not reached: 100 % is all.
func percent(share float64) string {
	if share < 1 && share > 0.99 {
		return fmt.Sprintf("%.1f %%", min(share*100, 99.9))
	}
	return fmt.Sprintf("%.0f %%", share*100)
}

// Trend is an arrow with the difference to the run before, in percentage points; empty where nothing changed or is known.
func (c Cell) Trend() string {
	if c.Earlier == nil {
		return ""
	}
	switch change := 100 * (c.Share() - *c.Earlier); {
	case change >= 0.05:
		return fmt.Sprintf(" ▲%.1f", change)
	case change <= -0.05:
		return fmt.Sprintf(" ▼%.1f", -change)
	}
	return ""
}

// Title is the cell in words.
func (c Cell) Title() string {
	text := fmt.Sprintf("%d of %d requirements hold", c.Hold, c.Judged)
	for _, part := range []struct {
		n    int
		word string
	}{{c.Failed, "deviate"}, {c.Warned, "warned"}, {c.Unable, "could not run"}, {c.Untested, "not tested"}} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.word)
		}
	}
	return text
}

// Outcome is the worst in the cell.
func (c Cell) Outcome() Outcome {
	switch {
	case c.Failed > 0:
		return Failed
	case c.Unable > 0:
		return CouldNotRun
	case c.Warned > 0:
		return Warned
	case c.Judged == 0:
		return NotApplicable
	}
	return Passed
}

// WriteMarkdown writes the table for a job summary or a wiki.
func (m *Matrix) WriteMarkdown(w io.Writer) error {
	var text strings.Builder
	line := func(cells ...string) { text.WriteString("| " + strings.Join(cells, " | ") + " |\n") }
	head, rule, verdicts, total := []string{"Section"}, []string{"---"}, []string{"verdict"}, []string{"**all**"}
	for _, column := range m.Columns {
		title := markdownLine(column.Title)
		if column.Page != "" {
			title = "[" + title + "](<" + strings.NewReplacer("<", "%3C", ">", "%3E", "\n", "").Replace(column.Page) + ">)"
		}
		head, rule = append(head, title+" "+stamp(column.StartedAt)), append(rule, "---:")
		verdicts = append(verdicts, glyph(column.Verdict)+" "+column.VerdictText())
		total = append(total, "**"+column.Total.Text()+"**")
	}
	line(head...)
	line(rule...)
	line(verdicts...)
	line(total...)
	for _, row := range m.Rows {
		cells := []string{markdownLine(row.Section)}
		for _, cell := range row.Cells {
			cells = append(cells, cell.Text())
		}
		line(cells...)
	}
	for _, column := range m.Columns {
		if why := column.WithoutTrend(); why != "" {
			fmt.Fprintf(&text, "\n%s %s: %s\n", markdownLine(column.Title), stamp(column.StartedAt), markdownLine(why))
		}
	}
	if len(m.Findings) > 0 {
		text.WriteString("\n")
	}
	for _, finding := range m.Findings {
		fmt.Fprintf(&text, "- %s at %d of %d: %s\n", finding.Requirement, finding.count(), len(m.Columns),
			markdownLine(shortened(finding.What())))
	}
	return writeAll(w, text.String())
}

func stamp(at time.Time) string { return at.UTC().Format("2006-01-02 15:04") }

// WithoutTrend says why the column has no trend though there is a run before; empty where it has one, or where there is none.
func (c MatrixColumn) WithoutTrend() string {
	if len(c.Incomparable) == 0 {
		return ""
	}
	return "no trend, as it cannot be compared with the run before: " + strings.Join(c.Incomparable, "; ")
}

// VerdictText is the verdict, with what it is about where that is not all.
func (c MatrixColumn) VerdictText() string {
	if c.Part {
		return c.Verdict.Title() + " (in part)"
	}
	return c.Verdict.Title()
}

// WriteJSON writes the matrix as a document.
func (m *Matrix) WriteJSON(w io.Writer) error {
	return Encode(w, m)
}

// WriteHTML writes the matrix as a page that needs no network. Each cell leads to the page of its report.
func (m *Matrix) WriteHTML(w io.Writer) error {
	about, err := newSources()
	if err != nil {
		return err
	}
	return execute(w, "html/matrix/matrix.html", struct {
		*Matrix
		sources
	}{Rewritten(m, Sanitize), about})
}
