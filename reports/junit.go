package reports

// JUnit XML as CI systems read it: one suite a topic, and a first suite "run" for what belongs to no spec.

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// junitFile is the name of the file in the report folder.
const junitFile = "junit.xml"

// runSuite is the name of the suite that holds harness errors and waivers that no longer fit. It is always there, so
// that the properties are found even when nothing ran.
const runSuite = "run"

type junitReport struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []*junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name      string `xml:"name,attr"`
	Timestamp string `xml:"timestamp,attr"`
	junitCounts
	Properties []junitProperty `xml:"properties>property"`
	Cases      []junitCase     `xml:"testcase"`
}

// junitCounts are the totals of a suite or of all suites. Time is in seconds.
type junitCounts struct {
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Time     junitSeconds `xml:"time,attr"`
}

type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value string `xml:"value,attr"`
}

type junitCase struct {
	Class      string           `xml:"classname,attr"`
	Name       string           `xml:"name,attr"`
	Time       junitSeconds     `xml:"time,attr"`
	Properties *junitProperties `xml:"properties"`
	Failure    *junitProblem    `xml:"failure"`
	Error      *junitProblem    `xml:"error"`
	Skipped    *junitProblem    `xml:"skipped"`
	SystemOut  string           `xml:"system-out,omitempty"`
}

// junitProperties is left out of a case that has none: an empty list is not allowed.
type junitProperties struct {
	Properties []junitProperty `xml:"property"`
}

type junitProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

type junitSeconds float64

// MarshalText writes seconds with three decimals and without an exponent, which some readers can't parse.
func (s junitSeconds) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "%.3f", float64(s)), nil
}

// WriteJUnit writes the report as JUnit XML. A failed spec is a failure; one that is not applicable, could not run, is
// waived or only warns is skipped with its reason; a broken spec and a fault of the harness are errors, and so is a run
// without a verdict. What else is worth reading is in system-out.
func WriteJUnit(w io.Writer, r *Report) error { return writeJUnit(w, sanitized(r)) }

func writeJUnit(w io.Writer, safe *Report) error {
	document := newJUnit(safe)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return fmt.Errorf("write the JUnit report: %w", err)
	}
	encoder := xml.NewEncoder(w)
	encoder.Indent("", "  ")
	if err := encoder.Encode(document); err != nil {
		return fmt.Errorf("write the JUnit report: %w", err)
	}
	if _, err := io.WriteString(w, "\n"); err != nil {
		return fmt.Errorf("write the JUnit report: %w", err)
	}
	return nil
}

func newJUnit(r *Report) junitReport {
	builder := junitBuilder{report: r, catalogue: catalogueOf(r), topics: map[string]*junitSuite{}}
	run := builder.suite(runSuite)
	for i, text := range r.Errors {
		run.add(brokenRun(i+1, text))
	}
	if len(r.Errors) == 0 && r.Verdict != Conformant && r.Verdict != NotConformant {
		run.add(noVerdict(r))
	}
	for _, waiver := range r.Waivers {
		if waiver.Misfit() {
			run.add(misfitWaiver(waiver))
		}
	}
	for i := range r.Specs {
		builder.suite(r.Specs[i].Topic).add(builder.newCase(&r.Specs[i]))
	}
	return builder.document()
}

// junitBuilder sorts cases into suites, which keep the order in which their topics first appear.
type junitBuilder struct {
	report    *Report
	catalogue map[string]Requirement
	topics    map[string]*junitSuite
	order     []*junitSuite
}

func (b *junitBuilder) suite(topic string) *junitSuite {
	if suite, known := b.topics[topic]; known {
		return suite
	}
	suite := &junitSuite{
		Name:      topic,
		Timestamp: b.report.StartedAt.UTC().Format("2006-01-02T15:04:05"),
		Properties: []junitProperty{
			{"target", b.report.Target.URL},
			{"verdict", string(b.report.Verdict)},
			{"exit_code", fmt.Sprint(b.report.ExitCode)},
			{"contract", strings.TrimSpace(b.report.Contract.Title + " " + b.report.Contract.Revision)},
			{"tool", strings.TrimSpace(b.report.Tool.Name + " " + b.report.Tool.Version)},
			{"seed", fmt.Sprint(b.report.Tool.Seed)},
		},
	}
	b.topics[topic] = suite
	b.order = append(b.order, suite)
	return suite
}

func (b *junitBuilder) document() junitReport {
	document := junitReport{Name: b.report.Tool.Name, Suites: b.order}
	for _, suite := range b.order {
		document.Tests += suite.Tests
		document.Failures += suite.Failures
		document.Errors += suite.Errors
		document.Skipped += suite.Skipped
	}
	document.Time = junitSeconds(b.report.DurationMS / 1000)
	return document
}

func (s *junitSuite) add(c junitCase) {
	s.Cases = append(s.Cases, c)
	s.Tests++
	s.Time += c.Time
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
}

func (b *junitBuilder) newCase(spec *Spec) junitCase {
	result := junitCase{
		Class:      spec.Topic,
		Name:       spec.Title(),
		Time:       junitSeconds(spec.DurationMS / 1000),
		SystemOut:  b.remarks(spec),
		Properties: b.propertiesOf(spec),
	}
	switch spec.Outcome {
	case Failed:
		result.Failure = b.problem(FindingsOf(spec, b.report.Strict, Failed))
	case BrokenHarness:
		result.Error = b.problem(FindingsOf(spec, b.report.Strict, BrokenHarness))
	case Waived:
		result.Skipped = b.problem(FindingsOf(spec, b.report.Strict, Waived))
		result.Skipped.Message = "Waived: " + result.Skipped.Message
	case Warned: // JUnit knows no warnings, and nobody reads the output of a test that passed
		result.Skipped = b.problem(FindingsOf(spec, b.report.Strict, Warned))
		result.Skipped.Message = "Warning: " + result.Skipped.Message
	case NotApplicable, CouldNotRun, Untested:
		result.Skipped = &junitProblem{Message: strings.TrimSuffix(spec.Outcome.Title()+": "+spec.Reason, ": ")}
	}
	return result
}

// propertiesOf names what a spec verifies, and whether it passed only at a further attempt.
func (b *junitBuilder) propertiesOf(spec *Spec) *junitProperties {
	list := []junitProperty{{"spec", spec.ID}}
	sections := map[string]bool{}
	for _, id := range spec.Requirements {
		list = append(list, junitProperty{"requirement", id})
		if section := b.catalogue[id].Section; section != "" && !sections[section] {
			sections[section] = true
			list = append(list, junitProperty{"section", section})
		}
	}
	if spec.Flaky {
		list = append(list, junitProperty{"flaky", "true"})
	}
	if retries := spec.Retries(); retries > 0 {
		list = append(list, junitProperty{"retries", fmt.Sprint(retries)})
	}
	return &junitProperties{list}
}

// problem tells all findings of one kind; its message is that of the first, its type the requirement broken.
func (b *junitBuilder) problem(findings []SpecFinding) *junitProblem {
	result := &junitProblem{Message: junitMessage(findings[0].Finding), Type: findings[0].Requirement}
	if more := len(findings) - 1; more > 0 {
		result.Message += fmt.Sprintf(" (and %d more)", more)
	}
	var text strings.Builder
	for _, finding := range findings {
		text.WriteString(b.findingText(finding))
	}
	result.Text = "\n" + text.String()
	return result
}

// junitText is how much of a value or a body is shown in a failure, in bytes: a CI system shows it in a line or a small box.
const junitText = 400

// junitMessage is what a CI system lists: all that matters of a finding in one line.
func junitMessage(f Finding) string {
	if f.Want == "" && f.Got == "" {
		return shortened(f.What())
	}
	return shortened(f.What()) + ": wanted " + shortened(f.Want) + ", got " + shortened(f.Got)
}

func shortened(text string) string {
	if len(text) <= junitText {
		return text
	}
	return strings.ToValidUTF8(text[:junitText], "") + "…"
}

// findingText is a finding as plain text, one fact a line.
func (b *junitBuilder) findingText(f SpecFinding) string {
	var text strings.Builder
	line := func(label, value string) {
		if value != "" {
			fmt.Fprintf(&text, "%-12s %s\n", label, value)
		}
	}
	fmt.Fprintln(&text, f.What())
	line("requirement", f.Requirement)
	if known, ok := b.catalogue[f.Requirement]; ok {
		line("contract", known.Section+": "+known.Statement)
	}
	line("wanted", f.Want)
	line("got", f.Got)
	if exchange := f.Exchanged(); exchange != nil {
		line("request", exchange.Method+" "+exchange.URL)
		line("answer", shortened(f.AnswerText()))
		line("repeat", exchange.Curl)
	}
	line("check", f.Location)
	line("spec", f.Spec.ID)
	line("again", b.report.rerun(f.Spec.ID))
	return text.String() + "\n"
}

// remarks is what is worth reading although it fails nothing: warnings, flakiness, observations.
func (b *junitBuilder) remarks(spec *Spec) string {
	var text strings.Builder
	if spec.Flaky {
		fmt.Fprintf(&text, "flaky: passed only after requests were sent again (%d times)\n", spec.Retries())
	}
	if spec.Outcome != Warned { // whose warnings are the case's own text
		for _, warning := range FindingsOf(spec, b.report.Strict, Warned) {
			fmt.Fprintf(&text, "warning: %s", b.findingText(warning))
		}
	}
	for _, seen := range spec.Observations {
		fmt.Fprintf(&text, "observed: %s = %s\n", seen.Key, seen.Value)
	}
	return text.String()
}

func brokenRun(number int, text string) junitCase {
	return junitCase{
		Class: runSuite,
		Name:  fmt.Sprintf("harness error %d", number),
		Error: &junitProblem{Message: text, Type: string(BrokenHarness)},
	}
}

// noVerdict keeps a run that was not finished from looking green.
func noVerdict(r *Report) junitCase {
	return junitCase{
		Class: runSuite,
		Name:  "verdict",
		Error: &junitProblem{Message: r.Verdict.Title() + ": " + r.Verdict.Meaning(), Type: string(r.Verdict),
			Text: strings.Join(r.Reasons, "\n")},
	}
}

func misfitWaiver(w Waiver) junitCase {
	return junitCase{
		Class:   runSuite,
		Name:    "waiver: " + w.ID,
		Failure: &junitProblem{Message: w.StateTitle(), Type: "waiver_" + w.State, Text: w.Reason},
	}
}
