package reports

// The page as text: its structure, and that nothing from a report can change it.

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/net/html"
)

func pageOf(t *testing.T, r *Report) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := WriteHTML(&out, r); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// elements parses a page as a browser does and returns its elements in order.
func elements(t *testing.T, page []byte) []*html.Node {
	t.Helper()
	root, err := html.Parse(bytes.NewReader(page))
	if err != nil {
		t.Fatal(err)
	}
	var found []*html.Node
	for node := range root.Descendants() {
		if node.Type == html.ElementNode {
			found = append(found, node)
		}
	}
	return found
}

// outline is what of a page hostile text must not change: elements and the names of their attributes. It is sorted,
// since the order of the specs follows from their texts.
func outline(t *testing.T, page []byte) []string {
	t.Helper()
	var lines []string
	for _, element := range elements(t, page) {
		line := element.Data
		for _, attribute := range element.Attr {
			line += " " + attribute.Key
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return lines
}

func TestHostileTextDoesNotChangeThePage(t *testing.T) {
	harmless := strings.Map(func(char rune) rune { // words as long, and as many: what differs in them is marked alike
		switch {
		case unicode.IsLetter(char) || unicode.IsDigit(char):
			return 'x'
		case char == ' ':
			return char
		}
		return '-'
	}, Sanitize(hostileText))
	for name, poisoned := range map[string]func(string) func(string) string{
		"every string": func(text string) func(string) string { return func(s string) string { return s + text } },
		"every string that isn't a word of the format": hostile,
	} {
		t.Run(name, func(t *testing.T) {
			calm := pageOf(t, Rewritten(failingSample(), poisoned(harmless)))
			attacked := pageOf(t, Rewritten(failingSample(), poisoned(hostileText)))
			if diff := cmp.Diff(outline(t, calm), outline(t, attacked)); diff != "" {
				t.Errorf("hostile text changes the elements of the page (-calm +attacked):\n%s", diff)
			}
			if !bytes.Contains(attacked, []byte("&lt;img src=x onerror=")) {
				t.Error("the hostile text isn't in the page at all, so this test proves nothing")
			}
			for _, invisible := range []string{"\u202e", "\x1b", "\x00"} {
				if bytes.Contains(attacked, []byte(invisible)) {
					t.Errorf("%q got into the page", invisible)
				}
			}
		})
	}
}

func TestThePageLoadsNothingAndRunsNothingButItsOwn(t *testing.T) {
	for name, report := range hostileReports() {
		t.Run(name, func(t *testing.T) {
			scripts := 0
			for _, element := range elements(t, pageOf(t, report)) {
				if element.Data == "script" && attribute(element, "type") == "" {
					scripts++
				}
				for _, a := range element.Attr {
					checkAttribute(t, element, a)
				}
			}
			if scripts != 1 {
				t.Errorf("the page has %d scripts, wanted its own only", scripts)
			}
		})
	}
}

func attribute(element *html.Node, name string) string {
	for _, a := range element.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

// checkAttribute refuses what could load, run or style: the icon and links within the page are all that is left.
func checkAttribute(t *testing.T, element *html.Node, a html.Attribute) {
	t.Helper()
	isIcon := element.Data == "link" && strings.HasPrefix(a.Val, "data:image/svg+xml,")
	switch {
	case a.Key == "href" && (isIcon || strings.HasPrefix(a.Val, "#")):
	case a.Key == "href", strings.HasPrefix(a.Key, "on"),
		slices.Contains([]string{"src", "srcset", "style", "action", "formaction", "background", "xlink:href", "srcdoc", "data"}, a.Key):
		t.Errorf("<%s> has %s=%q", element.Data, a.Key, a.Val)
	}
}

func TestThePolicyFitsTheStyleAndTheScript(t *testing.T) {
	var policy string
	digests := map[string]string{}
	for _, element := range elements(t, pageOf(t, failingSample())) {
		switch {
		case attribute(element, "http-equiv") == "Content-Security-Policy":
			policy = attribute(element, "content")
		case element.Data == "style" || element.Data == "script" && attribute(element, "type") == "":
			digests[element.Data] = digest(element.FirstChild.Data)
		}
	}
	for _, directive := range []string{
		"default-src 'none'", "base-uri 'none'", "form-action 'none'",
		fmt.Sprintf("style-src 'sha256-%s';", digests["style"]), fmt.Sprintf("script-src 'sha256-%s';", digests["script"]),
	} {
		if !strings.Contains(policy, directive) {
			t.Errorf("the policy %q lacks %q", policy, directive)
		}
	}
}

func TestThePageNamesEverySpecRequirementAndFact(t *testing.T) {
	sample := failingSample()
	page := string(pageOf(t, sample))
	var wanted []string
	for _, spec := range sample.Specs {
		wanted = append(wanted, `id="spec=`+spec.ID+`"`)
	}
	for _, requirement := range sample.Requirements {
		wanted = append(wanted, `id="req=`+requirement.ID+`"`, requirement.Reason)
	}
	for _, observation := range sample.Observations {
		wanted = append(wanted, observation.Key)
	}
	for _, latency := range sample.Latency {
		wanted = append(wanted, latency.Endpoint)
	}
	for _, waiver := range sample.Waivers {
		wanted = append(wanted, waiver.Link, waiver.StateTitle())
	}
	for key := range sample.Target.Profile {
		wanted = append(wanted, "<code>"+key+"</code>")
	}
	wanted = append(append(wanted, sample.Leftovers...), sample.Errors...)
	plain := html.UnescapeString(page)
	for _, fact := range wanted {
		if !strings.Contains(plain, fact) {
			t.Errorf("the page lacks %q", fact)
		}
	}
}

// What a page holds beside the packed exchanges grows with the specs: a thousand of them are to leave half of 3 MB to these.
func TestTheRowsOfAPassingRunStaySmall(t *testing.T) {
	large := passingSample()
	for i := 0; len(large.Specs) < 1000; i++ {
		spec, requirement := large.Specs[i], large.Requirements[i%len(large.Requirements)]
		spec.ID += "-again"
		requirement.ID, requirement.Specs = fmt.Sprintf("%s-%d", requirement.ID, i), []string{spec.ID}
		spec.Requirements = []string{requirement.ID}
		large.Specs, large.Requirements = append(large.Specs, spec), append(large.Requirements, requirement)
	}
	packed, err := zipped(large)
	if err != nil {
		t.Fatal(err)
	}
	if rows := len(pageOf(t, large)) - base64.StdEncoding.EncodedLen(len(packed.bytes)); rows > 1_500_000 {
		t.Errorf("the page of %d specs takes %d bytes besides its exchanges", len(large.Specs), rows)
	}
}

func TestCompareMarksWhatDiffers(t *testing.T) {
	show := func(parts []part) string {
		var line strings.Builder
		for _, p := range parts {
			if p.Differs {
				fmt.Fprintf(&line, "[%s]", p.Text)
			} else {
				line.WriteString(p.Text)
			}
		}
		return line.String()
	}
	for name, test := range map[string]struct{ want, got, markedWant, markedGot string }{
		"in the middle":       {`"1900"`, `"19.00"`, `"1900"`, `"19[.]00"`},
		"at the end":          {"42", "41", "4[2]", "4[1]"},
		"repeated letters":    {"aaa", "aa", "aa[a]", "aa"},
		"nothing in common":   {"pending", "42", "pending", "42"},
		"hardly anything":     {"a string", "an integer or null", "a string", "an integer or null"},
		"nothing came":        {"403", "", "403", ""},
		"several numbers":     {"[1221, 1220, 1222]", "[1220, 1221, 1222]", "[[1221, 1220], 1222]", "[[1220, 1221], 1222]"},
		"other scripts":       {"Größe", "Grösse", "Grö[ß]e", "Grö[ss]e"},
		"lines":               {"a\nb\nc", "a\nc", "a\n[b\n]c", "a\nc"},
		"a line without its ": {"a\nb", "a\nb\n", "a\nb", "a\nb\n[]"},
	} {
		t.Run(name, func(t *testing.T) {
			marked := compare(test.want, test.got)
			if want, got := show(marked.Want), show(marked.Got); want != test.markedWant || got != test.markedGot {
				t.Errorf("got %q and %q, wanted %q and %q", want, got, test.markedWant, test.markedGot)
			}
		})
	}
}

func TestMilliseconds(t *testing.T) {
	for ms, want := range map[float64]string{0: "0.0 ms", 3.44: "3.4 ms", 12: "12 ms", 1840.6: "1.84 s", 200_000: "3 min 20 s"} {
		if got := milliseconds(ms); got != want {
			t.Errorf("%v is %q, wanted %q", ms, got, want)
		}
	}
}

// A flaky spec has passed, so it stands among hundreds: the verdict leads to it, and the search finds it.
func TestThePageNamesFlakySpecs(t *testing.T) {
	sample := failingSample()
	page := string(pageOf(t, sample))
	flaky := Summarize(sample).Flaky
	if len(flaky) != 1 {
		t.Fatalf("the sample has the flaky specs %v", flaky)
	}
	_, after, found := strings.Cut(page, "1 spec is flaky")
	if !found || !strings.Contains(after[:1000], `href="#spec=`+flaky[0]+`"`) {
		t.Error("the verdict does not lead to the flaky spec")
	}
	for _, spec := range sample.Specs { // the search looks into the rows
		_, row, _ := strings.Cut(page, `id="spec=`+spec.ID+`"`)
		row, _, _ = strings.Cut(row, "</summary>")
		if strings.Contains(row, "flaky") != (spec.ID == flaky[0]) {
			t.Errorf("a search for flaky: %s", spec.ID)
		}
	}
	if strings.Contains(string(pageOf(t, passingSample())), "spec is flaky") {
		t.Error("a report without a flaky spec tells of one")
	}
}

func TestRequirementsWhoseSpecsEndedAlikeAreOneGap(t *testing.T) {
	report := passingSample()
	for i, requirement := range report.Requirements[:3] {
		reason := "spec " + requirement.Specs[0] + " ended at another failure"
		if i == 2 {
			reason = "the target has no such key"
		}
		report.Requirements[i].Outcome, report.Requirements[i].Reason = CouldNotRun, reason
	}
	var reasons []string
	for _, gap := range gapsOf(report) {
		if gap.Outcome == CouldNotRun {
			reasons = append(reasons, fmt.Sprint(gap.Reason, " ", len(gap.Requirements)))
		}
	}
	if want := []string{"A spec for it ended at another failure. 2", "the target has no such key 1"}; !slices.Equal(reasons, want) {
		t.Errorf("the gaps are %q", reasons)
	}
}

// A run about a part of the suites leaves hundreds untested: they are counted, and listed when they are asked for.
func TestManyThatAreUntestedAreFolded(t *testing.T) {
	for count, folded := range map[int]bool{openGap: false, openGap + 1: true} {
		r := &Report{Verdict: Conformant}
		for i := range count {
			r.Requirements = append(r.Requirements, Requirement{ID: fmt.Sprintf("r.%d", i), Outcome: Untested, Reason: "nobody asked"})
		}
		page := string(pageOf(t, r))
		if strings.Contains(page, fmt.Sprintf("<details><summary>%d requirements</summary>", count)) != folded ||
			!strings.Contains(page, `href="#req=r.3"`) {
			t.Errorf("%d requirements are folded: %v", count, !folded)
		}
	}
}
