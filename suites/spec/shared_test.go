package spec

// Shared givens: made once, told in each spec's record, and changed by none.

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"shopcheck/reports"
	"shopcheck/suites/profile"
)

// maker is a shop that makes products, and counts them.
func maker(t *testing.T, made *int) *Env {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		*made++
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusCreated)
		var sent struct{ Name string }
		_ = json.NewDecoder(r.Body).Decode(&sent)
		_ = json.NewEncoder(w).Encode(map[string]any{"id": *made, "name": sent.Name})
	}))
	t.Cleanup(server.Close)
	p := profile.New(server.URL)
	p.Credentials.ReadWrite = profile.Credentials{Key: "ck_test", Secret: "cs_test"}
	run := NewRun(context.Background(), p, nil, NonceOf(NewRunID(), 0))
	t.Cleanup(run.Close)
	return NewEnv(run)
}

func TestASharedGivenIsMadeOnceAndToldInEachRecord(t *testing.T) {
	made := 0
	env := maker(t, &made)
	for n := range 3 {
		record := &Record{Spec: reports.Spec{ID: fmt.Sprintf("probe.%d", n), Requirements: []string{"products.create"}}}
		env.run.Begin(record)
		for range n { // the given stands further behind in each record
			record.Exchanges = append(record.Exchanges, reports.Exchange{})
		}

		product := env.SharedProduct(context.Background())

		env.run.End()
		if product.ID != 1 || made != 1 {
			t.Fatalf("spec %d was given product %d of %d", n, product.ID, made)
		}
		if len(record.Exchanges) != n+1 || product.Answer.Exchange != n || record.Exchanges[n].Shared != (n > 0) {
			t.Errorf("spec %d has %d exchanges, and the given is at %d, shared: %v", n, len(record.Exchanges), product.Answer.Exchange,
				record.Exchanges[n].Shared)
		}
	}
}

func TestWhatIsTooLargeToBeKeptIsNotShared(t *testing.T) {
	for size, wanted := range map[int]int{mostShared / 2: 1, mostShared: 2} {
		made := 0
		env := maker(t, &made)
		env.run.Begin(&Record{Spec: reports.Spec{ID: "probe", Requirements: []string{"products.create"}}})
		for range 2 {
			Share(env, "large", func() sharedRecord {
				return sharedRecord{env.Products.Create(context.Background(), Fields{"name": strings.Repeat("n", size)})}
			})
		}
		env.run.End()
		if made != wanted {
			t.Errorf("with %d bytes of its own it was made %d times", size, made)
		}
	}
}

func TestAVisitorIsSharedUntilSomethingIsNotRefused(t *testing.T) {
	status := http.StatusOK
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Cart-Token", "t")
		if r.Method == http.MethodPost {
			w.WriteHeader(status)
		}
		_, _ = w.Write([]byte(`{}`))
	}))
	t.Cleanup(server.Close)
	run := NewRun(context.Background(), profile.New(server.URL), nil, NonceOf(NewRunID(), 0))
	t.Cleanup(run.Close)
	env := NewEnv(run)
	run.Begin(&Record{Spec: reports.Spec{ID: "probe"}})
	ctx := context.Background()
	for _, c := range []struct {
		status int
		shared bool
	}{{http.StatusBadRequest, true}, {http.StatusForbidden, true}, {http.StatusInternalServerError, false}, {http.StatusOK, false}} {
		status = c.status
		env.SharedCart(ctx).In(Bare).Post(ctx, "/cart/add-item", Fields{})
		if _, still := env.shared["empty cart"]; still != c.shared {
			t.Errorf("after %d it is shared: %v", c.status, still)
		}
	}
}

func TestWhatIsSharedIsChangedByNone(t *testing.T) {
	m := NewMade("0a1b2c3d")
	m.claim("/shop/v3/products", 5)
	m.Share(0)
	m.claim("/shop/v3/products", 6)
	if !m.standing("/shop/v3/products/5").shared || m.standing("/shop/v3/products/6").shared {
		t.Error("only what was made for the shared given is shared")
	}
}
