package reports

// The report folder: every form of one report, under names that CI jobs can count on.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// rendering is one file of the folder and what writes it.
type rendering struct {
	name  string
	write func(io.Writer, *Report) error
}

func renderings() []rendering {
	return []rendering{
		{"report.json", WriteJSON},
		{"junit.xml", WriteJUnit},
		{"index.html", WriteHTML},
	}
}

// PrepareFolder makes the folder if need be, and tells whether files can be written into it.
func PrepareFolder(dir string) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("the report folder cannot be made: %w; choose another", err)
	}
	probe, err := os.CreateTemp(dir, ".writable-*")
	if err != nil {
		return fmt.Errorf("the report folder cannot be written to: %w; choose another", err)
	}
	return errors.Join(probe.Close(), os.Remove(probe.Name()))
}

// WriteFolder writes report.json, junit.xml and index.html into dir, which it makes if need be. All are written
// beside their places first and then moved there, so nobody ever reads half a file or a mix of two runs' renderings
// because one of them failed.
func WriteFolder(dir string, r *Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the report folder: %w", err)
	}
	var drafts []draft
	defer func() {
		for _, left := range drafts {
			_ = os.Remove(left.temporary) // gone already where the move succeeded
		}
	}()
	for _, file := range renderings() {
		made, err := newDraft(dir, file, r)
		if err != nil {
			return err
		}
		drafts = append(drafts, made)
	}
	for _, finished := range drafts {
		if err := os.Rename(finished.temporary, finished.place); err != nil {
			return fmt.Errorf("put the report in its place: %w", err)
		}
	}
	return nil
}

// draft is a whole file that waits beside its place.
type draft struct{ temporary, place string }

func newDraft(dir string, file rendering, r *Report) (draft, error) {
	out, err := os.CreateTemp(dir, "."+file.name+"-*")
	if err != nil {
		return draft{}, fmt.Errorf("write %s: %w", file.name, err)
	}
	buffered := bufio.NewWriterSize(out, 1<<16)
	err = errors.Join(
		file.write(buffered, r),
		buffered.Flush(),
		out.Chmod(0o644), // a temporary file is private; a CI job's next step may run as somebody else
		out.Close(),
	)
	if err != nil {
		_ = os.Remove(out.Name())
		return draft{}, fmt.Errorf("write %s: %w", file.name, err)
	}
	return draft{out.Name(), filepath.Join(dir, file.name)}, nil
}
