package cluster_test

// What clients of several replicas see is what one shop would have shown them, each request at one moment between its beginning and
// its answer: a checker that is not ours looks for such an order.

import (
	"fmt"
	"math/rand/v2"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/anishathalye/porcupine"
	"github.com/tidwall/gjson"
)

// history is what clients did and saw.
type history struct {
	began time.Time
	mu    sync.Mutex
	all   []porcupine.Operation
}

// note carries out an operation of a client, and notes it with what came out of it.
func (h *history) note(client int, input any, do func() any) {
	call := time.Since(h.began).Nanoseconds()
	output := do()
	end := time.Since(h.began).Nanoseconds()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.all = append(h.all, porcupine.Operation{ClientId: client, Input: input, Call: call, Output: output, Return: end})
}

// stockCall sets the stock of a product, or buys one piece, or looks.
type stockCall struct {
	kind string // set, buy, look
	to   int64
}

// stockSeen is what came of it: how much there is, or whether a piece was bought.
type stockSeen struct {
	left   int64
	bought bool
}

var stockModel = porcupine.Model{
	Init: func() any { return int64(5) },
	Step: func(state, input, output any) (bool, any) {
		left, asked, seen := state.(int64), input.(stockCall), output.(stockSeen)
		switch asked.kind {
		case "set":
			return true, asked.to
		case "buy":
			if seen.bought {
				return left > 0, left - 1
			}
			return left == 0, left
		}
		return seen.left == left, left
	},
}

func TestStockIsLinearizable(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	_, said, _ := call(t, "POST", shops[0].URL()+"/shop/v3/products?"+rw,
		`{"name":"Rare","regular_price":"5","manage_stock":true,"stock_quantity":5,"virtual":true}`)
	id := gjson.Get(said, "id").Raw
	h := &history{began: time.Now()}
	var clients sync.WaitGroup
	for client := range 6 {
		clients.Go(func() {
			chance := rand.New(rand.NewPCG(1, uint64(client)))
			for range 12 {
				shop := shops[chance.IntN(3)].URL()
				switch chance.IntN(4) {
				case 0:
					to := chance.Int64N(4)
					h.note(client, stockCall{"set", to}, func() any {
						status, said, _ := call(t, "PUT", shop+"/shop/v3/products/"+id+"?"+rw, fmt.Sprintf(`{"stock_quantity":%d}`, to))
						if status != http.StatusOK {
							t.Errorf("status %d: %s", status, said)
						}
						return stockSeen{}
					})
				case 1:
					h.note(client, stockCall{kind: "buy"}, func() any {
						status, said := buy(t, shop, id)
						if status != http.StatusOK && status != http.StatusConflict && status != http.StatusBadRequest {
							t.Errorf("status %d: %s", status, said)
						}
						return stockSeen{bought: status == http.StatusOK}
					})
				default:
					h.note(client, stockCall{kind: "look"}, func() any {
						_, said, _ := call(t, "GET", shop+"/shop/v3/products/"+id+"?"+rw, "")
						return stockSeen{left: gjson.Get(said, "stock_quantity").Int()}
					})
				}
			}
		})
	}
	clients.Wait()
	check(t, stockModel, h)
}

// buy puts one piece into a cart of its own and goes to the checkout. The two take effect at the checkout, if the cart took the piece.
func buy(t *testing.T, shop, id string) (int, string) {
	t.Helper()
	_, _, header := call(t, "GET", shop+"/shop/store/v1/cart", "")
	token := header.Get("Cart-Token")
	status, said, _ := call(t, "POST", shop+"/shop/store/v1/cart/add-item", `{"id":`+id+`,"quantity":1}`, "Cart-Token", token)
	if status >= 300 {
		return status, said
	}
	status, said, _ = call(t, "POST", shop+"/shop/store/v1/checkout", buyer, "Cart-Token", token)
	return status, said
}

const buyer = `{"payment_method":"cod","billing_address":{"first_name":"A","last_name":"B","address_1":"1 St","city":"C","state":"CA",
	"postcode":"90001","country":"US","email":"a@example.com","phone":"1"}}`

// cartCall adds pieces to a cart, or looks at it.
type cartCall struct{ add int64 }

var cartModel = porcupine.Model{
	Init: func() any { return int64(0) },
	Step: func(state, input, output any) (bool, any) {
		count := state.(int64) + input.(cartCall).add
		return output.(int64) == count, count
	},
}

// A cart that several replicas are asked for at once by one token.
func TestACartIsLinearizable(t *testing.T) {
	t.Parallel()
	_, shops := three(t)
	_, _, header := call(t, "GET", shops[0].URL()+"/shop/store/v1/cart", "")
	token := header.Get("Cart-Token")
	h := &history{began: time.Now()}
	var clients sync.WaitGroup
	for client := range 6 {
		clients.Go(func() {
			chance := rand.New(rand.NewPCG(2, uint64(client)))
			for range 12 {
				shop, pieces := shops[chance.IntN(3)].URL(), chance.Int64N(3)
				h.note(client, cartCall{pieces}, func() any {
					method, path, body := "GET", "/shop/store/v1/cart", ""
					if pieces > 0 {
						method, path, body = "POST", path+"/add-item", fmt.Sprintf(`{"id":1,"quantity":%d}`, pieces)
					}
					status, said, _ := call(t, method, shop+path, body, "Cart-Token", token)
					if status >= 300 {
						t.Errorf("status %d: %s", status, said)
					}
					return gjson.Get(said, "items_count").Int()
				})
			}
		})
	}
	clients.Wait()
	check(t, cartModel, h)
}

func check(t *testing.T, model porcupine.Model, h *history) {
	t.Helper()
	if result := porcupine.CheckOperationsTimeout(model, h.all, 5*time.Minute); result != porcupine.Ok {
		t.Errorf("%d operations have no order that explains them: %s", len(h.all), result)
	}
}
