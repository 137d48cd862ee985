package webhooks_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/webhooks"
)

func TestSignatureOfAPublishedExample(t *testing.T) {
	// RFC 4231, test case 2
	sum, err := hex.DecodeString("5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := webhooks.Sign("Jefe", []byte("what do ya want for nothing?")), base64.StdEncoding.EncodeToString(sum); got != want {
		t.Errorf("signature %s, want %s", got, want)
	}
}

func wantSigned(t *testing.T, r received) {
	t.Helper()
	mac := hmac.New(sha256.New, []byte(secret))
	fmt.Fprint(mac, r.body)
	if got := r.header.Get("X-Shop-Webhook-Signature"); got != base64.StdEncoding.EncodeToString(mac.Sum(nil)) {
		t.Errorf("signature %q does not fit the body %.80q", got, r.body)
	}
}

func TestReceiverIsPingedAndThenSentTheSignedRecord(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, status(200))
	hook := s.hook("product.created", in.url+"/hook?x=1")
	id := s.product("Mug <&> \u00fc\u2028")
	s.drain()

	got := in.all()
	if len(got) != 2 {
		t.Fatalf("%d requests, want a ping and a delivery: %v", len(got), got)
	}
	ping, event := got[0], got[1]
	if ping.body != fmt.Sprintf("webhook_id=%d", hook) || ping.header.Get("Content-Type") != "application/x-www-form-urlencoded" {
		t.Errorf("ping %q of type %q", ping.body, ping.header.Get("Content-Type"))
	}
	wantSigned(t, ping)
	wantSigned(t, event)
	for name, want := range map[string]string{
		"X-Shop-Webhook-Source": s.Site + "/", "X-Shop-Webhook-Topic": "product.created", "X-Shop-Webhook-Resource": "product",
		"X-Shop-Webhook-Event": "created", "X-Shop-Webhook-ID": fmt.Sprint(hook), "Content-Type": "application/json",
	} {
		if got := event.header.Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if len(event.header.Get("X-Shop-Webhook-Delivery-ID")) != 32 || !strings.HasPrefix(event.header.Get("User-Agent"), "shopmock") {
		t.Errorf("headers %v", event.header)
	}
	if want := s.call("GET", fmt.Sprintf("/products/%d", id), ""); event.body != want {
		t.Errorf("payload\n%s\nis not what the API shows\n%s", event.body, want)
	}
}

func TestEveryResourceIsDeliveredAsTheAPIShowsIt(t *testing.T) {
	for _, c := range []struct{ resource, path, create, change string }{
		{"product", "/products", `{"name":"Pot","regular_price":"3"}`, `{"name":"Jug"}`},
		{"coupon", "/coupons", `{"code":"hooked","amount":"10"}`, `{"amount":"11"}`},
		{"customer", "/customers", `{"email":"hook@example.test","password":"x"}`, `{"first_name":"Ann"}`},
		{"order", "/orders", `{"billing":{"first_name":"Ann"}}`, `{"status":"processing"}`},
	} {
		t.Run(c.resource, func(t *testing.T) {
			s := start(t, webhooks.Settings{})
			in := receive(t, status(200))
			for _, action := range []string{"created", "updated", "deleted"} {
				s.hook(c.resource+"."+action, in.url)
			}
			s.drain()
			id := gjson.Get(s.call("POST", c.path, c.create), "id").Int()
			item := fmt.Sprintf("%s/%d", c.path, id)
			asCreated := s.call("GET", item, "")
			s.call("PUT", item, c.change)
			asChanged := s.call("GET", item, "")
			s.call("DELETE", item+"?force=true", "")
			s.drain()

			want := []string{asCreated, asChanged, fmt.Sprintf(`{"id":%d}`, id)}
			events := in.events()
			if len(events) != len(want) {
				t.Fatalf("%d deliveries, want %d: %v", len(events), len(want), events)
			}
			for i := range want {
				wantSigned(t, events[i])
				if !slices.ContainsFunc(events, func(r received) bool { return r.body == want[i] }) {
					t.Errorf("no delivery of\n%s\nin\n%v", want[i], events)
				}
			}
		})
	}
}

func TestTrashedAndRestoredRecords(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, status(200))
	deleted, restored := s.hook("product.deleted", in.url), s.hook("product.restored", in.url)
	id := s.product("Pot")
	s.call("DELETE", fmt.Sprintf("/products/%d", id), "")
	s.call("PUT", fmt.Sprintf("/products/%d", id), `{"status":"publish"}`)
	s.drain()
	s.wantStates(deleted, webhooks.Delivered)
	s.wantStates(restored, webhooks.Delivered)
	if body := string(s.last().Body); gjson.Get(body, "name").String() != "Pot" {
		t.Errorf("restored: %s", body)
	}
}

func TestActionTopicNamesTheHookAndTheRecord(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, status(200))
	s.hook("action.shop_new_product", in.url)
	id := s.product("Pot")
	s.rename(id, "Jug")
	s.drain()
	events := in.events()
	if want := fmt.Sprintf(`{"action":"shop_new_product","arg":%d}`, id); len(events) != 1 || events[0].body != want {
		t.Fatalf("deliveries %v, want one of %s", events, want)
	}
	if got := events[0].header.Get("X-Shop-Webhook-Resource") + " " +
		events[0].header.Get("X-Shop-Webhook-Event"); got != "action shop_new_product" {
		t.Errorf("resource and event: %s", got)
	}
}

func TestDeliveriesKeepTheOrderOfTheCommitsAndTheirState(t *testing.T) {
	s := start(t, webhooks.Settings{})
	open := make(chan struct{})
	in := receive(t, func(http.ResponseWriter, *http.Request) { <-open })
	hook := s.hook("product.updated", in.url)
	id := s.product("Pot")
	var want []string
	var states []webhooks.State
	for i := range 50 {
		name := fmt.Sprintf("Pot %d", i)
		s.rename(id, name)
		want, states = append(want, name), append(states, webhooks.Delivered)
	}
	close(open) // only now does the first delivery end: all are older than the shop's state
	s.drain()
	if got := in.names(); !slices.Equal(got, want) {
		t.Errorf("arrived %v", got)
	}
	s.wantStates(hook, states...)
	ids := map[string]bool{}
	for _, r := range in.events() {
		wantSigned(t, r)
		ids[r.header.Get("X-Shop-Webhook-Delivery-ID")] = true
	}
	if len(ids) != len(want) {
		t.Errorf("%d delivery ids for %d deliveries", len(ids), len(want))
	}
}

func TestOneCommitTellsOfARecordOnce(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, status(200))
	created, updated := s.hook("product.created", in.url), s.hook("product.updated", in.url)
	s.Write(func(tx *shop.Tx) error {
		p := tx.NewProduct()
		p.Name = "Pot"
		if err := p.Create(tx); err != nil {
			return err
		}
		changed := *p
		changed.Name = "Jug"
		return changed.Save(tx)
	})
	s.drain()
	s.wantStates(created, webhooks.Delivered)
	s.wantStates(updated)
	if got := in.names(); !slices.Equal(got, []string{"Jug"}) {
		t.Errorf("delivered %v, want the state after the commit", got)
	}
}

func TestRefusedCallFiresNothing(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, status(200))
	hook := s.hook("product.created", in.url)
	_, err := s.Shop.Shop.Write(func(tx *shop.Tx) error {
		p := tx.NewProduct()
		p.Name = "Pot"
		if err := p.Create(tx); err != nil {
			return err
		}
		return shop.Faultf(shop.InvalidParam, "no")
	})
	if err == nil {
		t.Fatal("the transaction must fail")
	}
	s.drain()
	s.wantStates(hook)
}

func TestDraftOrdersFireNothingUntilTheyArePlaced(t *testing.T) {
	s := start(t, webhooks.Settings{})
	in := receive(t, status(200))
	var hooks []int64
	for _, action := range []string{"created", "updated", "deleted", "restored"} {
		hooks = append(hooks, s.hook("order."+action, in.url))
	}
	id := s.product("Pot")
	who := shop.Shopper{Session: "test"}
	address := shop.Address{FirstName: "Ann", LastName: "Lee", Address1: "1 Road", City: "Fresno", State: "CA", Postcode: "93650",
		Country: "US", Email: "ann@example.test", Phone: "5551234"}
	steps := []func(tx *shop.Tx) error{
		func(tx *shop.Tx) error {
			_, err := tx.AddToCart(who, shop.CartRequest{ProductID: id, Quantity: 1})
			return err
		},
		func(tx *shop.Tx) error { _, err := tx.DraftCheckout(who); return err },
		func(tx *shop.Tx) error { _, err := tx.UpdateCheckout(who, shop.CheckoutChange{}); return err },
	}
	for _, step := range steps {
		s.Write(step)
	}
	s.drain()
	for _, hook := range hooks {
		s.wantStates(hook)
	}
	var placed *shop.Order
	s.Write(func(tx *shop.Tx) error {
		done, err := tx.PlaceOrder(who, shop.CheckoutRequest{Billing: &address, Shipping: &address, PaymentMethod: shop.Cheque})
		if err == nil {
			placed = done.Order
		}
		return err
	})
	s.drain()
	s.wantStates(hooks[0], webhooks.Delivered)
	s.wantStates(hooks[1])
	events := in.events()
	if want := s.call("GET", fmt.Sprintf("/orders/%d", placed.ID), ""); len(events) != 1 || events[0].body != want {
		t.Errorf("delivered %v, want %s", events, want)
	}
}

func TestEqualShopsGiveEqualDeliveryIDs(t *testing.T) {
	ids := func(chance uint64) []string {
		s := startWith(t, shopmock.Options{RandomSeed: chance})
		in := receive(t, status(200))
		s.hook("product.created", in.url)
		s.product("Pot")
		s.product("Jug")
		s.drain()
		var ids []string
		for _, r := range in.all() {
			ids = append(ids, r.header.Get("X-Shop-Webhook-Delivery-ID"))
		}
		return ids
	}
	first := ids(1)
	if len(first) != 3 || !slices.Equal(first, ids(1)) || slices.Equal(first, ids(2)) {
		t.Errorf("ids %v, again %v, with other chance %v", first, ids(1), ids(2))
	}
}
