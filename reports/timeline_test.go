package reports

import (
	"slices"
	"strings"
	"testing"
	"time"
)

func TestSpecsThatRanAtTheSameTimeAreInLanesOfTheirOwn(t *testing.T) {
	t.Parallel()
	began := time.Unix(1_700_000_000, 0)
	at := func(ms, took int) specView {
		return specView{Spec: &Spec{Outcome: Passed, StartedAt: began.Add(time.Duration(ms) * time.Millisecond), DurationMS: float64(took)}}
	}
	specs := []specView{at(10, 30), at(0, 20), at(20, 5), {Spec: &Spec{Outcome: NotApplicable}}, at(40, 10)}
	line := timelineOf(specs)
	want := map[int]laneMark{1: {0, 0}, 0: {10, 1}, 2: {20, 0}, 4: {40, 0}}
	for i := range specs {
		if line.Lanes[i] != want[i] {
			t.Errorf("spec %d is at %v, wanted %v", i, line.Lanes[i], want[i])
		}
	}
	if len(line.Lanes) != 4 || line.SpanMS != 50 || line.Height != 2*laneHeight {
		t.Errorf("%d specs, %v ms, %v high", len(line.Lanes), line.SpanMS, line.Height)
	}
	if len(line.Marks) != 1 || strings.Count(line.Marks[0].Path, "M") != 4 || !strings.Contains(line.Marks[0].Path, "M200 14h600v11H200z") {
		t.Errorf("%+v", line.Marks)
	}
	if last := line.Ticks[len(line.Ticks)-1]; len(line.Ticks) != 6 || last != (timeTick{100, "50ms"}) {
		t.Errorf("%+v", line.Ticks)
	}
}

func TestTheSlowestAreListedAndThoseSentAgain(t *testing.T) {
	t.Parallel()
	view := newView(failingSample())
	line := view.Time
	if len(line.SlowSpecs) != slowest || len(line.SlowRequests) != slowest || len(line.Retried) == 0 || line.SentAgain < len(line.Retried) {
		t.Fatalf("%d specs, %d requests, %d sent again", len(line.SlowSpecs), len(line.SlowRequests), len(line.Retried))
	}
	if !slices.IsSortedFunc(line.SlowSpecs, func(a, b specView) int { return int(b.DurationMS - a.DurationMS) }) {
		t.Error("the slowest spec is not the first")
	}
	for _, request := range line.Retried {
		if request.Retries == 0 {
			t.Errorf("%s was sent once", request.Endpoint)
		}
	}
	if none := timelineOf(nil); len(none.Marks) != 0 || none.Requests != 0 {
		t.Errorf("a run without specs: %+v", none)
	}
}

func TestALinkToTheContractIsOneOfTheWeb(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"https://docs.example/api.md?raw=1#top": "https://docs.example/api.md?raw=1#management-api-order",
		"http://127.0.0.1/a":                    "http://127.0.0.1/a#management-api-order",
		"":                                      "",
		"javascript:alert(1)":                   "",
		"storefront-api.md":                     "",
	} {
		if got := (Contract{URL: url}).linkTo("Resources and their fields / Management API: Order"); got != want {
			t.Errorf("%q: %q, wanted %q", url, got, want)
		}
	}
	report := passingSample()
	report.Contract.URL = "https://docs.example/api.md"
	for _, want := range []string{`href="https://docs.example/api.md#limits"`, "How many, how long."} {
		if !strings.Contains(string(pageOf(t, report)), want) {
			t.Errorf("the page lacks %s", want)
		}
	}
}
