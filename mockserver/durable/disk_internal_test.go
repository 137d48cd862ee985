package durable

// A disk that fails below the engine: its writes end in errors, not done, half done or done. What a power failure leaves of writes that
// the engine had not waited for yet is tested by images of the file. A disk that confirms what it has not kept is found out.

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"go.etcd.io/bbolt"

	"shopcheck/mockserver"
)

const pageSize = 4096

// disk is what an engine writes to.
type disk struct {
	write func(page []byte, at int64) (int, error) // the engine's own
	wrote func(page []byte, at int64)              // is told of each write that works; nil: nobody asks
	fails int                                      // before which write it works; 0: it works; atHead: see there
	does  func(page []byte, at int64) error        // instead of that write and all after it
}

// atHead lets the write fail that makes a commit count.
const atHead = -1

var errDisk = errors.New("the disk has failed")

// How writes fail.
func (d *disk) nothing([]byte, int64) error { return errDisk }
func (d *disk) half(page []byte, at int64) error {
	_, err := d.write(page[:len(page)/2], at)
	return errors.Join(err, errDisk)
}
func (d *disk) all(page []byte, at int64) error { // as when it was to wait for the disk after it, and that fails
	_, err := d.write(page, at)
	return errors.Join(err, errDisk)
}

// under puts a disk between an engine and its file.
func under(s *Store) *disk {
	field := reflect.ValueOf(s.db).Elem().FieldByName("ops").FieldByName("writeAt")
	ops := reflect.NewAt(field.Type(), unsafe.Pointer(field.UnsafeAddr())).Elem()
	d := &disk{write: ops.Interface().(func([]byte, int64) (int, error))}
	ops.Set(reflect.ValueOf(d.writeAt))
	return d
}

func (d *disk) writeAt(page []byte, at int64) (int, error) {
	if d.fails == 1 || d.fails == atHead && at < 2*pageSize {
		return 0, d.does(page, at)
	}
	if d.fails > 1 {
		d.fails--
	}
	if d.wrote != nil {
		d.wrote(page, at)
	}
	return d.write(page, at)
}

// box is a shop on a disk.
type box struct {
	t      *testing.T
	folder string
	store  *Store
	disk   *disk
	server *mockserver.Server
}

func unpack(t *testing.T, folder string) *box {
	t.Helper()
	store, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	standing := func() time.Time { return time.Unix(1_800_000_000, 0) }
	server, err := mockserver.New(mockserver.Options{Storage: store, Seed: "empty", Clock: standing})
	if err != nil {
		t.Fatal(err)
	}
	return &box{t, folder, store, under(store), server}
}

func (b *box) create(sku string) (status int, answer string) {
	request := httptest.NewRequest("POST", "/shop/v3/products", strings.NewReader(fmt.Sprintf(`{"name":"New","sku":%q}`, sku)))
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	request.RemoteAddr = "127.0.0.1:40000"
	request.Header.Set("Content-Type", "application/json")
	recorder := httptest.NewRecorder()
	b.server.Handler().ServeHTTP(recorder, request)
	return recorder.Code, recorder.Body.String()
}

func (b *box) document() string {
	var text bytes.Buffer
	if err := b.server.Export(&text); err != nil {
		b.t.Fatal(err)
	}
	return text.String()
}

// next opens the shop as the file has it.
func (b *box) next() *box {
	b.t.Helper()
	content, err := os.ReadFile(filepath.Join(b.folder, FileName))
	if err != nil {
		b.t.Fatal(err)
	}
	folder := b.t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, FileName), content, 0o600); err != nil {
		b.t.Fatal(err)
	}
	return unpack(b.t, folder)
}

// Whatever write of a commit fails, and however, what was answered is there after it, and the shop can be opened. Where the change is
// certainly not made the shop goes on as soon as the disk does.
func TestAnyWriteMayFail(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]func(*disk) func([]byte, int64) error{
		"nothing is written": func(d *disk) func([]byte, int64) error { return d.nothing },
		"half is written":    func(d *disk) func([]byte, int64) error { return d.half },
		"all is written":     func(d *disk) func([]byte, int64) error { return d.all },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := unpack(t, t.TempDir())
			unsure := 0
			for i, nth := range []int{1, 2, 3, 4, atHead, 1, 2} {
				before := b.document()
				b.disk.fails, b.disk.does = nth, how(b.disk)
				status, answer := b.create(fmt.Sprint("failing-", i))
				b.disk.fails = 0
				if status != http.StatusServiceUnavailable || b.document() != before {
					t.Fatalf("write %d: status %d %s, or the shop has changed", nth, status, answer)
				}
				after, certain := b.next(), !strings.Contains(answer, "cannot tell")
				if certain && after.document() != before {
					t.Fatalf("write %d: the next process finds what was refused", nth)
				}
				status, answer = b.create(fmt.Sprint("working-", i))
				if want := map[bool]int{true: http.StatusCreated, false: http.StatusServiceUnavailable}[certain]; status != want {
					t.Fatalf("write %d: afterwards status %d %s", nth, status, answer)
				}
				if !certain {
					unsure++
					b = after
				}
				if next := b.next(); next.document() != b.document() {
					t.Fatalf("write %d: the next process finds another shop", nth)
				}
			}
			if (unsure == 0) != (name == "nothing is written") { // half of the page holds all that makes a commit count
				t.Errorf("%d commits are there or not", unsure)
			}
		})
	}
}

// pairsIn lists what a store in a folder of its own holds whose file has this content, or returns why it is refused.
func pairsIn(t *testing.T, content []byte) (string, error) {
	t.Helper()
	folder := t.TempDir()
	path := filepath.Join(folder, FileName)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	store, err := Open(folder)
	if err != nil {
		return "", err
	}
	defer store.Close()
	var text strings.Builder
	err = store.Load(func(key, value []byte) error { fmt.Fprintf(&text, "%s=%s ", key, value); return nil })
	if after, missing := os.ReadFile(path); missing != nil || !bytes.Equal(after, content) {
		t.Error("reading has changed the file", missing)
	}
	return text.String(), err
}

// leaf is the flag of pages that hold pairs or buckets, at the place in a page where its flags are. Only those are lost here, where others
// of their kind were: old pages that point to others may lead the engine round in circles.
const (
	leaf    = 2
	flagsAt = 8
)

// A disk confirms writes that it has not kept. What is left is refused with what to do, or it is all as it was at some moment.
func TestADiskThatLiesIsFoundOut(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store, err := Open(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	chance := rand.New(rand.NewPCG(5, 6))
	change := func(commit, count int) {
		err := store.Save(false, func(put func(key, value []byte) error) (err error) {
			for range count {
				err = errors.Join(err, put(fmt.Appendf(nil, "%04d", chance.IntN(600)), fmt.Appendf(nil, "%0100d", commit)))
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	content := func() []byte {
		text, err := os.ReadFile(filepath.Join(folder, FileName))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	disk := under(store)
	change(0, 1500)
	refused, rounds := 0, 30
	for range rounds {
		kept, moments := content(), map[string]bool{}
		disk.wrote = func(page []byte, at int64) {
			if missing := int(at) + len(page) - len(kept); missing > 0 {
				kept = append(kept, make([]byte, missing)...)
			}
			if lost := kept[at+flagsAt]&page[flagsAt]&leaf != 0 && chance.IntN(8) == 0; !lost {
				copy(kept[at:], page)
			}
		}
		for commit := range 4 {
			if commit > 0 {
				change(commit, 4)
			}
			now, err := pairsIn(t, content())
			if moments[now] = true; err != nil {
				t.Fatal(err)
			}
		}
		switch found, err := pairsIn(t, kept); {
		case err != nil:
			if refused++; !strings.Contains(err.Error(), "left as it is") && !strings.Contains(err.Error(), "left as it was") {
				t.Errorf("the refusal does not say what to do: %v", err)
			}
		case !moments[found]:
			t.Fatalf("what is left is neither refused nor all of one moment: %.100q", found)
		}
	}
	if refused < rounds/4 || refused == rounds {
		t.Errorf("%d of %d are refused: nothing was at stake", refused, rounds)
	}
}

// Files from before there were sums are read, and get one with their next change.
func TestFilesWithoutSumsGetThem(t *testing.T) {
	t.Parallel()
	store, err := Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	save := func(key, value string) error {
		return store.Save(false, func(put func(key, value []byte) error) error { return put([]byte(key), []byte(value)) })
	}
	sum := func(change func(*bbolt.Bucket) error) (sum uint64) {
		err = errors.Join(err, store.db.Update(func(tx *bbolt.Tx) error {
			pairs := tx.Bucket([]byte(shopBucket))
			err := change(pairs)
			sum = pairs.Sequence()
			return err
		}))
		return sum
	}
	load := func() error { return store.Load(func(_, _ []byte) error { return nil }) }
	err = errors.Join(save("a", "1"), save("b", "1"))
	sum(func(pairs *bbolt.Bucket) error { return pairs.SetSequence(0) })
	if err = errors.Join(err, load(), save("a", "2"), load()); err != nil {
		t.Fatal(err)
	}
	want := sumOf([]byte("a"), []byte("2")) + sumOf([]byte("b"), []byte("1"))
	if got := sum(func(*bbolt.Bucket) error { return nil }); got != want {
		t.Errorf("the sum is %x, want %x", got, want)
	}
	sum(func(pairs *bbolt.Bucket) error { return pairs.Put([]byte("b"), []byte("3")) })
	if err := load(); err == nil || !strings.Contains(err.Error(), "older than the rest") {
		t.Errorf("a change without its sum: %v", err)
	}
}
