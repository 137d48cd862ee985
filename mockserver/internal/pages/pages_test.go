package pages_test

import (
	"html"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/mux"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/pages"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/seed"
	"shopcheck/mockserver/internal/shop"
)

const home = "http://shop.test"

var opening = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// site is the demo shop with its pages.
type site struct {
	t       *testing.T
	shop    *shop.Shop
	handler http.Handler
}

func open(t *testing.T) *site {
	t.Helper()
	state, err := seed.Load(fixtures.DemoSeed, opening)
	if err != nil {
		t.Fatal(err)
	}
	s := &site{t: t, shop: shop.New(state, shop.Options{Clock: func() time.Time { return opening }, Secret: []byte("1")})}
	router := mux.NewRouter()
	pages.Mount(router)
	host := rest.Host{Shop: s.shop, Site: rest.Site{Home: home, Root: home}}
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest.Serve(r.Context(), router, w, rest.Canonical(r, "shop/store/v1"), host)
	})
	return s
}

// answer is what a browser gets.
type answer struct {
	*httptest.ResponseRecorder
	body string // without the escapes of HTML
}

func (s *site) send(method, address, form string) answer {
	request := httptest.NewRequest(method, strings.TrimPrefix(address, home), strings.NewReader(form))
	if method == http.MethodPost {
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	recorder := httptest.NewRecorder()
	s.handler.ServeHTTP(recorder, request)
	return answer{recorder, html.UnescapeString(recorder.Body.String())}
}

func (s *site) get(address string) answer { return s.send(http.MethodGet, address, "") }

func (s *site) press(address, button string) answer {
	return s.send(http.MethodPost, address, "decision="+button)
}

// shows checks the status of a page, that it is one, and what it says.
func (s *site) shows(a answer, status int, texts ...string) {
	s.t.Helper()
	if a.Code != status || a.Header().Get("Content-Type") != "text/html; charset=utf-8" {
		s.t.Fatalf("%d %v: %s", a.Code, a.Header(), a.body)
	}
	if policy := a.Header().Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") ||
		a.Header().Get("Referrer-Policy") != "no-referrer" || a.Header().Get("Cache-Control") != "no-store" {
		s.t.Errorf("the page is not protected: %v", a.Header())
	}
	for _, text := range texts {
		if !strings.Contains(a.body, text) {
			s.t.Errorf("the page does not say %q: %s", text, a.body)
		}
	}
	if !strings.HasSuffix(strings.TrimSpace(a.body), "</html>") {
		s.t.Errorf("the page is not whole: %s", a.body)
	}
}

// leads checks that an answer sends the browser to an address, which is given back.
func (s *site) leads(a answer, address string) {
	s.t.Helper()
	if a.Code != http.StatusSeeOther || a.Header().Get("Location") != address {
		s.t.Fatalf("%d to %q, want %q: %s", a.Code, a.Header().Get("Location"), address, a.body)
	}
}

func (s *site) write(change func(*shop.Tx) error) {
	s.t.Helper()
	if _, err := s.shop.Write(change); err != nil {
		s.t.Fatal(err)
	}
}

func (s *site) product(sku string) *shop.Product {
	s.t.Helper()
	p, known := s.shop.Read().BySKU(sku)
	if !known {
		s.t.Fatalf("the demo shop has no %s", sku)
	}
	return p
}

// orders places an order that mockpay sends to its page.
func (s *site) orders(sku string, quantity int64) *shop.Order {
	s.t.Helper()
	who := shop.Shopper{Session: s.t.Name()}
	address := shop.Address{
		FirstName: "Ann", LastName: "Lee", Address1: "1 Main Street", City: "San Francisco", State: "CA", Postcode: "94103",
		Country: "US", Email: "ann@shopper.example", Phone: "555-1234",
	}
	product := s.product(sku)
	var order *shop.Order
	s.write(func(tx *shop.Tx) error {
		if _, err := tx.AddToCart(who, shop.CartRequest{ProductID: product.ID, Quantity: quantity}); err != nil {
			return err
		}
		done, err := tx.PlaceOrder(who, shop.CheckoutRequest{
			Billing: &address, Shipping: &address, PaymentMethod: shop.MockPay,
			PaymentData: []shop.PaymentDetail{{Key: "result", Value: "redirect"}},
		})
		if err != nil {
			return err
		}
		order = done.Order
		return nil
	})
	return order
}

// now is the order as it is now.
func (s *site) now(order *shop.Order) *shop.Order {
	s.t.Helper()
	found, err := s.shop.Read().FindOrder(order.ID)
	if err != nil {
		s.t.Fatal(err)
	}
	return found
}

func (s *site) wantStatus(order *shop.Order, status shop.OrderStatus) {
	s.t.Helper()
	if now := s.now(order); now.Status != status {
		s.t.Errorf("the order is %s, want %s", now.Status, status)
	}
}

// atOnce runs a call several times at once.
func atOnce(times int, call func()) {
	var group sync.WaitGroup
	for range times {
		group.Go(call)
	}
	group.Wait()
}
