package pages_test

import (
	"html"
	"net/http"
	"strings"
	"sync"
	"testing"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/testkit"
)

const home = testkit.Site

// site is the demo shop with its pages, visited by a browser.
type site struct{ *testkit.Shop }

func open(t testing.TB) *site {
	t.Helper()
	s := &site{testkit.Open(t, testkit.Options{})}
	s.Client = s.As("", "")
	return s
}

// shown is what a browser gets.
type shown struct {
	*testkit.Answer
	text string // without the escapes of HTML
}

func (s *site) get(address string) shown { return s.visit(http.MethodGet, address, "") }

func (s *site) press(address, button string) shown {
	return s.visit(http.MethodPost, address, testkit.Form("decision="+button))
}

func (s *site) visit(method, address string, form testkit.Form) shown {
	s.T.Helper()
	answer := s.Call(method, address, form)
	return shown{answer, html.UnescapeString(answer.Body)}
}

// shows checks the status of a page, that it is one, and what it says.
func (s *site) shows(a shown, status int, texts ...string) {
	s.T.Helper()
	if a.Status != status || a.Header.Get("Content-Type") != "text/html; charset=utf-8" {
		s.T.Fatalf("%d %v: %s", a.Status, a.Header, a.text)
	}
	if policy := a.Header.Get("Content-Security-Policy"); !strings.Contains(policy, "default-src 'none'") ||
		a.Header.Get("Referrer-Policy") != "no-referrer" || a.Header.Get("Cache-Control") != "no-store" {
		s.T.Errorf("the page is not protected: %v", a.Header)
	}
	for _, text := range texts {
		if !strings.Contains(a.text, text) {
			s.T.Errorf("the page does not say %q: %s", text, a.text)
		}
	}
	if !strings.HasSuffix(strings.TrimSpace(a.text), "</html>") {
		s.T.Errorf("the page is not whole: %s", a.text)
	}
}

// leads checks that an answer sends the browser to an address, which is given back.
func (s *site) leads(a shown, address string) {
	s.T.Helper()
	if a.Status != http.StatusSeeOther || a.Header.Get("Location") != address {
		s.T.Fatalf("%d to %q, want %q: %s", a.Status, a.Header.Get("Location"), address, a.text)
	}
}

func (s *site) product(sku string) *shop.Product {
	s.T.Helper()
	p, known := s.Read().BySKU(sku)
	if !known {
		s.T.Fatalf("the demo shop has no %s", sku)
	}
	return p
}

// orders places an order that mockpay sends to its page.
func (s *site) orders(sku string, quantity int64) *shop.Order {
	s.T.Helper()
	who := shop.Shopper{Session: s.T.Name()}
	address := shop.Address{
		FirstName: "Ann", LastName: "Lee", Address1: "1 Main Street", City: "San Francisco", State: "CA", Postcode: "94103",
		Country: "US", Email: "ann@shopper.example", Phone: "555-1234",
	}
	product := s.product(sku)
	var order *shop.Order
	s.Write(func(tx *shop.Tx) error {
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
	s.T.Helper()
	found, err := s.Read().FindOrder(order.ID)
	if err != nil {
		s.T.Fatal(err)
	}
	return found
}

func (s *site) wantStatus(order *shop.Order, status shop.OrderStatus) {
	s.T.Helper()
	if now := s.now(order); now.Status != status {
		s.T.Errorf("the order is %s, want %s", now.Status, status)
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
