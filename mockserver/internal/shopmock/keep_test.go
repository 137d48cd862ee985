package shopmock_test

// A shop that lasts: what the next process finds of the one before it.

import (
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"shopcheck/mockserver/internal/shopmock"
)

// memory is a storage whose content outlives servers.
type memory struct {
	mu     sync.Mutex
	pairs  map[string]string
	refuse error
	saves  int
}

func (m *memory) Load(each func(key, value []byte) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	keys := make([]string, 0, len(m.pairs))
	for key := range m.pairs {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	for _, key := range keys {
		if err := each([]byte(key), []byte(m.pairs[key])); err != nil {
			return err
		}
	}
	return nil
}

func (m *memory) Save(anew bool, pairs func(put func(key, value []byte) error) error) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	next := map[string]string{}
	if !anew {
		for key, value := range m.pairs {
			next[key] = value
		}
	}
	err := pairs(func(key, value []byte) error {
		next[string(key)] = string(value)
		if value == nil {
			delete(next, string(key))
		}
		return nil
	})
	if err = errors.Join(err, m.refuse); err == nil {
		m.pairs, m.saves = next, m.saves+1
	}
	return err
}

func (m *memory) open(t *testing.T) *shopmock.Server {
	t.Helper()
	return withoutSocket(t, shopmock.Options{Storage: m})
}

// export is the document of a shop without the moment at which it was written.
func export(t *testing.T, shop *shopmock.Server) string {
	t.Helper()
	text, err := sjson.Delete(exported(t, shop), "Now")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

const rwKey = "consumer_key=ck_mock_rw&consumer_secret=cs_mock_rw"

func TestTheNextProcessGoesOn(t *testing.T) {
	t.Parallel()
	kept := &memory{}
	first := kept.open(t)
	cart := direct(first, "POST", "/shop/store/v1/cart/add-item?id=1&quantity=2", "")
	token := direct(first, "GET", "/shop/store/v1/cart", "").Header().Get("Cart-Token")
	asking(first, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":2}`, "Cart-Token", token)
	order := direct(first, "POST", "/shop/v3/orders?"+rwKey, `{"customer_note":"caf\u00e9 <&> \u2028","line_items":[{"product_id":1}]}`)
	if cart.Code != http.StatusUnauthorized || order.Code != http.StatusCreated {
		t.Fatalf("status %d, %d: %s", cart.Code, order.Code, order.Body)
	}
	want := export(t, first)
	second := kept.open(t)
	if got := export(t, second); got != want {
		t.Error("the next process found another shop")
	}
	again := asking(second, "GET", "/shop/store/v1/cart", "", "Cart-Token", token)
	if got := gjson.Get(again.Body.String(), "items_count").Int(); got != 2 {
		t.Errorf("the cart holds %d pieces", got)
	}
	if got := first.Shop().Version(); second.Shop().Version() < got {
		t.Errorf("version %d after %d: what is drawn would be drawn again", second.Shop().Version(), got)
	}
}

// Whoever draws the same ids and keys again gives a new visitor the cart of an old one.
func TestTheNextProcessDrawsOtherIDs(t *testing.T) {
	t.Parallel()
	kept, seen := &memory{}, map[string]bool{}
	for range 3 {
		shop := kept.open(t)
		visit := direct(shop, "GET", "/shop/store/v1/cart", "")
		order := direct(shop, "POST", "/shop/v3/orders?"+rwKey, `{}`)
		box := direct(shop, "POST", "/_mock/sandboxes", `{}`)
		for _, drawn := range []string{visit.Header().Get("Nonce")[:20], gjson.Get(order.Body.String(), "order_key").Str,
			gjson.Get(box.Body.String(), "consumer_key").Str} {
			if drawn == "" || seen[drawn] {
				t.Errorf("%q was drawn twice", drawn)
			}
			seen[drawn] = true
		}
	}
}

func TestAResetIsKept(t *testing.T) {
	t.Parallel()
	kept := &memory{}
	first := kept.open(t)
	token := direct(first, "GET", "/shop/store/v1/cart", "").Header().Get("Cart-Token")
	if err := first.Reset("empty"); err != nil {
		t.Fatal(err)
	}
	second := kept.open(t)
	if export(t, second) != export(t, first) {
		t.Error("the next process does not find what the reset left")
	}
	answer := asking(second, "GET", "/shop/store/v1/cart", "", "Cart-Token", token)
	if got := answer.Header().Get("Cart-Token"); got == token || got == "" {
		t.Error("a token from before the reset is good after it")
	}
}

func TestNothingChangesThatCannotBeKept(t *testing.T) {
	t.Parallel()
	kept := &memory{}
	shop := kept.open(t)
	before := export(t, shop)
	kept.refuse = errors.New("no space left")
	for method, path := range map[string]string{"POST": "/shop/v3/products", "PUT": "/shop/v3/products/1"} {
		answer := direct(shop, method, path+"?name=New&"+rwKey, "")
		said := answer.Body.String()
		if answer.Code != http.StatusServiceUnavailable || gjson.Get(said, "code").Str != "mock_storage_unavailable" ||
			strings.Contains(said, "no space") {
			t.Errorf("%s: status %d, %s", method, answer.Code, said)
		}
	}
	if err := shop.Reset(""); err == nil {
		t.Error("a reset that could not be kept was done")
	}
	if export(t, shop) != before {
		t.Error("the shop has changed")
	}
	if answer := direct(shop, "GET", "/shop/v3/products/1?"+rwKey, ""); answer.Code != http.StatusOK {
		t.Errorf("reading: status %d", answer.Code)
	}
	kept.refuse = nil
	if answer := direct(shop, "POST", "/shop/v3/products?name=New&"+rwKey, ""); answer.Code != http.StatusCreated {
		t.Errorf("afterwards: status %d %s", answer.Code, answer.Body)
	}
	if got, want := export(t, kept.open(t)), export(t, shop); got != want {
		t.Error("what is kept is not what was answered")
	}
}

// Writers that come while others are being kept are kept together with the next ones, and each gets the version that it made.
func TestWritersAreKeptTogether(t *testing.T) {
	t.Parallel()
	kept := &memory{}
	shop := kept.open(t)
	saves := kept.saves
	kept.mu.Lock() // the disk is busy
	var writers sync.WaitGroup
	var created atomic.Int64
	const count = 32
	for range count {
		writers.Go(func() {
			answer := direct(shop, "POST", "/shop/v3/products?name=New&sku=same&"+rwKey, "")
			if answer.Code == http.StatusCreated && gjson.Get(answer.Body.String(), "sku").Str == "same" {
				created.Add(1)
			}
			other := direct(shop, "POST", "/shop/v3/products?name=Other&"+rwKey, "")
			if id := gjson.Get(other.Body.String(), "id"); other.Code != http.StatusCreated ||
				direct(shop, "GET", "/shop/v3/products/"+id.Raw+"?"+rwKey, "").Code != http.StatusOK {
				t.Errorf("status %d", other.Code)
			}
		})
	}
	kept.mu.Unlock()
	writers.Wait()
	if created.Load() != 1 {
		t.Errorf("%d products have the SKU", created.Load())
	}
	if took := kept.saves - saves; took > count+1 {
		t.Errorf("%d saves for %d commits", took, count+1)
	}
	if export(t, kept.open(t)) != export(t, shop) {
		t.Error("what is kept is not what was answered")
	}
}

// A batch is kept in one step, and its items stay what they are: each sees those before it, and one that is refused leaves nothing.
func TestABatchIsKeptInOneStep(t *testing.T) {
	t.Parallel()
	kept := &memory{}
	shop := kept.open(t)
	saves, version := kept.saves, shop.Shop().Version()
	send := func(body string) string {
		answer := asking(shop, "POST", "/shop/v3/products/batch?"+rwKey, body, "Content-Type", "application/json")
		if answer.Code != http.StatusOK {
			t.Errorf("status %d", answer.Code)
		}
		return answer.Body.String()
	}
	done := send(`{"create":[{"name":"A","sku":"same"},{"name":"B","sku":"same"},{"name":"C","sku":"c"}],"update":[{"id":1,"name":"D"},
		{"id":1,"sku":"c"}],"delete":[2]}`)
	said := gjson.GetMany(done, "create.#.name", "create.1.error.code", "update.0.name", "update.1.error.data.status", "delete.0.id")
	if got, want := fmt.Sprint(said), `[["A","C"] shop_rest_product_sku_already_exists D 400 2]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if made := shop.Shop().Version() - version; made != 4 || kept.saves-saves != 1 {
		t.Errorf("%d versions in %d saves", made, kept.saves-saves)
	}
	before := export(t, shop)
	if export(t, kept.open(t)) != before {
		t.Error("what is kept is not what was answered")
	}
	kept.refuse = errors.New("no space left")
	refused := gjson.Get(send(`{"create":[{"name":"E"},{"name":"F"}],"delete":[3]}`), "@dig:code").Raw
	if want := strings.TrimSuffix(strings.Repeat(`"mock_storage_unavailable",`, 3), ","); refused != "["+want+"]" {
		t.Errorf("refused with %s", refused)
	}
	if export(t, shop) != before {
		t.Error("the shop has changed")
	}
}

// A client goes on with the nonce that it has. What was changed by a nonce is not changed by it again.
func TestNoncesLast(t *testing.T) {
	t.Parallel()
	kept := &memory{}
	add := func(shop *shopmock.Server, nonce string) (status int, next string) {
		t.Helper()
		answer := asking(shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Nonce", nonce)
		return answer.Code, answer.Header().Get("Nonce")
	}
	first := kept.open(t)
	spent := direct(first, "GET", "/shop/store/v1/cart", "").Header().Get("Nonce")
	status, idle := add(first, spent)
	if status != http.StatusCreated {
		t.Fatalf("status %d", status)
	}
	newest := asking(first, "GET", "/shop/store/v1/cart", "", "Nonce", idle).Header().Get("Nonce")
	second := kept.open(t)
	if status, _ := add(second, spent); status != http.StatusForbidden {
		t.Errorf("a spent nonce: status %d", status)
	}
	status, next := add(second, newest)
	if status != http.StatusCreated {
		t.Errorf("the newest nonce of before: status %d", status)
	}
	for name, older := range map[string]string{"the same one": newest, "an older one": idle} {
		if status, _ := add(second, older); status != http.StatusForbidden {
			t.Errorf("%s, again: status %d", name, status)
		}
	}
	if status, _ := add(second, next); status != http.StatusCreated {
		t.Errorf("the nonce after it: status %d", status)
	}
	cart := asking(kept.open(t), "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Cart-Token",
		asking(second, "GET", "/shop/store/v1/cart", "", "Nonce", next).Header().Get("Cart-Token"))
	if got := gjson.Get(cart.Body.String(), "items_count").Int(); got > 4 {
		t.Errorf("the cart holds %d pieces: a nonce counted twice", got)
	}
}

// signed is the address of a list, signed by OAuth 1.0a at a moment.
func signed(at time.Time) string {
	const form = "oauth_consumer_key=ck_mock_rw&oauth_nonce=n%[1]d&oauth_signature_method=HMAC-SHA1&oauth_timestamp=%[1]d&oauth_version=1.0"
	query := fmt.Sprintf(form, at.Unix())
	mac := hmac.New(sha1.New, []byte("cs_mock_rw&"))
	mac.Write([]byte("GET&" + url.QueryEscape("http://example.com/shop/v3/products") + "&" + url.QueryEscape(query)))
	return "/shop/v3/products?" + query + "&oauth_signature=" + url.QueryEscape(base64.StdEncoding.EncodeToString(mac.Sum(nil)))
}

// A request that was signed counts once, also for a client whose clock is ahead.
func TestSignedRequestsAreNotTakenAgain(t *testing.T) {
	t.Parallel()
	now := time.Unix(1_800_000_000, 0)
	kept := &memory{}
	open := func() *shopmock.Server {
		return withoutSocket(t, shopmock.Options{Storage: kept, Clock: func() time.Time { return now }})
	}
	for _, ahead := range []time.Duration{0, 10 * time.Minute} {
		call := signed(now.Add(ahead))
		if answer := asking(open(), "GET", call, ""); ahead > 0 && answer.Code != http.StatusOK {
			t.Fatalf("%v ahead: status %d %s", ahead, answer.Code, answer.Body)
		}
		if answer := asking(open(), "GET", call, ""); answer.Code != http.StatusUnauthorized {
			t.Errorf("%v ahead, again in the next process: status %d", ahead, answer.Code)
		}
	}
	now = now.Add(11*time.Minute + time.Second)
	if answer := asking(open(), "GET", signed(now.Add(time.Second)), ""); answer.Code != http.StatusOK {
		t.Errorf("afterwards: status %d %s", answer.Code, answer.Body)
	}
}
