package reports

import (
	"bytes"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"shopcheck/reports/validation"
)

// shardOf returns shard number of a run of three, each with two specs: s1.a and s1.b, …
func shardOf(number int, change func(*Report)) *Report {
	plan := [][]string{{"s1.a", "s1.b"}, {"s2.a", "s2.b"}, {"s3.a", "s3.b"}}
	r := &Report{
		FormatVersion: FormatVersion, Shard: &Shard{Number: number, Plan: plan}, Verdict: Conformant,
		Target:    Target{URL: "http://shop.example", Dialect: "neutral"},
		StartedAt: time.Unix(int64(100*number), 0).UTC(), DurationMS: 5000,
		Features: []Feature{{Name: "f", State: "on", Verdict: Passed}},
	}
	for _, id := range plan[number-1] {
		r.Specs = append(r.Specs, Spec{ID: id, Topic: id[:2], Outcome: Passed, Exchanges: []Exchange{
			{Endpoint: "GET /a", Status: 200, DurationMS: float64(number)}}})
	}
	for n := 1; n <= 3; n++ {
		outcome := Untested
		if n == number {
			outcome = Passed
		}
		r.Requirements = append(r.Requirements, Requirement{ID: fmt.Sprintf("r%d", n), Level: Must, Feature: "f", Outcome: outcome})
	}
	if change != nil {
		change(r)
	}
	return r
}

func TestMergedShardsAreTheRun(t *testing.T) {
	t.Parallel()
	merged, err := Merge([]*Report{shardOf(3, nil), shardOf(1, nil), shardOf(2, func(r *Report) {
		r.Specs[1].Outcome, r.Requirements[1].Outcome = Failed, Failed
		r.Specs[1].Findings = []Finding{{Requirement: "r2", Level: Must, Message: "no", Exchange: 0}}
		r.Leftovers = []string{"DELETE /x/1"}
	})})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, spec := range merged.Specs {
		ids = append(ids, spec.ID)
	}
	if got := strings.Join(ids, " "); got != "s1.a s1.b s2.a s2.b s3.a s3.b" {
		t.Error(got)
	}
	if merged.Verdict != NotConformant || merged.ExitCode != 1 || merged.Shard != nil || merged.Features[0].Verdict != Failed {
		t.Errorf("%s, exit code %d, shard %v, features %v", merged.Verdict, merged.ExitCode, merged.Shard, merged.Features)
	}
	if r := merged.Requirements; r[0].Outcome != Passed || r[1].Outcome != Failed || r[2].Outcome != Passed {
		t.Errorf("%+v", r)
	}
	if l := merged.Latency; len(l) != 1 || l[0].Count != 6 || l[0].P50MS != 2 || l[0].MaxMS != 3 {
		t.Errorf("%+v", l)
	}
	if merged.DurationMS != 205_000 || len(merged.Leftovers) != 1 {
		t.Errorf("%v ms, %v", merged.DurationMS, merged.Leftovers)
	}
}

func TestALostShardIsNeverASmallerGreen(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		shards []*Report
		lost   []string
		want   string
	}{
		"not given": {[]*Report{shardOf(1, nil), shardOf(3, nil)}, nil,
			"shard 2/3 is lost: no report of it was given; 2 specs did not run: s2.a, s2.b"},
		"unreadable": {[]*Report{shardOf(1, nil), shardOf(3, nil)}, []string{"s2/report.json is cut"}, "s2/report.json is cut"},
		"cut short": {[]*Report{shardOf(1, nil), shardOf(2, func(r *Report) { r.Specs = r.Specs[:1] }), shardOf(3, nil)}, nil,
			"shard 2/3 ended before them; 1 spec did not run: s2.b"},
		"could not begin": {[]*Report{shardOf(1, nil), shardOf(2, func(r *Report) {
			r.Specs, r.Features, r.Errors = nil, nil, []string{"cannot be reached"}
		}), shardOf(3, nil)}, nil, "shard 2/3: cannot be reached"},
	} {
		merged, err := Merge(c.shards, c.lost...)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if merged.Verdict != Errored || merged.ExitCode != 2 || !slices.Contains(merged.Errors, c.want) {
			t.Errorf("%s: %s (%d) %q", name, merged.Verdict, merged.ExitCode, merged.Errors)
		}
		if missing := merged.Specs[len(merged.Specs)-1]; missing.Outcome != CouldNotRun || !strings.HasPrefix(missing.ID, "s2.") {
			t.Errorf("%s: %+v", name, missing)
		}
		if len(merged.Specs) != 6 {
			t.Errorf("%s: %d specs", name, len(merged.Specs))
		}
	}
}

func TestOnlyShardsOfOneRunAreMerged(t *testing.T) {
	t.Parallel()
	for want, second := range map[string]*Report{
		"is no shard":                      shardOf(2, func(r *Report) { r.Shard = nil }),
		"is given twice":                   shardOf(1, nil),
		"the target differs":               shardOf(2, func(r *Report) { r.Target.URL = "http://other.example" }),
		"the dialect differs":              shardOf(2, func(r *Report) { r.Target.Dialect = "other" }),
		"the revision of the contract":     shardOf(2, func(r *Report) { r.Contract.Revision = "2" }),
		"the selection by label":           shardOf(2, func(r *Report) { r.Selection.Label = "cart" }),
		"the selection by spec":            shardOf(2, func(r *Report) { r.Selection.Specs = []string{"s2.a"} }),
		"strictness differs":               shardOf(2, func(r *Report) { r.Strict = true }),
		"the version of the program":       shardOf(2, func(r *Report) { r.Tool.Version = "2" }),
		`the feature f is "on" and "off"`:  shardOf(2, func(r *Report) { r.Features[0].State = "off" }),
		"the waivers differ":               shardOf(2, func(r *Report) { r.Waivers = []Waiver{{ID: "r2"}} }),
		"split otherwise":                  shardOf(2, func(r *Report) { r.Shard.Plan[2] = []string{"s3.a"} }),
		"overlaps another one: s1.a is":    shardOf(2, func(r *Report) { r.Specs[0].ID = "s1.a" }),
		"s2.b is not its spec, or there t": shardOf(2, func(r *Report) { r.Specs[0].ID = "s2.b" }),
		"there is no shard 9/3":            shardOf(2, func(r *Report) { r.Shard.Number = 9 }),
	} {
		if _, err := Merge([]*Report{shardOf(1, nil), second}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if _, err := Merge(nil); err == nil {
		t.Error("nothing was merged")
	}
}

// A shard that has not tested what a waiver is about calls it used.
func TestWaiversOfShardsAreNeededWhereOneNeedsThem(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		id     string
		states [3]string
		tested [3]Outcome // of r1
		want   string
	}{
		"needed once":       {"r1", [3]string{"used", "stale", "used"}, [3]Outcome{Waived, Passed, Untested}, "used"},
		"needed by nobody":  {"r1", [3]string{"stale", "used", "used"}, [3]Outcome{Passed, Untested, Untested}, "stale"},
		"tested by nobody":  {"r1", [3]string{"used", "used", "used"}, [3]Outcome{Untested, Untested, Untested}, "used"},
		"expired":           {"r1", [3]string{"expired", "expired", "expired"}, [3]Outcome{Failed, Untested, Untested}, "expired"},
		"of a spec, needed": {"s1.a", [3]string{"used", "used", "used"}, [3]Outcome{Waived, Untested, Untested}, "used"},
		"of a spec, stale":  {"s1.a", [3]string{"stale", "used", "used"}, [3]Outcome{Passed, Untested, Untested}, "stale"},
	} {
		var shards []*Report
		for i := range c.states {
			shards = append(shards, shardOf(i+1, func(r *Report) {
				r.Waivers = []Waiver{{ID: c.id, State: c.states[i]}}
				r.Requirements[0].Outcome = c.tested[i]
			}))
		}
		merged, err := Merge(shards)
		if err != nil || merged.Waivers[0].State != c.want {
			t.Errorf("%s: %v %v, want %s", name, merged.Waivers, err, c.want)
		}
	}
}

// It does not run beside others, whose memory would be counted. Encoded at once they take three times what they are; under the race
// detector, which throws a quarter of the buffers away that are used again, one and a half.
func TestExchangesAreNotEncodedAtOnce(t *testing.T) {
	large := &Report{}
	for i := range 400 {
		body := strings.Repeat("x", 40_000)
		large.Specs = append(large.Specs, Spec{ID: fmt.Sprint("spec-", i), Exchanges: []Exchange{{Response: Message{Body: body}}}})
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	if err := WriteExchanges(io.Discard, large); err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if taken := after.TotalAlloc - before.TotalAlloc; taken > 32<<20 {
		t.Errorf("to write 16 MB takes %d MB of memory", taken>>20)
	}
}

func TestExchangesAreAttachedAgain(t *testing.T) {
	t.Parallel()
	full := failingSample()
	var document, exchanges bytes.Buffer
	if err := WriteLeanJSON(&document, full); err != nil {
		t.Fatal(err)
	}
	if err := WriteExchanges(&exchanges, full); err != nil {
		t.Fatal(err)
	}
	zipped := exchanges.Bytes()
	thin, err := Read(&document, validation.Misfits)
	if err != nil {
		t.Fatal(err)
	}
	if err := Attach(thin, bytes.NewReader(zipped)); err != nil {
		t.Fatal(err)
	}
	var want, got bytes.Buffer
	if err := WriteJSON(&want, Complete(full)); err != nil {
		t.Fatal(err)
	}
	if err := WriteJSON(&got, Complete(thin)); err != nil {
		t.Fatal(err)
	}
	if want.String() != got.String() {
		t.Error("the document is another one than before")
	}
	thin.Specs[0].ExchangeCount += 7
	if err := Attach(thin, bytes.NewReader(zipped)); err == nil || !strings.Contains(err.Error(), "of another run") {
		t.Errorf("exchanges of another run are taken: %v", err)
	}
	if err := Attach(thin, strings.NewReader("no gzip")); err == nil {
		t.Error("what is no gzip is taken")
	}
}
