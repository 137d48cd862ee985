//go:build unix

package main

// What a run of all suites takes, beside what bare net/http takes for the same requests.

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"runtime"
	"syscall"
	"testing"
	"time"

	"github.com/go-resty/resty/v2"

	"shopcheck/suites"
	"shopcheck/suites/topics"
)

// BenchmarkRun times the whole of shopcheck run as a process of its own, and the floor: every request of such a run, one after the other as
// the run sends them, from a plain resty client to a bare net/http handler that answers the same bytes. Webhooks, a few dozen, are not
// among them. Beside the time by the clock there are the processor's (cpu-ns/op), the memory that was resident at the most, and how
// long it took in ms until the run began, the specs were planned, the last one had ended, the target was clean and the report was written.
// The run comes first: the memory that a process has when it starts another one counts as that one's.
func BenchmarkRun(b *testing.B) {
	b.Run("run", func(b *testing.B) {
		sum := runTimes{phases: map[string]time.Duration{}}
		folder := b.TempDir()
		for b.Loop() {
			sum.add(b, folder)
		}
		sum.report(b)
	})
	b.Run("floor", func(b *testing.B) {
		played := played(b)
		floor := httptest.NewServer(played)
		defer floor.Close()
		sender := resty.New().SetRedirectPolicy(resty.NoRedirectPolicy()).SetTransport(&http.Transport{})
		before := processorTime(b)
		for b.Loop() {
			played.send(b, sender, floor.URL)
		}
		b.ReportMetric(float64(processorTime(b)-before)/float64(b.N), "cpu-ns/op")
		b.ReportMetric(float64(len(played.calls)), "requests")
	})
}

func processorTime(b *testing.B) time.Duration {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}

// call is one request of a run with its answer.
type call struct {
	method, path string
	header       http.Header
	body         []byte
	status       int
	answered     http.Header
	answer       []byte
}

// tape keeps the calls of a run, and plays their answers in the same order.
type tape struct {
	calls []call
	next  int
}

// played is the tape of a run of all suites.
func played(b *testing.B) *tape {
	url, stop, err := startMock()
	if err != nil {
		b.Fatal(err)
	}
	defer stop()
	t := &tape{}
	report, err := suites.Run(context.Background(), suites.Options{Profile: mockProfile(url), Topics: topics.All(), Transport: t})
	if err != nil || report.ExitCode != 0 {
		b.Fatal(report.Verdict, report.Reasons, err)
	}
	runtime.GC()
	return t
}

// RoundTrip implements http.RoundTripper.
func (t *tape) RoundTrip(r *http.Request) (*http.Response, error) {
	c := call{method: r.Method, path: r.URL.RequestURI(), header: r.Header.Clone()}
	if r.Body != nil {
		c.body, _ = io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(c.body))
	}
	response, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	c.answer, err = io.ReadAll(response.Body)
	response.Body.Close()
	response.Body = io.NopCloser(bytes.NewReader(c.answer))
	c.status, c.answered = response.StatusCode, response.Header.Clone()
	t.calls = append(t.calls, c)
	return response, err
}

// send sends every call again.
func (t *tape) send(b *testing.B, sender *resty.Client, url string) {
	t.next = 0
	for _, c := range t.calls {
		r := sender.R()
		if c.body != nil {
			r.SetBody(c.body)
		}
		r.Header = c.header.Clone()
		response, err := r.Execute(c.method, url+c.path)
		if response.StatusCode() != c.status || len(response.Body()) != len(c.answer) {
			b.Fatal(c.method, c.path, response.Status(), err)
		}
	}
}

// ServeHTTP answers with the bytes that the next call got.
func (t *tape) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	c := &t.calls[t.next]
	t.next++
	for name, values := range c.answered {
		if name != "Date" {
			w.Header()[name] = values
		}
	}
	w.WriteHeader(c.status)
	_, _ = w.Write(c.answer)
}

// runTimes are what runs took.
type runTimes struct {
	processor time.Duration
	resident  int64 // kB at the most
	phases    map[string]time.Duration
}

// phases are the parts of a run by the events of which the last one ends each.
func phases() []string { return []string{"run_start", "plan", "spec_end", "cleanup", "summary"} }

// add runs all suites once more.
func (s *runTimes) add(b *testing.B, folder string) {
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	command := exec.Command(self, "run", "--json", "--out", folder)
	command.Env = append(os.Environ(), asProgram+"=yes")
	var out bytes.Buffer
	command.Stdout = &out
	began := time.Now()
	if err := command.Run(); err != nil {
		b.Fatal(err)
	}
	s.processor += command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	s.resident = max(s.resident, command.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	s.note(b, began, &out)
}

// note adds up how long each phase took.
func (s *runTimes) note(b *testing.B, began time.Time, events io.Reader) {
	ends := map[string]time.Time{}
	for lines := json.NewDecoder(events); lines.More(); {
		var e moment
		if err := lines.Decode(&e); err != nil {
			b.Fatal(err)
		}
		ends[e.Event] = e.Time
	}
	for _, event := range phases() {
		s.phases[event] += ends[event].Sub(began)
		began = ends[event]
	}
}

func (s *runTimes) report(b *testing.B) {
	b.ReportMetric(float64(s.processor)/float64(b.N), "cpu-ns/op")
	b.ReportMetric(float64(s.resident)/1024, "peak-MB")
	for event, took := range s.phases {
		b.ReportMetric(took.Seconds()*1000/float64(b.N), "ms-to-"+event)
	}
}
