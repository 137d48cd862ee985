package reports

// Small formats of other tools: CTRF, TAP, GitHub's annotations, badges.

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"slices"
	"strings"
)

type ctrfReport struct {
	Format  string      `json:"reportFormat"`
	Version string      `json:"specVersion"`
	Results ctrfResults `json:"results"`
}

type ctrfResults struct {
	Tool    ctrfTool    `json:"tool"`
	Summary ctrfSummary `json:"summary"`
	Tests   []ctrfTest  `json:"tests"`
}

type ctrfTool struct {
	Name    string `json:"name"`
	Version string `json:"version,omitempty"`
}

// ctrfSummary counts tests. Times are milliseconds since 1970.
type ctrfSummary struct {
	Tests   int   `json:"tests"`
	Passed  int   `json:"passed"`
	Failed  int   `json:"failed"`
	Pending int   `json:"pending"`
	Skipped int   `json:"skipped"`
	Other   int   `json:"other"`
	Start   int64 `json:"start"`
	Stop    int64 `json:"stop"`
}

type ctrfTest struct {
	Name     string   `json:"name"`
	Status   string   `json:"status"`
	Raw      string   `json:"rawStatus"`
	Duration int64    `json:"duration"` // milliseconds
	Suite    []string `json:"suite"`
	Message  string   `json:"message,omitempty"`
	Trace    string   `json:"trace,omitempty"`
	Tags     []string `json:"tags"`
	Flaky    bool     `json:"flaky"`
	Retries  int      `json:"retries"`
}

// WriteCTRF writes the specs in the Common Test Report Format.
func WriteCTRF(w io.Writer, r *Report) error {
	safe := sanitized(r)
	start := safe.StartedAt.UnixMilli()
	results := ctrfResults{Tool: ctrfTool{safe.Tool.Name, safe.Tool.Version}, Tests: []ctrfTest{},
		Summary: ctrfSummary{Start: max(0, start), Stop: max(0, start+int64(safe.DurationMS))}}
	for _, c := range casesOf(safe) {
		test := ctrfTest{Name: c.name, Status: ctrfStatus(c.outcome), Raw: string(c.outcome), Suite: []string{c.suite},
			Message: c.message, Tags: []string{}}
		if c.spec != nil {
			test.Duration, test.Flaky, test.Retries, test.Trace = int64(c.spec.DurationMS), c.spec.Flaky, c.spec.Retries(), c.text
			test.Tags = slices.Clone(c.spec.Requirements)
		}
		results.Summary.count(test.Status)
		results.Tests = append(results.Tests, test)
	}
	encoder := json.NewEncoder(w)
	encoder.SetIndent("", "  ")
	return encoder.Encode(ctrfReport{"CTRF", "0.0.0", results})
}

func ctrfStatus(o Outcome) string {
	switch o {
	case Passed, Warned:
		return "passed"
	case Failed, BrokenHarness:
		return "failed"
	case CouldNotRun:
		return "pending"
	case NotApplicable, Waived:
		return "skipped"
	}
	return "other"
}

func (s *ctrfSummary) count(status string) {
	s.Tests++
	switch status {
	case "passed":
		s.Passed++
	case "failed":
		s.Failed++
	case "pending":
		s.Pending++
	case "skipped":
		s.Skipped++
	default:
		s.Other++
	}
}

// plainCase is a spec, or what else a run stands or falls by, as simple formats show it.
type plainCase struct {
	suite, name, message, text string
	outcome                    Outcome
	spec                       *Spec
}

// casesOf lists what a report stands or falls by: its specs, the verdict where there is none, waivers that fit no more.
func casesOf(r *Report) []plainCase {
	var cases []plainCase
	if r.Verdict != Conformant && r.Verdict != NotConformant {
		cases = append(cases, plainCase{suite: runSuite, name: "verdict", outcome: BrokenHarness,
			message: r.Verdict.Title() + ": " + strings.Join(slices.Concat(r.Reasons, r.Errors), "; ")})
	}
	for _, waiver := range r.Waivers {
		if waiver.Misfit() {
			cases = append(cases, plainCase{suite: runSuite, name: "waiver " + waiver.ID, outcome: Failed, message: waiver.StateTitle()})
		}
	}
	builder := junitBuilder{report: r, catalogue: catalogueOf(r)}
	for i := range r.Specs {
		spec := &r.Specs[i]
		c := plainCase{suite: spec.Topic, name: spec.Title(), outcome: spec.Outcome, message: spec.Reason, spec: spec}
		if found := FindingsOf(spec, r.Strict, spec.Outcome); len(found) > 0 {
			problem := builder.problem(found)
			c.message, c.text = problem.Message, strings.TrimSpace(problem.Text)
		}
		cases = append(cases, c)
	}
	return cases
}

// WriteTAP writes the specs as TAP 14.
func WriteTAP(w io.Writer, r *Report) error {
	cases := casesOf(sanitized(r))
	var text strings.Builder
	fmt.Fprintf(&text, "TAP version 14\n1..%d\n", len(cases))
	for i, c := range cases {
		word, directive := "ok", ""
		switch c.outcome {
		case Failed, BrokenHarness:
			word = "not ok"
		case NotApplicable, CouldNotRun, Waived, Untested:
			directive = " # SKIP " + SanitizeLine(c.outcome.Title()+": "+c.message)
		}
		fmt.Fprintf(&text, "%s %d - %s%s\n", word, i+1, tapText(c.suite+": "+c.name), directive)
		if c.message != "" && directive == "" {
			message, _ := json.Marshal(c.message) // a JSON text is a YAML scalar
			fmt.Fprintf(&text, "  ---\n  message: %s\n  severity: %s\n  ...\n", message, c.outcome)
		}
	}
	return writeAll(w, text.String())
}

// tapText keeps a name from being read as a directive.
func tapText(text string) string {
	return strings.NewReplacer(`\`, `\\`, "#", `\#`).Replace(SanitizeLine(text))
}

// shownAnnotations is how many annotations of a kind GitHub shows of a step.
const shownAnnotations = 10

// WriteAnnotations writes the findings as workflow commands of GitHub Actions. They must go to standard output.
func WriteAnnotations(w io.Writer, r *Report) error {
	safe := sanitized(Complete(r))
	var text strings.Builder
	if safe.Verdict != Conformant && safe.Verdict != NotConformant {
		annotate(&text, "error", "shopcheck: "+safe.Verdict.Title(), strings.Join(slices.Concat(safe.Reasons, safe.Errors), "; "))
	}
	written := map[string]int{}
	for _, cause := range safe.Causes {
		kind := "error"
		switch cause.Outcome {
		case Warned:
			kind = "warning"
		case Waived:
			kind = "notice"
		}
		if written[kind]++; written[kind] <= shownAnnotations {
			annotate(&text, kind, ruleOf(cause), oneLineOf(cause))
		}
	}
	return writeAll(w, text.String())
}

func annotate(text *strings.Builder, kind, title, message string) {
	data := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	property := strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
	fmt.Fprintf(text, "::%s title=%s::%s\n", kind, property.Replace(title), data.Replace(message))
}

// badgeOf says the verdict in two words and a colour.
func badgeOf(r *Report) (label, message, colour string) {
	summary := Summarize(r)
	message = SanitizeLine(strings.ToLower(r.Verdict.Title()))
	if failed := summary.Requirements[Failed]; failed > 0 {
		message += fmt.Sprintf(" (%d of %d)", failed, summary.Requirements.Applicable())
	}
	switch r.Verdict {
	case Conformant:
		return "conformance", message, "#1a7a48"
	case NotConformant:
		return "conformance", message, "#bf2c26"
	}
	return "conformance", message, "#8a5c00"
}

// WriteBadgeJSON writes what shields.io makes a badge of.
func WriteBadgeJSON(w io.Writer, r *Report) error {
	label, message, colour := badgeOf(r)
	return json.NewEncoder(w).Encode(map[string]any{"schemaVersion": 1, "label": label, "message": message, "color": colour,
		"isError": r.Verdict != Conformant})
}

// WriteBadge writes a badge as a picture.
func WriteBadge(w io.Writer, r *Report) error {
	label, message, colour := badgeOf(r)
	left, right := badgeWidth(label), badgeWidth(message)
	return writeAll(w, fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="20" role="img" aria-label="%s: %s">`+
		`<rect width="%d" height="20" rx="3" fill="#555"/><rect x="%d" width="%d" height="20" rx="3" fill="%s"/>`+
		`<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`+
		`<text x="%d" y="14">%s</text><text x="%d" y="14">%s</text></g></svg>`+"\n",
		left+right, html.EscapeString(label), html.EscapeString(message), left+right, left, right, colour,
		left/2, html.EscapeString(label), left+right/2, html.EscapeString(message)))
}

// badgeWidth is the width of a text of 11 pixels with its margins, in pixels.
func badgeWidth(text string) int { return 7*len(text) + 12 }
