package reports

import (
	"bytes"
	"encoding/xml"
	"io"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// readJUnit is what a CI system reads: written apart from the writer's types, so that a slip in those shows.
type readJUnit struct {
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Time     float64     `xml:"time,attr"`
	Suites   []readSuite `xml:"testsuite"`
}

type readSuite struct {
	Name       string  `xml:"name,attr"`
	Tests      int     `xml:"tests,attr"`
	Failures   int     `xml:"failures,attr"`
	Errors     int     `xml:"errors,attr"`
	Skipped    int     `xml:"skipped,attr"`
	Time       float64 `xml:"time,attr"`
	Properties []struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	} `xml:"properties>property"`
	Cases []readCase `xml:"testcase"`
}

type readCase struct {
	Class     string       `xml:"classname,attr"`
	Name      string       `xml:"name,attr"`
	Failure   *readProblem `xml:"failure"`
	Error     *readProblem `xml:"error"`
	Skipped   *readProblem `xml:"skipped"`
	SystemOut string       `xml:"system-out"`
}

type readProblem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

func junitOf(t *testing.T, r *Report) readJUnit {
	t.Helper()
	var out bytes.Buffer
	if err := WriteJUnit(&out, r); err != nil {
		t.Fatal(err)
	}
	var read readJUnit
	if err := xml.Unmarshal(out.Bytes(), &read); err != nil {
		t.Fatalf("%v in:\n%s", err, out.String())
	}
	return read
}

func (r readJUnit) find(t *testing.T, class, name string) readCase {
	t.Helper()
	for _, suite := range r.Suites {
		for _, c := range suite.Cases {
			if c.Class == class && c.Name == name {
				return c
			}
		}
	}
	t.Fatalf("there is no case %s / %s", class, name)
	return readCase{}
}

func TestJUnitTotals(t *testing.T) {
	for name, sample := range samples() {
		t.Run(name, func(t *testing.T) {
			read := junitOf(t, sample)
			type totals struct{ Tests, Failures, Errors, Skipped int }
			var declared, counted totals
			for _, suite := range read.Suites {
				declared.Tests += suite.Tests
				declared.Failures += suite.Failures
				declared.Errors += suite.Errors
				declared.Skipped += suite.Skipped
				for _, c := range suite.Cases {
					counted.Tests++
					counted.Failures += count(c.Failure)
					counted.Errors += count(c.Error)
					counted.Skipped += count(c.Skipped)
				}
			}
			specs := Summarize(sample).Specs
			misfits := 0
			for _, waiver := range sample.Waivers {
				if waiver.State != "used" {
					misfits++
				}
			}
			want := totals{
				Tests:    len(sample.Specs) + misfits + len(sample.Errors),
				Failures: specs[Failed] + misfits,
				Errors:   specs[BrokenHarness] + len(sample.Errors),
				Skipped:  specs[NotApplicable] + specs[CouldNotRun] + specs[Waived] + specs[Warned],
			}
			if sample.Verdict == Errored && len(sample.Errors) == 0 { // the verdict itself
				want.Tests++
				want.Errors++
			}
			if diff := cmp.Diff(want, counted); diff != "" {
				t.Errorf("the cases (-report +JUnit):\n%s", diff)
			}
			if diff := cmp.Diff(want, declared); diff != "" {
				t.Errorf("the totals of the suites (-report +JUnit):\n%s", diff)
			}
			if diff := cmp.Diff(want, totals{read.Tests, read.Failures, read.Errors, read.Skipped}); diff != "" {
				t.Errorf("the totals of the whole (-report +JUnit):\n%s", diff)
			}
		})
	}
}

func count(p *readProblem) int {
	if p == nil {
		return 0
	}
	return 1
}

func TestJUnitCases(t *testing.T) {
	read := junitOf(t, failingSample())

	failed := read.find(t, "cart", "the cart record has every amount in minor units")
	if failed.Failure.Message != `The price of the item is not in minor units at items.0.prices.price: wanted "1900", got "19.00"` ||
		failed.Failure.Type != "cart.amounts.minor-units" {
		t.Errorf("the failure is %+v", failed.Failure)
	}
	for _, fact := range []string{`wanted       "1900"`, `got          "19.00"`, "contract     Resources: Cart: Each amount",
		"suites/cart/cart.go:", "curl -s -X POST"} {
		if !strings.Contains(failed.Failure.Text, fact) {
			t.Errorf("the failure's text lacks %q:\n%s", fact, failed.Failure.Text)
		}
	}
	warned := read.find(t, "errorcodes", "every error repeats its HTTP status in data.status")
	if warned.Failure != nil || warned.Skipped == nil ||
		!strings.HasPrefix(warned.Skipped.Message, "Warning: data.status is not the HTTP status") {
		t.Errorf("the warning is %+v", warned)
	}
	skipped := read.find(t, "auth", "signing in with JWT returns the four fields")
	if want := "Not applicable: The target offers no jwt (not found by the preflight)."; skipped.Skipped == nil ||
		skipped.Skipped.Message != want {
		t.Errorf("what is not applicable is %+v", skipped.Skipped)
	}
	unable := read.find(t, "orderlookup", "looking up an order refuses a wrong key")
	if unable.Skipped == nil || !strings.HasPrefix(unable.Skipped.Message, "Could not run: No second customer") {
		t.Errorf("what could not run is %+v", unable.Skipped)
	}
	waived := read.find(t, "products", "the product record holds the fields of the sample")
	if waived.Skipped == nil ||
		waived.Skipped.Message != "Waived: A field of the sample is missing at 0.total_sales: wanted an integer, got nothing" {
		t.Errorf("what is waived is %+v", waived.Skipped)
	}
	broken := read.find(t, "versioning", "the rest_route form reaches the same endpoint")
	if broken.Error == nil || !strings.HasPrefix(broken.Error.Message, "panic: index out of range") {
		t.Errorf("what broke is %+v", broken.Error)
	}
	observed := read.find(t, "orders", "creating an order shows the state after set_paid")
	if !strings.Contains(observed.SystemOut, "observed: orders.set-paid = ") {
		t.Errorf("system-out is %q", observed.SystemOut)
	}
	stale := read.find(t, "run", "waiver: cart.remove-item")
	if stale.Failure == nil || stale.Failure.Type != "waiver_stale" {
		t.Errorf("the stale waiver is %+v", stale.Failure)
	}
}

// A run that did not come to its end must never look green.
func TestJUnitIsRedWithoutAVerdict(t *testing.T) {
	for _, verdict := range []Verdict{Incomplete, Interrupted, Errored} {
		report := passingSample()
		report.Verdict, report.Reasons = verdict, []string{"the second key is missing"}
		read := junitOf(t, report)
		if c := read.find(t, "run", "verdict"); c.Error == nil || !strings.Contains(c.Error.Text, "the second key is missing") ||
			read.Errors != 1 {
			t.Errorf("%s: %+v", verdict, c)
		}
	}
}

func TestJUnitNamesTargetAndVerdictEvenWhenNothingRan(t *testing.T) {
	empty := emptySample()
	empty.Target.URL = "https://shop.example"
	suites := junitOf(t, empty).Suites
	if len(suites) == 0 {
		t.Fatal("there is no suite")
	}
	properties := map[string]string{}
	for _, property := range suites[0].Properties {
		properties[property.Name] = property.Value
	}
	if properties["target"] != "https://shop.example" || properties["verdict"] != "error" {
		t.Errorf("the properties are %v", properties)
	}
}

func TestJUnitNamesAreUniqueAndStable(t *testing.T) {
	names := func() (list []string) {
		seen := map[string]bool{}
		for _, suite := range junitOf(t, failingSample()).Suites {
			for _, c := range suite.Cases {
				name := c.Class + "/" + c.Name
				if seen[name] {
					t.Errorf("two cases are called %s", name)
				}
				seen[name] = true
				list = append(list, name)
			}
		}
		return list
	}
	if diff := cmp.Diff(names(), names()); diff != "" {
		t.Error(diff)
	}
}

func TestJUnitIsWellFormedWhateverTheTargetSent(t *testing.T) {
	report := failingSample()
	poison(report, "a\x00\x1b[31m\x08]]></failure><!--\ufffe\xff\u202e\"'&amp;\x85")
	var out bytes.Buffer
	if err := WriteJUnit(&out, report); err != nil {
		t.Fatal(err)
	}
	for decoder := xml.NewDecoder(&out); ; {
		if _, err := decoder.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// xmllint is a validator that is not ours; testdata/junit.xsd says where its facts come from.
func TestJUnitFitsItsSchema(t *testing.T) {
	t.Parallel()
	program, err := exec.LookPath("xmllint")
	if err != nil {
		t.Skip("there is no xmllint: install libxml2-utils")
	}
	validate := func(text []byte) ([]byte, error) {
		command := exec.Command(program, "--noout", "--schema", "testdata/junit.xsd", "-")
		command.Stdin = bytes.NewReader(text)
		return command.CombinedOutput()
	}
	samples := hostileReports()
	samples["passing"], samples["failing"] = passingSample(), failingSample()
	samples["without a verdict"] = &Report{Verdict: Errored, Errors: []string{"cannot be reached"}}
	for name, sample := range samples {
		var out bytes.Buffer
		if err := WriteJUnit(&out, sample); err != nil {
			t.Fatal(err)
		}
		if said, err := validate(out.Bytes()); err != nil {
			t.Errorf("%s: %v\n%.2000s", name, err, said)
		}
		wrong := bytes.Replace(out.Bytes(), []byte(`errors="`), []byte(`errors="no`), 1)
		if _, err := validate(wrong); err == nil {
			t.Errorf("%s: the schema takes a word for the number of errors", name)
		}
	}
}
