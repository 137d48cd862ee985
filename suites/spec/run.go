package spec

// The run as its specs see it. It is where answers are inspected and failures filed.

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/expect"
	"shopcheck/suites/profile"
	"shopcheck/suites/receiver"
)

// Run is one run of specs against one target: the client, what is known of the target, what was made there, and the record of the
// spec that runs now. The runner makes it; specs reach it by their Env only.
type Run struct {
	Context    context.Context // its end is the end of every request
	Profile    profile.Profile
	Client     *client.Client
	Redactor   *client.Redactor
	Made       *Made
	Nonce      string                         // marks all that the run makes
	Features   map[string]client.FeatureState // by name; set before the first spec
	Receiver   *receiver.Receiver             // of webhooks; nil where no selected spec awaits any
	NoReceiver string                         // why there is no receiver that the target can reach

	stop    context.CancelCauseFunc
	tell    func(string) // of what is waited for
	contact contact
	known   expect.Known

	received atomic.Int64 // bytes of answers' bodies, since the run began

	mu      sync.Mutex
	began   time.Time // the running spec
	record  *Record   // of the running spec; nil between specs
	checked contract.Set
}

// NewRun returns a run against the profile's target, whose records a nonce marks (see NonceOf). A nil transport stands for sockets.
// The caller closes its client.
func NewRun(ctx context.Context, p profile.Profile, transport http.RoundTripper, nonce string) *Run {
	ctx, stop := context.WithCancelCause(ctx)
	ctx, free := context.WithTimeoutCause(ctx, p.Limits.RunTime, outOfTime(p.Limits.RunTime))
	context.AfterFunc(ctx, free)
	r := &Run{Context: ctx, stop: stop, tell: func(string) {}, Profile: p, Redactor: client.NewRedactor(p), Nonce: nonce,
		Features: map[string]client.FeatureState{}}
	r.Made = NewMade(r.Nonce)
	r.Client = client.New(p, r.Redactor, r.keepExchange, transport)
	return r
}

// NewRunID returns six hexadecimal digits by which a run is known.
func NewRunID() string {
	var b [3]byte
	_, _ = rand.Read(b[:]) // never fails: crypto/rand ends the process instead
	return hex.EncodeToString(b[:])
}

// NonceOf returns what marks all that a worker of a run makes: eight digits, of which the first six are the run's.
func NonceOf(runID string, worker int) string { return fmt.Sprintf("%s%02x", runID, worker%256) }

// Begin makes a record that of the running spec.
func (r *Run) Begin(record *Record) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.began = time.Now()
	r.record, r.checked = record, contract.Set{}
	r.Made.begin(record.ID)
	r.Redactor.Forget()
}

// End returns the record of the spec that has ended, nil where none had begun.
func (r *Run) End() *Record {
	r.mu.Lock()
	defer r.mu.Unlock()
	ended := r.record
	if ended != nil {
		ended.Checked = r.checked.IDs()
	}
	r.record = nil
	r.Made.begin("")
	r.Redactor.Forget()
	return ended
}

// update changes the record of the running spec, and reports whether there is one. A spec may have started several goroutines.
func (r *Run) update(change func(*Record)) (running bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.record == nil {
		return false
	}
	change(r.record)
	return true
}

// keepExchange keeps an exchange for the running spec; those of preflight and clean-up are no spec's.
func (r *Run) keepExchange(e reports.Exchange) int {
	place := expect.NoExchange
	r.update(func(record *Record) {
		record.Exchanges = append(record.Exchanges, e)
		place = len(record.Exchanges) - 1
	})
	return place
}

func (r *Run) observe(key, value string) {
	value = r.Redactor.Brief(value, longestText)
	running := r.update(func(record *Record) {
		record.Observations = append(record.Observations, reports.Observation{Key: key, Value: value, Spec: record.ID})
	})
	if !running {
		ginkgo.Fail("an observation outside of any spec: " + key)
	}
}

// names reports whether the running spec says that it verifies a requirement; outside of specs every one is.
func (r *Run) names(requirement string) bool {
	named := true
	r.update(func(record *Record) { named = record.Names(requirement) })
	return named
}

// Offers reports whether the target has a feature.
func (r *Run) Offers(feature string) bool { return r.Features[feature].On }

// Do sends a request, records it, inspects the answer and notes what it made for clean-up. A request that would change a record that
// is not proven to be the run's is not sent: the spec ends there, as it does when no answer comes.
func (r *Run) Do(ctx context.Context, req client.Request) *client.Answer {
	growStack()
	if r.Context.Err() != nil {
		r.CouldNotRun("%s", r.WhyEnded())
	}
	req = req.Written()
	r.checkTime()
	r.guard(ctx, req)
	ctx, cancel := r.lifeOf(ctx, req)
	defer cancel()
	a := r.Client.Do(ctx, req)
	r.received.Add(int64(len(a.Body)))
	r.noteContact(a)
	r.watch(ctx, req, a)
	if a.Err != nil {
		r.noAnswer(a)
		return a
	}
	r.inspect(req, a)
	return a
}

// lifeOf is how long a request may take: as long as its client tries. An interrupt ends a read at once. A write that is on its
// way is waited for: else nobody would know what it has made.
func (r *Run) lifeOf(ctx context.Context, req client.Request) (context.Context, context.CancelFunc) {
	wait := time.Duration(0)
	if req.Writes() {
		ctx, wait = context.WithoutCancel(ctx), r.Profile.Limits.Timeout
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(r.Context, func() { time.AfterFunc(wait, cancel) })
	return ctx, func() {
		stop()
		cancel()
	}
}

func (r *Run) noAnswer(a *client.Answer) {
	switch {
	case r.Context.Err() != nil:
		r.CouldNotRun("%s", r.WhyEnded())
	case errors.Is(a.Err, client.ErrReadOnly):
		r.CouldNotRun("%v", a.Err)
	case !r.binds(): // a finding would not end the spec, and an observation would hold on nothing
		r.CouldNotRun("%s %s has no answer: %v", a.Method, a.Path, a.Err)
	default:
		r.Fail(expect.Encode(reports.Finding{Message: a.Method + " " + a.Path + " has no answer", Want: "an answer",
			Got: a.Err.Error(), Exchange: a.Exchange}))
	}
}

// binds reports whether the running spec is about a must, first of all.
func (r *Run) binds() bool {
	level := reports.Must
	r.update(func(record *Record) { level = levelOf(record.defaultRequirement()) })
	return level == reports.Must
}

// inspect checks what is true of every answer of the endpoint. A deviation does not stop the spec. Requests that trim their
// answers on purpose are left alone.
func (r *Run) inspect(req client.Request, a *client.Answer) {
	if req.Query.Has("_fields") || req.Query.Has("context") {
		return
	}
	query := wholeQuery(req)
	seen := r.known.InspectAnswer(a, client.Endpoint(req.Method, req.Path+"?"+query.Encode()), query)
	if r.update(func(*Record) { r.checked.AddAll(seen.Checked) }) && len(seen.Findings) > 0 {
		r.file(seen.Findings, "", true)
	}
}

// wholeQuery is what a request asks for beside its path and in it.
func wholeQuery(req client.Request) url.Values {
	_, inPath, _ := strings.Cut(req.Path, "?")
	query, _ := url.ParseQuery(inPath) // the suites' own addresses can be parsed
	maps.Copy(query, req.Query)
	return query
}

// file completes findings, adds them to the record of the running spec and returns the level of the worst. What does not say
// which requirement it breaks breaks the given one.
func (r *Run) file(findings []reports.Finding, requirement string, inPassing bool) reports.Level {
	var title string
	var last int
	r.update(func(record *Record) { title, last = record.title(), len(record.Exchanges)-1 })
	where := location()
	for i := range findings {
		f := &findings[i]
		f.Requirement, f.Message = cmp.Or(f.Requirement, requirement), cmp.Or(f.Message, "contrary to the spec: "+title)
		f.Level, f.Location = levelOf(f.Requirement), where
		if f.Exchange == expect.NoExchange {
			f.Exchange = last
		}
		for _, text := range []*string{&f.Message, &f.Want, &f.Got, &f.Path} {
			*text = r.Redactor.Brief(*text, longestText)
		}
	}
	r.update(func(record *Record) {
		for _, f := range findings {
			record.add(f, inPassing)
		}
	})
	return expect.Worst(findings)
}

// levelOf is the level of a requirement, must for what the catalogue does not know.
func levelOf(id string) reports.Level {
	if r, known := contract.All().Get(id); known {
		return r.Level
	}
	return reports.Must
}

// Fail is Gomega's fail handler. A must that what follows may depend on ends the spec; all else is filed, and the spec goes on.
func (r *Run) Fail(message string, _ ...int) {
	requirement := ""
	if !r.update(func(record *Record) { requirement = record.defaultRequirement() }) {
		ginkgo.Fail("an expectation outside of any spec: " + r.Redactor.Text(message))
	}
	r.failFor(requirement, message)
}

func (r *Run) failFor(requirement, message string) {
	findings := expect.Decode(message)
	if r.file(findings, requirement, false) == reports.Must && !slices.ContainsFunc(findings, r.leavesTheRest) {
		ginkgo.Fail("a must does not hold", 2)
	}
}

// leavesTheRest reports whether a deviation says nothing of what else a spec looks at: one at a place of an answer, or a refusal with
// another status than the one that it should have.
func (r *Run) leavesTheRest(f reports.Finding) bool {
	refused := false
	r.update(func(record *Record) {
		refused = f.Exchange >= 0 && f.Exchange < len(record.Exchanges) && record.Exchanges[f.Exchange].Status/100 == 4
	})
	return f.Path != "" || refused && strings.HasPrefix(f.Want, "status 4")
}

// gomegaFor makes expectations whose failures are filed under one requirement.
func (r *Run) gomegaFor(requirement string) gomega.Gomega {
	return gomega.NewGomega(func(message string, _ ...int) { r.failFor(requirement, message) })
}

// Expect checks an answer that a spec begins with, on behalf of a requirement. Without it the spec ends.
func (r *Run) Expect(requirement string, a *client.Answer, m types.GomegaMatcher) {
	holds := true
	gomega.NewGomega(func(message string, _ ...int) {
		holds = r.file(expect.Decode(message), requirement, false) != reports.Must
	}).Expect(a).To(m)
	if !holds {
		ginkgo.Fail("a must does not hold", 1)
	}
}

// longestText bounds what a report keeps of a text that may hold words of the target, in bytes.
const longestText = 2 << 10

// LongestValue bounds what a matcher says of a value, in bytes: more than is looked at of it.
const LongestValue = 8 * longestText

// Interrupted is the reason why a spec could not run when the run was interrupted.
const Interrupted = "the run was interrupted"

// CouldNotRun ends the spec: something that it needs of the target is not known or not there.
func (r *Run) CouldNotRun(format string, args ...any) {
	r.Leave(reports.CouldNotRun, fmt.Sprintf(format, args...))
}

// Leave ends the spec with an outcome that needs a reason.
func (r *Run) Leave(outcome reports.Outcome, reason string) {
	reason = r.Redactor.Brief(reason, longestText)
	r.update(func(record *Record) { record.Outcome, record.Reason = outcome, reason })
	ginkgo.Skip(reason)
}

// Await waits until a wanted webhook request has come to a path of the receiver, or the profile's patience is over.
func (r *Run) Await(ctx context.Context, path string, wanted func(receiver.Delivery) bool) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.Context, cancel)()
	_, err := r.Receiver.Await(ctx, path, r.Profile.Webhooks.Patience, wanted)
	switch {
	case r.Context.Err() != nil:
		r.CouldNotRun("%s", r.WhyEnded())
	case errors.Is(err, receiver.ErrSilence):
		r.CouldNotRun("nothing has reached the receiver at %s: if the target cannot reach it, set webhooks.listen and webhooks.public_url",
			r.Receiver.URL(""))
	}
}

// Delivered puts a webhook request among the spec's exchanges.
func (r *Run) Delivered(topic string, d receiver.Delivery, took time.Duration) *client.Answer {
	return r.Client.Delivered(topic, d.Method, r.Receiver.URL(d.Path), d.Header, d.Body, took)
}

// location is the line of the spec or topic helper that the current check was called from.
func location() string {
	var callers [48]uintptr
	frames := runtime.CallersFrames(callers[:runtime.Callers(3, callers[:])])
	for {
		frame, more := frames.Next()
		if topic := topicOf(frame.Function); topic != "" {
			return fmt.Sprintf("suites/topics/%s/%s:%d", topic, path.Base(frame.File), frame.Line)
		}
		if !more {
			return ""
		}
	}
}

// topicOf names the topic package of a function: "" for those of the harness itself.
func topicOf(function string) string {
	_, rest, found := strings.Cut(function, "shopcheck/suites/topics/")
	if !found {
		return ""
	}
	name, _, _ := strings.Cut(rest, ".")
	return name
}

// growStack gives the goroutine of a spec the room that a request needs. A stack grows by being moved, twice as large each time, with all
// calls that are on it: deep in a request that would be several times, and of fifty calls.
func growStack() {
	var room [14 << 10]byte
	runtime.KeepAlive(&room)
}
