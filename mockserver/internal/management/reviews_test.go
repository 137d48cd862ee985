package management_test

import (
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shop"
)

// withGoods is a shop with two products, of which Ann has bought the first.
func withGoods(tx *shop.Tx) error {
	for _, name := range []string{"Mug", "Pot"} {
		p := tx.NewProduct()
		p.Name, p.RegularPrice = name, "10"
		if err := p.Create(tx); err != nil {
			return err
		}
	}
	return (&shop.Customer{Email: "ann@shopper.example", FirstName: "Ann"}).Create(tx)
}

func TestReviews(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withGoods)
	s.Post("/shop/v3/orders",
		`{"set_paid":true,"billing":{"email":"Ann@shopper.example"},"line_items":[{"product_id":1,"quantity":1}]}`).
		Want(201)
	made := s.Post("/shop/v3/products/reviews",
		`{"product_id":1,"review":"Holds tea.\n\nAnd coffee.","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5}`).
		Want(201)
	if keysOf(made.Result) != "id date_created date_created_gmt product_id product_name product_permalink status reviewer reviewer_email "+
		"review rating verified reviewer_avatar_urls _links" {
		t.Errorf("fields: %s", keysOf(made.Result))
	}
	for path, want := range map[string]string{
		"product_name": "Mug", "product_permalink": "http://shop.test/product/mug/", "status": "approved",
		"review": "Holds tea.\n\nAnd coffee.", "rating": "5", "verified": "true",
		"date_created": "2026-03-01T12:00:00", "_links.up.0.href": "http://shop.test/shop/v3/products/1",
		"reviewer_avatar_urls.48": "http://shop.test/pictures/placeholder.svg?s=48",
	} {
		if made.Get(path).String() != want {
			t.Errorf("%s is %q, want %q", path, made.Get(path).String(), want)
		}
	}
	path := "/shop/v3/products/reviews/" + made.Get("id").String()
	if made.Header.Get("Location") != "http://shop.test"+path {
		t.Errorf("Location %q", made.Header.Get("Location"))
	}
	if got := s.Get(path).Want(200).Get("review").String(); got != "<p>Holds tea.</p>\n<p>And coffee.</p>\n" {
		t.Errorf("as a page shows it: %q", got)
	}
	if got := s.Get(path + "?context=edit").Want(200).Get("review").String(); got != "Holds tea.\n\nAnd coffee." {
		t.Errorf("as it was sent: %q", got)
	}
	s.wantRating("1", "5.00", "1")
	s.Call("PUT", path, `{"rating":4}`).Want(200)
	second := s.Post("/shop/v3/products/reviews",
		`{"product_id":1,"review":"Too small.","reviewer":"Bob","reviewer_email":"bob@shopper.example","rating":1}`).
		Want(201)
	if second.Get("verified").Bool() {
		t.Error("Bob has bought nothing")
	}
	s.wantRating("1", "2.50", "2")
	other := "/shop/v3/products/reviews/" + second.Get("id").String()
	for _, step := range []struct{ status, shown, rating, count string }{
		{"hold", "hold", "4.00", "1"}, {"spam", "spam", "4.00", "1"}, {"unspam", "hold", "4.00", "1"}, {"approved", "approved", "2.50",
			"2"}, {"trash", "trash", "4.00", "1"}, {"untrash", "approved", "2.50", "2"},
	} {
		if got := s.Call("PUT", other, `{"status":"`+step.status+`"}`).Want(200).Get("status").String(); got != step.shown {
			t.Errorf("after %s it is %s, want %s", step.status, got, step.shown)
		}
		s.wantRating("1", step.rating, step.count)
	}
	s.Call("PUT", other, `{"product_id":2}`).Want(200)
	s.wantRating("1", "4.00", "1")
	s.wantRating("2", "1.00", "1")
	s.Call("DELETE", "/shop/v3/products/2?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_review_invalid_id", "GET", other, "")
}

func (s *testShop) wantRating(product, average, count string) {
	s.T.Helper()
	got := s.Get("/shop/v3/products/" + product).Want(200)
	if got.Get("average_rating").String() != average || got.Get("rating_count").String() != count {
		s.T.Errorf("product %s is rated %s by %s, want %s by %s", product, got.Get("average_rating"), got.Get("rating_count"), average,
			count)
	}
}

func TestReviewsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withGoods)
	const good = `{"product_id":1,"review":"Good","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5}`
	path := "/shop/v3/products/reviews"
	item := path + "/" + s.Post(path, good).Want(201).Get("id").String()
	s.Refuses(409, "shop_rest_comment_duplicate", "POST", path, good)
	if missing := s.Refuses(400, "rest_missing_callback_param", "POST", path,
		`{"product_id":1}`); missing.Get("data.params").Raw != `["reviewer","reviewer_email","review"]` {
		t.Errorf("missing: %s", missing.Raw)
	}
	for _, c := range []struct {
		status     int
		code, with string
	}{
		{404, "shop_rest_product_invalid_id", `"product_id":999999`},
		{400, "shop_rest_review_content_invalid", `"review":" "`},
		{400, "rest_invalid_param", `"reviewer_email":"nobody"`},
		{400, "rest_invalid_param", `"rating":6`},
		{400, "rest_invalid_param", `"rating":-1`},
		{400, "rest_invalid_param", `"rating":"good"`},
		{400, "rest_invalid_param", `"status":"nope"`},
		{400, "rest_invalid_param", `"product_id":"x"`},
	} {
		s.Refuses(c.status, c.code, "PUT", item, "{"+c.with+"}")
		name, _, _ := strings.Cut(c.with, ":")
		s.Refuses(c.status, c.code, "POST", path, `{`+c.with+`,`+withoutName(good, name))
	}
	refuse(t, s,
		refusal{404, "shop_rest_review_invalid_id", "GET", path + "/999999", ""},
		refusal{404, "shop_rest_review_invalid_id", "PUT", path + "/999999", `{"rating":1}`},
		refusal{404, "rest_no_route", "GET", path + "/abc", ""},
	)
	if trashed := s.Call("DELETE", item, "").Want(200); keysOf(trashed.Result) == "deleted previous" {
		t.Errorf("trash: %s", trashed.Raw)
	}
	s.Refuses(410, "shop_rest_already_trashed", "DELETE", item, "")
	gone := s.Call("DELETE", item+"?force=true", "").Want(200)
	if keysOf(gone.Result) != "deleted previous" || !gone.Get("deleted").Bool() || gone.Get("previous.status").String() != "trash" ||
		gone.Get("previous._links").Exists() {
		t.Errorf("delete: %s", gone.Raw)
	}
	s.Refuses(404, "shop_rest_review_invalid_id", "DELETE", item+"?force=true", "")
}

// withoutName leaves a member out of an object and opens it.
func withoutName(object, name string) string {
	var kept []string
	for _, member := range strings.Split(strings.Trim(object, "{}"), ",") {
		if !strings.HasPrefix(member, name) {
			kept = append(kept, member)
		}
	}
	return strings.Join(kept, ",") + "}"
}

func TestReviewLists(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withGoods)
	s.Post("/shop/v3/products/reviews/batch", `{"create":[
		{"product_id":1,"review":"One","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5},
		{"product_id":2,"review":"Two","reviewer":"Bob","reviewer_email":"bob@shopper.example","rating":3},
		{"product_id":1,"review":"Three","reviewer":"Cat","reviewer_email":"cat@shopper.example","status":"hold"},
		{"product_id":2,"review":"Four","reviewer":"Dan","reviewer_email":"dan@shopper.example","status":"spam"},
		{"product_id":1,"review":"Five","reviewer":"Ann","reviewer_email":"ann@shopper.example","status":"trash"},
		{"product_id":9,"review":"Six","reviewer":"Ann","reviewer_email":"ann@shopper.example"}]}`).
		Want(200)
	for query, want := range map[string]string{
		"": "2 1", "order=asc": "1 2", "status=hold": "3", "status=spam": "4", "status=trash": "5", "status=all": "3 2 1",
		"product=1": "1", "product[]=1&product[]=2&status=all": "3 2 1",
		"search=one": "1", "reviewer_email=BOB@shopper.example": "2", "reviewer=1": "1", "reviewer_exclude=1": "2",
		"include=1,2&orderby=include": "1 2", "exclude=1": "2",
		"orderby=product&order=asc": "1 2", "orderby=id": "2 1", "after=2026-03-01T11:00:00": "2 1", "before=2026-03-01T11:00:00": "",
		"per_page=1&page=2": "1", "offset=1": "1",
	} {
		var got []string
		for _, row := range s.Get("/shop/v3/products/reviews?" + query).Want(200).Array() {
			got = append(got, row.Get("id").String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", query, got, want)
		}
	}
	s.Refuses(400, "rest_invalid_param", "GET", "/shop/v3/products/reviews?status=nope", "")
	s.Refuses(400, "rest_invalid_param", "GET", "/shop/v3/products/reviews?reviewer=x", "")
	got := s.Post("/shop/v3/products/reviews/batch",
		`{"update":[{"id":2,"rating":1},{"id":99,"rating":1}],"delete":[1,99]}`).
		Want(200)
	if got.Get("update.0.rating").Int() != 1 || got.Get("update.1.error.code").String() != "shop_rest_review_invalid_id" ||
		got.Get("delete.1.error.code").String() != "shop_rest_review_invalid_id" {
		t.Errorf("batch: %s", got.Raw)
	}
	s.wantRating("1", "0.00", "0")
	s.wantRating("2", "1.00", "1")
}
