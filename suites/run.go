package suites

// One run: preflight, the tree, ginkgo, clean-up, the report.

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

const (
	suiteName   = "shopcheck"
	runTimeout  = 6 * time.Hour
	gracePeriod = 10 * time.Second
	cleanupTime = 2 * time.Minute
)

// Options say what to run and against what.
type Options struct {
	Profile   profile.Profile
	Topics    []Topic
	Label     string            // ginkgo label filter, such as "cart && !feature:coupons"
	Focus     string            // regular expression over the texts of specs
	Strict    bool              // should statements fail too
	Seed      int64             // order of the topics, and of all specs with Shuffle; 0 stands for 1
	Shuffle   bool              // specs run in any order, not topic by topic
	Progress  Progress          // nil: quiet
	Transport http.RoundTripper // nil: sockets
	// Deliveries is what the target's webhooks pass through before the harness gets them; nil: nothing.
	Deliveries func(http.Handler) http.Handler
	Workers    *Workers // nil: all specs run in this process
	Version    string   // of the program, for the report
}

// ErrSelection marks errors in what the user asked to run.
var ErrSelection = errors.New("nothing can be selected")

// oneAtATime: ginkgo and Gomega keep the tree and the fail handler in globals.
var oneAtATime sync.Mutex

// Run runs the selected specs against the target. The report is complete in every case, also when the run was
// interrupted or could not begin; the error is then the reason why it could not begin.
func Run(ctx context.Context, o Options) (*reports.Report, error) {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	r := newRun(ctx, o)
	defer r.lab.client.Close()
	err := r.prepare()
	if err == nil {
		r.runSpecs()
	}
	report := r.report(err)
	r.options.Progress.End(report)
	return report, err
}

// runSpecs runs the plan, here or on workers, and leaves the target as it was.
func (r *run) runSpecs() {
	if r.options.Workers != nil {
		r.dispatch()
		return
	}
	r.listen()
	defer r.stopListening()
	r.options.Progress.Begin(r.plan.chosen())
	r.execute()
	r.checkAllRan()
	r.cleanUp()
}

// List returns every spec of the topics, without a target.
func List(topics []Topic) ([]Planned, error) {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	r := newRun(context.Background(), Options{Topics: topics, Profile: profile.New("http://localhost")})
	defer r.lab.client.Close()
	defer r.uproot()
	r.plantTree()
	p, err := r.builder.preview(r.config())
	if err != nil {
		return nil, err
	}
	return p.all, nil
}

// run is the state of one Run.
type run struct {
	options  Options
	began    time.Time
	lab      *lab
	env      *Env
	builder  *builder
	unhook   func()
	plan     plan
	waivers  *waiverBook
	results  []result
	finished map[string]bool
	told     map[string]bool // requirements whose deviation in passing is in a result already
	foreman  *foreman        // who gives out the specs, where this process is a worker; nil: all are its own
	foreign  map[string]bool // specs that another worker runs
	errors   []string
	leftover []string
	stopped  bool // interrupted
}

func newRun(ctx context.Context, o Options) *run {
	if o.Progress == nil {
		o.Progress = Quiet{}
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	l := &lab{ctx: ctx, profile: o.Profile, redactor: client.NewRedactor(o.Profile), made: spec.NewMade(),
		nonce: newNonce(), features: map[string]client.FeatureState{}, told: map[string]bool{}}
	l.client = client.New(o.Profile, l.redactor, l.record, o.Transport)
	return &run{options: o, began: time.Now(), lab: l, env: &Env{Stage: spec.New(l), lab: l}, builder: &builder{},
		waivers: newWaiverBook(o.Profile.Waivers, time.Now()), finished: map[string]bool{}, told: map[string]bool{}, foreign: map[string]bool{}}
}

func newNonce() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(b[:])
}

// prepare does everything that can be wrong before the first spec.
func (r *run) prepare() error {
	if err := r.options.Profile.Validate(); err != nil {
		return err
	}
	if err := checkSelection(r.options); err != nil {
		return err
	}
	if err := r.plant(); err != nil {
		return err
	}
	states, err := client.Preflight(r.lab.ctx, r.lab.client)
	if err != nil {
		r.uproot()
		r.stopped = r.lab.ctx.Err() != nil
		return err
	}
	for _, state := range states {
		r.lab.features[state.Name] = state
	}
	return nil
}

// plant builds the tree and makes the plan of it.
func (r *run) plant() error {
	r.plantTree()
	p, err := r.builder.preview(r.config())
	if err == nil && len(p.selected) == 0 {
		err = fmt.Errorf("%w: no spec matches %s; shopcheck list shows what there is", ErrSelection, r.selection())
	}
	if err != nil {
		r.uproot()
		return err
	}
	r.plan = p
	return nil
}

// selection names what was asked for.
func (r *run) selection() string {
	var asked []string
	if r.options.Label != "" {
		asked = append(asked, fmt.Sprintf("the label filter %q", r.options.Label))
	}
	if r.options.Focus != "" {
		asked = append(asked, fmt.Sprintf("the focus %q", r.options.Focus))
	}
	return strings.Join(asked, " and ")
}

func checkSelection(o Options) error {
	if _, err := types.ParseLabelFilter(o.Label); o.Label != "" && err != nil { // ginkgo's words for it are many, coloured, and about ginkgo
		return fmt.Errorf("%w: the label filter %q does not parse; write labels joined by &&, ||, ! and brackets, such as 'cart && !should'", ErrSelection, o.Label)
	}
	if _, err := regexp.Compile(o.Focus); err != nil {
		return fmt.Errorf("%w: the focus %q is no regular expression: %w", ErrSelection, o.Focus, err)
	}
	return nil
}

// plantTree builds the tree anew in ginkgo's globals. Hooks sit inside the topics: what stands beside a container at
// the root of the tree does not outlive ginkgo's preview.
func (r *run) plantTree() {
	globals.Reset()
	formatter.ColorableStdOut = io.Discard // ginkgo's own console reporter has nothing to say here
	r.unhook = ginkgo.AddTreeConstructionNodeArgsTransformer(r.builder.transform)
	gomega.RegisterFailHandler(r.lab.fail)
	for _, topic := range r.options.Topics {
		ginkgo.Describe(topic.Name, ginkgo.Label(topic.Name), func() {
			ginkgo.BeforeEach(r.beforeSpec)
			ginkgo.ReportAfterEach(r.afterSpec)
			topic.Register(r.env)
		})
	}
}

// uproot leaves ginkgo's globals as nobody's.
func (r *run) uproot() {
	r.unhook()
	gomega.RegisterFailHandler(nil)
	globals.Reset()
}

func (r *run) config() types.SuiteConfig {
	c := types.NewDefaultSuiteConfig()
	c.RandomSeed = r.options.Seed
	c.RandomizeAllSpecs = r.options.Shuffle
	c.LabelFilter = r.options.Label
	if r.options.Focus != "" {
		c.FocusStrings = []string{r.options.Focus}
	}
	c.FailOnEmpty = true
	c.Timeout = runTimeout
	c.GracePeriod = gracePeriod
	c.OutputInterceptorMode = "none"
	return c
}

func reporterConfig() types.ReporterConfig {
	c := types.NewDefaultReporterConfig()
	c.Succinct, c.NoColor = true, true
	return c
}

// verdictless is ginkgo's testing.T: what it would be told, the report says.
type verdictless struct{}

func (verdictless) Fail() {}

func (r *run) execute() {
	defer r.uproot()
	ginkgo.RunSpecs(verdictless{}, suiteName, r.config(), reporterConfig())
	r.stopped = r.stopped || r.lab.ctx.Err() != nil
}

// checkAllRan proves the results against the plan: nothing that was selected is missing.
func (r *run) checkAllRan() {
	var missing []string
	for _, info := range r.plan.chosen() {
		if !r.finished[info.ID] {
			missing = append(missing, info.ID)
		}
	}
	if len(missing) > 0 {
		r.errors = append(r.errors, reports.Plural(len(missing), "spec was", "specs were")+" planned and did not run: "+
			strings.Join(missing[:min(len(missing), namedMissing)], ", "))
	}
}

// namedMissing is how many specs that did not run are named.
const namedMissing = 5

// beforeSpec opens the journal, and leaves at once a spec that does not apply or that another worker runs.
func (r *run) beforeSpec() {
	info := r.plan.of(ginkgo.CurrentSpecReport())
	r.lab.open(newJournal(info))
	if r.foreman != nil && !r.foreman.grants(r.lab.ctx, info) {
		r.foreign[info.ID] = true
		ginkgo.Skip("another worker runs it")
	}
	if r.lab.ctx.Err() != nil {
		r.lab.leave(reports.CouldNotRun, interruptedReason)
	}
	for _, name := range info.Features {
		if state := r.lab.features[name]; !state.On {
			r.lab.leave(reports.NotApplicable, offReason(state))
		}
	}
}

func (r *run) afterSpec(report types.SpecReport) {
	info := r.plan.of(report)
	if !r.plan.selected[info.ID] || r.foreign[info.ID] {
		return
	}
	j := r.lab.journal()
	begun := j != nil && j.info.ID == info.ID
	if !begun {
		j = newJournal(info)
	}
	done := recordOf(j, report, r.lab.redactor)
	r.lab.open(nil)
	switch {
	case r.foreman == nil:
		r.take(done)
	case begun: // what ginkgo did not let begin was never asked for
		r.foreman.tell(done)
	}
}

// take judges the record of a spec and keeps the result. Each spec of the plan has one.
func (r *run) take(done record) {
	switch {
	case !r.plan.selected[done.Spec]:
		r.errors = append(r.errors, "the spec "+done.Spec+" has run and was not planned")
		return
	case r.finished[done.Spec]:
		r.errors = append(r.errors, "the spec "+done.Spec+" has run twice")
		return
	}
	r.finished[done.Spec] = true
	r.stopped = r.stopped || done.Ended == endedStopped
	info := r.plan.byID[done.Spec]
	done.Findings = slices.DeleteFunc(done.Findings, func(f reports.Finding) bool { return r.isOldNews(f, done) })
	judged := finish(info, done, r.waivers, r.options.Strict)
	r.results = append(r.results, judged)
	r.options.Progress.Done(judged.spec)
}

// isOldNews: a deviation that specs meet in passing is told once in a run. Each worker sees to that by itself; another one may
// have been faster.
func (r *run) isOldNews(f reports.Finding, done record) bool {
	if done.Ended == endedFailed || !slices.Contains(done.Passing, f.Requirement) {
		return false
	}
	known := r.told[f.Requirement]
	r.told[f.Requirement] = true
	return known
}

// cleanUp deletes what the run has made, also after an interrupt.
func (r *run) cleanUp() {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.lab.ctx), cleanupTime)
	defer cancel()
	r.sweep(ctx)
	r.leftover = append(r.leftover, deleteMade(ctx, r.lab.made, r.lab.client, r.options.Profile)...)
}

func (r *run) report(failure error) *reports.Report {
	if failure != nil && !r.stopped {
		r.errors = append(r.errors, r.lab.redactor.Text(failure.Error()))
	}
	l := &ledger{results: r.results, features: r.lab.features, waivers: r.waivers, strict: r.options.Strict}
	out := &reports.Report{
		FormatVersion: reports.FormatVersion,
		Tool:          reports.Tool{Name: suiteName, Version: r.options.Version, Seed: r.options.Seed},
		Contract:      reports.Contract{Title: contract.Title, Revision: contract.Revision},
		Target:        reports.Target{URL: r.lab.redactor.Text(r.options.Profile.Target), Dialect: r.options.Profile.Dialect, Profile: r.options.Profile.Echo()},
		StartedAt:     r.began.UTC(),
		Strict:        r.options.Strict,
		Selection:     reports.Selection{Label: r.options.Label, Focus: r.options.Focus},
		Requirements:  l.requirements(),
		Latency:       latencies(r.results),
		Leftovers:     append([]string{}, r.leftover...),
		Errors:        append([]string{}, r.errors...),
	}
	out.Features = featureReports(r.lab.features, out.Requirements)
	for _, result := range r.results {
		out.Specs = append(out.Specs, result.spec)
		out.Observations = append(out.Observations, result.spec.Observations...)
	}
	out.Waivers = r.waivers.reports(r.specOutcomes(), requirementOutcomes(out.Requirements))
	out.DurationMS = float64(time.Since(r.began).Microseconds()) / 1000
	judge(out, r.stopped)
	return out
}

// specOutcomes knows every spec of the tree; those that were not selected have no outcome.
func (r *run) specOutcomes() map[string]reports.Outcome {
	out := map[string]reports.Outcome{}
	for _, info := range r.plan.all {
		out[info.ID] = reports.Untested
	}
	for _, result := range r.results {
		out[result.spec.ID] = result.spec.Outcome
	}
	return out
}

func requirementOutcomes(list []reports.Requirement) map[string]reports.Outcome {
	out := map[string]reports.Outcome{}
	for _, r := range list {
		out[r.ID] = r.Outcome
	}
	return out
}
