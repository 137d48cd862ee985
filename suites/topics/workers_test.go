package topics_test

// Runs that are split among processes.

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/topics"
)

func workers(t *testing.T, count int) *suites.Workers {
	t.Helper()
	return &suites.Workers{Count: count, Command: func() *exec.Cmd { return again(t, "worker", "") }}
}

func TestWorkersShareARun(t *testing.T) {
	if testing.Short() {
		t.Skip("whole runs in several processes, each of which takes seconds to begin")
	}
	server := mockserver.Start(t)
	before := export(t, server)
	report, err := suites.Run(context.Background(),
		suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(), Workers: workers(t, 3)})
	if err != nil {
		t.Fatal(err)
	}
	checkVerdict(t, report)
	checkRequirements(t, report)
	checkOnceEach(t, report)
	checkUntouched(t, before, export(t, server))
	sent := uint64(0)
	for _, count := range server.Stats().Requests {
		sent += count
	}
	if sent == 0 || sent > mostRequests*11/10 {
		t.Errorf("three workers sent %d requests, one sends %d: each makes what the specs of a topic share", sent, mostRequests)
	}
}

// checkOnceEach proves the report against the preview of the tree.
func checkOnceEach(t *testing.T, r *reports.Report) {
	t.Helper()
	planned, err := suites.List(topics.All())
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, spec := range planned {
		want = append(want, spec.ID)
	}
	for _, spec := range r.Specs {
		got = append(got, spec.ID)
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(want, got) {
		t.Errorf("%d specs have a result, %d are planned", len(got), len(want))
	}
}

// What a run finds does not depend on how many processes find it.
func TestWorkersFindWhatOneProcessFinds(t *testing.T) {
	if testing.Short() {
		t.Skip("whole runs in several processes, each of which takes seconds to begin")
	}
	server := mockserver.Start(t)
	bent := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodDelete && !r.URL.Query().Has("force") {
			r.URL.RawQuery = "force=true" // nothing goes to the trash
		}
		server.Handler().ServeHTTP(forgetful{w}, r)
	}))
	defer bent.Close()
	options := suites.Options{Profile: profileOf(t, bent.URL), Topics: topics.All(), Label: "products || pagination || catalogue"}
	var seen [2][]string
	for i, split := range []*suites.Workers{nil, workers(t, 3)} {
		options.Workers = split
		report, err := suites.Run(context.Background(), options)
		if err != nil || report.Verdict != reports.NotConformant {
			t.Fatalf("%v, %s %v", err, report.Verdict, report.Reasons)
		}
		seen[i] = summary(report)
	}
	for i, who := range []string{"one process", "three"} {
		for _, line := range seen[i] {
			if !slices.Contains(seen[1-i], line) {
				t.Errorf("only %s: %s", who, line)
			}
		}
	}
}

// forgetful leaves a header out, which specs notice in passing.
type forgetful struct{ http.ResponseWriter }

func (f forgetful) WriteHeader(status int) {
	f.Header().Del("X-Shop-TotalPages")
	f.ResponseWriter.WriteHeader(status)
}

// summary says how each requirement fared, and how many specs fared how: which of several specs fails of an answer that they share is a
// matter of which asks first.
func summary(r *reports.Report) []string {
	var lines []string
	for _, q := range r.Requirements {
		lines = append(lines, q.ID+" "+string(q.Outcome))
	}
	count := map[reports.Outcome]int{}
	for _, spec := range r.Specs {
		count[spec.Outcome]++
	}
	for outcome, specs := range count {
		lines = append(lines, fmt.Sprint(specs, " specs ", outcome))
	}
	return lines
}

func TestADeadWorkerIsAHarnessError(t *testing.T) {
	server := mockserver.Start(t)
	const fatal = "products.create.answers-201-with-the-record"
	split := &suites.Workers{Count: 2, Command: func() *exec.Cmd { return again(t, "dying worker", `"claim":"`+fatal) }}
	report, err := suites.Run(context.Background(), suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(),
		Workers: split, Label: "products"})
	if err != nil || report.Verdict != reports.Errored || report.ExitCode != 2 {
		t.Fatalf("%v, %s with exit code %d", err, report.Verdict, report.ExitCode)
	}
	if len(report.Leftovers) > 0 {
		t.Errorf("what the dead have made is left: %v", report.Leftovers)
	}
	said := strings.Join(report.Errors, "\n")
	for _, want := range []string{"worker ", "while it ran " + fatal, "exit status 7", "a fault of this worker"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not in %s", want, said)
		}
	}
}

func TestAKilledWorkerCostsItsSpecARetryAndNotTheRun(t *testing.T) {
	server := mockserver.Start(t)
	before := export(t, server)
	mark := filepath.Join(t.TempDir(), "killed")
	split := &suites.Workers{Count: 2, Command: func() *exec.Cmd { return again(t, "worker killed once", mark) }}
	report, err := suites.Run(context.Background(), suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(),
		Workers: split, Label: "products"})
	if err != nil || report.Verdict != reports.Conformant || len(report.Leftovers) > 0 {
		t.Fatalf("%v, %s %v, left %v", err, report.Verdict, report.Reasons, report.Leftovers)
	}
	retried := 0
	for _, spec := range report.Specs {
		if spec.Attempts == 2 && strings.HasPrefix(spec.ID, "products.create.") {
			retried++
		}
	}
	if _, err := os.Stat(mark); err != nil || retried != 1 {
		t.Errorf("%v; %d specs have run twice", err, retried)
	}
	checkUntouched(t, before, export(t, server))
}

// However many workers there are, the target gets no more than the limits allow.
func TestWorkersKeepTheLimitsTogether(t *testing.T) {
	for name, share := range map[string]*suites.Workers{"one process": nil, "2 workers": workers(t, 2), "5 workers": workers(t, 5),
		"as many as it is worth": workers(t, 0)} {
		t.Run(name, func(t *testing.T) { checkLimits(t, share) })
	}
}

func checkLimits(t *testing.T, share *suites.Workers) {
	t.Helper()
	server := mockserver.Start(t)
	var mu sync.Mutex
	open, most, requests := map[net.Conn]bool{}, 0, 0
	counted := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		requests++
		mu.Unlock()
		server.Handler().ServeHTTP(w, r)
	}))
	counted.Config.ConnState = func(c net.Conn, state http.ConnState) {
		mu.Lock()
		defer mu.Unlock()
		switch state {
		case http.StateNew:
			open[c] = true
			most = max(most, len(open))
		case http.StateClosed, http.StateHijacked:
			delete(open, c)
		}
	}
	counted.Start()
	defer counted.Close()
	const perSecond, connections = 40, 3
	p := profileOf(t, counted.URL)
	p.Limits.RequestsPerSecond, p.Limits.Concurrency = perSecond, connections
	began := time.Now()
	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All(), Workers: share,
		Label: "versioning"})
	if err != nil || report.Verdict != reports.Conformant {
		t.Fatalf("%v, %s %v", err, report.Verdict, report.Reasons)
	}
	took := time.Since(began)
	// each of the two limits of a run lets one pass at once
	if least := time.Duration(requests-1-1) * time.Second / perSecond; took < least {
		t.Errorf("%d requests came in %v, %d a second are allowed", requests, took, perSecond)
	}
	if most > connections {
		t.Errorf("%d connections at once, %d are allowed", most, connections)
	}
}

// A target that dies in the middle ends all workers with the same word, and no spec passes on no answer.
func TestATargetThatDiesStopsTheWorkers(t *testing.T) {
	server := mockserver.Start(t)
	var asked atomic.Int64
	mortal := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) > 400 {
			panic(http.ErrAbortHandler) // the connection is reset
		}
		server.Handler().ServeHTTP(w, r)
	}))
	defer mortal.Close()
	p := profileOf(t, mortal.URL)
	p.Limits.Retries, p.Limits.ReconnectWait = 0, 10*time.Millisecond
	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All(), Workers: workers(t, 3)})
	if err != nil || report.Verdict != reports.Errored || report.ExitCode != 2 || len(report.Leftovers) == 0 ||
		!strings.Contains(strings.Join(report.Errors, "; "), "does not answer any more") {
		t.Errorf("%v, %s with exit code %d, left %d, errors %.500v", err, report.Verdict, report.ExitCode, len(report.Leftovers),
			report.Errors)
	}
	checkOnceEach(t, report)
	for _, spec := range report.Specs {
		unanswered := func(e reports.Exchange) bool { return e.Status == 0 }
		if spec.Outcome == reports.Passed && slices.ContainsFunc(spec.Exchanges, unanswered) {
			t.Errorf("%s passes on no answer", spec.ID)
		}
	}
}

func TestAnInterruptReachesTheWorkers(t *testing.T) {
	server := mockserver.Start(t)
	before := export(t, server)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	report, err := suites.Run(ctx, suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(), Workers: workers(t, 3),
		Progress: &stopper{stop: cancel, after: 50}})
	if err != nil || report.Verdict != reports.Interrupted || report.ExitCode != 130 || len(report.Leftovers) > 0 ||
		len(report.Errors) > 0 {
		t.Errorf("%v, %s with exit code %d, left %v, errors %v", err, report.Verdict, report.ExitCode, report.Leftovers, report.Errors)
	}
	checkOnceEach(t, report)
	checkUntouched(t, before, export(t, server))
}

func TestWorkersThatDoNotStart(t *testing.T) {
	server := mockserver.Start(t)
	split := &suites.Workers{Count: 2, Command: func() *exec.Cmd { return exec.Command("./no-such-program") }}
	report, _ := suites.Run(context.Background(), suites.Options{Profile: profileOf(t, server.URL()), Topics: topics.All(), Workers: split})
	if report.Verdict != reports.Errored || !strings.Contains(strings.Join(report.Errors, " "), "worker 1 does not start") {
		t.Errorf("%s %.300v", report.Verdict, report.Errors)
	}
}

func TestWorkNeedsAJob(t *testing.T) {
	for _, in := range []string{"", "hello", "{}"} {
		var out strings.Builder
		if err := suites.Work(context.Background(), strings.NewReader(in), &out, topics.All()); err == nil ||
			!strings.Contains(err.Error(), "--procs") {
			t.Errorf("%q: %v", in, err)
		}
	}
}
