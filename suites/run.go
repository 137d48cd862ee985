package suites

// One run: preflight, the tree, ginkgo, clean-up, the report.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/ginkgo/v2/extensions/globals"
	"github.com/onsi/ginkgo/v2/formatter"
	"github.com/onsi/ginkgo/v2/types"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/format"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

const (
	suiteName   = "shopcheck"
	runTimeout  = 6 * time.Hour
	gracePeriod = 10 * time.Second
	sweepTime   = 5 * time.Minute // for looking through the lists of a large shop
)

// Options say what to run and against what.
type Options struct {
	Profile   profile.Profile
	Topics    []spec.Topic
	Label     string            // ginkgo label filter, such as "cart && !feature:coupons"
	Focus     string            // regular expression over the texts of specs
	Specs     []string          // ids; none: all
	Shard     *Shard            // nil: all of them
	Reading   []string          // ids of the specs that send no writes: those that run where the profile is read_only; nil: not known
	Strict    bool              // should statements fail too
	Keep      bool              // what failed specs have made stays at the target
	Seed      int64             // order of the topics, and of all specs with Shuffle; 0 stands for 1
	Shuffle   bool              // specs run in any order, not topic by topic
	Progress  Progress          // nil: quiet
	Transport http.RoundTripper // nil: sockets
	// Deliveries is what the target's webhooks pass through before the harness gets them; nil: nothing.
	Deliveries func(http.Handler) http.Handler
	Workers    *Workers // nil: all specs run in this process
	RunID      string   // six hexadecimal digits (NewRunID) that begin the marks of all that is made; empty: by chance
	worker     int      // its number, of a process that shares the specs with others
	order      []string // of the topics, of such a process
	Version    string   // of the program, for the report
	// Arguments are those of a command line that runs specs against the same target again; the report shows them.
	Arguments []string
	// Baseline is an earlier report that this one will be compared with: a run that it says nothing about does not begin. May be nil.
	Baseline *reports.Report
	// Cleanup is the command line that deletes later what the run leaves or keeps; the report shows it.
	Cleanup string
	// Archive takes the exchanges of each spec that has ended out of the report; nil: they stay there.
	Archive  *reports.Archive
	Contract string // where the contract document can be read, for links of the report; may be empty
}

// NewRunID returns an id for Options.
func NewRunID() string { return spec.NewRunID() }

// ErrSelection marks errors in what the user asked to run, to excuse or to compare with: no spec was begun, and most of these are found
// before the first request.
var ErrSelection = errors.New("nothing was run")

// oneAtATime: ginkgo and Gomega keep the tree and the fail handler in globals.
var oneAtATime sync.Mutex

// Run runs the selected specs against the target. The report is complete in every case, also when the run was
// interrupted or could not begin; the error is then the reason why it could not begin.
func Run(ctx context.Context, o Options) (*reports.Report, error) {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	r := newRunner(ctx, o)
	defer r.run.Close()
	err := r.prepare()
	if err == nil {
		r.runSpecs()
	}
	report := r.report(err)
	r.options.Progress.End(report)
	return report, r.run.Redactor.Error(err)
}

// runSpecs runs the plan, here or on workers, and leaves the target as it was.
func (r *runner) runSpecs() {
	if r.chooseWorkers(); r.workers > 1 {
		r.coordinate()
		return
	}
	r.listen()
	defer r.stopListening()
	r.options.Progress.Begin(r.plan.chosen())
	r.execute()
	r.checkAllRan()
	r.tellStopped()
	r.cleanUp()
}

// chooseWorkers decides how many processes share the specs, once it is known how fast the target answers.
func (r *runner) chooseWorkers() {
	r.workers = 1
	if r.options.Workers == nil {
		return
	}
	latency, asked := r.run.Client.Latency(), r.options.Workers.Count
	r.workers = estimate{specs: len(r.plan.chosen()), latency: latency, limits: r.options.Profile.Limits}.workers(asked)
	switch {
	case r.workers < asked:
		r.options.Progress.Note(fmt.Sprintf("%d workers instead of %d: limits.concurrency allows no more connections", r.workers, asked))
	case r.workers > 1 && asked == 0:
		r.options.Progress.Note(fmt.Sprintf("an answer takes %s: %d workers share the specs", brief(latency), r.workers))
	}
}

// List returns every spec of the topics, without a target.
func List(topics []spec.Topic) ([]Planned, error) { return Select(Options{Topics: topics}) }

// Select returns the specs that a run with these options would run, without a target.
func Select(o Options) ([]Planned, error) {
	oneAtATime.Lock()
	defer oneAtATime.Unlock()
	if err := checkSelection(o); err != nil {
		return nil, err
	}
	readOnly := o.Profile.ReadOnly
	o.Profile = profile.New("http://localhost")
	o.Profile.ReadOnly = readOnly
	r := newRunner(context.Background(), o)
	defer r.run.Close()
	if err := r.makePlan(); err != nil {
		return nil, err
	}
	r.resetTree()
	return r.plan.chosen(), nil
}

// runner is the state of one Run.
type runner struct {
	options     Options
	began       time.Time
	run         *spec.Run
	env         *spec.Env
	builder     *builder
	unhook      func() // takes the builder out of ginkgo
	plan        plan
	waivers     *waiverList
	records     []*spec.Record // judged, in the order in which the specs ended
	finished    map[string]bool
	reported    map[string]bool // requirements whose deviation was met in passing
	coordinator *coordinator    // who shares out the specs, where this process is a worker; nil: all are its own
	elsewhere   map[string]bool // specs that another worker runs
	errors      []string
	leftovers   []string
	kept        []reports.Kept
	interrupted bool
	workers     int             // how many processes share the specs
	dead        []string        // nonces of workers that died
	deaths      map[string]int  // by the spec that they ran
	left        context.Context // ends the clean-up: nobody wants it any more
	swept       bool            // the target's lists were looked through for what the run has made and does not know of
	stopped     *spec.Stopped   // why the run ended by itself; nil where it did not
}

func newRunner(ctx context.Context, o Options) *runner {
	if o.Progress == nil {
		o.Progress = Quiet{}
	}
	if o.Seed == 0 {
		o.Seed = 1
	}
	o.Profile = o.Profile.AtSite()
	if o.RunID == "" {
		o.RunID = spec.NewRunID()
	}
	run := spec.NewRun(ctx, o.Profile, o.Transport, spec.NonceOf(o.RunID, o.worker))
	run.OnWait(o.Progress.Wait)
	return &runner{options: o, began: time.Now(), run: run, env: spec.NewEnv(run), builder: &builder{},
		waivers: newWaiverList(o.Profile, time.Now()), finished: map[string]bool{}, reported: map[string]bool{},
		elsewhere: map[string]bool{}, deaths: map[string]int{}, left: context.Background()}
}

// makeSelection makes the plan of what was asked for: all that can be wrong before the first request.
func (r *runner) makeSelection() error {
	if err := r.options.Profile.Validate(); err != nil {
		return fmt.Errorf("%w: %w", ErrSelection, err)
	}
	if err := checkSelection(r.options); err != nil {
		return err
	}
	if err := r.makePlan(); err != nil {
		return err
	}
	err := r.waivers.check(r.plan)
	if err == nil {
		err = r.checkBaseline(r.options.Profile.NamedDialect())
	}
	if err != nil {
		r.resetTree()
	}
	return err
}

// checkBaseline refuses an earlier report that cannot be compared with what is known of this one: better now than when all has run.
// An empty dialect is not known yet.
func (r *runner) checkBaseline(dialect string) error {
	if r.options.Baseline == nil {
		return nil
	}
	own := r.head()
	own.Target.Dialect = cmp.Or(dialect, r.options.Baseline.Target.Dialect)
	if reasons := reports.Obstacles(r.options.Baseline, own); len(reasons) > 0 {
		return fmt.Errorf("%w: the baseline cannot be compared with this run, as %s; take a report of the same, or run without a baseline",
			ErrSelection, strings.Join(reasons, "; "))
	}
	return nil
}

// prepare does everything that can be wrong before the first spec.
func (r *runner) prepare() error {
	if err := r.makeSelection(); err != nil {
		return err
	}
	states, err := client.Preflight(r.run.Context, r.run.Client)
	if err != nil {
		r.resetTree()
		r.interrupted = r.run.Interrupted()
		if stopped := r.run.Stopped(); stopped != nil {
			return stopped
		}
		return err
	}
	if found := r.run.Client.Access().String(); found != "" {
		r.options.Progress.Note(found)
	}
	if r.plan.leftOut != nil {
		r.options.Progress.Note(r.plan.leftOut.String())
	}
	for _, state := range states {
		r.run.Features[state.Name] = state
	}
	if err := r.checkBaseline(r.run.Client.Access().Dialect.Name); err != nil {
		r.resetTree()
		return err
	}
	return nil
}

// makePlan builds the tree and makes the plan of it.
func (r *runner) makePlan() error {
	r.buildTree()
	p, err := r.builder.preview(r.config())
	if err == nil {
		err = p.narrow(r.options)
	}
	if err != nil {
		r.resetTree()
		return err
	}
	r.plan = p
	return nil
}

// buildTree builds the tree anew in ginkgo's globals. Hooks sit inside the topics: what stands beside a container at
// the root of the tree does not outlive ginkgo's preview.
func (r *runner) buildTree() {
	globals.Reset()
	formatter.ColorableStdOut = io.Discard // ginkgo's own console reporter has nothing to say here
	// Values are cut where findings are filed: there secrets are known, and how much is missing is said.
	format.MaxLength, format.TruncatedDiff = spec.LongestValue, false
	r.unhook = ginkgo.AddTreeConstructionNodeArgsTransformer(r.builder.transform)
	gomega.RegisterFailHandler(r.run.Fail)
	for _, topic := range r.options.Topics {
		ginkgo.Describe(topic.Name, ginkgo.Label(topic.Name), r.priority(topic.Name), func() {
			ginkgo.BeforeEach(r.beforeSpec)
			ginkgo.ReportAfterEach(r.afterSpec)
			topic.Register(r.env)
		})
	}
}

// priority is that of a topic: the greater, the earlier. Without any, the seed decides.
func (r *runner) priority(topic string) ginkgo.SpecPriority {
	if r.options.Shuffle {
		return 0
	}
	return ginkgo.SpecPriority(-slices.Index(r.options.order, topic))
}

// resetTree leaves ginkgo's globals as nobody's.
func (r *runner) resetTree() {
	r.unhook()
	gomega.RegisterFailHandler(nil)
	globals.Reset()
}

func (r *runner) config() types.SuiteConfig {
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

// noTestingT is what ginkgo takes for a testing.T: what fails is in the report.
type noTestingT struct{}

func (noTestingT) Fail() {}

func (r *runner) execute() {
	defer r.resetTree()
	ginkgo.RunSpecs(noTestingT{}, suiteName, r.config(), reporterConfig())
	r.interrupted = r.interrupted || r.run.Interrupted()
	r.stopped = r.run.Stopped()
}

// checkAllRan compares the records with the plan: nothing that was selected is missing.
func (r *runner) checkAllRan() {
	var missing []string
	for _, planned := range r.plan.chosen() {
		if !r.finished[planned.ID] {
			missing = append(missing, planned.ID)
		}
	}
	if len(missing) > 0 {
		r.errors = append(r.errors, reports.Plural(len(missing), "spec was", "specs were")+" planned and did not run: "+
			strings.Join(missing[:min(len(missing), namedMissing)], ", "))
	}
}

// namedMissing is how many specs that did not run are named.
const namedMissing = 5

// beforeSpec begins the record of a spec, and leaves at once one that does not apply or that another worker runs.
func (r *runner) beforeSpec() {
	planned := r.plan.of(ginkgo.CurrentSpecReport())
	if !r.plan.selected[planned.ID] {
		ginkgo.Skip("it is not selected")
	}
	r.run.Begin(planned.record())
	if r.coordinator != nil && !r.coordinator.grants(r.run.Context, planned) {
		r.elsewhere[planned.ID] = true
		ginkgo.Skip("another worker runs it")
	}
	if r.coordinator == nil {
		r.options.Progress.Start(planned, 0)
	}
	if r.run.Context.Err() != nil {
		r.run.CouldNotRun("%s", r.run.WhyEnded())
	}
	for _, name := range planned.Features {
		if state := r.run.Features[name]; !state.On {
			r.run.Leave(reports.NotApplicable, offReason(state))
		}
	}
}

// afterSpec ends the record of a spec and passes it on.
func (r *runner) afterSpec(report types.SpecReport) {
	planned := r.plan.of(report)
	broken := r.run.Redactor.Text(strings.TrimSpace(report.Failure.Message + " " + report.Failure.ForwardedPanic))
	record := r.run.End()
	if !r.plan.selected[planned.ID] || r.elsewhere[planned.ID] {
		return
	}
	begun := record != nil && record.ID == planned.ID
	if !begun {
		record = planned.record()
	}
	record.Ended, record.Broken = endingOf(report.State), broken
	record.StartedAt = report.StartTime.UTC().Truncate(time.Microsecond)
	record.DurationMS, record.Attempts = float64(report.RunTime.Microseconds())/1000, max(1, report.NumAttempts)
	r.keepOf(*record)
	switch {
	case r.coordinator == nil:
		r.take(record)
	case begun: // what ginkgo did not let begin was never asked for
		r.coordinator.done(record)
	}
}

// endingOf translates ginkgo's word for how a spec ended.
func endingOf(state types.SpecState) spec.Ending {
	switch {
	case state.Is(types.SpecStatePanicked | types.SpecStateTimedout | types.SpecStateAborted):
		return spec.EndedBroken
	case state.Is(types.SpecStateInterrupted):
		return spec.EndedStopped
	case state.Is(types.SpecStateSkipped):
		return spec.EndedSkipped
	case state.Is(types.SpecStateFailed):
		return spec.EndedFailed
	}
	return spec.EndedWell
}

// take judges the record of a spec and keeps it. Each spec of the plan has one.
func (r *runner) take(record *spec.Record) {
	switch {
	case !r.plan.selected[record.ID]:
		r.errors = append(r.errors, "the spec "+record.ID+" has run and was not planned")
		return
	case r.finished[record.ID]:
		r.errors = append(r.errors, "the spec "+record.ID+" has run twice")
		return
	}
	r.finished[record.ID] = true
	r.interrupted = r.interrupted || record.Ended == spec.EndedStopped
	record.DropRepeated(r.reported)
	judgeSpec(record, r.waivers, r.options.Strict)
	if r.options.Archive != nil {
		r.options.Archive.Add(&record.Spec)
	}
	r.records = append(r.records, record)
	r.options.Progress.Done(record.Spec)
}

// tellStopped makes an end that the run found by itself a fault of the run: it says nothing of the specs that did not run.
func (r *runner) tellStopped() {
	if r.stopped != nil {
		r.errors = append(r.errors, r.stopped.Reason)
	}
}

// cleanUp deletes what the run has made, also after an interrupt.
func (r *runner) cleanUp() {
	ctx, cancel := context.WithCancel(context.WithoutCancel(r.run.Context))
	defer cancel()
	defer context.AfterFunc(r.left, cancel)()
	if r.stopped != nil && r.stopped.Gone {
		cancel() // nobody is there to delete anything: all of it is left behind
	}
	cleaner := cleanerOf(r.run.Client, r.options.Profile, r.run.Nonce)
	cleaner.Told = r.tellCleaning
	r.kept = append(r.kept, r.run.Made.Kept()...)
	claims := r.due(append(r.sweep(ctx), r.run.Made.Claims()...))
	if len(claims) == 0 {
		return
	}
	left, unproven := cleaner.Delete(ctx, claims)
	if unproven > 0 && !r.swept { // what was made instead is found by its marks
		r.run.Made.NoteForeign()
		if found := r.due(r.sweep(ctx)); len(found) > 0 {
			more, _ := cleaner.Delete(ctx, found)
			left = append(left, more...)
		}
	}
	r.leftovers = append(r.leftovers, left...)
}
