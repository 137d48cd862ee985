package reports

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"shopcheck/reports/validation"
)

func namesIn(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return names
}

func TestWriteFolderWritesEachRendering(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "deep", "out")
	sample := failingSample()
	for range 2 { // the second run replaces the first one's
		if err := WriteFolder(dir, sample); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"exchanges.json.gz", "index.html", "junit.xml", "report.json"}, namesIn(t, dir)); diff != "" {
		t.Error(diff)
	}
	for _, file := range Formats()[:usualFormats] {
		var want bytes.Buffer
		if err := file.Write(&want, sample); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join(dir, file.File))
		if err != nil || !bytes.Equal(got, want.Bytes()) {
			t.Errorf("%s is not what its writer writes (%v)", file.File, err)
		}
		info, err := os.Stat(filepath.Join(dir, file.File))
		if err != nil || info.Mode() != 0o644 {
			t.Errorf("%s has mode %v (%v), wanted one that others can read", file.File, info.Mode(), err)
		}
	}
}

func TestWriteFolderLeavesTheOldReportWhenTheNewOneCantBeWritten(t *testing.T) {
	dir := t.TempDir()
	if err := WriteFolder(dir, passingSample()); err != nil {
		t.Fatal(err)
	}
	broken := failingSample()
	broken.DurationMS = math.NaN() // JSON can't hold it
	if err := WriteFolder(dir, broken); err == nil {
		t.Fatal("a report that JSON can't hold was written")
	}
	if diff := cmp.Diff([]string{"exchanges.json.gz", "index.html", "junit.xml", "report.json"}, namesIn(t, dir)); diff != "" {
		t.Errorf("drafts are left behind:\n%s", diff)
	}
	file, err := os.Open(filepath.Join(dir, "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if kept, err := Read(file, validation.Misfits); err != nil || kept.Verdict != Conformant {
		t.Errorf("the old report is not there any more: %v", err)
	}
}

func TestWriteFolderNamesTheFolderItCantMake(t *testing.T) {
	file := filepath.Join(t.TempDir(), "taken")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	var place *fs.PathError
	if err := WriteFolder(file, passingSample()); !errors.As(err, &place) || place.Path != file {
		t.Errorf("got %v", err)
	}
}

func TestWritersTellThatTheDiskIsFull(t *testing.T) {
	full := errors.New("no space left")
	for _, file := range Formats() {
		if err := file.Write(failingWriter{full}, failingSample()); !errors.Is(err, full) {
			t.Errorf("%s: got %v", file.File, err)
		}
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

var _ io.Writer = failingWriter{}

func TestWriteFolderTakesAwayWhatIsOfAnOlderRun(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "mine.txt"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		others, want []string
	}{
		{[]string{"sarif", "tap"}, []string{"exchanges.json.gz", "index.html", "junit.xml", "mine.txt", "report.json", "report.sarif",
			"report.tap"}},
		{[]string{"tap", "json"}, []string{"exchanges.json.gz", "index.html", "junit.xml", "mine.txt", "report.json", "report.tap"}},
	} {
		if err := WriteFolder(dir, passingSample(), test.others...); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(test.want, namesIn(t, dir)); diff != "" {
			t.Error(diff)
		}
	}
	if err := ClearFolder(dir); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"mine.txt"}, namesIn(t, dir)); diff != "" {
		t.Error(diff)
	}
	if err := WriteFolder(dir, passingSample(), "pdf"); err == nil || len(namesIn(t, dir)) > 1 {
		t.Errorf("a form that there is not was written: %v", err)
	}
}

func TestAFolderHoldsWhatChangedWhereThereIsABaseline(t *testing.T) {
	t.Parallel()
	dir, sample := t.TempDir(), failingSample()
	sample.Changes = Compare(passingSample(), failingSample())
	if err := WriteFolder(dir, sample); err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"changes.json": `"new_findings"`, "changes.md": "### New findings",
		"index.html": `id="changes"`} {
		if text, err := os.ReadFile(filepath.Join(dir, file)); err != nil || !bytes.Contains(text, []byte(want)) {
			t.Errorf("%s does not hold %s (%v)", file, want, err)
		}
	}
	if err := WriteFolder(dir, passingSample()); err != nil { // of a run without a baseline
		t.Fatal(err)
	}
	if names := namesIn(t, dir); slices.Contains(names, "changes.json") || slices.Contains(names, "changes.md") {
		t.Errorf("what changed in an older run is still there: %v", names)
	}
}

// The page and the file of exchanges hold the same block, unless the page must not show what the file has.
func TestThePageHoldsTheBlockOfTheFile(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		report *Report
		same   bool
	}{"a harmless report": {passingSample(), true}, "a hostile one": {hostileSample(), false}} {
		dir := t.TempDir()
		if err := WriteFolder(dir, c.report); err != nil {
			t.Fatal(err)
		}
		page, err := os.ReadFile(filepath.Join(dir, pageFile))
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(filepath.Join(dir, ExchangesFile))
		if err != nil {
			t.Fatal(err)
		}
		shown, err := zip(c.report, Sanitize)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(file, shown.bytes) != c.same {
			t.Errorf("%s: the file is as the page may show it: %v", name, !c.same)
		}
		if !bytes.Contains(page, []byte(base64.StdEncoding.EncodeToString(shown.bytes))) {
			t.Errorf("%s: the page has another block", name)
		}
	}
}
