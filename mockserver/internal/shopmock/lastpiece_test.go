package shopmock_test

// Buyers who race for the last piece, over HTTP.

import (
	"net/http"
	"shopcheck/mockserver/internal/testkit"
	"sync"
	"testing"
)

// TestOneOfTwoHundredBuyersGetsTheLastPiece lets every other buyer make a draft order first, which holds the piece if it can.
func TestOneOfTwoHundredBuyersGetsTheLastPiece(t *testing.T) {
	const buyers = 200
	shop := testkit.Open(t, testkit.Options{})
	shop.Call("PUT", "/shop/v3/products/1", `{"stock_quantity":1}`).Want(200)
	carts := make([]*testkit.Client, buyers)
	for i := range carts {
		carts[i] = shop.As("", "").With("Cart-Token", shop.Get("/shop/store/v1/cart").Header.Get("Cart-Token")).Under("/shop/store/v1")
		carts[i].Post("/cart/add-item", `{"id":1,"quantity":1}`).Want(http.StatusCreated)
	}
	answers := make([]*testkit.Answer, buyers)
	var race sync.WaitGroup
	for i, cart := range carts {
		race.Go(func() {
			if i%2 == 0 {
				cart.Get("/checkout")
			}
			answers[i] = cart.Post("/checkout", checkoutBody)
		})
	}
	race.Wait()
	sold := 0
	for i, answer := range answers {
		switch {
		case answer.Status == http.StatusOK:
			sold++
		case answer.Status != http.StatusConflict || answer.Get("data.cart.items.#").Int() != 1:
			t.Errorf("buyer %d: %d %.300s", i, answer.Status, answer.Body)
		}
	}
	if stock := shop.Get("/shop/v3/products/1").Get("stock_quantity"); sold != 1 || stock.Int() != 0 {
		t.Errorf("%d of the buyers got it, the stock is %s", sold, stock)
	}
}
