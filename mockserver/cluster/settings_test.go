package cluster_test

// Clock and faults of a shop with several replicas: one for all.

import (
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
)

func clockOf(t *testing.T, shop *mockserver.Server) time.Time {
	t.Helper()
	_, said, _ := call(t, "GET", shop.URL()+"/_mock/clock", "")
	return gjson.Get(said, "now").Time()
}

func TestAClockIsOneForAllReplicas(t *testing.T) {
	t.Parallel()
	address, shops := three(t)
	set := func(shop *mockserver.Server, change string) {
		t.Helper()
		if status, said, _ := call(t, "POST", shop.URL()+"/_mock/clock", change); status != http.StatusOK {
			t.Errorf("status %d: %s", status, said)
		}
	}
	set(shops[0], `{"set":"2030-01-01T00:00:00Z","freeze":true}`)
	var moving sync.WaitGroup
	for _, shop := range shops {
		moving.Go(func() {
			for range 4 {
				set(shop, `{"advance":"1h"}`)
				call(t, "POST", shop.URL()+"/shop/v3/products?"+rw, `{"name":"P"}`)
			}
		})
	}
	moving.Wait()
	shops = append(shops, replica(t, address, mockserver.Options{}))
	for i, shop := range shops {
		if got, want := clockOf(t, shop), time.Date(2030, 1, 1, 12, 0, 0, 0, time.UTC); !got.Equal(want) {
			t.Errorf("replica %d: the clock shows %v, want %v", i, got, want)
		}
		_, said, header := call(t, "GET", shop.URL()+"/shop/v3/products?per_page=1&"+rw, "")
		date := header.Get("Date")
		if !strings.HasPrefix(gjson.Get(said, "0.date_created").Str, "2030-01-01T") || date != "Tue, 01 Jan 2030 12:00:00 GMT" {
			t.Errorf("replica %d: %s %.200s", i, date, said)
		}
	}
	if status, said, _ := call(t, "DELETE", shops[1].URL()+"/_mock/clock", ""); status != http.StatusOK {
		t.Fatalf("status %d: %s", status, said)
	}
	for i, shop := range shops {
		if _, said, _ := call(t, "GET", shop.URL()+"/_mock/clock", ""); gjson.Get(said, "moved").Bool() {
			t.Errorf("replica %d: %s", i, said)
		}
	}
	wantSame(t, shops...)
}

func TestFaultsHoldOnEveryReplica(t *testing.T) {
	t.Parallel()
	address, shops := three(t)
	change := func(method, body string, shop *mockserver.Server, want int) {
		t.Helper()
		if status, said, _ := call(t, method, shop.URL()+"/_mock/faults", body); status != want {
			t.Errorf("%s: status %d: %s", method, status, said)
		}
	}
	change("PUT", `{"seed":7,"rules":[{"effect":"status","status":418,"path":"/shop/v3/coupons"}]}`, shops[0], http.StatusOK)
	var adding sync.WaitGroup
	for _, shop := range shops {
		adding.Go(func() {
			change("POST", `{"rules":[{"effect":"status","status":418,"path":"/shop/v3/taxes"}]}`, shop, http.StatusCreated)
		})
	}
	adding.Wait()
	shops = append(shops, replica(t, address, mockserver.Options{}))
	for i, shop := range shops {
		for _, path := range []string{"coupons", "taxes"} {
			if status, _, _ := call(t, "GET", shop.URL()+"/shop/v3/"+path+"?"+rw, ""); status != http.StatusTeapot {
				t.Errorf("replica %d: %s answers with status %d", i, path, status)
			}
		}
	}
	call(t, "POST", shops[1].URL()+"/shop/v3/products?"+rw, `{"name":"P"}`)
	_, said, _ := call(t, "GET", shops[0].URL()+"/_mock/faults", "")
	if gjson.Get(said, "rules.#").Int() != 4 || gjson.Get(said, "rules.0.fired").Int() != 1 {
		t.Errorf("what another replica keeps ends the counting, or a rule is missing: %s", said)
	}
	change("DELETE", "", shops[2], http.StatusNoContent)
	for i, shop := range shops {
		if status, _, _ := call(t, "GET", shop.URL()+"/shop/v3/coupons?"+rw, ""); status != http.StatusOK {
			t.Errorf("replica %d: status %d afterwards", i, status)
		}
	}
}

// Of requests to all replicas at once as many fail as a rule says, and as many again when it is set again; so it is in a sandbox.
func TestALimitedFaultIsCountedOnceForAllReplicas(t *testing.T) {
	t.Parallel()
	address, shops := three(t)
	b := sandbox(t, shops[0], `{}`)
	for name, one := range map[string]struct {
		at          func(*mockserver.Server) string
		credentials string
	}{
		"the shop":  {func(shop *mockserver.Server) string { return shop.URL() }, rw},
		"a sandbox": {b.at, b.credentials()},
	} {
		for _, rule := range []struct {
			text string
			want int64
		}{{`"times":2`, 2}, {`"times":2`, 2}, {`"nth":7`, 1}} {
			wanted(t, http.StatusOK, "PUT", one.at(shops[1])+"/_mock/faults",
				`{"rules":[{"effect":"status","status":418,"path":"/shop/v3/coupons",`+rule.text+`}]}`)
			var asking sync.WaitGroup
			var failed atomic.Int64
			for i := range 30 {
				asking.Go(func() {
					switch status, said, _ := call(t, "GET", one.at(shops[i%3])+"/shop/v3/coupons?"+one.credentials, ""); status {
					case http.StatusTeapot:
						failed.Add(1)
					case http.StatusOK:
					default:
						t.Errorf("status %d: %s", status, said)
					}
				})
			}
			asking.Wait()
			if failed.Load() != rule.want {
				t.Errorf("%s, %s: %d requests fail", name, rule.text, failed.Load())
			}
			for i, shop := range append(shops, replica(t, address, mockserver.Options{})) {
				said := wanted(t, http.StatusOK, "GET", one.at(shop)+"/_mock/faults", "")
				if got := gjson.Get(said, "rules.0.fired").Int(); got != rule.want {
					t.Errorf("%s, %s: replica %d says that it happened %d times", name, rule.text, i, got)
				}
			}
		}
	}
}
