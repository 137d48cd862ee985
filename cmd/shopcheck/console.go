package main

// What a run shows on the console: a line a topic while it runs, and at the end the verdict with every failure
// explained. All text of the target goes through reports.Sanitize.

import (
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

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

// console is a suites.Progress. Topics may be worked on at the same time, by several workers.
type console struct {
	out      io.Writer
	colours  palette
	screen   *screen     // what is told while the run goes on; one of nothing where nobody wants it
	stopping func() bool // whether somebody has ended the run
	cleanup  string      // the command that deletes what the run leaves
	folder   string      // where the report goes

	mu       sync.Mutex
	pace     pace
	planned  map[string]int
	topics   []string // those that have begun and are not shown yet, oldest first
	outcomes map[string][]reports.Outcome
	workers  map[int]activity // by their number; what each does
	shared   bool             // there are several
	cleaning bool             // one of them has begun to delete what it has made
}

// activity is what a worker does, and since when.
type activity struct {
	what  string
	since time.Time
}

func newConsole(out io.Writer) *console {
	return &console{out: out, colours: paletteOf(out), screen: newScreen(out), pace: pace{now: time.Now}, cleanup: "shopcheck cleanup",
		stopping: func() bool { return false }, planned: map[string]int{}, outcomes: map[string][]reports.Outcome{},
		workers: map[int]activity{}}
}

// hush keeps what is told while the run goes on from those who do not want it.
func (c *console) hush(quiet bool) {
	if quiet {
		c.screen = newScreen(io.Discard)
	}
}

func (c *console) print(format string, args ...any) { fmt.Fprintf(c.out, format, args...) }

// open implements narrator: it says what is tested, and with what of the suites where it is not all.
func (c *console) open(shop subject, a asked) {
	c.screen.say("target: %s\n", reports.SanitizeLine(shop.name))
	if a.label != "" {
		c.screen.say("only specs with the labels %s\n", a.label)
	}
	if a.focus != "" {
		c.screen.say("only specs with texts that match %s\n", a.focus)
	}
	if len(a.specs) > 0 {
		c.screen.say("only %s\n", reports.SanitizeLine(shortList(a.specs)))
	}
	if a.shard != nil {
		c.screen.say("only shard %d of %d\n", a.shard.Number, a.shard.Count)
	}
}

// Note implements suites.Progress.
func (c *console) Note(text string) { c.screen.say("%s\n", reports.SanitizeLine(text)) }

// Begin implements suites.Progress.
func (c *console) Begin(specs []suites.Planned) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var ids []string
	for _, spec := range specs {
		c.planned[spec.Topic]++
		ids = append(ids, spec.ID)
	}
	c.pace.begin(ids)
	c.screen.say("%s in %s\n", reports.Plural(len(specs), "spec", "specs"), reports.Plural(len(c.planned), "topic", "topics"))
}

// Wait implements suites.Progress.
func (c *console) Wait(text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.screen.say("%s\n", reports.SanitizeLine(text))
	c.draw()
}

// Start implements suites.Progress.
func (c *console) Start(spec suites.Planned, worker int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.does(worker, spec.ID)
}

// does notes what a worker does from now on.
func (c *console) does(worker int, what string) {
	c.shared = c.shared || worker > 0
	c.workers[worker] = activity{what, c.pace.now()}
	c.draw()
}

// Done implements suites.Progress.
func (c *console) Done(spec reports.Spec) {
	c.mu.Lock()
	defer c.mu.Unlock()
	topic := spec.Topic
	if len(c.outcomes[topic]) == 0 {
		c.topics = append(c.topics, topic)
	}
	c.outcomes[topic] = append(c.outcomes[topic], spec.Outcome)
	c.pace.end(spec.ID)
	for number, work := range c.workers {
		if work.what == spec.ID {
			c.workers[number] = activity{}
		}
	}
	if len(c.outcomes[topic]) == c.planned[topic] {
		c.pace.steady = true
		c.show(topic)
		c.topics = slices.DeleteFunc(c.topics, func(open string) bool { return open == topic })
	}
	c.draw()
	c.beat()
}

// Clean implements suites.Progress. Where nothing is a terminal it is told once of each worker: each deletes what it has made.
func (c *console) Clean(worker, done, all int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	records := reports.Plural(all, "record", "records")
	if done == 0 {
		if c.cleaning {
			records = reports.Plural(all, "more record", "more records")
		}
		c.cleaning = true
	}
	switch {
	case done == 0 && c.stopping():
		c.screen.say("stopping, deleting %s; again: leave them\n", records)
	case !c.screen.live && done == 0:
		c.screen.say("cleaning up %s\n", records)
	}
	what := ""
	if done < all {
		what = fmt.Sprintf("cleaning up: %d of %s", done, records)
	}
	c.does(worker, what)
}

// tick implements narrator: on a terminal the area is drawn again, elsewhere a line is told now and then.
func (c *console) tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.draw()
	c.beat()
}

// beat says how far the run is where nothing else has been told for a while, and no terminal shows it.
func (c *console) beat() {
	if c.screen.live {
		return
	}
	if line := c.pace.beat(); line != "" {
		c.screen.say("%s\n", line)
	}
}

// draw shows the oldest topic that is worked on, and what each worker does where there are several.
func (c *console) draw() {
	if !c.screen.live {
		return
	}
	var lines []string
	if len(c.topics) > 0 {
		lines = append(lines, c.topicLine(c.topics[0], c.pace.left()))
	}
	for _, number := range slices.Sorted(maps.Keys(c.workers)) {
		switch work := c.workers[number]; {
		case c.shared:
			lines = append(lines, c.workerLine(number, work))
		case len(c.topics) == 0 && work.what != "":
			lines = append(lines, strings.Join(fit(c.screen.width(), work.what, "", ""), ""))
		}
	}
	c.screen.draw(lines...)
}

func (c *console) workerLine(number int, work activity) string {
	took := ""
	if seconds := int(c.pace.now().Sub(work.since).Seconds()); seconds > 0 && work.what != "" {
		took = fmt.Sprintf("%d s", seconds)
	}
	return strings.Join(fit(c.screen.width(), fmt.Sprintf("%4d  %s", number+1, work.what), "", took), "")
}

func (c *console) show(topic string) {
	c.pace.told = c.pace.now()
	c.screen.say("%s\n", c.topicLine(topic, ""))
}

// topicLine is a topic with a dot a spec, what is worth knowing of them, and the time left.
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
	parts := fit(c.screen.width(), head, dots.String(), strings.Trim(countsInWords(count)+", "+left, ", "))
	var line strings.Builder
	for i, part := range parts {
		if i == 1 {
			part = c.paintDots(part)
		}
		line.WriteString(part)
	}
	return line.String()
}

func (c *console) paintDots(dots string) string {
	var line strings.Builder
	for _, d := range dots {
		line.WriteString(c.colours.paint(map[rune]colour{'F': red, 'w': yellow, 'v': yellow, '?': magenta, 'E': magenta}[d], string(d)))
	}
	return line.String()
}

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
	c.mu.Lock()
	defer c.mu.Unlock()
	c.screen.wipe()
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
	shown, scripts := 0, reports.ScriptFiles(r)
	for _, cause := range reports.Causes(r) {
		if cause.Outcome == reports.Waived {
			continue
		}
		if shown++; shown > shownFindings {
			c.print("\n… more in the report\n")
			return
		}
		c.finding(cause, scripts[cause.ID], r, catalogue)
	}
}

func (c *console) heading(kind reports.Outcome) string {
	switch kind {
	case reports.BrokenHarness:
		return c.colours.paint(magenta, "HARNESS ERROR")
	case reports.Warned:
		return c.colours.paint(yellow, "WARNING")
	default:
		return c.colours.paint(red, "FAILED")
	}
}

func (c *console) finding(cause reports.Cause, script string, r *reports.Report, catalogue map[string]reports.Requirement) {
	requirement := catalogue[cause.Requirement]
	c.print("\n%s %s  (%s, %s, %s)\n", c.heading(cause.Outcome), c.colours.paint(bold, cause.Requirement), cause.ID,
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
	if script != "" {
		c.print("  script    %s\n", filepath.Join(c.folder, script))
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
		if gone := e.GoneInWords(); gone != "" {
			c.print("  gone      %s\n", brief(gone))
		}
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
		c.print("\n%s %d: %s\n", c.colours.paint(magenta, "COULD NOT RUN"), count[reason], brief(reason))
	}
}

// leftovers names what is left at the target, and how to be rid of it.
func (c *console) leftovers(left []string) {
	if len(left) == 0 {
		return
	}
	c.print("\n%s %d: this deletes what carries the mark of the run, with credentials.read_write that may:\n  %s\n",
		c.colours.paint(yellow, "LEFT BEHIND"), len(left), c.cleanup)
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
	c.print("\n%s %d, which failed specs have made or were given; this deletes them:\n", c.colours.paint(yellow, "KEPT"), len(r.Kept))
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

func colourOf(verdict reports.Verdict) colour {
	switch verdict {
	case reports.Conformant:
		return green
	case reports.NotConformant:
		return red
	}
	return magenta
}

func (c *console) verdict(r *reports.Report) {
	sum := reports.Summarize(r)
	if len(sum.Flaky) > 0 {
		c.print("\n%s %d: passed only because requests were sent again: %s\n", c.colours.paint(yellow, "FLAKY"),
			len(sum.Flaky), shortList(sum.Flaky))
	}
	c.print("\n%s", c.colours.paint(colourOf(r.Verdict), strings.ToUpper(words(string(r.Verdict)))))
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
		c.print("requests sent again: %d (after 429, 502, 503, 504 or a broken connection)\n", sum.Retries)
	}
}

// published implements narrator.
func (c *console) published(r *reports.Report, folder string) error {
	c.print("report: %s\n", filepath.Join(folder, "index.html"))
	if r.Changes == nil {
		return nil
	}
	var text strings.Builder
	if err := r.Changes.WriteText(&text); err != nil {
		return err
	}
	c.print("\n%s", c.colours.paintChanges(text.String()))
	return nil
}
