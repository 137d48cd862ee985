package storeapi_test

import (
	"net/http"
	"testing"
)

// add is one request of a batch.
func (s *store) add(id int64, headers fields) fields {
	return fields{"path": base + "/cart/add-item", "method": "POST", "body": fields{"id": id, "quantity": 1}, "headers": headers}
}

func batchOf(requests ...fields) fields { return fields{"requests": append([]fields{}, requests...)} }

func TestABatchRunsItsRequestsInOrder(t *testing.T) {
	t.Parallel()
	s := open(t)
	nonce := s.Get("/cart").Header.Get("Nonce")
	headers := fields{"Nonce": nonce}
	batch := s.Post("/batch", batchOf(
		s.add(s.goods.plain, headers), s.add(999999, headers),
		fields{"path": "/shop/store/cart/apply-coupon?code=save10", "headers": headers},
	)).Want(http.StatusMultiStatus).Has(
		"responses.#", 3, "responses.0.status", 201, "responses.0.body.items_count", 1,
		"responses.1.status", 400, "responses.1.body.code", "shop_rest_cart_invalid_product",
		"responses.2.status", 200, "responses.2.body.coupons.0.code", "save10",
		"responses.0.headers.Nonce-Timestamp", 1772366400, "responses.0.headers.User-ID", 0, "responses.0.headers.Allow", "POST",
	)
	wantCart(t, batch.Get("responses.2.body"))
	for _, name := range []string{"Nonce", "Cart-Token", "Cart-Hash"} {
		if batch.Get("responses.2.headers."+name).Str == "" {
			t.Errorf("an answer of the batch has no %s", name)
		}
	}
	s.Post("/cart/add-item", fields{"id": s.goods.plain, "quantity": 1}, "Nonce", nonce).Fails(http.StatusForbidden,
		"shop_rest_invalid_nonce")
	s.Post("/cart/add-item", fields{"id": s.goods.plain, "quantity": 1}, "Nonce",
		batch.Get("responses.2.headers.Nonce").Str).
		Want(http.StatusCreated).Has("items_count", 2)
}

func TestHeadersOfABatchHoldForItsRequests(t *testing.T) {
	t.Parallel()
	s := open(t)
	v := s.visit()
	v.Post("/batch", batchOf(s.add(s.goods.plain, nil), s.add(s.goods.onSale, fields{}))).Want(http.StatusMultiStatus).
		Has("responses.1.body.items_count", 2)
	nonce := s.Get("/cart").Header.Get("Nonce")
	outer := s.Post("/batch", batchOf(s.add(s.goods.plain, nil), s.add(s.goods.plain, nil)), "Nonce", nonce).
		Want(http.StatusMultiStatus).Has("responses.1.body.items_count", 2)
	outer.HasHeader("Nonce", outer.Get("responses.1.headers.Nonce").Str)
	other := s.visit()
	v.Post("/batch", batchOf(s.add(s.goods.plain,
		fields{"Cart-Token": other.Header.Get("Cart-Token")}))).Want(http.StatusMultiStatus).Has("responses.0.body.items_count", 1)
	s.Post("/batch", batchOf(s.add(s.goods.plain, nil))).Want(http.StatusMultiStatus).
		Has("responses.0.status", 401, "responses.0.body.code", "shop_rest_missing_nonce")
}

func TestBatchesThatAreRefused(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	v.Post("/batch", fields{}).Fails(http.StatusBadRequest, "rest_missing_callback_param")
	v.Post("/batch", batchOf(fields{"path": base + "/cart", "method": "GET"})).Fails(http.StatusBadRequest, "rest_invalid_param")
	many := make([]fields, 26)
	for i := range many {
		many[i] = v.add(v.goods.plain, nil)
	}
	v.Post("/batch", batchOf(many...)).Fails(http.StatusBadRequest, "rest_invalid_param")
	v.Post("/batch", batchOf(many[1:]...)).Want(http.StatusMultiStatus).Has("responses.#", 25)
	for _, foreign := range []string{"/shop/v3/products", "http://elsewhere.test" + base + "/cart/add-item", base + "/batch", "", ":",
		base + "/cart/add-item?_method=GET"} {
		v.Post("/batch", batchOf(v.add(v.goods.plain, nil), fields{"path": foreign})).Fails(http.StatusBadRequest, "shop_rest_invalid_path")
	}
	v.Get("/cart").Has("items_count", 25)
	v.Post("/batch", batchOf()).Want(http.StatusMultiStatus)
}

func TestABatchCanBeCheckedAsAWhole(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	wrong := v.add(v.goods.plain, nil)
	wrong["body"] = fields{"id": v.goods.plain, "quantity": "x"}
	body := batchOf(v.add(v.goods.plain, nil), wrong)
	body["validation"] = "require-all-validate"
	v.Post("/batch", body).Want(http.StatusMultiStatus).Has("failed", "validation", "responses.0", nil, "responses.1.status", 400)
	v.Get("/cart").Has("items_count", 0)
	body["requests"] = []fields{v.add(v.goods.plain, nil)}
	v.Post("/batch", body).Want(http.StatusMultiStatus).Has("responses.0.status", 201)
}

func TestDeletesInABatch(t *testing.T) {
	t.Parallel()
	v := open(t).visit()
	key := v.adds(v.goods.plain, 1).Get("items.0.key").Str
	v.Post("/batch", batchOf(fields{"path": base + "/cart/items/" + key, "method": "DELETE"},
		fields{"path": base + "/nope/x/y", "method": "PUT"})).
		Want(http.StatusMultiStatus).Has("responses.0.status", 204, "responses.0.body", nil, "responses.1.status", 404,
		"responses.1.body.code", "rest_no_route")
}
