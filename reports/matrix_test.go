package reports

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// runAt is a run of a shop in which n of ten requirements of each of two sections hold.
func runAt(url string, day, hold int) MatrixRun {
	r := &Report{FormatVersion: FormatVersion, Target: Target{URL: url}, Verdict: NotConformant, StartedAt: time.Unix(int64(day)*86400, 0)}
	for i := range 20 {
		requirement := Requirement{ID: "r." + string(rune('a'+i)), Level: Must, Section: []string{"Carts", "Orders"}[i/10], Outcome: Failed}
		if i%10 < hold {
			requirement.Outcome = Passed
		}
		r.Requirements = append(r.Requirements, requirement)
	}
	r.Requirements = append(r.Requirements, Requirement{ID: "r.z", Section: "Carts", Outcome: Untested},
		Requirement{ID: "r.y", Section: "Carts", Outcome: NotApplicable})
	r.Specs = []Spec{{ID: "s", Outcome: Failed, Findings: []Finding{
		{Requirement: "r.j", Level: Must, Message: "the field is null", Path: "status", Exchange: -1}}}}
	return MatrixRun{r, url[len("http://"):] + "/index.html"}
}

func TestAMatrixShowsTheNewestRunOfEachTargetWithItsTrend(t *testing.T) {
	t.Parallel()
	runs := []MatrixRun{runAt("http://b", 3, 9), runAt("http://a", 2, 10), runAt("http://b", 1, 7), runAt("http://b", 2, 8)}
	m := NewMatrix(runs, false)
	if len(m.Columns) != 2 || m.Columns[0].Title != "http://b" || m.Columns[0].Runs != 3 {
		t.Fatalf("%+v", m.Columns)
	}
	for i, want := range []string{"90 % ▲10.0", "100 %"} {
		if got := m.Rows[0].Cells[i].Text(); got != want {
			t.Errorf("column %d shows %s, want %s", i, got, want)
		}
	}
	if c := m.Rows[0].Cells[0]; c.First != "r.j" || c.Title() != "9 of 10 requirements hold, 1 deviate, 1 not tested" ||
		c.Outcome() != Failed {
		t.Errorf("%s, %s", c.First, c.Title())
	}
	if len(m.Findings) != 1 || m.Findings[0].count() != 2 {
		t.Errorf("%+v", m.Findings)
	}
	if each := NewMatrix(runs, true); len(each.Columns) != 4 || each.Rows[1].Cells[1].Text() != "80 % ▲10.0" {
		t.Errorf("%+v", each.Columns)
	}
}

func TestAMatrixIsWrittenAsMarkdownAndAsAPage(t *testing.T) {
	t.Parallel()
	m := NewMatrix([]MatrixRun{runAt("http://a", 2, 9), runAt("http://<b>|", 2, 10)}, false)
	var markdown, page strings.Builder
	if err := m.WriteMarkdown(&markdown); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`| Section | [http://a](<a/index.html>) 1970-01-03 00:00 |`, "| Carts | 90 % | 100 % |", `\<b\>\|`} {
		if !strings.Contains(markdown.String(), want) {
			t.Errorf("%q is not in\n%s", want, markdown.String())
		}
	}
	if err := m.WriteHTML(&page); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`href="a/index.html#req=r.j"`, `#finding=` + m.Findings[0].ID, "&lt;b&gt;"} {
		if !strings.Contains(page.String(), want) {
			t.Errorf("%q is not in the page", want)
		}
	}
}

func TestAShareIsNotRoundedToAll(t *testing.T) {
	t.Parallel()
	for want, c := range map[string]Cell{"99.9 %": {Hold: 99999, Judged: 100000}, "100 %": {Hold: 3, Judged: 3}, "–": {},
		"0 %": {Judged: 3}} {
		if got := c.Text(); got != want {
			t.Errorf("%+v: %s, want %s", c, got, want)
		}
	}
}

// A section that only one report has leaves the cells of the others empty.
func TestSectionsOfOneReportOnly(t *testing.T) {
	t.Parallel()
	other := runAt("http://b", 1, 5)
	other.Report.Requirements = append(other.Report.Requirements, Requirement{ID: "n", Section: "New", Outcome: Passed})
	m := NewMatrix([]MatrixRun{runAt("http://a", 1, 5), other, runAt("http://c", 1, 5)}, false)
	row := m.Rows[len(m.Rows)-1]
	if row.Section != "New" || len(row.Cells) != 3 || row.Cells[0].Text() != "–" || row.Cells[1].Text() != "100 %" {
		t.Errorf("%+v", row)
	}
}

// A trend between answers to different questions would be read as one of the shop.
func TestAMatrixShowsNoTrendToARunOfAnotherSelection(t *testing.T) {
	t.Parallel()
	before, now := runAt("http://a", 1, 7), runAt("http://a", 2, 9)
	before.Report.Selection.Label = "cart|pipe"
	m := NewMatrix([]MatrixRun{before, now}, false)
	if got := m.Rows[0].Cells[0].Text() + m.Columns[0].Total.Text(); got != "90 %90 %" {
		t.Errorf("the cells show %s", got)
	}
	var markdown, page strings.Builder
	if err := errors.Join(m.WriteMarkdown(&markdown), m.WriteHTML(&page)); err != nil {
		t.Fatal(err)
	}
	const why = "no trend, as it cannot be compared with the run before: the selection by label differs: cart"
	if !strings.Contains(markdown.String(), "\n\nhttp://a 1970-01-03 00:00: "+why+`\|pipe and none`+"\n") {
		t.Error(markdown.String())
	}
	if !strings.Contains(page.String(), why+"|pipe and none</small>") {
		t.Error(page.String())
	}
	if same := NewMatrix([]MatrixRun{now, now}, false); same.Columns[0].WithoutTrend() != "" {
		t.Error(same.Columns[0].WithoutTrend())
	}
}
