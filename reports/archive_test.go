package reports

import (
	"bytes"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"testing"
)

// archived adds copies of a report's specs to an archive, and returns both.
func archived(r *Report) (*Report, *Archive) {
	copied, archive := Rewritten(r, asItIs), new(Archive)
	for i := range copied.Specs {
		archive.Add(&copied.Specs[i])
	}
	return copied, archive
}

// Whoever reads the folder of a report cannot tell whether its exchanges were compressed while others ran.
func TestAnArchiveChangesNoFileOfAReport(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		report *Report
		others []string
	}{
		"a passing report": {passingSample(), nil}, "a failing one": {failingSample(), []string{"markdown", "sarif"}},
		"a whole one": {failingSample(), []string{wholeFormat}}, "a hostile one": {hostileSample(), nil}, "an empty one": {&Report{}, nil},
	} {
		NoteGone(c.report)
		wanted, got := t.TempDir(), t.TempDir()
		if err := WriteFolder(wanted, c.report, c.others...); err != nil {
			t.Fatal(err)
		}
		copied, archive := archived(c.report)
		if err := archive.WriteFolder(got, copied, c.others...); err != nil {
			t.Fatal(err)
		}
		if got, wanted := filesIn(t, got), filesIn(t, wanted); !maps.Equal(got, wanted) {
			for file, text := range wanted {
				if got[file] != text {
					t.Errorf("%s: %s is another", name, file)
				}
			}
			t.Errorf("%s: there are %d files, want %d", name, len(got), len(wanted))
		}
	}
}

// filesIn returns the files of a folder and of those in it.
func filesIn(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(filepath.Join(dir, file))
		files[file] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func TestAnArchiveTakesTheTextsOfSpecsThatDeviateFromNothing(t *testing.T) {
	t.Parallel()
	report, archive := archived(failingSample())
	for i := range report.Specs {
		for _, e := range report.Specs[i].Exchanges {
			if kept := e.Curl != ""; kept != report.Specs[i].deviates() {
				t.Errorf("%s keeps its texts: %v", report.Specs[i].ID, kept)
			}
		}
	}
	if err := archive.Restore(report); err != nil {
		t.Fatal(err)
	}
	wanted := failingSample()
	NoteGone(wanted)
	if got, want := jsonOf(t, report), jsonOf(t, wanted); !bytes.Equal(got, want) {
		t.Errorf("the report is %s, want %s", got, want)
	}
	if archive.count != 0 {
		t.Error("the archive is not empty")
	}
}
