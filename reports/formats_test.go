package reports

// The forms of other tools, read by readers that are not ours.

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/joshdk/go-junit"
	"github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"shopcheck/reports/validation"
)

// ctrfSchema is the schema of the ctrf package 0.3.0 (MIT), without its descriptions.
//
//go:embed testdata/ctrf.schema.json
var ctrfSchema string

// judged are the samples and a run of each verdict.
func judged() map[string]*Report {
	all := samples()
	for _, verdict := range []Verdict{Incomplete, Interrupted, Errored} {
		report := passingSample()
		report.Verdict, report.Reasons = verdict, []string{"why: it is so, 100 %"}
		all[string(verdict)] = report
	}
	poisoned := failingSample()
	poison(poisoned, "a\x00\x1b[31m\n::error::x]]>\ufffe\xff\u202e# SKIP \"'&amp;")
	clean := failingSample() // words of ours are what they must be: Read sees to it
	poisoned.Verdict = clean.Verdict
	for i := range clean.Specs {
		poisoned.Specs[i].Outcome = clean.Specs[i].Outcome
	}
	all["poisoned"] = poisoned
	return all
}

func formOf(t *testing.T, r *Report, write func(io.Writer, *Report) error) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := write(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestSARIFFitsItsSchema(t *testing.T) {
	for name, report := range judged() {
		text := formOf(t, report, WriteSARIF)
		read, err := sarif.FromBytes(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if err := read.Validate(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if results := read.Runs[0].Results; len(results) != len(Causes(report)) {
			t.Errorf("%s: %d results, want one for each of %d findings", name, len(results), len(Causes(report)))
		}
		finished := report.Verdict == Conformant || report.Verdict == NotConformant
		if invocation := read.Runs[0].Invocations[0]; *invocation.ExecutionSuccessful != finished {
			t.Errorf("%s: executionSuccessful is %v", name, *invocation.ExecutionSuccessful)
		}
	}
}

func TestCTRFFitsItsSchema(t *testing.T) {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(ctrfSchema))
	if err != nil {
		t.Fatal(err)
	}
	compiler := jsonschema.NewCompiler()
	if err := compiler.AddResource("ctrf.json", document); err != nil {
		t.Fatal(err)
	}
	schema := compiler.MustCompile("ctrf.json")
	for name, report := range judged() {
		text := formOf(t, report, WriteCTRF)
		read, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(read); err != nil && len(report.Specs) > 0 {
			t.Errorf("%s: %v", name, err)
		}
		var counted struct {
			Results struct{ Summary struct{ Tests, Failed int } }
		}
		if err := json.Unmarshal(text, &counted); err != nil {
			t.Fatal(err)
		}
		if green := counted.Results.Summary.Failed == 0; green != (report.Verdict == Conformant) {
			t.Errorf("%s: %d tests failed and the verdict is %s", name, counted.Results.Summary.Failed, report.Verdict)
		}
	}
}

func TestJUnitIsReadByOthers(t *testing.T) {
	for name, report := range judged() {
		text := formOf(t, report, WriteJUnit)
		if named := bytes.Count(text, []byte(`<property name="spec" `)); named != len(report.Specs) {
			t.Errorf("%s: %d cases name their spec, want %d", name, named, len(report.Specs))
		}
		suites, err := junit.Ingest(text)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		red, cases := 0, 0
		for _, suite := range suites {
			red += suite.Totals.Failed + suite.Totals.Error
			cases += len(suite.Tests)
		}
		if cases < len(report.Specs) || (red == 0) != (report.Verdict == Conformant) {
			t.Errorf("%s is %s: %d cases, %d of them red", name, report.Verdict, cases, red)
		}
	}
}

func TestTAPCountsWhatItSays(t *testing.T) {
	line := regexp.MustCompile(`^(not )?ok (\d+) - [^#]*(\\#[^#]*)*( # SKIP .*)?$`)
	for name, report := range judged() {
		lines := strings.Split(strings.TrimSuffix(string(formOf(t, report, WriteTAP)), "\n"), "\n")
		tests, red := 0, 0
		for _, text := range lines[2:] {
			if strings.HasPrefix(text, "  ") {
				continue
			}
			if tests++; !line.MatchString(text) || !strings.Contains(text, fmt.Sprintf("ok %d ", tests)) {
				t.Errorf("%s: %q is no test line", name, text)
			}
			if strings.HasPrefix(text, "not ok") {
				red++
			}
		}
		if lines[0] != "TAP version 14" || lines[1] != fmt.Sprintf("1..%d", tests) || (red == 0) != (report.Verdict == Conformant) {
			t.Errorf("%s (%s) begins with %q and has %d tests, %d of them not ok", name, report.Verdict, lines[:2], tests, red)
		}
	}
}

// Each line is one command, whatever the target sent: it could set variables of the job otherwise.
func TestAnnotationsAreOneCommandALine(t *testing.T) {
	command := regexp.MustCompile(`^::(error|warning|notice) title=[^:,]*::.+$`)
	for name, report := range judged() {
		for text := range strings.Lines(string(formOf(t, report, WriteAnnotations))) {
			if !command.MatchString(strings.TrimSuffix(text, "\n")) {
				t.Errorf("%s: %q", name, text)
			}
		}
	}
	if text := string(formOf(t, failingSample(), WriteAnnotations)); !strings.Contains(text,
		"::error title=auth.read-key.writes::A read key could create a product.") ||
		!strings.Contains(text, "::warning ") {
		t.Error(text)
	}
}

func TestBadgesSayTheVerdict(t *testing.T) {
	for name, report := range judged() {
		var shields struct {
			SchemaVersion  int
			Label, Message string
			IsError        bool
		}
		if err := json.Unmarshal(formOf(t, report, WriteBadgeJSON), &shields); err != nil || shields.SchemaVersion != 1 {
			t.Errorf("%s: %v", name, err)
		}
		if shields.IsError != (report.Verdict != Conformant) ||
			!strings.Contains(shields.Message, strings.ToLower(report.Verdict.Title())) {
			t.Errorf("%s: %+v", name, shields)
		}
		var picture struct{ XMLName xml.Name }
		if err := xml.Unmarshal(formOf(t, report, WriteBadge), &picture); err != nil || picture.XMLName.Local != "svg" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// The lean document says the same of every finding as the whole one.
func TestTheLeanDocumentKeepsWhatShowsFindings(t *testing.T) {
	whole := Complete(failingSample())
	read, err := Read(bytes.NewReader(formOf(t, whole, WriteLeanJSON)), validation.Misfits)
	if err != nil {
		t.Fatal(err)
	}
	kept := 0
	for i := range read.Specs {
		kept += len(read.Specs[i].Exchanges)
		if read.Specs[i].ExchangeCount != len(whole.Specs[i].Exchanges) {
			t.Errorf("%s had %d exchanges, and %d are told", whole.Specs[i].ID, len(whole.Specs[i].Exchanges), read.Specs[i].ExchangeCount)
		}
	}
	for i, cause := range Causes(whole) {
		want, got := whole.Found(cause), read.Found(Causes(read)[i])
		for n := range want {
			a, b := want[n].Exchanged(), got[n].Exchanged()
			if (a == nil) != (b == nil) || a != nil && (a.URL != b.URL || b.Number != want[n].Exchange+1) {
				t.Errorf("%s shows another exchange: %+v, want %+v", cause.ID, b, a)
			}
		}
	}
	if kept == 0 || kept > len(whole.Specs) {
		t.Errorf("%d exchanges are kept", kept)
	}
}
