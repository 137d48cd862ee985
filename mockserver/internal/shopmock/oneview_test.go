package shopmock_test

// Each answer shows one version of the shop, however fast others write to it.

import (
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/testkit"
)

// numbered is a shop of which every version says its number in many places: it is the price of two products in whole units, what a
// coupon takes off, the currency's symbol and, with a thousand more, both products' stock. Odd versions have amounts without
// decimals.
type numbered struct {
	*testkit.Shop
	products [2]int64
	number   int64
}

const numberedCoupon = "numbered"

func openNumbered(t *testing.T) *numbered {
	s := &numbered{Shop: testkit.Open(t, testkit.Options{})}
	s.Write(func(tx *shop.Tx) error {
		for i := range s.products {
			product := tx.NewProduct()
			product.Name, product.ManageStock, product.RegularPrice = fmt.Sprintf("Numbered %d", i), true, "1"
			if err := product.Create(tx); err != nil {
				return err
			}
			s.products[i] = product.ID
		}
		coupon := tx.NewCoupon()
		coupon.Code = numberedCoupon // an amount off the cart
		return coupon.Create(tx)
	})
	s.writeNext()
	return s
}

// writeNext makes the next version, in one transaction.
func (s *numbered) writeNext() {
	s.number++
	s.Write(func(tx *shop.Tx) error {
		config := *tx.Config
		config.CurrencySymbol, config.Decimals = strconv.FormatInt(s.number, 10), int32(2-2*(s.number%2))
		tx.Config = &config
		for _, id := range s.products {
			old, err := tx.Product(id)
			if err != nil {
				return err
			}
			product, stock := *old, s.number+1000
			product.RegularPrice, product.StockQuantity = strconv.FormatInt(s.number, 10), &stock
			if err := product.Save(tx); err != nil {
				return err
			}
		}
		old, _ := tx.FindCoupon(numberedCoupon)
		coupon := *old
		coupon.Amount = strconv.FormatInt(s.number, 10)
		return coupon.Save(tx)
	})
}

// send gives the answer to a call, which must be good.
func (s *numbered) send(call call) (http.Header, gjson.Result) {
	request := s.Request(call.method, call.path, call.body)
	request.Header = call.header.Clone()
	answer := s.Do(request)
	if answer.Status >= http.StatusBadRequest {
		s.T.Errorf("%s: %d %s", answer.What, answer.Status, answer.Body)
	}
	return answer.Header, answer.Result
}

// cart gives the header of a new session whose cart holds both products and the coupon.
func (s *numbered) cart() http.Header {
	header, _ := s.send(call{method: "GET", path: "/shop/store/v1/cart", header: http.Header{}})
	own := http.Header{"Cart-Token": {header.Get("Cart-Token")}, "Content-Type": {"application/json"}}
	for _, id := range s.products {
		s.send(addItem(own, strconv.FormatInt(id, 10)))
	}
	s.send(call{method: "POST", path: "/shop/store/v1/cart/apply-coupon", body: `{"code":"` + numberedCoupon + `"}`, header: own})
	return own
}

func (s *numbered) include() string {
	return fmt.Sprintf("?include=%d,%d", s.products[0], s.products[1])
}

// differ tells that two parts of an answer are of different versions.
func (s *numbered) differ(what string, got, want any) {
	if got != want {
		s.T.Errorf("%s is %v, want %v: two versions in one answer", what, got, want)
	}
}

// shownPrice checks the prices of an item, and gives the price of one piece in minor units.
func (s *numbered) shownPrice(prices gjson.Result) int64 {
	unit := int64(math.Pow10(int(prices.Get("currency_minor_unit").Int())))
	number := prices.Get("currency_symbol").Int()
	s.differ("the price", prices.Get("price").Int(), number*unit)
	s.differ("currency_minor_unit", prices.Get("currency_minor_unit").Int(), 2-2*(number%2))
	return number * unit
}

// checkCart checks that a cart is of one version: its prices, its sums, its coupon, its currency.
func (s *numbered) checkCart(cart gjson.Result) {
	totals, items := cart.Get("totals"), int64(0)
	for _, item := range cart.Get("items").Array() {
		s.differ("an item's currency_symbol", item.Get("prices.currency_symbol").Str, totals.Get("currency_symbol").Str)
		line := s.shownPrice(item.Get("prices")) * item.Get("quantity").Int()
		s.differ("line_subtotal", item.Get("totals.line_subtotal").Int(), line)
		items += line
	}
	unit := int64(math.Pow10(int(totals.Get("currency_minor_unit").Int())))
	s.differ("total_items", totals.Get("total_items").Int(), items)
	s.differ("total_discount", totals.Get("total_discount").Int(), totals.Get("currency_symbol").Int()*unit)
	s.differ("the coupon's discount", cart.Get("coupons.0.totals.total_discount").Int(), totals.Get("total_discount").Int())
	sum := items - totals.Get("total_discount").Int() + totals.Get("total_shipping").Int() + totals.Get("total_tax").Int() +
		totals.Get("total_fees").Int()
	s.differ("total_price", totals.Get("total_price").Int(), sum)
}

func (s *numbered) readCart(own http.Header) {
	_, cart := s.send(call{method: "GET", path: "/shop/store/v1/cart", header: own})
	s.checkCart(cart)
}

func (s *numbered) changeCart(own http.Header) {
	_, cart := s.send(addItem(own, strconv.FormatInt(s.products[0], 10)))
	s.checkCart(cart)
}

func (s *numbered) readItems(own http.Header) {
	_, items := s.send(call{method: "GET", path: "/shop/store/v1/cart/items", header: own})
	for _, item := range items.Array() {
		price := s.shownPrice(item.Get("prices"))
		s.differ("line_subtotal", item.Get("totals.line_subtotal").Int(), price*item.Get("quantity").Int())
	}
}

func (s *numbered) changeCheckout(own http.Header) {
	_, checkout := s.send(call{method: "PUT", path: "/shop/store/v1/checkout", body: `{"__experimental_calc_totals":true}`, header: own})
	s.checkCart(checkout.Get("__experimentalCart"))
}

func (s *numbered) listStore(http.Header) {
	_, list := s.send(call{method: "GET", path: "/shop/store/v1/products" + s.include(), header: http.Header{}})
	s.differ("the number of products", len(list.Array()), 2)
	s.differ("the price of the second product", s.shownPrice(list.Get("1.prices")), s.shownPrice(list.Get("0.prices")))
}

func (s *numbered) listManagement(http.Header) {
	_, list := s.send(call{method: "GET", path: "/shop/v3/products" + s.include(), header: keyed()})
	s.differ("the number of products", len(list.Array()), 2)
	price := list.Get("0.regular_price").Int()
	for _, product := range list.Array() {
		s.differ("regular_price", product.Get("regular_price").Int(), price)
		s.differ("stock_quantity", product.Get("stock_quantity").Int(), price+1000)
		text, number := strings.ReplaceAll(product.Get("price_html").Str, ",", ""), strconv.FormatInt(price, 10)
		if !strings.Contains(text, ">"+number+number) {
			s.T.Errorf("price_html is %s, want the symbol and the price %d: two versions in one answer", text, price)
		}
	}
}

func TestEachAnswerShowsOneVersion(t *testing.T) {
	s := openNumbered(t)
	readers := []func(http.Header){s.readCart, s.changeCart, s.readItems, s.changeCheckout, s.listStore, s.listManagement}
	carts := make([]http.Header, len(readers))
	for i := range carts {
		carts[i] = s.cart()
	}
	var writer, reading sync.WaitGroup
	var done atomic.Bool
	first := s.number
	writer.Go(func() {
		for !done.Load() {
			s.writeNext()
		}
	})
	for i, read := range readers {
		reading.Go(func() {
			for range 200 {
				read(carts[i])
			}
		})
	}
	reading.Wait()
	done.Store(true)
	writer.Wait()
	if versions := s.number - first; versions < 100 {
		t.Errorf("only %d versions were written: the test has tried too little", versions)
	}
}
