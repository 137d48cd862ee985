package cluster_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/dghubble/oauth1"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"shopcheck/mockserver"
	"shopcheck/mockserver/cluster"
)

// engine runs a NATS server with JetStream in this process.
func engine(t testing.TB, folder string, port int) *server.Server {
	t.Helper()
	nats, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: folder, NoLog: true,
		NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	nats.Start()
	if !nats.ReadyForConnections(time.Minute) {
		t.Fatal("the engine does not start")
	}
	t.Cleanup(func() { nats.Shutdown(); nats.WaitForShutdown() })
	return nats
}

// replica serves the shop of an engine.
func replica(t testing.TB, address string, options mockserver.Options) *mockserver.Server {
	t.Helper()
	shared, err := cluster.Connect(address, nil)
	if err != nil {
		t.Fatal(err)
	}
	options.Storage = shared
	shop, err := mockserver.Listen("127.0.0.1:0", options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := shop.Close(); err != nil {
			t.Error(err)
		}
		shared.Close()
	})
	return shop
}

// roundRobin hands each request to the next replica.
func roundRobin(t testing.TB, replicas ...*mockserver.Server) string {
	t.Helper()
	var next atomic.Uint64
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		to, _ := url.Parse(replicas[next.Add(1)%uint64(len(replicas))].URL())
		r.SetURL(to)
		r.Out.Host = r.In.Host
	}}
	front := httptest.NewServer(proxy)
	t.Cleanup(front.Close)
	return front.URL
}

func three(t testing.TB) (address string, replicas []*mockserver.Server) {
	t.Helper()
	address = engine(t, t.TempDir(), -1).ClientURL() + "/test"
	for range 3 {
		replicas = append(replicas, replica(t, address, mockserver.Options{}))
	}
	return address, replicas
}

const rw = "consumer_key=ck_mock_rw&consumer_secret=cs_mock_rw"

// call sends a request and returns status, body and headers.
func call(t testing.TB, method, address, body string, header ...string) (int, string, http.Header) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Error(err)
		return 0, "", nil
	}
	defer answer.Body.Close()
	said, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Error(err)
	}
	return answer.StatusCode, string(said), answer.Header
}

// What one replica has answered, every other one knows.
func TestEveryReplicaKnowsWhatOneAnswered(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	for i := range 30 {
		status, said, _ := call(t, "POST", shops[i%3].URL()+"/shop/v3/products?"+rw, fmt.Sprintf(`{"name":"P %d"}`, i))
		if status != http.StatusCreated {
			t.Fatalf("status %d: %s", status, said)
		}
		id := gjson.Get(said, "id").Raw
		for _, other := range shops {
			if status, said, _ := call(t, "GET", other.URL()+"/shop/v3/products/"+id+"?"+rw, ""); status != http.StatusOK {
				t.Fatalf("product %s, status %d: %s", id, status, said)
			}
		}
	}
}

// Two hundred buyers, one piece, three replicas.
func TestTheLastPieceIsSoldOnce(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	front := roundRobin(t, shops...)
	_, said, _ := call(t, "POST", front+"/shop/v3/products?"+rw,
		`{"name":"The last","regular_price":"5","manage_stock":true,"stock_quantity":1,"virtual":true}`)
	id := gjson.Get(said, "id").Raw
	call(t, "PUT", front+"/shop/v3/payment_gateways/cod?"+rw, `{"enabled":true}`)
	mustSellOne(t, front, front, id, 200)
	_, said, _ = call(t, "GET", front+"/shop/v3/products/"+id+"?"+rw, "")
	if left := gjson.Get(said, "stock_quantity"); left.Raw != "0" {
		t.Errorf("%s left: %.200s", left, said)
	}
}

// mustSellOne lets some buyers check out the last piece of a product at the same moment. Their carts are those of a shop, which their
// tokens name from then on.
func mustSellOne(t *testing.T, front, shop, id string, count int) {
	t.Helper()
	var buyers, waiting sync.WaitGroup
	waiting.Add(count)
	var sold, refused atomic.Int64
	begin := make(chan struct{})
	for range count {
		buyers.Go(func() {
			_, _, header := call(t, "GET", shop+"/shop/store/v1/cart", "")
			token := header.Get("Cart-Token")
			call(t, "POST", front+"/shop/store/v1/cart/add-item", `{"id":`+id+`,"quantity":1}`, "Cart-Token", token)
			waiting.Done()
			<-begin
			status, said, _ := call(t, "POST", front+"/shop/store/v1/checkout", buyer, "Cart-Token", token)
			switch status {
			case http.StatusOK:
				sold.Add(1)
			case http.StatusConflict, http.StatusBadRequest:
				refused.Add(1)
			default:
				t.Errorf("status %d: %.300s", status, said)
			}
		})
	}
	waiting.Wait()
	close(begin)
	buyers.Wait()
	if sold.Load() != 1 || refused.Load() != int64(count-1) {
		t.Errorf("%d sold, %d refused", sold.Load(), refused.Load())
	}
}

// exportOf is all that a replica knows, without the moment of the question.
func exportOf(t *testing.T, shop *mockserver.Server) string {
	t.Helper()
	status, said, _ := call(t, "GET", shop.URL()+"/_mock/export", "")
	if status != http.StatusOK {
		t.Fatalf("export: status %d: %.300s", status, said)
	}
	return withoutNow(t, said)
}

func withoutNow(t *testing.T, document string) string {
	t.Helper()
	document, err := sjson.Delete(document, "Now")
	if err != nil {
		t.Fatal(err)
	}
	return document
}

func wantSame(t *testing.T, shops ...*mockserver.Server) {
	t.Helper()
	want := exportOf(t, shops[0])
	for i, other := range shops[1:] {
		if exportOf(t, other) != want {
			t.Errorf("replica %d knows another shop", i+1)
		}
	}
}

// Whatever replicas do at the same time, all of them hold the same in the end, and so does one that joins then.
func TestReplicasHoldTheSame(t *testing.T) {
	t.Parallel()
	address, shops := three(t)
	front := roundRobin(t, shops...)
	var writers sync.WaitGroup
	var wrong atomic.Int64
	var taken sync.Map
	for i := range 12 {
		writers.Go(func() {
			for j := range 12 {
				sku := fmt.Sprintf("same-%d", j)
				status, said, _ := call(t, "POST", front+"/shop/v3/products?"+rw, `{"name":"P","sku":"`+sku+`"}`)
				switch status {
				case http.StatusCreated:
					if _, twice := taken.LoadOrStore(sku, i); twice {
						t.Errorf("%s was taken twice", sku)
					}
					id := gjson.Get(said, "id").Raw
					call(t, "PUT", front+"/shop/v3/products/"+id+"?"+rw, `{"name":"Q","categories":[{"id":15}]}`)
				case http.StatusBadRequest:
					call(t, "POST", front+"/shop/v3/orders?"+rw, `{"line_items":[{"product_id":1}]}`)
				default:
					wrong.Add(1)
				}
			}
		})
	}
	writers.Wait()
	if wrong.Load() != 0 {
		t.Errorf("%d answers are wrong", wrong.Load())
	}
	wantSame(t, append(shops, replica(t, address, mockserver.Options{}))...)
}

// A unique key goes from one row to another in one transaction.
func TestAUniqueKeyChangesHands(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	_, said, _ := call(t, "POST", shops[0].URL()+"/shop/v3/products/batch?"+rw,
		`{"create":[{"name":"A","sku":"a"},{"name":"B","sku":"b"}]}`)
	first, second := gjson.Get(said, "create.0.id").Raw, gjson.Get(said, "create.1.id").Raw
	status, said, _ := call(t, "POST", shops[1].URL()+"/shop/v3/products/batch?"+rw,
		`{"update":[{"id":`+second+`,"sku":"c"},{"id":`+first+`,"sku":"b"}]}`)
	if status != http.StatusOK || gjson.Get(said, "update.1.sku").Str != "b" {
		t.Fatalf("status %d: %s", status, said)
	}
	wantSame(t, shops...)
}

func TestAResetHoldsOnEveryReplica(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	_, _, header := call(t, "GET", shops[0].URL()+"/shop/store/v1/cart", "")
	token := header.Get("Cart-Token")
	for _, shop := range shops {
		status, said, _ := call(t, "POST", shop.URL()+"/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Cart-Token", token)
		if status != http.StatusCreated && status != http.StatusOK {
			t.Fatalf("status %d: %s", status, said)
		}
	}
	_, said, _ := call(t, "GET", shops[0].URL()+"/shop/store/v1/cart", "", "Cart-Token", token)
	if got := gjson.Get(said, "items_count").Int(); got != 3 {
		t.Errorf("%d pieces in the cart", got)
	}
	call(t, "POST", shops[1].URL()+"/shop/v3/products?"+rw, `{"name":"Gone"}`)
	if status, said, _ := call(t, "POST", shops[2].URL()+"/_mock/reset?seed=empty", ""); status >= 300 {
		t.Fatalf("reset: status %d: %s", status, said)
	}
	for i, shop := range shops {
		if _, _, header := call(t, "GET", shop.URL()+"/shop/store/v1/cart", "", "Cart-Token", token); header.Get("Cart-Token") == token {
			t.Errorf("replica %d takes a token from before the reset", i)
		}
	}
	wantSame(t, shops...)
}

// A nonce that one replica has taken is taken on all.
func TestANonceIsGoodOnceAmongReplicas(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	_, _, header := call(t, "GET", shops[0].URL()+"/shop/store/v1/cart", "")
	nonce := header.Get("Nonce")
	add := func(shop *mockserver.Server) int {
		status, _, _ := call(t, "POST", shop.URL()+"/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Nonce", nonce)
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
}

func TestASignedRequestIsTakenOnceAmongReplicas(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	const site = "http://shop.example.test"
	var signed string
	config := oauth1.Config{ConsumerKey: "ck_mock_rw", ConsumerSecret: "cs_mock_rw",
		Signer: &oauth1.HMAC256Signer{ConsumerSecret: "cs_mock_rw"}}
	client := config.Client(context.WithValue(t.Context(), oauth1.HTTPClient,
		&http.Client{Transport: roundTripper(func(r *http.Request) (*http.Response, error) {
			signed = r.Header.Get("Authorization")
			return &http.Response{StatusCode: http.StatusOK, Body: http.NoBody}, nil
		})}), oauth1.NewToken("", ""))
	if answer, err := client.Get(site + "/shop/v3/products"); err != nil {
		t.Fatal(err)
	} else {
		answer.Body.Close()
	}
	for i, shop := range shops {
		want := http.StatusUnauthorized
		if i == 0 {
			want = http.StatusOK
		}
		request, err := http.NewRequestWithContext(t.Context(), "GET", shop.URL()+"/shop/v3/products", nil)
		if err != nil {
			t.Fatal(err)
		}
		request.Host = "shop.example.test"
		request.Header.Set("Authorization", signed)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("replica %d: status %d, want %d", i, answer.StatusCode, want)
		}
	}
}

type roundTripper func(*http.Request) (*http.Response, error)

func (f roundTripper) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// What is put back is put back on all replicas.
func TestAnImportIsOneForAllReplicas(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	_, document, _ := call(t, "GET", shops[0].URL()+"/_mock/export", "")
	call(t, "POST", shops[1].URL()+"/shop/v3/products?"+rw, `{"name":"Gone"}`)
	wanted(t, http.StatusOK, "POST", shops[2].URL()+"/_mock/import", document)
	wantSame(t, shops...)
	if _, said, _ := call(t, "GET", shops[0].URL()+"/shop/v3/products?search=Gone&"+rw, ""); said != "[]" {
		t.Errorf("an import does not put back what was exported: %.200s", said)
	}
}
