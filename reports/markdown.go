package reports

// The report as Markdown: what a job summary or a comment of a merge request shows.

import (
	"fmt"
	"io"
	"strings"
)

const (
	summaryFindings = 20       // findings that are explained in a summary
	summaryBytes    = 60 << 10 // of a summary in all: merge requests take 64 KiB
)

// WriteMarkdown writes the verdict, the counts and the findings. It is cut where a merge request would refuse it.
func WriteMarkdown(w io.Writer, r *Report) error {
	safe := sanitized(r)
	var text strings.Builder
	summary := Summarize(safe)
	fmt.Fprintf(&text, "## %s %s: %s\n\n%s\n\n", glyph(safe.Verdict), safe.Verdict.Title(), markdownLine(safe.Target.URL), safe.Meaning())
	for _, reason := range safe.Reasons {
		fmt.Fprintf(&text, "- %s\n", markdownLine(reason))
	}
	writeTallies(&text, summary)
	writeFindings(&text, safe)
	if len(summary.Flaky) > 0 {
		fmt.Fprintf(&text, "\n%s passed only because requests were sent again.\n", Plural(len(summary.Flaky), "spec", "specs"))
	}
	if n := len(safe.Leftovers); n > 0 {
		fmt.Fprintf(&text, "\n%s of this run could not be deleted; `shopcheck cleanup` does it.\n", Plural(n, "record", "records"))
	}
	if n := len(safe.Kept); n > 0 {
		fmt.Fprintf(&text, "\n%s of failed specs kept; this deletes them:\n\n", Plural(n, "record", "records"))
		for _, line := range safe.Cleanup {
			fmt.Fprintf(&text, "- %s\n", markdownCode(line))
		}
	}
	return writeAll(w, text.String())
}

func writeTallies(text *strings.Builder, summary Summary) {
	text.WriteString("\n| | requirements | specs |\n|---|---:|---:|\n")
	for _, outcome := range Outcomes() {
		if requirements, specs := summary.Requirements[outcome], summary.Specs[outcome]; requirements+specs > 0 {
			fmt.Fprintf(text, "| %s %s | %d | %d |\n", glyph(outcome), outcome.Title(), requirements, specs)
		}
	}
}

func writeFindings(text *strings.Builder, r *Report) {
	causes := Causes(r)
	if len(causes) == 0 {
		return
	}
	fmt.Fprintf(text, "\n### %s\n", Plural(len(causes), "finding", "findings"))
	scripts := ScriptFiles(r)
	for i, cause := range causes {
		finding := findingInMarkdown(cause, scripts[cause.ID], r)
		if i == summaryFindings || text.Len()+len(finding) > summaryBytes {
			fmt.Fprintf(text, "\n… and %d more in the report.\n", len(causes)-i)
			return
		}
		text.WriteString(finding)
	}
}

func findingInMarkdown(cause Cause, script string, r *Report) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n<details><summary>%s <b>%s</b> %s</summary>\n\n",
		glyph(cause.Outcome), cause.Outcome.Title(), htmlLine(cause.What()))
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&text, "- %s: %s\n", label, markdownCode(shortened(value)))
		}
	}
	line("wanted", cause.Want)
	line("got", cause.Got)
	line("at", cause.Place)
	line("breaks", firstOf(cause.Requirements))
	line("specs", firstOf(cause.Specs))
	if found := r.Found(cause); len(found) > 0 {
		if e := found[0].Exchanged(); e != nil && len(e.Curl) <= markdownCurl {
			line("repeat", e.Curl)
			line("gone", e.GoneInWords())
		}
	}
	if again := r.Rerun(cause); len(again) <= markdownCurl {
		line("again", again)
	}
	line("script", script)
	text.WriteString("\n</details>\n")
	return text.String()
}

const (
	markdownListed = 5   // ids of a list
	markdownCurl   = 400 // bytes of a command: half of one is of no use
)

func firstOf(ids []string) string {
	if len(ids) <= markdownListed {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:markdownListed], ", "), len(ids)-markdownListed)
}

// markdownLine makes text inert: no markup, one line.
func markdownLine(text string) string {
	var out strings.Builder
	for _, char := range SanitizeLine(text) {
		if strings.ContainsRune("\\`*_{}[]<>()#+!|~@$&", char) {
			out.WriteByte('\\')
		}
		out.WriteRune(char)
	}
	return out.String()
}

// markdownCode puts text into a code span that it cannot leave.
func markdownCode(text string) string {
	text = SanitizeLine(text)
	fence := "`"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + " " + text + " " + fence
}

func htmlLine(text string) string {
	inert := strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", "`", "&#96;", "*", "&#42;", "_", "&#95;", "[", "&#91;",
		"@", "&#64;")
	return inert.Replace(SanitizeLine(text))
}
