package shopmock_test

// The table of deliberate differences between the live shop and the mock, and the page that shows it.

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

const (
	differencesFile = "testdata/replay/differences.yaml"
	differencesPage = "../../DIFFERENCES.md"
)

// listing is one deliberate difference.
type listing struct {
	Calls     []string `yaml:"calls"`     // names of calls, with * for any text
	At        string   `yaml:"at"`        // where answers differ: answer (status and code), header X, order, body.field; with *
	Live      string   `yaml:"live"`      // what was recorded; with *
	Mock      string   `yaml:"mock"`      // what the mock gives; with *
	Authority string   `yaml:"authority"` // contract, or choice
	Matter    string   `yaml:"matter"`    // what it is about, in a few words
	Reason    string   `yaml:"reason"`

	used map[string]bool // the patterns of Calls that met such a difference
}

// amendment is a header or a body that some calls are sent with although the recorded client sent none, or another.
type amendment struct {
	Calls     []string `yaml:"calls"` // names of calls
	Header    string   `yaml:"header"`
	Value     string   `yaml:"value"` // of the header; may be a reference
	Body      string   `yaml:"body"`  // in place of the recorded one
	Authority string   `yaml:"authority"`
	Reason    string   `yaml:"reason"`

	used map[string]bool // the names of Calls that there are
}

// valueListing is a deliberate difference that the replay does not count, as it is one of values: there it compares their types only.
type valueListing struct {
	Call      string `yaml:"call"`
	At        string `yaml:"at"` // path in the body
	Live      string `yaml:"live"`
	Mock      string `yaml:"mock"`
	Authority string `yaml:"authority"`
	Matter    string `yaml:"matter"`
	Reason    string `yaml:"reason"`
}

// row shows the listing as one of those that are counted.
func (v *valueListing) row() *listing {
	return &listing{Calls: []string{v.Call}, At: "value of body." + v.At, Live: cmp.Or(v.Live, `""`), Mock: cmp.Or(v.Mock, `""`),
		Authority: v.Authority, Matter: v.Matter, Reason: v.Reason}
}

// differenceTable is the whole table.
type differenceTable struct {
	Amendments []*amendment    `yaml:"amendments"`
	Listings   []*listing      `yaml:"differences"`
	Values     []*valueListing `yaml:"values"`
}

// amend returns a call as it is to be sent, and how it stands at best.
func (t *differenceTable) amend(call *recordedCall) (sent *recordedCall, stands standing) {
	sent = call
	for _, a := range t.Amendments {
		if slices.Contains(a.Calls, call.Name) {
			a.used[call.Name] = true
			sent, stands = a.apply(sent), max(stands, standingBy(a.Authority))
		}
	}
	return sent, stands
}

func (a *amendment) apply(call *recordedCall) *recordedCall {
	changed := *call
	if a.Body != "" {
		changed.Body = a.Body
	}
	if a.Header != "" {
		changed.Header = maps.Clone(call.Header)
		if changed.Header == nil {
			changed.Header = map[string]string{}
		}
		changed.Header[a.Header] = a.Value
	}
	return &changed
}

// what names what is sent: a header, or the whole body.
func (a *amendment) what() string { return cmp.Or(a.Header, a.Body) }

// standingBy is how a call stands that differs by such an authority.
func standingBy(authority string) standing {
	if authority == "contract" {
		return contractWins
	}
	return ourChoice
}

func readDifferences() (*differenceTable, error) {
	text, err := os.ReadFile(differencesFile)
	if err != nil {
		return nil, err
	}
	table := new(differenceTable)
	if err := yaml.UnmarshalWithOptions(text, table, yaml.DisallowUnknownField()); err != nil {
		return nil, fmt.Errorf("%s: %w", differencesFile, err)
	}
	for i, a := range table.Amendments {
		if err := checkAuthority(a.Authority); err != nil {
			return nil, fmt.Errorf("%s, amendment %d: %w", differencesFile, i+1, err)
		}
		a.used = map[string]bool{}
	}
	for i, l := range table.Listings {
		if err := l.check(); err != nil {
			return nil, fmt.Errorf("%s, entry %d (%s): %w", differencesFile, i+1, l.Matter, err)
		}
		l.used = map[string]bool{}
	}
	for i, v := range table.Values {
		if err := v.row().check(); err != nil || v.Live == v.Mock {
			return nil, fmt.Errorf("%s, value %d (%s): it is no difference, or %w", differencesFile, i+1, v.Matter, err)
		}
	}
	return table, nil
}

func (l *listing) check() error {
	switch {
	case l.Reason == "" || l.Matter == "":
		return fmt.Errorf("there is no matter or no reason")
	case len(l.Calls) == 0 || l.At == "" || l.Live == "" || l.Mock == "":
		return fmt.Errorf("calls, at, live and mock are needed")
	}
	return checkAuthority(l.Authority)
}

func checkAuthority(authority string) error {
	if authority != "contract" && authority != "choice" {
		return fmt.Errorf("authority is %q: say contract or choice", authority)
	}
	return nil
}

// account gives each difference of the results its reason.
func (t *differenceTable) account(results []*result) {
	for _, r := range results {
		r.reasons = make([]*listing, len(r.differences))
		for i, d := range r.differences {
			r.reasons[i] = t.reason(r.call.Name, d)
		}
	}
}

func (t *differenceTable) reason(call string, d difference) *listing {
	for _, l := range t.Listings {
		if l.covers(call, d) {
			return l
		}
	}
	return nil
}

func (l *listing) covers(call string, d difference) bool {
	if !like(l.At, d.At) || !like(l.Live, d.Live) || !like(l.Mock, d.Mock) {
		return false
	}
	for _, pattern := range l.Calls {
		if like(pattern, call) {
			l.used[pattern] = true
			return true
		}
	}
	return false
}

// like matches a text against a pattern in which * stands for any text. Brackets mean themselves.
func like(pattern, text string) bool {
	plain := strings.NewReplacer("[", `\[`, "/", "\x00").Replace(pattern)
	matched, err := path.Match(plain, strings.ReplaceAll(text, "/", "\x00"))
	return err == nil && matched
}

// stale names what is listed and did not differ, or is no call at all.
func (t *differenceTable) stale() []string {
	var names []string
	for _, a := range t.Amendments {
		for _, name := range a.Calls {
			if !a.used[name] {
				names = append(names, fmt.Sprintf("%s (sent with %s)", name, a.what()))
			}
		}
	}
	for _, l := range t.Listings {
		for _, pattern := range l.Calls {
			if !l.used[pattern] {
				names = append(names, fmt.Sprintf("%s (%s, %s)", pattern, l.Matter, l.At))
			}
		}
	}
	return names
}

const pageHead = `# Where the mock differs from the live shop

The mock follows the contract. What the contract leaves open it does as a live shop of this API family was observed to do. These are the
places where it does not, and why. Of the recorded calls at least 98 % of each API's match, or
differ by what the first table lists only.
The page is made from ` + "`" + differencesFile + "`" + ` by
` + "`go test ./mockserver/internal/shopmock -run Replay -update`" +
	`; the replay test counts them, and fails when an entry no longer differs.
Left out of the comparison are the hints for developers in 404 answers to unknown routes (` +
	"`data.nearest`, `data.methods`" + `), which live shops do not give.

`

func (t *differenceTable) page() []byte {
	var page bytes.Buffer
	page.WriteString(pageHead)
	t.section(&page, "contract", "The contract wins")
	t.section(&page, "choice", "Our choice")
	t.amendmentSection(&page)
	return page.Bytes()
}

func (t *differenceTable) amendmentSection(page *bytes.Buffer) {
	page.WriteString("## What recorded calls are sent with, besides what was recorded\n\n| Header or body | By | Why | Recorded calls " +
		"|\n|---|---|---|---|\n")
	for _, a := range t.Amendments {
		fmt.Fprintf(page, "| %s | %s | %s | %s |\n", code(a.what()), a.Authority, strings.Join(strings.Fields(a.Reason), " "),
			code(strings.Join(a.Calls, ", ")))
	}
}

func (t *differenceTable) section(page *bytes.Buffer, authority, title string) {
	fmt.Fprintf(page, "## %s\n\n| Matter | Where | Live shop | Mock | Why | Recorded calls |\n|---|---|---|---|---|---|\n", title)
	listings := slices.Clone(t.Listings)
	for _, v := range t.Values {
		listings = append(listings, v.row())
	}
	for _, l := range listings {
		if l.Authority == authority {
			fmt.Fprintf(page, "| %s |\n", strings.Join(l.cells(), " | "))
		}
	}
	page.WriteString("\n")
}

func (l *listing) cells() []string {
	cells := []string{l.Matter, code(l.At), code(l.Live), code(l.Mock), l.Reason, code(strings.Join(l.Calls, ", "))}
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(strings.Join(strings.Fields(cell), " "), "|", `\|`)
	}
	return cells
}

func code(text string) string { return "`" + text + "`" }
