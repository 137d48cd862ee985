// Package reports holds the report document of a conformance run and what is made from it:
// JSON (the document itself), JUnit XML, a single-file HTML page. It knows nothing of how the
// suites ran; a report can be read back, compared and rendered anywhere.
package reports

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// FormatVersion is the version of the report document. It goes up when a field changes its meaning;
// new fields alone leave it.
const FormatVersion = 1

// Verdict is the one-word answer of a run.
type Verdict string

const (
	Conformant    Verdict = "conformant"     // every must holds, nothing is left open
	NotConformant Verdict = "not_conformant" // a must does not hold, or a waiver is stale
	Incomplete    Verdict = "incomplete"     // nothing failed, but something that is on could not run
	Interrupted   Verdict = "interrupted"    // stopped from outside
	Errored       Verdict = "error"          // the harness itself failed, or nothing was run
)

// Level tells how binding a requirement is.
type Level string

const (
	Must     Level = "must"     // a deviation fails the run
	Should   Level = "should"   // a deviation is a warning (a failure with --strict)
	Observed Level = "observed" // never a failure; what the target does is recorded
)

// Outcome is the result of one spec or, summed up, of one requirement.
type Outcome string

const (
	Passed        Outcome = "passed"
	Failed        Outcome = "failed"
	Warned        Outcome = "warned"         // a should statement does not hold
	Waived        Outcome = "waived"         // fails, and a waiver says so
	NotApplicable Outcome = "not_applicable" // its feature is off
	CouldNotRun   Outcome = "could_not_run"  // its feature is on, but something it needs is missing
	Untested      Outcome = "untested"       // requirements only: no spec of this run touched it
	BrokenHarness Outcome = "harness_error"  // the spec itself broke: neither a pass nor a finding
)

// Report is the whole document.
type Report struct {
	FormatVersion int           `json:"format_version"`
	Counts        *Counts       `json:"counts,omitempty"`
	Tool          Tool          `json:"tool"`
	Environment   Environment   `json:"environment,omitzero"`
	Contract      Contract      `json:"contract"`
	Target        Target        `json:"target"`
	StartedAt     time.Time     `json:"started_at"`
	DurationMS    float64       `json:"duration_ms"`
	Verdict       Verdict       `json:"verdict"`
	ExitCode      int           `json:"exit_code"`
	Reasons       []string      `json:"reasons"` // why the verdict is what it is, most important first
	Strict        bool          `json:"strict"`
	Selection     Selection     `json:"selection"`
	Shard         *Shard        `json:"shard,omitempty"` // nil where the run was not split, or its shards are merged
	Features      []Feature     `json:"features"`
	Requirements  []Requirement `json:"requirements"`
	Causes        []Cause       `json:"causes,omitempty"` // what the specs found, one entry a cause
	Specs         []Spec        `json:"specs"`
	Observations  []Observation `json:"observations"`
	Latency       []Latency     `json:"latency"`
	Waivers       []Waiver      `json:"waivers"`
	Leftovers     []string      `json:"leftovers"`      // records that this run was told to have made and has not deleted, a line each
	Kept          []Kept        `json:"kept,omitempty"` // what failed specs have made and the run was to keep
	// command lines that delete what is left and what is kept
	Cleanup []string `json:"cleanup,omitempty"`
	// beside the document, where it holds only the exchanges that show findings
	ExchangesFile string   `json:"exchanges_file,omitempty"`
	Errors        []string `json:"errors"` // why the run could not begin, and faults of the harness itself
	// Changes are what is new since an earlier report, where one was named. They have files of their own, and a part of the page.
	Changes *Comparison `json:"-"`
}

// Kept is a record that stays at the target because a spec failed that made it or was given it.
type Kept struct {
	Path  string   `json:"path"` // in the contract's names: /shop/v3/products/5
	Kind  string   `json:"kind"` // products, orders, products/categories …
	ID    int64    `json:"id"`
	Specs []string `json:"specs"` // those that failed of the specs that made it or were given it
}

// Counts are the totals of a report, so that a reader need not count.
type Counts struct {
	Findings     Tally `json:"findings"`
	Requirements Tally `json:"requirements"`
	Specs        Tally `json:"specs"`
}

// Tool names the program that made the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Seed    int64  `json:"seed"` // the order of the specs follows from it
}

// Contract names the contract revision that the suites were written against.
type Contract struct {
	Title    string    `json:"title"`
	Revision string    `json:"revision"`
	URL      string    `json:"url,omitempty"`      // where the document can be read, as far as the user said
	Sections []Section `json:"sections,omitempty"` // in the order of the document
}

// Section is a section of the contract with what it lays down, in the words of the suites.
type Section struct {
	Title   string `json:"title"`
	Summary string `json:"summary"`
}

// Environment is where the run took place.
type Environment struct {
	Go        string `json:"go"` // the version of Go that the program was built with
	OS        string `json:"os"`
	Arch      string `json:"arch"`
	CPUs      int    `json:"cpus"`
	Processes int    `json:"processes"` // that shared the specs
}

// Target is what was tested, without its secrets.
type Target struct {
	URL     string            `json:"url"`
	Dialect string            `json:"dialect"`
	Profile map[string]string `json:"profile"` // dotted key → value, secrets replaced by "[redacted]"
	// what a command line says to test the same target again, without secrets
	Arguments []string `json:"arguments,omitempty"`
}

// Selection echoes what the user asked to run.
type Selection struct {
	Label string   `json:"label"`
	Focus string   `json:"focus"`
	Specs []string `json:"specs,omitempty"` // ids, sorted
	// ReadOnly is what of that was left out because the run was to write nothing; nil where it could.
	ReadOnly *LeftOut `json:"read_only,omitempty"`
}

// IsWhole reports whether all specs were asked for.
func (s Selection) IsWhole() bool {
	return s.Label == "" && s.Focus == "" && len(s.Specs) == 0 && s.ReadOnly == nil
}

// LeftOut counts the specs that a run leaves out.
type LeftOut struct {
	Specs        int            `json:"specs"`
	Requirements int            `json:"requirements"` // that no other spec of the selection verifies
	Topics       map[string]int `json:"topics"`       // specs by topic
}

// String says it for people, the topics with the most specs first.
func (l LeftOut) String() string {
	topics := slices.SortedFunc(maps.Keys(l.Topics), func(a, b string) int {
		return cmp.Or(l.Topics[b]-l.Topics[a], strings.Compare(a, b))
	})
	for i, topic := range topics {
		topics[i] = fmt.Sprintf("%s %d", topic, l.Topics[topic])
	}
	text := fmt.Sprintf("nothing is written: %s left out, and %s that no other spec verifies",
		Plural(l.Specs, "spec that writes is", "specs that write are"), Plural(l.Requirements, "requirement", "requirements"))
	if len(topics) > 0 {
		text += " (specs by topic: " + strings.Join(topics, ", ") + ")"
	}
	return text
}

// Shard says which part of a run a report is about, and how the run was split.
type Shard struct {
	Number int        `json:"number"` // from 1
	Plan   [][]string `json:"plan"`   // ids of the specs of each shard
}

// String is the shard as the command line takes it: 3/8.
func (s Shard) String() string { return fmt.Sprintf("%d/%d", s.Number, len(s.Plan)) }

// Feature is one thing that a target may or may not offer.
type Feature struct {
	Name    string  `json:"name"`
	State   string  `json:"state"`  // on, off, found, not_found, missing
	Source  string  `json:"source"` // profile, preflight, default
	Verdict Outcome `json:"verdict"`
}

// Requirement is one normative statement of the contract and how it fared.
type Requirement struct {
	ID        string   `json:"id"`
	Level     Level    `json:"level"`
	Section   string   `json:"section"`
	Statement string   `json:"statement"`
	Feature   string   `json:"feature"`
	Outcome   Outcome  `json:"outcome"`
	Reason    string   `json:"reason,omitempty"` // why it is not applicable, could not run or is untested
	Specs     []string `json:"specs"`            // ids of the specs of this run that verify it
}

// Spec is one executed (or deliberately not executed) scenario.
type Spec struct {
	ID            string        `json:"id"`    // stable: topic and texts, slugged
	Topic         string        `json:"topic"` // cart, checkout, …
	Texts         []string      `json:"texts"` // container texts, then the spec's own
	Requirements  []string      `json:"requirements"`
	Outcome       Outcome       `json:"outcome"`
	Reason        string        `json:"reason,omitempty"`    // for not_applicable, could_not_run
	StartedAt     time.Time     `json:"started_at,omitzero"` // zero where it did not run
	DurationMS    float64       `json:"duration_ms"`
	Attempts      int           `json:"attempts"`
	Flaky         bool          `json:"flaky"` // passed, but only after a retried request or attempt
	Findings      []Finding     `json:"findings"`
	Exchanges     []Exchange    `json:"exchanges"`
	ExchangeCount int           `json:"exchange_count,omitempty"` // of a lean document: how many there were
	Observations  []Observation `json:"observations"`
}

// Finding is one deviation: what was wanted, what was got, where.
type Finding struct {
	Requirement string `json:"requirement"` // the requirement that it breaks
	Level       Level  `json:"level"`
	Message     string `json:"message"` // one sentence: what is wrong
	Path        string `json:"path,omitempty"`
	Want        string `json:"want"`
	Got         string `json:"got"`
	Exchange    int    `json:"exchange"`         // index into the spec's exchanges, -1 for none
	Location    string `json:"location"`         // file:line of the check
	Waived      bool   `json:"waived,omitempty"` // a waiver excuses it, whatever else its spec found
}

// Exchange is one HTTP request and its answer: redacted, and cut in size.
type Exchange struct {
	Method     string  `json:"method"`
	URL        string  `json:"url"`
	Endpoint   string  `json:"endpoint"` // the route with {id} in place of values, for latency
	Request    Message `json:"request"`
	Status     int     `json:"status"` // 0 when no answer came
	Response   Message `json:"response"`
	DurationMS float64 `json:"duration_ms"`
	Retries    int     `json:"retries"`
	Shared     bool    `json:"shared,omitempty"` // sent for an earlier spec: what it made was given to this one too
	Error      string  `json:"error,omitempty"`  // transport error
	// the cart tokens that were sent and given, by number: equal numbers stand for equal tokens, 0 for none
	SentToken  int    `json:"sent_token,omitempty"`
	GivenToken int    `json:"given_token,omitempty"`
	Number     int    `json:"number,omitempty"` // of a lean document: its place among all exchanges of the spec, from 1
	Curl       string `json:"curl"`             // one line that repeats the request, secrets as $VARIABLES
	// records that the line names and the run has deleted since, such as products 5 (see NoteGone)
	Gone []string `json:"gone,omitempty"`
}

// Message is the header and body of one direction of an exchange.
type Message struct {
	Header    []Header `json:"header"`
	Body      string   `json:"body"`
	Truncated int      `json:"truncated"` // bytes of the body that were cut off
}

// Header is one header line.
type Header struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Observation records what a target does where the contract is silent.
type Observation struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	Spec  string `json:"spec,omitempty"`
}

// Latency sums up the answers of one endpoint.
type Latency struct {
	Endpoint string  `json:"endpoint"` // "GET /shop/v3/products/{id}"
	Count    int     `json:"count"`
	P50MS    float64 `json:"p50_ms"`
	P95MS    float64 `json:"p95_ms"`
	MaxMS    float64 `json:"max_ms"`
}

// Waiver echoes a waiver of the profile and whether it was needed.
type Waiver struct {
	ID      string `json:"id"` // requirement or spec id
	Reason  string `json:"reason"`
	Link    string `json:"link"`
	Expires string `json:"expires"` // YYYY-MM-DD
	Message string `json:"message,omitempty"`
	State   string `json:"state"` // used, stale (nothing failed), expired, unknown_id, gone (a baseline expects it, and nothing failed)
	// Baseline is the list of known deviations that it comes from, "" for one of the profile's own.
	Baseline string `json:"baseline,omitempty"`
}
