package durable

// A disk that fails below the engine: its writes end in errors, not done, half done or done. What a power failure leaves of writes that
// the engine had not waited for yet is tested by images of the file. A disk that confirms what it has not kept is not survived: pages of
// the engine have no checksums, and an old page is as good as a new one.

import (
	"bytes"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"shopcheck/mockserver"
)

const pageSize = 4096

// disk is what an engine writes to.
type disk struct {
	write func(page []byte, at int64) (int, error) // the engine's own
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
