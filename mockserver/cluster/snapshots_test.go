package cluster_test

// Snapshots of a shop with several replicas: whoever takes one takes it for all.

import (
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
)

// wanted sends a request that must be answered with a status, and returns the body.
func wanted(t testing.TB, status int, method, address, body string, header ...string) string {
	t.Helper()
	got, said, _ := call(t, method, address, body, header...)
	if got != status {
		t.Fatalf("%s %s: status %d, want %d: %.400s", method, address, got, status, said)
	}
	return said
}

func TestASnapshotIsOneForAllReplicas(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	nats := engine(t, folder, -1)
	address, port := nats.ClientURL()+"/test", nats.Addr().(*net.TCPAddr).Port
	var shops []*mockserver.Server
	for range 3 {
		shops = append(shops, replica(t, address, mockserver.Options{}))
	}
	wanted(t, http.StatusOK, "POST", shops[0].URL()+"/_mock/clock", `{"set":"2030-01-01T00:00:00Z","freeze":true}`)
	before := exportOf(t, shops[0])
	wanted(t, http.StatusCreated, "POST", shops[0].URL()+"/_mock/snapshots", `{"name":"before"}`)
	wanted(t, http.StatusOK, "DELETE", shops[1].URL()+"/_mock/clock", "")
	wanted(t, http.StatusCreated, "POST", shops[1].URL()+"/shop/v3/products?"+rw, `{"name":"After"}`)
	after := exportOf(t, shops[2])
	if said := wanted(t, http.StatusCreated, "POST", shops[1].URL()+"/_mock/snapshots", ""); gjson.Get(said, "name").Str != "snapshot-1" {
		t.Errorf("a free name: %s", said)
	}
	nats.Shutdown()
	nats.WaitForShutdown()
	engine(t, folder, port)
	for i, shop := range append(shops, replica(t, address, mockserver.Options{})) {
		eventually(t, http.StatusOK, "GET", shop.URL()+"/readyz", "")
		said := wanted(t, http.StatusOK, "GET", shop.URL()+"/_mock/snapshots", "")
		names, taken := gjson.Get(said, "#.name").Raw, gjson.Get(said, "0.taken_at").Str
		if names != `["before","snapshot-1"]` || !strings.HasPrefix(taken, "2030-01-01") {
			t.Errorf("replica %d lists %s", i, said)
		}
	}
	wanted(t, http.StatusOK, "POST", shops[1].URL()+"/_mock/snapshots/before/restore", "")
	if got := exportOf(t, shops[2]); got != before {
		t.Errorf("what is put back on one replica is not on another one")
	}
	if got, want := clockOf(t, shops[2]), time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
		t.Errorf("the clock shows %v, want %v", got, want)
	}
	wanted(t, http.StatusCreated, "POST", shops[2].URL()+"/_mock/snapshots", `{"name":"snapshot-1"}`) // in place of the other one
	wanted(t, http.StatusOK, "POST", shops[1].URL()+"/_mock/snapshots/snapshot-1/restore", "")
	if got := exportOf(t, shops[0]); got != before || got == after {
		t.Errorf("a replica puts back a snapshot that another one has taken anew, as it was before")
	}
	wanted(t, http.StatusNoContent, "DELETE", shops[2].URL()+"/_mock/snapshots/before", "")
	for i, shop := range shops {
		for _, ask := range []struct{ method, path string }{{"POST", "/before/restore"}, {"DELETE", "/before"}, {"POST", "/*/restore"}} {
			said := wanted(t, http.StatusNotFound, ask.method, shop.URL()+"/_mock/snapshots"+ask.path, "")
			if gjson.Get(said, "code").Str != "mock_no_such_snapshot" {
				t.Errorf("replica %d: %s", i, said)
			}
		}
		if said := wanted(t, http.StatusOK, "GET", shop.URL()+"/_mock/snapshots", ""); gjson.Get(said, "#.name").Raw != `["snapshot-1"]` {
			t.Errorf("replica %d lists %s", i, said)
		}
	}
	wantSame(t, shops...)
}

// Where others write meanwhile, a state is put back on what they made, and its clock with it.
func TestASnapshotIsPutBackAmidWrites(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	wanted(t, http.StatusOK, "POST", shops[0].URL()+"/_mock/clock", `{"set":"2030-01-01T00:00:00Z","freeze":true}`)
	wanted(t, http.StatusCreated, "POST", shops[0].URL()+"/_mock/snapshots", `{"name":"begin"}`)
	for range 10 {
		wanted(t, http.StatusOK, "DELETE", shops[1].URL()+"/_mock/clock", "")
		var writers sync.WaitGroup
		for _, shop := range shops[1:] {
			writers.Go(func() {
				for range 4 { // without an end a slow machine would never come between them
					call(t, "POST", shop.URL()+"/shop/v3/products?"+rw, `{"name":"P"}`)
				}
			})
		}
		wanted(t, http.StatusOK, "POST", shops[0].URL()+"/_mock/snapshots/begin/restore", "")
		for i, shop := range shops {
			if got, want := clockOf(t, shop), time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC); !got.Equal(want) {
				t.Errorf("replica %d: the clock shows %v, want %v", i, got, want)
			}
		}
		writers.Wait()
	}
	wantSame(t, shops...)
}

// A snapshot that is too large for a message is an object; what is in its place has another one.
func TestALargeSnapshotIsAnObject(t *testing.T) {
	t.Parallel()
	all := connected(t, 2)
	for i := range 3 {
		large := strings.Repeat(fmt.Sprint(i), 1<<20)
		if err := all[i%2].SavePart("snapshot large", true, putting("b="+large, "a=head")); err != nil {
			t.Fatal(err)
		}
		var got []string
		err := all[0].LoadPart("snapshot large", func(key, value []byte) error {
			got = append(got, string(key)+"="+string(value))
			return nil
		})
		if err != nil || len(got) != 2 || got[0] != "a=head" || got[1] != "b="+large {
			t.Fatalf("%d pairs (%v)", len(got), err)
		}
	}
	if objects, err := all[1].PartObjects(); len(objects) != 1 || err != nil {
		t.Errorf("objects %v (%v)", objects, err)
	}
	if err := all[1].RemoveParts("snapshot large", "snapshot none"); err != nil {
		t.Fatal(err)
	}
	names, err := all[0].Parts("snapshot ")
	objects, objectsErr := all[0].PartObjects()
	if len(names)+len(objects) != 0 || err != nil || objectsErr != nil {
		t.Errorf("%v %v (%v, %v)", names, objects, err, objectsErr)
	}
}
