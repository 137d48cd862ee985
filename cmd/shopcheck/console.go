package main

// What a run shows on the console: a line a topic while it runs, and at the end the verdict with every failure
// explained. All text of the target goes through reports.Sanitize.

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"shopcheck/reports"
	"shopcheck/suites"
)

const (
	dotsALine      = 60
	shownFindings  = 25 // of a run; the report has all
	shownLeftovers = 10
	shownKept      = 50
	shownText      = 320  // bytes of a value
	shownCurl      = 2000 // bytes of a command
)

// console is a suites.Progress. Topics may be worked on at the same time.
type console struct {
	out      io.Writer
	progress io.Writer  // what is told while the run goes on; quiet where nobody wants it
	live     bool       // a terminal: dots as they come
	width    func() int // of the terminal, in columns
	pace     pace
	stopping func() bool // whether somebody has ended the run
	cleanup  string      // the command that deletes what the run leaves
	planned  map[string]int
	topics   []string // those that have begun and are not shown yet, oldest first
	outcomes map[string][]reports.Outcome
}

func newConsole(out io.Writer) *console {
	return &console{out: out, progress: out, live: isTerminal(out), width: func() int { return widthOf(out) },
		pace: pace{now: time.Now}, cleanup: "shopcheck cleanup", stopping: func() bool { return false },
		planned: map[string]int{}, outcomes: map[string][]reports.Outcome{}}
}

func isTerminal(stream any) bool {
	file, ok := stream.(interface{ Fd() uintptr })
	return ok && term.IsTerminal(int(file.Fd()))
}

func (c *console) print(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

// tell prints what is only worth reading while the run goes on.
func (c *console) tell(format string, args ...any) { fmt.Fprintf(c.progress, format, args...) }

// open says what is tested, and with what of the suites where it is not all.
func (c *console) open(shop string, a asked) {
	c.tell("target: %s\n", reports.SanitizeLine(shop))
	if a.label != "" {
		c.tell("only specs with the labels %s\n", a.label)
	}
	if a.focus != "" {
		c.tell("only specs with texts that match %s\n", a.focus)
	}
	if len(a.specs) > 0 {
		c.tell("only %s\n", reports.SanitizeLine(shortList(a.specs)))
	}
	if a.shard != nil {
		c.tell("only shard %d of %d\n", a.shard.Number, a.shard.Count)
	}
}

// Note implements suites.Progress.
func (c *console) Note(text string) { c.tell("%s\n", reports.SanitizeLine(text)) }

// Begin implements suites.Progress.
func (c *console) Begin(specs []suites.Planned) {
	for _, spec := range specs {
		c.planned[spec.Topic]++
	}
	c.pace.begin(specs)
	c.tell("%s in %s\n", reports.Plural(len(specs), "spec", "specs"), reports.Plural(len(c.planned), "topic", "topics"))
}

// Wait implements suites.Progress. A line is one write, so that lines of several goroutines do not mix.
func (c *console) Wait(text string) {
	if c.live {
		text = "\r\x1b[K" + reports.SanitizeLine(text)
	} else {
		text = reports.SanitizeLine(text)
	}
	c.tell("%s\n", text)
}

// Done implements suites.Progress.
func (c *console) Done(spec reports.Spec) {
	topic := spec.Topic
	if len(c.outcomes[topic]) == 0 {
		c.topics = append(c.topics, topic)
	}
	c.outcomes[topic] = append(c.outcomes[topic], spec.Outcome)
	c.pace.end(spec.ID)
	c.wipe()
	if len(c.outcomes[topic]) == c.planned[topic] {
		c.pace.topics++
		c.show(topic)
		c.topics = slices.DeleteFunc(c.topics, func(open string) bool { return open == topic })
	}
	if c.live && len(c.topics) > 0 {
		c.tell("%s", c.topicLine(c.topics[0], c.pace.left()))
	}
	if line := c.pace.beat(); line != "" && !c.live {
		c.tell("%s\n", line)
	}
}

// Clean implements suites.Progress. Where nothing is a terminal it is told once.
func (c *console) Clean(done, all int) {
	c.wipe()
	text := fmt.Sprintf("cleaning up: %d of %s", done, reports.Plural(all, "record", "records"))
	switch {
	case done == 0 && c.stopping():
		c.tell("stopping, deleting %s; again: leave them\n", reports.Plural(all, "record", "records"))
	case c.live && done < all:
		c.tell("%s", text)
	case !c.live && done == 0:
		c.tell("cleaning up %s\n", reports.Plural(all, "record", "records"))
	}
}

// wipe clears the line of a topic that is not finished.
func (c *console) wipe() {
	if c.live {
		c.tell("\r\x1b[K")
	}
}

func (c *console) show(topic string) {
	c.pace.told = c.pace.now()
	c.tell("%s\n", c.topicLine(topic, ""))
}

// topicLine is a topic with a dot a spec, what is worth knowing of them, and the time left. On a terminal it is never wider than that: a
// line that wraps cannot be taken back.
func (c *console) topicLine(topic, left string) string {
	count := map[reports.Outcome]int{}
	var dots strings.Builder
	for i, o := range c.outcomes[topic] {
		count[o]++
		if i < dotsALine {
			dots.WriteString(dot(o))
		}
	}
	head := fmt.Sprintf("%-14s %3d/%-3d ", topic, len(c.outcomes[topic]), c.planned[topic])
	tail := strings.Trim(countsInWords(count)+", "+left, ", ")
	width := unbounded
	if c.live {
		width = c.width() - 1 // some terminals wrap at the last column
	}
	return fit(width, head, dots.String(), tail)
}

// unbounded is the width of a file.
const unbounded = 1 << 20

func dot(o reports.Outcome) string {
	switch o {
	case reports.Passed:
		return "."
	case reports.Failed:
		return "F"
	case reports.Warned:
		return "w"
	case reports.Waived:
		return "v"
	case reports.NotApplicable:
		return "-"
	case reports.CouldNotRun:
		return "?"
	default:
		return "E"
	}
}

// countsInWords names every outcome but the usual one.
func countsInWords(count map[reports.Outcome]int) string {
	var parts []string
	for _, o := range reports.Outcomes() {
		if n := count[o]; n > 0 && o != reports.Passed {
			parts = append(parts, fmt.Sprintf("%d %s", n, words(string(o))))
		}
	}
	return strings.Join(parts, ", ")
}

func words(identifier string) string { return strings.ReplaceAll(identifier, "_", " ") }

// End implements suites.Progress.
func (c *console) End(r *reports.Report) {
	c.wipe()
	for _, topic := range c.topics { // what an interrupt has left
		c.show(topic)
	}
	if len(r.Specs) == 0 && r.Verdict == reports.Errored {
		return // it could not begin; the error is told where errors are
	}
	c.findings(r)
	c.notRun(r)
	c.leftovers(r.Leftovers)
	c.kept(r)
	c.gone(r.Waivers)
	c.verdict(r)
}

// gone names what the baseline expects and was not found any more: good news, which fails nothing.
func (c *console) gone(waivers []reports.Waiver) {
	var ids []string
	for _, w := range waivers {
		if w.State == "gone" {
			ids = append(ids, w.ID)
		}
	}
	if len(ids) > 0 {
		c.print("\nnot found any more, though the baseline expects it: %s\n", reports.SanitizeLine(strings.Join(ids, ", ")))
	}
}

// findings explains each cause once, with all that it breaks.
func (c *console) findings(r *reports.Report) {
	catalogue := map[string]reports.Requirement{}
	for _, requirement := range r.Requirements {
		catalogue[requirement.ID] = requirement
	}
	shown := 0
	for _, cause := range reports.Causes(r) {
		if cause.Outcome == reports.Waived {
			continue
		}
		if shown++; shown > shownFindings {
			c.print("\n… more in the report\n")
			return
		}
		c.finding(cause, r, catalogue)
	}
}

func heading(kind reports.Outcome) string {
	switch kind {
	case reports.BrokenHarness:
		return "HARNESS ERROR"
	case reports.Warned:
		return "WARNING"
	default:
		return "FAILED"
	}
}

func (c *console) finding(cause reports.Cause, r *reports.Report, catalogue map[string]reports.Requirement) {
	requirement := catalogue[cause.Requirement]
	c.print("\n%s %s  (%s, %s, %s)\n", heading(cause.Outcome), cause.Requirement, cause.ID,
		reports.Plural(len(cause.Requirements), "requirement", "requirements"), reports.Plural(len(cause.Specs), "spec", "specs"))
	if requirement.Statement != "" {
		c.print("  contract  %s: %s\n", requirement.Section, requirement.Statement)
	}
	c.print("  what      %s\n", brief(cause.What()))
	if cause.Want != "" || cause.Got != "" {
		c.print("  wanted    %s\n  got       %s\n", brief(cause.Want), brief(cause.Got))
	}
	if len(cause.Requirements) > 1 {
		c.print("  breaks    %s\n", shortList(cause.Requirements))
	}
	c.print("  specs     %s\n", reports.SanitizeLine(shortList(cause.Specs)))
	if found := r.Found(cause); len(found) > 0 {
		c.evidence(found)
	}
	c.print("  again     %s\n", r.Rerun(cause))
	if reports.WriteScript(io.Discard, r, cause) == nil {
		c.print("  script    %s\n", filepath.Join(reports.ScriptFolder, reports.ScriptFile(cause)))
	}
}

// evidence shows the first deviation of a finding.
func (c *console) evidence(found []reports.SpecFinding) {
	if e := found[0].Exchanged(); e != nil {
		c.exchange(e, found[0])
	}
	if found[0].Location != "" {
		c.print("  check     %s\n", reports.SanitizeLine(found[0].Location))
	}
}

// exchange shows the answer that a finding is about, and how to get it again.
func (c *console) exchange(e *reports.Exchange, f reports.SpecFinding) {
	c.print("  answer    %s\n", brief(f.AnswerText()))
	if n := len(f.Spec.Exchanges); n > 1 {
		c.print("  request   %d of %d of the spec; all are in the report\n", f.Exchange+1, n)
	}
	switch line := reports.SanitizeLine(e.Curl); {
	case len(line) > shownCurl: // half of a command is of no use
		c.print("  repeat    with the curl line in the report\n")
	case line != "":
		c.print("  repeat    %s\n", line)
	}
}

func brief(text string) string {
	text = reports.SanitizeLine(text)
	if len(text) > shownText {
		return strings.ToValidUTF8(text[:shownText], "") + "…"
	}
	return text
}

// notRun tells why specs could not run, each reason once.
func (c *console) notRun(r *reports.Report) {
	var reasons []string
	count := map[string]int{}
	for _, spec := range r.Specs {
		if spec.Outcome != reports.CouldNotRun {
			continue
		}
		if count[spec.Reason] == 0 {
			reasons = append(reasons, spec.Reason)
		}
		count[spec.Reason]++
	}
	for _, reason := range reasons {
		c.print("\nCOULD NOT RUN %d: %s\n", count[reason], brief(reason))
	}
}

// leftovers names what is left at the target, and how to be rid of it.
func (c *console) leftovers(left []string) {
	if len(left) == 0 {
		return
	}
	c.print("\nLEFT BEHIND %d: this deletes what carries the mark of the run, with credentials.read_write that may:\n  %s\n",
		len(left), c.cleanup)
	for i, line := range left {
		if i == shownLeftovers {
			c.print("  … more in the report\n")
			return
		}
		c.print("  %s\n", reports.SanitizeLine(line))
	}
}

// kept names what failed specs have left on purpose, and how to be rid of it.
func (c *console) kept(r *reports.Report) {
	if len(r.Kept) == 0 {
		return
	}
	c.print("\nKEPT %d, which failed specs have made or were given; this deletes them:\n", len(r.Kept))
	for _, line := range r.Cleanup {
		c.print("  %s\n", reports.SanitizeLine(line))
	}
	for i, record := range r.Kept {
		if i == shownKept {
			c.print("  … more in the report\n")
			return
		}
		c.print("  %s %d  of %s\n", reports.SanitizeLine(record.Kind), record.ID, reports.SanitizeLine(shortList(record.Specs)))
	}
}

func (c *console) verdict(r *reports.Report) {
	sum := reports.Summarize(r)
	if len(sum.Flaky) > 0 {
		c.print("\nFLAKY %d: passed only because requests were sent again: %s\n", len(sum.Flaky), shortList(sum.Flaky))
	}
	c.print("\n%s", strings.ToUpper(words(string(r.Verdict))))
	switch {
	case r.Shard != nil:
		c.print(" (of shard %s)", r.Shard)
	case !r.IsWhole():
		c.print(" (as far as selected)")
	}
	if len(r.Reasons) > 0 {
		c.print(": %s", brief(strings.Join(r.Reasons, "; ")))
	}
	c.print("\n%s in %.1f s; of %d requirements that apply, %d tested (%d failed, %d warned)\n",
		reports.Plural(len(r.Specs), "spec", "specs"), r.DurationMS/1000, sum.Requirements.Applicable(), sum.Requirements.Tested(),
		sum.Requirements[reports.Failed], sum.Requirements[reports.Warned])
	if sum.Retries > 0 {
		c.print("%d requests were sent again (after 429, 502, 503, 504 or a broken connection)\n", sum.Retries)
	}
}

func (c *console) reportAt(dir string) {
	c.print("report: %s\n", filepath.Join(dir, "index.html"))
}
