package durable_test

import (
	"bytes"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver"
	"shopcheck/mockserver/durable"
)

// serve opens the shop in a storage.
func serve(t *testing.T, storage mockserver.Storage) *mockserver.Server {
	t.Helper()
	server, err := mockserver.New(mockserver.Options{Storage: storage, Clock: standing})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() }) //nolint:errcheck // there is no socket
	return server
}

// ask sends a request and returns the answer's body, when it has the status.
func ask(t *testing.T, server *mockserver.Server, want int, method, path, body string) string {
	t.Helper()
	request := httptest.NewRequest(method, path, strings.NewReader(body))
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	request.RemoteAddr = "127.0.0.1:40000"
	request.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	server.Handler().ServeHTTP(answer, request)
	if answer.Code != want {
		t.Fatalf("%s %s: status %d, want %d: %s", method, path, answer.Code, want, answer.Body)
	}
	return answer.Body.String()
}

func document(t *testing.T, server *mockserver.Server) string {
	t.Helper()
	var text bytes.Buffer
	if err := server.Export(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestSnapshotsLast(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store := open(t, folder)
	first := serve(t, store)
	ask(t, first, http.StatusCreated, "POST", "/shop/v3/products", `{"name":"Before"}`)
	ask(t, first, http.StatusOK, "POST", "/_mock/clock", `{"advance":"36h","freeze":true}`)
	want := document(t, first)
	taken := ask(t, first, http.StatusCreated, "POST", "/_mock/snapshots", `{"name":"before"}`)
	ask(t, first, http.StatusCreated, "POST", "/shop/v3/products", `{"name":"After"}`)
	if err := errors.Join(first.Reset(""), first.Close(), store.Close()); err != nil {
		t.Fatal(err)
	}
	store = open(t, folder)
	second := serve(t, store)
	if got := ask(t, second, http.StatusOK, "GET", "/_mock/snapshots", ""); got != "["+taken+"]" {
		t.Errorf("the next process has %s, want %s", got, taken)
	}
	ask(t, second, http.StatusOK, "POST", "/_mock/snapshots/before/restore", "")
	if document(t, second) != want {
		t.Error("another shop was restored, or at another time")
	}
	ask(t, second, http.StatusNoContent, "DELETE", "/_mock/snapshots/before", "")
	ask(t, second, http.StatusNotFound, "DELETE", "/_mock/snapshots/before", "")
	if err := errors.Join(second.Close(), store.Close()); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, serve(t, open(t, folder)), http.StatusOK, "GET", "/_mock/snapshots", ""); got != "[]" {
		t.Errorf("a snapshot that was deleted is there again: %s", got)
	}
}

// A snapshot is on the disk when it was answered, also where changes wait for each other.
func TestASnapshotDoesNotWaitForTheInterval(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store, err := durable.OpenInterval(folder, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	server := serve(t, store)
	taken := ask(t, server, http.StatusCreated, "POST", "/_mock/snapshots", `{}`)
	killed := t.TempDir()
	if err := os.WriteFile(filepath.Join(killed, durable.FileName), image(t, filepath.Join(folder, durable.FileName)), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := ask(t, serve(t, open(t, killed)), http.StatusOK, "GET", "/_mock/snapshots", ""); got != "["+taken+"]" {
		t.Errorf("after a crash there is %s, want %s", got, taken)
	}
}

// harm changes one value of a part.
func harm(t *testing.T, store *durable.Store, part string, number int) {
	t.Helper()
	var keys, values [][]byte
	err := store.LoadPart(part, func(key, value []byte) error {
		keys, values = append(keys, bytes.Clone(key)), append(values, bytes.Clone(value))
		return nil
	})
	if err != nil || len(keys) <= number {
		t.Fatalf("%d pairs, %v", len(keys), err)
	}
	values[number][3] ^= 1
	err = store.SavePart(part, true, func(put func(key, value []byte) error) error {
		for i := range keys {
			if err := put(keys[i], values[i]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestADamagedSnapshotIsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	store := open(t, folder)
	first := serve(t, store)
	ask(t, first, http.StatusCreated, "POST", "/_mock/snapshots", `{"name":"row"}`)
	ask(t, first, http.StatusCreated, "POST", "/_mock/snapshots", `{"name":"head"}`)
	want := document(t, first)
	if err := errors.Join(first.Close(), store.Close()); err != nil {
		t.Fatal(err)
	}
	store = open(t, folder)
	harm(t, store, "snapshot row", 20)
	second := serve(t, store)
	refused := ask(t, second, http.StatusConflict, "POST", "/_mock/snapshots/row/restore", "")
	if !strings.Contains(refused, "mock_damaged_snapshot") || strings.Contains(refused, folder) || document(t, second) != want {
		t.Errorf("half a snapshot was restored, or the answer tells too much: %s", refused)
	}
	ask(t, second, http.StatusNoContent, "DELETE", "/_mock/snapshots/row", "")
	harm(t, store, "snapshot head", 0)
	if err := second.Close(); err != nil {
		t.Fatal(err)
	}
	_, err := mockserver.New(mockserver.Options{Storage: store})
	if err == nil || !strings.Contains(err.Error(), "snapshots that are kept cannot be read") {
		t.Errorf("error %v", err)
	}
}

// refusing is a store whose parts cannot be written.
type refusing struct{ *durable.Store }

var errFull = errors.New("no space left")

func (refusing) SavePart(string, bool, func(put func(key, value []byte) error) error) error {
	return errFull
}
func (refusing) RemoveParts(...string) error { return errFull }

func TestASnapshotThatCannotBeKeptIsNotTaken(t *testing.T) {
	t.Parallel()
	store := open(t, t.TempDir())
	first := serve(t, store)
	ask(t, first, http.StatusCreated, "POST", "/_mock/snapshots", `{"name":"before"}`)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := serve(t, refusing{store})
	ask(t, second, http.StatusServiceUnavailable, "POST", "/_mock/snapshots", `{"name":"after"}`)
	ask(t, second, http.StatusServiceUnavailable, "DELETE", "/_mock/snapshots/before", "")
	got := ask(t, second, http.StatusOK, "GET", "/_mock/snapshots", "")
	if !strings.Contains(got, "before") || strings.Contains(got, "after") {
		t.Errorf("there are %s", got)
	}
}
