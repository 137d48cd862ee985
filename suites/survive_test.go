package suites_test

// Targets that do not let a run go on: each ends in an outcome that is told.

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/onsi/ginkgo/v2"
	"github.com/onsi/gomega"

	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/expect"
	"shopcheck/suites/profile"
	"shopcheck/suites/spec"
)

// listener is a Progress that keeps what the run says it waits for.
type listener struct {
	suites.Quiet
	mu    sync.Mutex
	waits []string
}

// Wait implements suites.Progress.
func (l *listener) Wait(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waits = append(l.waits, text)
}

func (l *listener) said() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return strings.Join(l.waits, "\n")
}

// hastyProfile has budgets of a test's length.
func hastyProfile(target string) profile.Profile {
	p := profile.New(target)
	p.Credentials.ReadWrite = profile.Credentials{Key: "ck_test", Secret: "cs_very_secret"}
	p.Limits.Timeout, p.Limits.RetryWait, p.Limits.ReconnectWait = 300*time.Millisecond, time.Millisecond, 10*time.Millisecond
	p.Limits.LostTime, p.Limits.LongestWait = time.Second, 50*time.Millisecond
	return p
}

// runSoon fails the test when the run does not end within a generous time.
func runSoon(t *testing.T, o suites.Options) *reports.Report {
	t.Helper()
	done := make(chan *reports.Report, 1)
	go func() {
		r, _ := suites.Run(context.Background(), o)
		done <- r
	}()
	select {
	case r := <-done:
		return r
	case <-time.After(2 * time.Minute):
		t.Fatal("the run does not end")
		return nil
	}
}

func TestATargetThatDiesStopsTheRun(t *testing.T) {
	var dead atomic.Bool
	shop := fakeShop(t, map[string]http.HandlerFunc{
		"POST /shop/v3/products": func(w http.ResponseWriter, _ *http.Request) {
			dead.Store(true)
			answer(w, 201, map[string]any{"id": 7})
		}})
	inner := shop.Config.Handler
	shop.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if dead.Load() {
			panic(http.ErrAbortHandler) // the connection is reset
		}
		inner.ServeHTTP(w, q)
	})
	progress := &listener{}
	r := runSoon(t, suites.Options{Profile: hastyProfile(shop.URL), Progress: progress, Topics: topic(func(env *spec.Env) {
		ginkgo.It("lives", spec.Req("products.create"), func(ctx ginkgo.SpecContext) {
			gomega.Expect(env.Products.Create(ctx, spec.Fields{"name": "x"})).To(expect.HaveStatus(201))
		})
		for n := range 20 {
			ginkgo.It(fmt.Sprintf("asks %d", n), spec.Req("products.list"), func(ctx ginkgo.SpecContext) {
				gomega.Expect(env.Products.List(ctx, nil)).To(expect.HaveStatus(200))
			})
		}
	})})
	reasons := strings.Join(r.Reasons, "; ")
	if r.Verdict != reports.Errored || r.ExitCode != 2 || !strings.Contains(reasons, "does not answer any more, since ") ||
		!strings.Contains(reasons, "is probe.lives") || !strings.Contains(reasons, "in probe.asks-0") {
		t.Errorf("%s, exit code %d: %s", r.Verdict, r.ExitCode, reasons)
	}
	if !strings.Contains(strings.Join(r.Leftovers, "\n"), "/shop/v3/products/7") {
		t.Errorf("left behind: %v", r.Leftovers)
	}
	count := map[reports.Outcome]int{}
	for _, s := range r.Specs {
		count[s.Outcome]++
	}
	if len(r.Specs) != 21 || count[reports.Failed] > 5 || count[reports.CouldNotRun] < 15 || count[reports.Passed] > 1 {
		t.Errorf("outcomes %v", count)
	}
	if !strings.Contains(progress.said(), "trying again in 10ms") {
		t.Errorf("it says %q", progress.said())
	}
}

func TestNoSpecPassesOnNoAnswer(t *testing.T) {
	shop := fakeShop(t, map[string]http.HandlerFunc{
		"GET /shop/v3/orders": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }})
	for requirement, want := range map[string]reports.Outcome{"orders.list": reports.Failed, "nonce.on-products": reports.CouldNotRun,
		"collections.location": reports.CouldNotRun} { // a must, a should, one that is only observed
		r := runSoon(t, suites.Options{Profile: hastyProfile(shop.URL), Topics: topic(func(env *spec.Env) {
			ginkgo.It("asks", spec.Req(requirement), func(ctx ginkgo.SpecContext) { env.Orders.List(ctx, nil) })
		})})
		if s := specOf(t, r, "probe.asks"); s.Outcome != want {
			t.Errorf("%s: the spec %s, want %s", requirement, s.Outcome, want)
		}
		if q := requirementOf(t, r, requirement); q.Outcome == reports.Passed {
			t.Errorf("%s passes on no answer", requirement)
		}
	}
}

func TestAnEndpointThatTakesTimeDoesNotTakeThatOfTheOthers(t *testing.T) {
	for name, hostile := range map[string]struct {
		handler http.HandlerFunc
		said    string
	}{
		"too many requests for ever": {func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 429, map[string]any{"code": "busy", "message": "m", "data": map[string]any{"status": 429}})
		}, ""},
		"a wait of thirty years": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Retry-After", "1e9")
			answer(w, 429, map[string]any{"code": "busy", "message": "m", "data": map[string]any{"status": 429}})
		}, "asks to wait 1000000000 seconds"},
		"it hangs": {func(_ http.ResponseWriter, q *http.Request) { <-q.Context().Done() }, "limits.lost_time"},
		"endless 1xx": {func(w http.ResponseWriter, q *http.Request) {
			for q.Context().Err() == nil {
				w.WriteHeader(http.StatusProcessing)
				time.Sleep(20 * time.Millisecond)
			}
		}, ""},
		"a drip": {func(w http.ResponseWriter, q *http.Request) {
			for q.Context().Err() == nil {
				_, _ = w.Write([]byte("["))
				w.(http.Flusher).Flush()
				time.Sleep(20 * time.Millisecond)
			}
		}, "limits.lost_time"},
	} {
		t.Run(name, func(t *testing.T) {
			progress := &listener{}
			shop := fakeShop(t, map[string]http.HandlerFunc{"GET /shop/v3/orders": hostile.handler})
			r := runSoon(t, suites.Options{Profile: hastyProfile(shop.URL), Progress: progress, Topics: topic(func(env *spec.Env) {
				for n := range 12 {
					ginkgo.It(fmt.Sprintf("waits %d", n), spec.Req("orders.list"), func(ctx ginkgo.SpecContext) {
						gomega.Expect(env.Orders.List(ctx, nil)).To(expect.HaveStatus(200))
					})
				}
				ginkgo.It("goes on", spec.Req("products.list"), func(ctx ginkgo.SpecContext) {
					gomega.Expect(env.Products.List(ctx, nil)).To(expect.HaveStatus(200))
				})
			})})
			if r.Verdict != reports.NotConformant || specOf(t, r, "probe.goes-on").Outcome != reports.Passed ||
				specOf(t, r, "probe.waits-3").Outcome != reports.Failed {
				t.Errorf("%s: %v", r.Verdict, r.Reasons)
			}
			if !strings.Contains(progress.said(), hostile.said) {
				t.Errorf("it says %q", progress.said())
			}
		})
	}
}

func TestARunAndASpecHaveTheirTime(t *testing.T) {
	shop := fakeShop(t, nil)
	specs := topic(func(env *spec.Env) {
		for n := range 2 {
			ginkgo.It(fmt.Sprintf("asks for ever %d", n), spec.Req("products.list"), func(ctx ginkgo.SpecContext) {
				for {
					env.Products.List(ctx, nil)
				}
			})
		}
	})
	p := hastyProfile(shop.URL)
	p.Limits.SpecTime = 50 * time.Millisecond
	r := runSoon(t, suites.Options{Profile: p, Topics: specs})
	if s := specOf(t, r, "probe.asks-for-ever-1"); s.Outcome != reports.CouldNotRun || !strings.Contains(s.Reason, "limits.spec_time") ||
		r.Verdict != reports.Incomplete {
		t.Errorf("%s: %s %s", r.Verdict, s.Outcome, s.Reason)
	}
	p.Limits.SpecTime, p.Limits.RunTime = time.Hour, time.Second
	r = runSoon(t, suites.Options{Profile: p, Topics: specs})
	told := strings.Join(r.Reasons, "")
	if s := specOf(t, r, "probe.asks-for-ever-1"); r.ExitCode != 2 || !strings.Contains(told, "limits.run_time, 1s") ||
		s.Outcome != reports.CouldNotRun {
		t.Errorf("%s: %v; %s %s", r.Verdict, r.Reasons, s.Outcome, s.Reason)
	}
	p.Limits.RunTime = time.Nanosecond // over before the first look at the target
	if r, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: specs}); err == nil ||
		!strings.Contains(err.Error(), "limits.run_time, 1ns") || r.ExitCode != 2 {
		t.Errorf("%v, exit code %d", err, r.ExitCode)
	}
}
