package suites

// The lab: one run's client, features and current journal. It is where answers are inspected and failures filed.

import (
	"context"
	"errors"
	"fmt"
	"path"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"
	gomegatypes "github.com/onsi/gomega/types"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/expect"
	"shopcheck/suites/profile"
	"shopcheck/suites/receiver"
	"shopcheck/suites/spec"
)

type lab struct {
	ctx      context.Context // the run's: its end is the end of every request
	profile  profile.Profile
	redactor *client.Redactor
	client   *client.Client
	made     *spec.Made
	nonce    string
	features map[string]client.FeatureState
	receiver *receiver.Receiver // of webhooks; nil where no selected spec awaits any
	deaf     string             // why there is no receiver that the target can reach

	mu      sync.Mutex
	current *journal
	told    map[string]bool // requirements whose deviation was found in passing and is reported already
}

var _ spec.Lab = (*lab)(nil)

func (l *lab) journal() *journal {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.current
}

func (l *lab) open(j *journal) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.current = j
	l.redactor.Forget()
}

// record keeps an exchange for the running spec; those of preflight and clean-up are no spec's.
func (l *lab) record(e reports.Exchange) int {
	if j := l.journal(); j != nil {
		return j.addExchange(e)
	}
	return expect.NoExchange
}

// Profile implements spec.Lab.
func (l *lab) Profile() profile.Profile { return l.profile }

// Nonce implements spec.Lab.
func (l *lab) Nonce() string { return l.nonce }

// Offers implements spec.Lab.
func (l *lab) Offers(feature string) bool { return l.features[feature].On }

// Do implements spec.Lab.
func (l *lab) Do(ctx context.Context, req client.Request) *client.Answer {
	if l.ctx.Err() != nil {
		l.CouldNotRun(interruptedReason)
	}
	ctx, cancel := l.lifeOf(ctx, req)
	defer cancel()
	a := l.client.Do(ctx, req)
	l.made.Watch(req, a)
	if a.Err != nil {
		l.noAnswer(a)
		return a
	}
	l.inspect(req, a)
	return a
}

// lifeOf is how long a request may take: as long as its client tries. An interrupt ends a read at once. A write that is on its
// way is waited for: else nobody would know what it has made.
func (l *lab) lifeOf(ctx context.Context, req client.Request) (context.Context, context.CancelFunc) {
	wait := time.Duration(0)
	if req.Writes() {
		ctx, wait = context.WithoutCancel(ctx), l.profile.Limits.Timeout
	}
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(l.ctx, func() { time.AfterFunc(wait, cancel) })
	return ctx, func() {
		stop()
		cancel()
	}
}

func (l *lab) noAnswer(a *client.Answer) {
	switch {
	case l.ctx.Err() != nil:
		l.CouldNotRun(interruptedReason)
	case errors.Is(a.Err, client.ErrReadOnly):
		l.CouldNotRun("%v", a.Err)
	default:
		l.fail(expect.Encode(reports.Finding{Message: a.Method + " " + a.Path + " has no answer", Want: "an answer",
			Got: a.Err.Error(), Exchange: a.Exchange}))
	}
}

// inspect checks what is true of every answer of the endpoint. A deviation is told once in a run, and in every spec
// that names the requirement; it does not stop the spec.
func (l *lab) inspect(req client.Request, a *client.Answer) {
	j := l.journal()
	if j == nil || req.Query.Has("_fields") || req.Query.Has("context") {
		return
	}
	seen := expect.Passing(a, client.Endpoint(req.Method, req.Path+"?"+req.Query.Encode()))
	j.addChecked(seen.Checked)
	var news []reports.Finding
	for _, f := range seen.Findings {
		named := j.names(f.Requirement)
		if !l.tellOnce(f.Requirement) && !named {
			continue
		}
		if !named {
			j.addPassing(f.Requirement)
		}
		news = append(news, f)
	}
	l.file(j, news, "")
}

func (l *lab) tellOnce(requirement string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.told[requirement] {
		return false
	}
	l.told[requirement] = true
	return true
}

// file adds findings to the journal, complete and clean, and returns how bad the worst is.
func (l *lab) file(j *journal, findings []reports.Finding, requirement string) reports.Level {
	for i := range findings {
		f := &findings[i]
		if f.Requirement == "" {
			f.Requirement = requirement
		}
		f.Level = levelOf(f.Requirement)
		if f.Message == "" {
			f.Message = "contrary to the spec: " + strings.Join(append([]string{j.info.Topic}, j.info.Texts...), " › ")
		}
		if f.Exchange == expect.NoExchange {
			f.Exchange = j.lastExchange()
		}
		f.Location = location()
		for _, text := range []*string{&f.Message, &f.Want, &f.Got, &f.Path} {
			*text = client.Brief(l.redactor.Text(*text), longestText)
		}
	}
	j.addFindings(findings)
	return expect.Worst(findings)
}

// fail is Gomega's fail handler. What breaks a must ends the spec; all else is filed, and the spec goes on.
func (l *lab) fail(message string, _ ...int) {
	j := l.journal()
	if j == nil {
		ginkgo.Fail("an expectation outside of any spec: " + l.redactor.Text(message))
	}
	l.failFor(j, j.defaultRequirement(), message)
}

func (l *lab) failFor(j *journal, requirement, message string) {
	if l.file(j, expect.Decode(message), requirement) == reports.Must {
		ginkgo.Fail("a must does not hold", 2)
	}
}

// gomegaFor makes expectations whose failures are filed under one requirement.
func (l *lab) gomegaFor(requirement string) gomega.Gomega {
	return gomega.NewGomega(func(message string, _ ...int) { l.failFor(l.journal(), requirement, message) })
}

// Expect implements spec.Lab.
func (l *lab) Expect(requirement string, a *client.Answer, m gomegatypes.GomegaMatcher) {
	l.gomegaFor(requirement).Expect(a).To(m)
}

// longestText bounds what a report keeps of a text that may hold words of the target, in bytes.
const longestText = 2 << 10

// CouldNotRun implements spec.Lab.
func (l *lab) CouldNotRun(format string, args ...any) {
	l.leave(reports.CouldNotRun, l.redactor.Text(fmt.Sprintf(format, args...)))
}

func (l *lab) leave(outcome reports.Outcome, reason string) {
	reason = client.Brief(reason, longestText)
	l.journal().leave(outcome, reason)
	ginkgo.Skip(reason)
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
