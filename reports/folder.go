package reports

// The report folder: every form of one report, under names that CI jobs can count on.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
)

// PrepareFolder makes the folder if need be, and reports whether files can be written into it.
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

// ClearFolder removes what an earlier run wrote into the folder: one that began after it and was killed must not leave the
// older one's result to be read as its own.
func ClearFolder(dir string) error { return errors.Join(removeAllBut(dir, nil), removeScripts(dir)) }

// removeScripts removes the scripts of an older run; the folder with them, if nothing else is in it.
func removeScripts(dir string) error {
	old, err := filepath.Glob(filepath.Join(dir, ScriptFolder, "*.sh"))
	if err != nil || len(old) == 0 {
		return err
	}
	var failed []error
	for _, script := range old {
		failed = append(failed, os.Remove(script))
	}
	_ = os.Remove(filepath.Join(dir, ScriptFolder)) // somebody's own files keep it
	return errors.Join(failed...)
}

// writeScripts writes a script for each finding that one can be made of.
func writeScripts(dir string, r *Report) error {
	if err := removeScripts(dir); err != nil {
		return fmt.Errorf("take the older scripts away: %w", err)
	}
	for _, script := range Scripts(r) {
		place := filepath.Join(dir, filepath.FromSlash(script.File))
		if err := errors.Join(os.MkdirAll(filepath.Dir(place), 0o755), os.WriteFile(place, []byte(script.Text), 0o755)); err != nil {
			return fmt.Errorf("write the script of a finding: %w", err)
		}
	}
	return nil
}

func removeAllBut(dir string, kept []Format) error {
	var failed []error
	for _, format := range slices.Concat(Formats(), changesFormats()) {
		if slices.ContainsFunc(kept, func(f Format) bool { return f.File == format.File }) {
			continue
		}
		if err := os.Remove(filepath.Join(dir, format.File)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = append(failed, fmt.Errorf("take the older report away: %w", err))
		}
	}
	return errors.Join(failed...)
}

// WriteFolder writes the forms that every run writes, and others, into dir, which it makes if need be. All are written
// beside their places first and then moved there, so nobody ever reads half a file or a mix of two runs' renderings
// because one of them failed. Forms that an older run wrote and this one doesn't are removed.
func WriteFolder(dir string, r *Report, others ...string) error {
	return new(Archive).WriteFolder(dir, r, others...)
}

// WriteFolder is the function of that name for the report of a run whose specs were added. It puts the exchanges back into the report where
// a form needs them.
func (a *Archive) WriteFolder(dir string, r *Report, others ...string) error {
	formats, err := FormatsNamed(others)
	if err != nil {
		return err
	}
	if !a.isSafe() || slices.Contains(others, wholeFormat) {
		if err := a.Restore(r); err != nil {
			return err
		}
	}
	if r.Changes != nil {
		formats = append(formats, changesFormats()...)
	}
	r = Complete(r)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the report folder: %w", err)
	}
	drafts, err := newDrafts(dir, a.sharing(formats, r), r)
	defer func() {
		for _, left := range drafts {
			_ = os.Remove(left.temporary) // gone already where the move succeeded
		}
	}()
	if err != nil {
		return err
	}
	for _, finished := range drafts {
		if err := os.Rename(finished.temporary, finished.place); err != nil {
			return fmt.Errorf("put the report in its place: %w", err)
		}
	}
	return errors.Join(removeAllBut(dir, formats), writeScripts(dir, r))
}

// sharing returns forms that make one block of the report's exchanges for both that hold all of them, and one copy that is safe to show for
// both usual ones that show it.
func (a *Archive) sharing(formats []Format, r *Report) []Format {
	exchanges := sync.OnceValues(func() (block, error) { return a.block(r) })
	safe := sync.OnceValue(func() *Report { return sanitized(r) })
	shared := slices.Clone(formats)
	for i := range shared {
		switch shared[i].File {
		case ExchangesFile:
			shared[i].Write = func(w io.Writer, _ *Report) error { return writeExchanges(w, exchanges) }
		case junitFile:
			shared[i].Write = func(w io.Writer, _ *Report) error { return writeJUnit(w, safe()) }
		case pageFile:
			shared[i].Write = func(w io.Writer, r *Report) error { return writePage(w, r, safe(), exchanges) }
		}
	}
	return shared
}

// newDrafts writes as many forms at a time as there are processors, and returns those that succeeded.
func newDrafts(dir string, formats []Format, r *Report) ([]draft, error) {
	made, failed := make([]draft, len(formats)), make([]error, len(formats))
	var writing sync.WaitGroup
	turns := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, file := range formats {
		turns <- struct{}{}
		writing.Go(func() {
			made[i], failed[i] = newDraft(dir, file, r)
			<-turns
		})
	}
	writing.Wait()
	return slices.DeleteFunc(made, func(d draft) bool { return d == draft{} }), errors.Join(failed...)
}

// draft is a whole file that waits beside its place.
type draft struct{ temporary, place string }

func newDraft(dir string, file Format, r *Report) (draft, error) {
	out, err := os.CreateTemp(dir, "."+file.File+"-*")
	if err != nil {
		return draft{}, fmt.Errorf("write %s: %w", file.File, err)
	}
	buffered := bufio.NewWriterSize(out, 1<<16)
	err = errors.Join(
		file.Write(buffered, r),
		buffered.Flush(),
		out.Chmod(0o644), // a temporary file is private; a CI job's next step may run as somebody else
		out.Close(),
	)
	if err != nil {
		_ = os.Remove(out.Name())
		return draft{}, fmt.Errorf("write %s: %w", file.File, err)
	}
	return draft{out.Name(), filepath.Join(dir, file.File)}, nil
}
