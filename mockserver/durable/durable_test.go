package durable_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver"
	"shopcheck/mockserver/durable"
)

func open(t *testing.T, folder string) *durable.Store {
	t.Helper()
	store, err := durable.Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	return store
}

// pairs lists what a store holds.
func pairs(t *testing.T, store *durable.Store) string {
	t.Helper()
	var text strings.Builder
	if err := store.Load(func(key, value []byte) error { fmt.Fprintf(&text, "%s=%s ", key, value); return nil }); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func save(t *testing.T, store *durable.Store, anew bool, keyed ...string) {
	t.Helper()
	if err := store.Save(anew, putting(nil, keyed...)); err != nil {
		t.Fatal(err)
	}
}

// putting puts pairs "k=v", takes "k" away, and ends with an error.
func putting(end error, keyed ...string) func(put func(key, value []byte) error) error {
	return func(put func(key, value []byte) error) error {
		for _, pair := range keyed {
			key, value, kept := strings.Cut(pair, "=")
			var bytes []byte
			if kept {
				bytes = []byte(value)
			}
			if err := put([]byte(key), bytes); err != nil {
				return err
			}
		}
		return end
	}
}

func TestAStoreKeepsPairs(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "not", "there", "yet")
	store := open(t, folder)
	if got := pairs(t, store); got != "" {
		t.Errorf("at first %q", got)
	}
	save(t, store, false, "b=1", "a=1", "c=1")
	save(t, store, false, "b=2", "c")
	refusal := errors.New("no more")
	if err := store.Save(true, putting(refusal, "a=9", "d=9")); !errors.Is(err, refusal) {
		t.Errorf("error %v", err)
	}
	store.Close()
	store = open(t, folder)
	if got := pairs(t, store); got != "a=1 b=2 " {
		t.Errorf("kept %q", got)
	}
	save(t, store, true, "d=1")
	if got := pairs(t, store); got != "d=1 " {
		t.Errorf("kept anew %q", got)
	}
}

func TestOneProcessHasTheFolder(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	open(t, folder)
	if _, err := durable.Open(folder); err == nil || !strings.Contains(err.Error(), "in use by another process") {
		t.Errorf("error %v", err)
	}
}

// A machine that stops in the middle of a commit leaves any of the commit's pages, whole ones or the first part of one, and the
// page that makes it count only if all others are there: the engine waits for them in between.
func TestAStoppedCommitIsAsIfItHadNeverBeen(t *testing.T) {
	t.Parallel()
	const pageSize = 4096
	folder := t.TempDir()
	path := filepath.Join(folder, durable.FileName)
	chance := rand.New(rand.NewPCG(1, 2))
	store := open(t, folder)
	var filled []string
	for i := range 400 {
		filled = append(filled, fmt.Sprintf("%04d=%0100d", i, 0))
	}
	save(t, store, false, filled...)
	earlier, was := image(t, path), pairs(t, store)
	for round := range 50 {
		var changed []string
		for range 20 {
			changed = append(changed, fmt.Sprintf("%04d=%0100d", chance.IntN(500), round))
		}
		save(t, store, false, changed...)
		later, is := image(t, path), pairs(t, store)
		if got := readImage(t, stopped(earlier, later, pageSize, chance, false)); got != was {
			t.Fatalf("round %d: without its last page the commit counts", round)
		}
		if got := readImage(t, stopped(earlier, later, pageSize, chance, true)); got != was && got != is {
			t.Fatalf("round %d: with its last page torn the file holds neither what it held before nor after", round)
		}
		earlier, was = later, is
	}
}

func image(t *testing.T, path string) []byte {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return content
}

// stopped makes the file of a machine that stopped on the way from one image to the next: with some of the data pages or, if the data are
// complete, with the first part of the page that makes them count.
func stopped(earlier, later []byte, pageSize int, chance *rand.Rand, complete bool) []byte {
	made := bytes.Clone(later)
	copy(made, earlier[:min(2*pageSize, len(earlier))]) // the pages that say which commit counts
	if complete {
		for page := range 2 {
			copy(made[page*pageSize:], later[page*pageSize:page*pageSize+chance.IntN(80)])
		}
		return made
	}
	for at := 2 * pageSize; at < len(earlier); at += pageSize {
		written := chance.IntN(3) * pageSize / 2 // nothing of the page, half of it, or all
		copy(made[at+written:at+pageSize], earlier[at+written:])
	}
	return made
}

func readImage(t *testing.T, content []byte) string {
	t.Helper()
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, durable.FileName), content, 0o600); err != nil {
		t.Fatal(err)
	}
	store := open(t, folder)
	defer store.Close()
	return pairs(t, store)
}

// standing is a clock that stands, so that exports of one shop are equal.
func standing() time.Time { return time.Unix(1_800_000_000, 0) }

// Whatever is wrong with the file, it is refused with what to do, or the shop in it is whole: it is never half loaded, and no byte
// of the file is changed by the refusal.
func TestADamagedFileIsRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("a hundred and fifty damaged files, one after the other")
	}
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, durable.FileName)
	store := open(t, folder)
	server, err := mockserver.New(mockserver.Options{Storage: store, Clock: standing})
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	if err := errors.Join(server.Export(&want), server.Close(), store.Close()); err != nil {
		t.Fatal(err)
	}
	sound := image(t, path)
	chance := rand.New(rand.NewPCG(3, 4))
	refused := 0
	for round := range 150 {
		damaged := damage(bytes.Clone(sound), round, chance)
		got, err := exportOf(t, damaged)
		switch {
		case err != nil:
			refused++
			if !strings.Contains(err.Error(), "as it is") {
				t.Errorf("round %d: the refusal does not say what became of the file: %v", round, err)
			}
		case got != want.String():
			t.Fatalf("round %d: another shop was loaded", round)
		}
	}
	if refused < 40 {
		t.Errorf("only %d damaged files were refused", refused)
	}
}

// damage changes a byte, zeroes a page, or cuts the file off.
func damage(content []byte, round int, chance *rand.Rand) []byte {
	at := chance.IntN(len(content))
	switch round % 3 {
	case 0:
		content[at] ^= byte(1 + chance.IntN(255))
	case 1:
		clear(content[at&^4095 : min(at&^4095+4096, len(content))])
	default:
		content = content[:at]
	}
	return content
}

// exportOf reads the shop in a file's content.
func exportOf(t *testing.T, content []byte) (string, error) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, durable.FileName)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := durable.Open(folder)
	if err != nil {
		if !bytes.Equal(image(t, path), content) {
			t.Error("the refusal changed the file")
		}
		return "", err
	}
	defer store.Close()
	server, err := mockserver.New(mockserver.Options{Storage: store, Clock: standing})
	if err != nil {
		return "", err
	}
	var text bytes.Buffer
	err = errors.Join(server.Export(&text), server.Close())
	return text.String(), err
}
