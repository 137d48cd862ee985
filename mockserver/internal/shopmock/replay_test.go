package shopmock_test

// The replay: every call that was recorded from a live shop is sent to the mock, and what comes back is compared – status,
// error code, fields and their types, headers, the order of fields. Where the mock differs on purpose, the table of
// differences says why; anything else is a defect.

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

var update = flag.Bool("update", false, "write the files that are made from the transcripts and from the table of differences")

// leastFaithful is how many percent of a surface's calls must match, or differ only where the contract wins. A call for which the
// project chose anything itself is none of them.
var leastFaithful = map[string]float64{"management": 98, "store": 98}

func TestReplay(t *testing.T) {
	recorded, err := readRecording()
	if err != nil {
		t.Fatal(err)
	}
	table, err := readDifferences()
	if err != nil {
		t.Fatal(err)
	}
	shop := newReplayShop(t)
	results := compareAll(recorded.Calls, shop, table)
	table.account(results)
	report := newReplayReport(results)
	t.Log("\n" + report.String())
	for surface, counts := range report.surfaces {
		if n := counts[unmatched]; n > 0 {
			t.Errorf("%s: %d calls differ for no listed reason", surface, n)
		}
		if share := counts.faithful(); share < leastFaithful[surface] {
			t.Errorf("%s: %.1f %% of the calls match or are listed as the contract winning, want %.0f %%", surface, share,
				leastFaithful[surface])
		}
	}
	for _, v := range table.Values {
		if got := gjson.Get(shop.given.body(v.Call), v.At); !got.Exists() || got.String() != v.Mock {
			t.Errorf("%s lists %s of %s as %q (%s), the mock gives %q", differencesFile, v.At, v.Call, v.Mock, v.Matter, got)
		}
	}
	for _, stale := range table.stale() {
		t.Errorf("%s lists a difference that is none any more: %s", differencesFile, stale)
	}
}

// result is what the replay of one call showed.
type result struct {
	call        *recordedCall
	amended     standing // how it stands at best, by how the call was sent
	differences []difference
	reasons     []*listing // one a difference; nil where the table has none
}

func compareAll(calls []*recordedCall, shop *replayShop, table *differenceTable) []*result {
	results := make([]*result, len(calls))
	for i, call := range calls {
		sent, amended := table.amend(call)
		got, missing := shop.replay(sent)
		results[i] = &result{call: call, amended: amended, differences: compare(call.Answer, got)}
		for _, reference := range missing {
			results[i].differences = append(results[i].differences, difference{"reference", reference, absent})
		}
	}
	return results
}

// compare lists how an answer differs. Where status or code differ nothing else can be compared.
func compare(live, mock outline) []difference {
	c := new(comparison)
	if live.verdict() != mock.verdict() {
		c.differ("answer", live.verdict(), mock.verdict())
		return c.found
	}
	for _, name := range comparedHeaders {
		if had, has := slices.Contains(live.Header, name), slices.Contains(mock.Header, name); had != has {
			c.differ("header "+name, presence(had), presence(has))
		}
	}
	c.items(live.Items, mock.Items)
	if slices.Equal(live.Items, mock.Items) {
		c.bodies(live.shape, mock.shape)
	}
	return c.found
}

// items compares how the items of a batch came out.
func (c *comparison) items(live, mock []string) {
	for i := range max(len(live), len(mock)) {
		had, has := itemAt(live, i), itemAt(mock, i)
		if had != has {
			c.differ(fmt.Sprintf("item %d", i), had, has)
		}
	}
}

func itemAt(verdicts []string, i int) string {
	if i >= len(verdicts) {
		return absent
	}
	return verdicts[i]
}

func presence(there bool) string {
	if there {
		return "sent"
	}
	return absent
}

// standing is how a call came out.
type standing int

const (
	matched standing = iota
	contractWins
	ourChoice
	unmatched
)

func (r *result) standing() standing {
	stands := r.amended
	for i := range r.differences {
		if r.reasons[i] == nil {
			return unmatched
		}
		stands = max(stands, standingBy(r.reasons[i].Authority))
	}
	return stands
}

// replayReport counts how calls came out, by surface.
type replayReport struct {
	surfaces map[string]*tally
	failures map[string][]string // of each surface and resource
	cut      int                 // calls of which nothing but status, code and headers was compared
}

type tally [unmatched + 1]int

func (t *tally) all() int { return t[matched] + t[contractWins] + t[ourChoice] + t[unmatched] }

// faithful is how many percent match, or are listed as the contract winning.
func (t *tally) faithful() float64 {
	return 100 * float64(t[matched]+t[contractWins]) / float64(max(t.all(), 1))
}

func newReplayReport(results []*result) *replayReport {
	report := &replayReport{surfaces: map[string]*tally{"management": {}, "store": {}}, failures: map[string][]string{}}
	for _, r := range results {
		stands := r.standing()
		report.surfaces[r.call.surface()][stands]++
		if body := r.call.Answer.shape; body != nil && body.scalars[cutShort] {
			report.cut++
		}
		if stands == unmatched {
			place := r.call.surface() + " " + r.call.resource()
			report.failures[place] = append(report.failures[place], r.String())
		}
	}
	return report
}

func (r *result) String() string {
	lines := []string{fmt.Sprintf("  %s (%s %s)", r.call.Name, r.call.Method, r.call.Path)}
	for i, difference := range r.differences {
		if r.reasons[i] == nil {
			lines = append(lines, "      "+difference.String())
		}
	}
	return strings.Join(lines, "\n")
}

func (r *replayReport) String() string {
	var lines []string
	for _, place := range slices.Sorted(maps.Keys(r.failures)) {
		lines = append(lines, fmt.Sprintf("%s: %d not matched", place, len(r.failures[place])))
		lines = append(lines, r.failures[place]...)
	}
	for _, surface := range []string{"management", "store"} {
		t := r.surfaces[surface]
		lines = append(lines, fmt.Sprintf("%s: %d recorded calls, %d matched, %d listed as the contract winning, %d listed as our "+
			"choice, %d not matched (%.1f %% match or are listed as the contract winning)",
			surface, t.all(), t[matched], t[contractWins], t[ourChoice], t[unmatched], t.faithful()))
	}
	lines = append(lines, fmt.Sprintf("of %d calls the recorded body breaks off: status, code and headers were compared", r.cut))
	return strings.Join(lines, "\n")
}

// The file of recorded calls says what the transcripts say.
func TestReplayFacts(t *testing.T) {
	if _, err := os.Stat(transcriptFolder); err != nil {
		t.Skipf("the transcripts of the live shop are not here (%s): the facts that %s keeps of them are replayed as they are",
			transcriptFolder, callsFile)
	}
	transcripts, err := readTranscripts(transcriptFolder)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := newRecording(factsOf(transcripts)).encode()
	if err != nil {
		t.Fatal(err)
	}
	mustEqualFile(t, callsFile, facts)
	table, err := readDifferences()
	if err != nil {
		t.Fatal(err)
	}
	bodies := map[string]gjson.Result{}
	for _, one := range transcripts {
		bodies[one.name] = one.json()
	}
	for _, v := range table.Values {
		if got := bodies[v.Call].Get(v.At); !got.Exists() || got.String() != v.Live {
			t.Errorf("%s lists %s of %s as %q (%s), the live shop gave %q", differencesFile, v.At, v.Call, v.Live, v.Matter, got)
		}
	}
}

// mustEqualFile compares a file that is made with what it should hold; -update writes it.
func mustEqualFile(t *testing.T, name string, want []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, want, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("%s is out of date: run go test ./mockserver/internal/shopmock -run Replay -update", name)
	}
}

// The page shows the table.
func TestReplayDifferencesPage(t *testing.T) {
	table, err := readDifferences()
	if err != nil {
		t.Fatal(err)
	}
	mustEqualFile(t, differencesPage, table.page())
}
