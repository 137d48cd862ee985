package cluster_test

// Sandboxes of a shop with several replicas: each is one shop wherever it is called.

import (
	"fmt"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
)

// box is a sandbox as a client knows it.
type box struct{ name, key, secret string }

// credentials are the query that names the sandbox, and may read and write.
func (b box) credentials() string { return "consumer_key=" + b.key + "&consumer_secret=" + b.secret }

// at is the sandbox at a replica.
func (b box) at(shop *mockserver.Server) string { return shop.URL() + "/s/" + b.name }

func sandbox(t testing.TB, shop *mockserver.Server, wish string) box {
	t.Helper()
	said := wanted(t, http.StatusCreated, "POST", shop.URL()+"/_mock/sandboxes", wish)
	return box{gjson.Get(said, "name").Str, gjson.Get(said, "consumer_key").Str, gjson.Get(said, "consumer_secret").Str}
}

// exportOfBox is all that a replica knows of a sandbox.
func exportOfBox(t *testing.T, b box, shop *mockserver.Server) string {
	t.Helper()
	return withoutNow(t, wanted(t, http.StatusOK, "GET", b.at(shop)+"/_mock/export", ""))
}

func wantSameBox(t *testing.T, b box, shops ...*mockserver.Server) {
	t.Helper()
	want := exportOfBox(t, b, shops[0])
	for i, other := range shops[1:] {
		if exportOfBox(t, b, other) != want {
			t.Errorf("replica %d knows another sandbox", i+1)
		}
	}
}

// A sandbox is made by way of one replica, and reached by way of all others at once, however a request names it.
func TestASandboxIsReachedOnEveryReplica(t *testing.T) {
	t.Parallel()
	address, shops := three(t)
	b := sandbox(t, shops[0], `{"name":"one"}`)
	product := wanted(t, http.StatusCreated, "POST", b.at(shops[1])+"/shop/v3/products?"+b.credentials(), `{"name":"Pot"}`)
	path := "/shop/v3/products/" + gjson.Get(product, "id").Raw + "?"
	shops = append(shops, replica(t, address, mockserver.Options{}))
	for _, shop := range shops {
		wanted(t, http.StatusOK, "GET", shop.URL()+path+b.credentials(), "")
		wanted(t, http.StatusOK, "GET", shop.URL()+path+b.credentials(), "", "X-Shop-Sandbox", b.name)
		wanted(t, http.StatusNotFound, "GET", shop.URL()+path+rw, "")
		said := wanted(t, http.StatusOK, "GET", shop.URL()+"/_mock/sandboxes", "")
		if gjson.Get(said, "#.name").Raw != `["one"]` || gjson.Get(said, "0.consumer_secret").Str != b.secret {
			t.Errorf("listed: %s", said)
		}
	}
	wanted(t, http.StatusConflict, "POST", shops[2].URL()+"/_mock/sandboxes", `{"name":"one"}`)
	for _, shop := range shops {
		for _, none := range []string{"none", "*", ">", "a.b"} {
			said := wanted(t, http.StatusNotFound, "GET", shop.URL()+"/s/"+none+"/shop/v3/products", "")
			if gjson.Get(said, "code").Str != "mock_no_such_sandbox" {
				t.Errorf("%s", said)
			}
			wanted(t, http.StatusNotFound, "DELETE", shop.URL()+"/_mock/sandboxes/"+none, "")
		}
		stranger := "ck_0000000000000000000000000000000000000000"
		for _, key := range []string{stranger, "*"} {
			wanted(t, http.StatusUnauthorized, "GET", shop.URL()+"/shop/v3/products?consumer_key="+key+"&consumer_secret=cs_1", "")
		}
	}
	wantSameBox(t, b, shops...)
}

// One piece in a sandbox, sixty buyers, three replicas.
func TestTheLastPieceOfASandboxIsSoldOnce(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	front := roundRobin(t, shops...)
	b := sandbox(t, shops[0], `{}`)
	said := wanted(t, http.StatusCreated, "POST", front+"/shop/v3/products?"+b.credentials(),
		`{"name":"The last","regular_price":"5","manage_stock":true,"stock_quantity":1,"virtual":true}`)
	id := gjson.Get(said, "id").Raw
	wanted(t, http.StatusOK, "PUT", front+"/shop/v3/payment_gateways/cod?"+b.credentials(), `{"enabled":true}`)
	mustSellOne(t, front, front+"/s/"+b.name, id, 60)
	wantSameBox(t, b, shops...)
}

// A nonce, the clock and the faults of a sandbox are one for all replicas, and no other shop's; a reset ends its sessions.
func TestWhatHoldsInASandboxHoldsOnEveryReplica(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	b := sandbox(t, shops[0], `{}`)
	_, _, header := call(t, "GET", b.at(shops[0])+"/shop/store/v1/cart", "")
	nonce, token := header.Get("Nonce"), header.Get("Cart-Token")
	add := func(shop *mockserver.Server) int {
		status, _, _ := call(t, "POST", b.at(shop)+"/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Nonce", nonce)
		return status
	}
	if status := add(shops[1]); status >= 300 {
		t.Errorf("status %d on another replica", status)
	}
	for i, shop := range shops {
		if status := add(shop); status != http.StatusForbidden {
			t.Errorf("the second time: status %d on replica %d", status, i)
		}
	}
	wanted(t, http.StatusOK, "POST", b.at(shops[1])+"/_mock/clock", `{"set":"2030-01-01T00:00:00Z","freeze":true}`)
	wanted(t, http.StatusOK, "PUT", b.at(shops[2])+"/_mock/faults",
		`{"rules":[{"effect":"status","status":418,"path":"/shop/v3/coupons"}]}`)
	for i, shop := range shops {
		said := wanted(t, http.StatusOK, "GET", b.at(shop)+"/_mock/clock", "")
		if got := gjson.Get(said, "now").Str; got != "2030-01-01T00:00:00Z" {
			t.Errorf("replica %d: it is %s", i, got)
		}
		wanted(t, http.StatusTeapot, "GET", shop.URL()+"/shop/v3/coupons?"+b.credentials(), "")
		wanted(t, http.StatusOK, "GET", shop.URL()+"/shop/v3/coupons?"+rw, "")
	}
	wanted(t, http.StatusOK, "POST", b.at(shops[2])+"/_mock/reset", "")
	for i, shop := range shops {
		_, said, header := call(t, "GET", b.at(shop)+"/shop/store/v1/cart", "", "Cart-Token", token)
		if header.Get("Cart-Token") == token || gjson.Get(said, "items_count").Int() != 0 {
			t.Errorf("replica %d takes a token from before the reset: %.200s", i, said)
		}
	}
	wantSameBox(t, b, shops...)
}

// A sandbox that was ended by way of one replica is there on none, not even where it was in use, and nothing is left of it.
func TestASandboxEndsEverywhere(t *testing.T) {
	t.Parallel()
	nats := engine(t, t.TempDir(), -1)
	address := nats.ClientURL() + "/test"
	var shops []*mockserver.Server
	for range 3 {
		shops = append(shops, replica(t, address, mockserver.Options{}))
	}
	messages := func() (count uint64) {
		info, err := nats.Jsz(&server.JSzOptions{Accounts: true, Streams: true, Config: true})
		if err != nil {
			t.Fatal(err)
		}
		for _, stream := range info.AccountDetails[0].Streams {
			if strings.Contains(stream.Name, "shared") {
				count += stream.State.Msgs
			}
		}
		return count
	}
	for round := range 3 {
		b := sandbox(t, shops[round], `{"name":"again"}`)
		for i, shop := range shops {
			wanted(t, http.StatusCreated, "POST", shop.URL()+"/shop/v3/products?"+b.credentials(), `{"name":"P"}`)
			wanted(t, http.StatusCreated, "POST", b.at(shop)+"/_mock/snapshots", fmt.Sprintf(`{"name":"s-%d"}`, i))
		}
		if messages() == 0 {
			t.Fatal("no message of a sandbox is in the engine: the test looks for the wrong ones")
		}
		wanted(t, http.StatusNoContent, "DELETE", shops[(round+1)%3].URL()+"/_mock/sandboxes/again", "")
		for i, shop := range shops {
			said := wanted(t, http.StatusNotFound, "GET", b.at(shop)+"/shop/v3/products?"+b.credentials(), "")
			if gjson.Get(said, "code").Str != "mock_no_such_sandbox" {
				t.Errorf("replica %d: %s", i, said)
			}
			wanted(t, http.StatusUnauthorized, "GET", shop.URL()+"/shop/v3/products?"+b.credentials(), "")
			wanted(t, http.StatusNotFound, "DELETE", shop.URL()+"/_mock/sandboxes/again", "")
			if said := wanted(t, http.StatusOK, "GET", shop.URL()+"/_mock/sandboxes", ""); said != "[]" {
				t.Errorf("replica %d lists %s", i, said)
			}
		}
		if count := messages(); count != 0 {
			t.Errorf("%d messages of it are left", count)
		}
	}
}

// The engine and all replicas end and begin again: the sandbox goes on, with its snapshots.
func TestASandboxOutlivesItsReplicas(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	nats := engine(t, folder, -1)
	address, port := nats.ClientURL()+"/test", nats.Addr().(*net.TCPAddr).Port
	first, lost := leavingReplica(t, address)
	b := sandbox(t, first, `{"seed":"empty"}`)
	wanted(t, http.StatusCreated, "POST", first.URL()+"/shop/v3/products?"+b.credentials(), `{"name":"Kept"}`)
	wanted(t, http.StatusCreated, "POST", b.at(first)+"/_mock/snapshots", `{"name":"kept"}`)
	wanted(t, http.StatusCreated, "POST", first.URL()+"/shop/v3/products?"+b.credentials(), `{"name":"Later"}`)
	before := exportOfBox(t, b, first)
	lost()
	nats.Shutdown()
	nats.WaitForShutdown()
	engine(t, folder, port)
	shops := []*mockserver.Server{replica(t, address, mockserver.Options{}), replica(t, address, mockserver.Options{})}
	if exportOfBox(t, b, shops[0]) != before {
		t.Error("it is another sandbox now")
	}
	wanted(t, http.StatusOK, "POST", b.at(shops[0])+"/_mock/snapshots/kept/restore", "")
	said := wanted(t, http.StatusOK, "GET", b.at(shops[1])+"/shop/v3/products?"+b.credentials(), "")
	if gjson.Get(said, "#.name").Raw != `["Kept"]` {
		t.Errorf("after its snapshot was put back: %.300s", said)
	}
	wantSameBox(t, b, shops...)
}

// What a sandbox begins with may come from another replica: a sandbox, a snapshot, or what a seed file holds.
func TestASandboxBeginsWithWhatOthersMade(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	b := sandbox(t, shops[0], `{"seed":{"products":[{"name":"Own"}]}}`)
	wanted(t, http.StatusCreated, "POST", shops[0].URL()+"/shop/v3/products?"+b.credentials(), `{"name":"Added"}`)
	wanted(t, http.StatusCreated, "POST", shops[1].URL()+"/_mock/snapshots", `{"name":"now"}`)
	wanted(t, http.StatusCreated, "POST", shops[2].URL()+"/shop/v3/products?"+rw, `{"name":"Pot","sku":"pot"}`)
	clone := sandbox(t, shops[1], `{"clone":"`+b.name+`"}`)
	ofShop := sandbox(t, shops[0], `{"clone":"."}`)
	ofSnapshot := sandbox(t, shops[2], `{"snapshot":"now"}`)
	for i, shop := range shops {
		names := gjson.Get(wanted(t, http.StatusOK, "GET", shop.URL()+"/shop/v3/products?"+clone.credentials(), ""), "#.name").Raw
		if names != `["Added","Own"]` && names != `["Own","Added"]` {
			t.Errorf("replica %d: the clone has %s", i, names)
		}
		for c, want := range map[box]int64{ofShop: 1, ofSnapshot: 0} {
			said := wanted(t, http.StatusOK, "GET", shop.URL()+"/shop/v3/products?sku=pot&"+c.credentials(), "")
			if gjson.Get(said, "#").Int() != want {
				t.Errorf("replica %d, %s: %.200s", i, c.name, said)
			}
		}
		wanted(t, http.StatusOK, "POST", b.at(shop)+"/_mock/reset", "")
		said := wanted(t, http.StatusOK, "GET", shops[(i+1)%3].URL()+"/shop/v3/products?"+b.credentials(), "")
		if gjson.Get(said, "#.name").Raw != `["Own"]` {
			t.Errorf("reset by way of replica %d: %.300s", i, said)
		}
	}
	for _, c := range []box{b, clone, ofShop, ofSnapshot} {
		wantSameBox(t, c, shops...)
	}
}

// Time passes: what nobody has used goes, what one of the replicas was asked for stays.
func TestAnIdleSandboxGoesEverywhere(t *testing.T) {
	t.Parallel()
	address := engine(t, t.TempDir(), -1).ClientURL()
	var passed atomic.Int64
	options := mockserver.Options{SandboxIdle: time.Hour, Clock: func() time.Time {
		return time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC).Add(time.Duration(passed.Load()))
	}}
	shops := []*mockserver.Server{replica(t, address, options), replica(t, address, options)}
	idle, used := sandbox(t, shops[0], `{"name":"idle"}`), sandbox(t, shops[0], `{"name":"used"}`)
	wanted(t, http.StatusOK, "GET", idle.at(shops[1])+"/shop/store/v1/cart", "")
	for range 3 {
		passed.Add(int64(30 * time.Minute))
		wanted(t, http.StatusOK, "GET", used.at(shops[1])+"/shop/store/v1/cart", "")
	}
	for _, shop := range shops {
		for gjson.Get(wanted(t, http.StatusOK, "GET", shop.URL()+"/_mock/sandboxes", ""), "#.name").Raw != `["used"]` {
			time.Sleep(10 * time.Millisecond) // replicas look after them once a second
		}
		wanted(t, http.StatusNotFound, "GET", idle.at(shop)+"/shop/store/v1/cart", "")
		wanted(t, http.StatusOK, "GET", used.at(shop)+"/shop/store/v1/cart", "")
	}
}

// Each webhook of a sandbox is delivered once, whichever replica its event came by.
func TestEachWebhookOfASandboxIsDeliveredOnce(t *testing.T) {
	t.Parallel()
	address := engine(t, t.TempDir(), -1).ClientURL()
	var shops []*mockserver.Server
	for range 3 {
		shop, _ := patient(t, address, 5*time.Minute)
		shops = append(shops, shop)
	}
	in := newReceiver(t)
	boxes := []box{sandbox(t, shops[0], `{}`), sandbox(t, shops[1], `{}`), sandbox(t, shops[2], `{}`)}
	var want []string
	for i, b := range boxes {
		wanted(t, http.StatusCreated, "POST", b.at(shops[i])+"/shop/v3/webhooks?"+b.credentials(),
			fmt.Sprintf(`{"topic":"product.created","delivery_url":%q,"secret":%q}`, in.URL, in.secret))
		for j := range 6 {
			name := fmt.Sprint(b.name, " ", j)
			want = append(want, name)
			wanted(t, http.StatusCreated, "POST", shops[(i+j)%3].URL()+"/shop/v3/products?"+b.credentials(),
				fmt.Sprintf(`{"name":%q}`, name))
		}
	}
	for _, b := range boxes {
		var log string
		for i, shop := range shops {
			for !gjson.Get(wanted(t, http.StatusOK, "POST", b.at(shop)+"/_mock/deliveries/drain?timeout=10s", ""), "drained").Bool() {
			}
			said := wanted(t, http.StatusOK, "GET", b.at(shop)+"/_mock/deliveries", "")
			if log == "" {
				log = said
			}
			if said != log || gjson.Get(said, `#(state!="delivered")`).Exists() {
				t.Errorf("replica %d: %s instead of %s", i, said, log)
			}
		}
	}
	_, got := in.got()
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("delivered %q, want %q", got, want)
	}
}

// Sandboxes of one name are made by way of all replicas at once: one of them is.
func TestANameIsOneSandboxs(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	for range 5 {
		var making sync.WaitGroup
		var made atomic.Int64
		for _, shop := range shops {
			making.Go(func() {
				switch status, said, _ := call(t, "POST", shop.URL()+"/_mock/sandboxes", `{"name":"same"}`); status {
				case http.StatusCreated:
					made.Add(1)
				case http.StatusConflict:
				default:
					t.Errorf("status %d: %s", status, said)
				}
			})
		}
		making.Wait()
		said := wanted(t, http.StatusOK, "GET", shops[0].URL()+"/_mock/sandboxes", "")
		if made.Load() != 1 || gjson.Get(said, "#").Int() != 1 {
			t.Fatalf("%d were made, and there are %s", made.Load(), said)
		}
		var ending sync.WaitGroup
		var ended atomic.Int64
		for _, shop := range shops {
			ending.Go(func() {
				if status, _, _ := call(t, "DELETE", shop.URL()+"/_mock/sandboxes/same", ""); status == http.StatusNoContent {
					ended.Add(1)
				}
			})
		}
		ending.Wait()
		if ended.Load() != 1 {
			t.Errorf("it was ended %d times", ended.Load())
		}
	}
}
