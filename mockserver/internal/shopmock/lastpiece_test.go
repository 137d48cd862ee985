package shopmock_test

// Buyers who race for the last piece, over HTTP.

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shopmock"
)

// TestOneOfTwoHundredBuyersGetsTheLastPiece lets every other buyer make a draft order first, which holds the piece if it can.
func TestOneOfTwoHundredBuyersGetsTheLastPiece(t *testing.T) {
	const buyers = 200
	server, err := shopmock.New(shopmock.Options{})
	if err != nil {
		t.Fatal(err)
	}
	call := func(method, path, token, body string) *httptest.ResponseRecorder {
		request := httptest.NewRequest(method, "https://shop.example.test/shop/"+path, strings.NewReader(body))
		request.Header = keyed()
		request.Header.Set("Cart-Token", token)
		answer := httptest.NewRecorder()
		server.Handler().ServeHTTP(answer, request)
		return answer
	}
	call("PUT", "v3/products/1", "", `{"stock_quantity":1}`)
	tokens := make([]string, buyers)
	for i := range tokens {
		tokens[i] = call("GET", "store/v1/cart", "", "").Header().Get("Cart-Token")
		if answer := call("POST", "store/v1/cart/add-item", tokens[i], `{"id":1,"quantity":1}`); answer.Code != http.StatusCreated {
			t.Fatalf("add-item: %d %s", answer.Code, answer.Body)
		}
	}
	answers := make([]*httptest.ResponseRecorder, buyers)
	var race sync.WaitGroup
	for i, token := range tokens {
		race.Go(func() {
			if i%2 == 0 {
				call("GET", "store/v1/checkout", token, "")
			}
			answers[i] = call("POST", "store/v1/checkout", token, checkoutBody)
		})
	}
	race.Wait()
	sold := 0
	for i, answer := range answers {
		said := gjson.Parse(answer.Body.String())
		switch {
		case answer.Code == http.StatusOK:
			sold++
		case answer.Code != http.StatusConflict || said.Get("data.cart.items.#").Int() != 1:
			t.Errorf("buyer %d: %d %.300s", i, answer.Code, answer.Body)
		}
	}
	if stock := gjson.Get(call("GET", "v3/products/1", "", "").Body.String(), "stock_quantity"); sold != 1 || stock.Int() != 0 {
		t.Errorf("%d of the buyers got it, the stock is %s", sold, stock)
	}
}
