package auth_test

// Customers who are signed in on the Store API.

import (
	"fmt"
	"net/http"
	"testing"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

const store = "/shop/store/v1"

// device is a client of the Store API: it keeps its cart token, and sends credentials when it has some.
type device struct {
	w           *world
	token       string
	credentials func(*http.Request)
}

func (d *device) send(method, path, body string) *testkit.Answer {
	d.w.T.Helper()
	r := d.w.request(method, store+path, body)
	if d.token != "" {
		r.Header.Set("Cart-Token", d.token)
	}
	if d.credentials != nil {
		d.credentials(r)
	}
	a := d.w.Do(r)
	if d.token == "" {
		d.token = a.Header.Get("Cart-Token")
	}
	return a
}

func (d *device) add(product int64, quantity int) *testkit.Answer {
	d.w.T.Helper()
	return d.send("POST", "/cart/add-item", fmt.Sprintf(`{"id":%d,"quantity":%d}`, product, quantity))
}

func withPassword(r *http.Request) { r.SetBasicAuth("customer", "pass word") }

// goods adds a product that costs 10 and needs no shipping.
func (w *world) goods(name string) (id int64) {
	w.T.Helper()
	w.Write(func(tx *shop.Tx) error {
		p := tx.NewProduct()
		p.Name, p.RegularPrice, p.Virtual = name, "10", true
		err := p.Create(tx)
		id = p.ID
		return err
	})
	return id
}

func signedIn(t *testing.T) (w *world, customer int64, byToken func(*http.Request)) {
	w = newWorld(t, shopmock.Options{})
	customer = w.user("customer")
	issued := w.Do(w.request("POST", "/jwt-auth/v1/token", `{"username":"customer","password":"pass word"}`))
	w.wantStatus("token", issued, 200)
	return w, customer, func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+issued.Get("token").String()) }
}

func TestCredentialsNameTheShopper(t *testing.T) {
	t.Parallel()
	w, customer, byToken := signedIn(t)
	w.key("mine", customer, shop.ReadWrite)
	for what, test := range map[string]struct {
		credentials func(*http.Request)
		status      int
		user        string
	}{
		"nobody":            {func(*http.Request) {}, 200, "0"},
		"bearer":            {byToken, 200, fmt.Sprint(customer)},
		"name and password": {withPassword, 200, fmt.Sprint(customer)},
		"an API key":        {func(r *http.Request) { r.SetBasicAuth("ck_mine", "cs_mine") }, 200, "0"},
		"a wrong password":  {func(r *http.Request) { r.SetBasicAuth("customer", "word pass") }, 401, ""},
		"a forged bearer":   {func(r *http.Request) { r.Header.Set("Authorization", "Bearer a.b.c") }, 401, ""},
		"an unknown scheme": {func(r *http.Request) { r.Header.Set("Authorization", "Digest x") }, 200, "0"},
		"an unknown user":   {func(r *http.Request) { r.SetBasicAuth("nobody", "pass word") }, 401, ""},
	} {
		a := (&device{w: w, credentials: test.credentials}).send("GET", "/cart", "")
		w.wantStatus(what, a, test.status)
		if user := a.Header.Get("User-ID"); test.status == 200 && user != test.user {
			t.Errorf("%s: User-ID %q, want %q", what, user, test.user)
		}
		if a.Header.Get("Nonce") == "" {
			t.Errorf("%s: the answer has no nonce", what)
		}
	}
}

func TestBearerDoesNotReplaceTheNonce(t *testing.T) {
	t.Parallel()
	w, _, byToken := signedIn(t)
	d := &device{w: w, credentials: byToken}
	w.wantStatus("add without a nonce", d.add(w.goods("Song"), 1), 401)
}

func TestCartFollowsTheCustomer(t *testing.T) {
	t.Parallel()
	w, _, byToken := signedIn(t)
	song, film := w.goods("Song"), w.goods("Film")
	phone, laptop := &device{w: w}, &device{w: w, credentials: withPassword}
	for _, d := range []*device{phone, laptop} {
		w.wantStatus("cart", d.send("GET", "/cart", ""), 200)
	}
	w.wantStatus("a guest adds", phone.add(song, 2), 201)
	w.wantStatus("the customer adds elsewhere", laptop.add(film, 1), 201)
	phone.credentials = byToken
	if count := phone.send("GET", "/cart", "").Get("items_count").Int(); count != 3 {
		t.Errorf("who signs in sees %d pieces, want the guest's 2 and the customer's 1", count)
	}
	w.wantStatus("one more", phone.add(film, 1), 201)
	if count := laptop.send("GET", "/cart", "").Get("items_count").Int(); count != 4 {
		t.Errorf("the other device sees %d pieces, want 4", count)
	}
	phone.credentials = nil
	phone.send("GET", "/cart", "").HasHeader("User-ID", "0").Has("items_count", 0)
}

const payByBank = `{"payment_method":"bacs","billing_address":{"first_name":"A","last_name":"B","address_1":"1 Road","city":"London",` +
	`"postcode":"SW1A 1AA","country":"GB","email":"customer@example.test","phone":"020"}}`

func TestCustomerOrdersAndSeesTheOrder(t *testing.T) {
	t.Parallel()
	w, customer, byToken := signedIn(t)
	w.Write(func(tx *shop.Tx) error {
		one := int64(1)
		return (&shop.Coupon{Code: "once", Amount: "1", Type: pricing.FixedCartCoupon, Status: shop.StatusPublish,
			UsageLimitPerUser: &one}).Add(tx)
	})
	song := w.goods("Song")
	d, guest := &device{w: w, credentials: byToken}, &device{w: w}
	for _, one := range []*device{d, guest} {
		w.wantStatus("cart", one.send("GET", "/cart", ""), 200)
		w.wantStatus("add", one.add(song, 1), 201)
	}
	w.wantStatus("coupon", d.send("POST", "/cart/apply-coupon", `{"code":"once"}`), 200)
	placed := d.send("POST", "/checkout", payByBank)
	w.wantStatus("checkout", placed, 200)
	placed.HasHeader("User-ID", fmt.Sprint(customer)).Has("customer_id", customer)
	path := "/order/" + placed.Get("order_id").String()
	w.wantStatus("own order without its key", d.send("GET", path, ""), 200)
	w.wantStatus("own order with a wrong key", d.send("GET", path+"?key=order_x", ""), 403)
	w.wantStatus("a guest without the key", guest.send("GET", path, ""), 403)
	w.wantStatus("a guest with the key", guest.send("GET", path+"?key="+placed.Get("order_key").String(), ""), 403)

	address := d.send("GET", "/cart", "").Get("billing_address")
	if address.Get("city").String() != "London" || address.Get("country").String() != "GB" {
		t.Errorf("the next cart has the address %s", address)
	}
	w.wantStatus("add again", d.add(song, 1), 201)
	w.wantStatus("the coupon a second time", d.send("POST", "/cart/apply-coupon", `{"code":"once"}`), 400)
}
