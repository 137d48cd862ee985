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

const reviews = "/shop/v3/products/reviews"

func TestReviewRecord(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withGoods)
	s.Post("/shop/v3/orders",
		`{"set_paid":true,"billing":{"email":"Ann@shopper.example"},"line_items":[{"product_id":1,"quantity":1}]}`).
		Want(201)
	made := s.Post(reviews,
		`{"product_id":1,"review":"Holds tea.\n\nAnd coffee.","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5}`).
		Want(201).HasFields("", "id date_created date_created_gmt product_id product_name product_permalink status reviewer "+
		"reviewer_email review rating verified reviewer_avatar_urls _links").Has(
		"product_name", "Mug", "product_permalink", "http://shop.test/product/mug/", "status", "approved",
		"review", "Holds tea.\n\nAnd coffee.", "rating", 5, "verified", true, "date_created", "2026-03-01T12:00:00",
		"_links.up.0.href", "http://shop.test/shop/v3/products/1",
		"reviewer_avatar_urls.48", "http://shop.test/pictures/placeholder.svg?s=48",
	)
	path := reviews + "/" + made.Get("id").String()
	made.HasHeader("Location", "http://shop.test"+path)
	s.Get(path).Want(200).Has("review", "<p>Holds tea.</p>\n<p>And coffee.</p>\n")
	s.Get(path+"?context=edit").Want(200).Has("review", "Holds tea.\n\nAnd coffee.")
	s.Post(reviews, `{"product_id":1,"review":"Too small.","reviewer":"Bob","reviewer_email":"bob@shopper.example","rating":1}`).
		Want(201).Has("verified", false)
}

// TestReviewsRateTheirProduct counts those that are approved, whichever way a review goes.
func TestReviewsRateTheirProduct(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withGoods)
	s.Post(reviews, `{"product_id":1,"review":"Holds tea.","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5}`).Want(201)
	s.wantRating("1", "5.00", 1)
	s.Call("PUT", reviews+"/1", `{"rating":4}`).Want(200)
	other := s.Create(reviews, `{"product_id":1,"review":"Too small.","reviewer":"Bob","reviewer_email":"bob@shopper.example","rating":1}`)
	s.wantRating("1", "2.50", 2)
	for _, step := range []struct {
		status, shown, rating string
		count                 int
	}{
		{"hold", "hold", "4.00", 1}, {"spam", "spam", "4.00", 1}, {"unspam", "hold", "4.00", 1}, {"approved", "approved", "2.50", 2},
		{"trash", "trash", "4.00", 1}, {"untrash", "approved", "2.50", 2},
	} {
		t.Run(step.status, func(t *testing.T) {
			s := s.in(t)
			s.Call("PUT", other, `{"status":"`+step.status+`"}`).Want(200).Has("status", step.shown)
			s.wantRating("1", step.rating, step.count)
		})
	}
	t.Run("moved", func(t *testing.T) {
		s := s.in(t)
		s.Call("PUT", other, `{"product_id":2}`).Want(200)
		s.wantRating("1", "4.00", 1)
		s.wantRating("2", "1.00", 1)
	})
	s.Call("DELETE", "/shop/v3/products/2?force=true", "").Want(200)
	s.Refuses(404, "shop_rest_review_invalid_id", "GET", other, "")
}

func (s *testShop) wantRating(product, average string, count int) {
	s.T.Helper()
	s.Get("/shop/v3/products/"+product).Want(200).Has("average_rating", average, "rating_count", count)
}

func TestReviewsThatAreRefused(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withGoods)
	const good = `{"product_id":1,"review":"Good","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5}`
	item := s.Create(reviews, good)
	s.Refuses(400, "rest_missing_callback_param", "POST", reviews, `{"product_id":1}`).
		Has("data.params", []string{"reviewer", "reviewer_email", "review"})
	refuse(t, s,
		refusal{409, "shop_rest_comment_duplicate", "POST", reviews, good},
		refusal{404, "shop_rest_review_invalid_id", "GET", reviews + "/999999", ""},
		refusal{404, "shop_rest_review_invalid_id", "PUT", reviews + "/999999", `{"rating":1}`},
		refusal{404, "rest_no_route", "GET", reviews + "/abc", ""},
	)
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
		name, _, _ := strings.Cut(c.with, ":")
		refuse(t, s,
			refusal{c.status, c.code, "PUT", item, "{" + c.with + "}"},
			refusal{c.status, c.code, "POST", reviews, `{` + c.with + `,` + withoutName(good, name)},
		)
	}
}

func TestReviewTrashAndDelete(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withGoods)
	item := s.Create(reviews, `{"product_id":1,"review":"Good","reviewer":"Ann","reviewer_email":"ann@shopper.example"}`)
	s.Call("DELETE", item, "").Want(200).HasNo("previous")
	s.Refuses(410, "shop_rest_already_trashed", "DELETE", item, "")
	s.Call("DELETE", item+"?force=true", "").Want(200).HasFields("", "deleted previous").
		Has("deleted", true, "previous.status", "trash").HasNo("previous._links")
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
	s.Post(reviews+"/batch", `{"create":[
		{"product_id":1,"review":"One","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5},
		{"product_id":2,"review":"Two","reviewer":"Bob","reviewer_email":"bob@shopper.example","rating":3},
		{"product_id":1,"review":"Three","reviewer":"Cat","reviewer_email":"cat@shopper.example","status":"hold"},
		{"product_id":2,"review":"Four","reviewer":"Dan","reviewer_email":"dan@shopper.example","status":"spam"},
		{"product_id":1,"review":"Five","reviewer":"Ann","reviewer_email":"ann@shopper.example","status":"trash"},
		{"product_id":9,"review":"Six","reviewer":"Ann","reviewer_email":"ann@shopper.example"}]}`).
		Want(200)
	lists(t, s, reviews, "id", map[string]string{
		"": "2 1", "order=asc": "1 2", "status=hold": "3", "status=spam": "4", "status=trash": "5", "status=all": "3 2 1",
		"product=1": "1", "product[]=1&product[]=2&status=all": "3 2 1",
		"search=one": "1", "reviewer_email=BOB@shopper.example": "2", "reviewer=1": "1", "reviewer_exclude=1": "2",
		"include=1,2&orderby=include": "1 2", "exclude=1": "2",
		"orderby=product&order=asc": "1 2", "orderby=id": "2 1", "after=2026-03-01T11:00:00": "2 1", "before=2026-03-01T11:00:00": "",
		"per_page=1&page=2": "1", "offset=1": "1",
	})
	invalidQueries(t, s, reviews, "status=nope", "reviewer=x")
}

func TestReviewBatches(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, withGoods)
	s.Post(reviews+"/batch", `{"create":[
		{"product_id":1,"review":"One","reviewer":"Ann","reviewer_email":"ann@shopper.example","rating":5},
		{"product_id":2,"review":"Two","reviewer":"Bob","reviewer_email":"bob@shopper.example","rating":3}]}`).
		Want(200)
	s.Post(reviews+"/batch", `{"update":[{"id":2,"rating":1},{"id":99,"rating":1}],"delete":[1,99]}`).Want(200).Has(
		"update.0.rating", 1, "update.1.error.code", "shop_rest_review_invalid_id",
		"delete.1.error.code", "shop_rest_review_invalid_id",
	)
	s.wantRating("1", "0.00", 0)
	s.wantRating("2", "1.00", 1)
}
