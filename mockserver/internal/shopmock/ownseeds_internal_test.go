package shopmock

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/rest"
)

// serverOfSeeds has room for two of the seeds that come with it, and a bit.
func serverOfSeeds(t *testing.T) (*Server, Origin) {
	t.Helper()
	server, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() }) //nolint:errcheck // nothing is kept
	var products []string
	for i := range 200 {
		products = append(products, fmt.Sprintf(`"Tea %d": 1`, i))
	}
	from := Origin{SeedData: []byte(`{"products": {` + strings.Join(products, ", ") + `}}`)}
	_, own, err := server.sandboxes.seedOf(from, server.sandboxes.openSeed)
	if err != nil {
		t.Fatal(err)
	}
	server.sandboxes.seeds.most = 2*own.weight + 1
	own.release()
	return server, from
}

// isFull reports whether a sandbox was refused for the memory that the others take, with what to do.
func isFull(err error) bool {
	var refusal *rest.Error
	return errors.As(err, &refusal) && refusal.Status == http.StatusConflict && refusal.Code == "mock_sandboxes_too_large" &&
		strings.Contains(refusal.Message, "delete some")
}

func TestSeedsOfSandboxesAreBoundedTogether(t *testing.T) {
	t.Parallel()
	server, from := serverOfSeeds(t)
	make := func(name string, from Origin) error { _, err := server.sandboxes.Create(name, from); return err }
	for i := range 3 { // the last one goes beyond
		if err := make(fmt.Sprint("s-", i), from); err != nil {
			t.Fatalf("sandbox %d: %v", i, err)
		}
	}
	if err := make("one-more", from); !isFull(err) {
		t.Errorf("one more: %v", err)
	}
	for _, origin := range []Origin{{Seed: "demo"}, {}, {Clone: "."}} {
		if err := make("", origin); err != nil {
			t.Errorf("%+v: %v", origin, err)
		}
	}
	if err := errors.Join(make("clone", Origin{Clone: "s-0"}), make("again", Origin{Clone: "clone"})); err != nil {
		t.Error(err)
	}
	for _, gone := range []string{"s-0", "clone"} { // the clone of the clone holds the records
		if err := server.sandboxes.Delete(gone); err != nil {
			t.Error(err)
		}
		if err := make("one-more", from); !isFull(err) {
			t.Errorf("without %s: %v", gone, err)
		}
	}
	server.sandboxes.Delete("again") //nolint:errcheck // seen below
	if err := make("one-more", from); err != nil {
		t.Errorf("with room again: %v", err)
	}
}

func TestSeedsThatAreRefusedCountForNothing(t *testing.T) {
	t.Parallel()
	server, from := serverOfSeeds(t)
	var group sync.WaitGroup
	for range 20 { // one of them is made
		group.Go(func() {
			server.sandboxes.Create("taken", from)                                              //nolint:errcheck // seen below
			server.sandboxes.Create("no name", from)                                            //nolint:errcheck // see above
			server.sandboxes.Create("bad", Origin{SeedData: []byte(`{"product": 7}`)})          //nolint:errcheck // see above
			server.sandboxes.Create("two", control.Origin{SeedData: from.SeedData, Clone: "."}) //nolint:errcheck // see above
		})
	}
	group.Wait()
	if taken := server.sandboxes.seeds.taken; taken != server.sandboxes.seeds.most/2 {
		t.Errorf("%d bytes are taken, want %d", taken, server.sandboxes.seeds.most/2)
	}
	server.sandboxes.Delete("taken") //nolint:errcheck // see below
	if taken := server.sandboxes.seeds.taken; taken != 0 {
		t.Errorf("%d bytes are taken by nobody", taken)
	}
}
