package management_test

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func keysOf(record gjson.Result) string {
	var keys []string
	record.ForEach(func(key, _ gjson.Result) bool { keys = append(keys, key.String()); return true })
	return strings.Join(keys, " ")
}

func TestLegacyReviewsAreBelowTheirProduct(t *testing.T) {
	t.Parallel()
	for version, fields := range map[string]string{
		"v2": "id date_created date_created_gmt review rating name email verified _links",
		"v1": "id date_created review rating name email verified _links",
	} {
		s := newTestShop(t, nil)
		product := func() string {
			return "/shop/" + version + "/products/" + s.Post("/shop/v3/products", `{"name":"Mug"}`).
				Want(201).Get("id").String() + "/reviews"
		}
		base, other := product(), product()
		made := s.Post(base, `{"review":"Good.","name":"Ann","email":"ann@shop.example","rating":4}`).Want(201)
		item := base + "/" + made.Get("id").String()
		if made.Header.Get("Location") != "http://shop.test"+item {
			t.Errorf("%s: Location is %q", version, made.Header.Get("Location"))
		}
		got := s.Get(item).Want(200)
		if keysOf(got.Result) != fields || got.Get("name").Str != "Ann" || got.Get("rating").Int() != 4 ||
			got.Get("_links.self.0.href").Str != "http://shop.test"+item {
			t.Errorf("%s: %s", version, got.Raw)
		}
		if list := s.Get(base).Want(200); list.Get("#").Int() != 1 || list.Header.Get("X-Shop-Total") != "1" {
			t.Errorf("%s: list %s", version, list.Raw)
		}
		if list := s.Get(other).Want(200); list.Raw != "[]" {
			t.Errorf("%s: the other product has %s", version, list.Raw)
		}
		if changed := s.Call("PUT", item, `{"rating":5,"name":"Ann L."}`).Want(200); changed.Get("rating").Int() != 5 ||
			changed.Get("name").Str != "Ann L." || changed.Get("email").Str != "ann@shop.example" {
			t.Errorf("%s: changed %s", version, changed.Raw)
		}
		missing := map[string]string{"v2": "shop_rest_product_invalid_id", "v1": "shop_rest_invalid_product_id"}[version]
		for _, method := range []string{"GET", "PUT", "DELETE"} {
			s.Refuses(404, "shop_rest_review_invalid_id", method, strings.Replace(item, base, other, 1), "")
			s.Refuses(404, missing, method, "/shop/"+version+"/products/999/reviews/1", "")
		}
		s.Refuses(404, missing, "GET", "/shop/"+version+"/products/999/reviews", "")
		s.Refuses(404, missing, "POST", "/shop/"+version+"/products/999/reviews", `{"review":"x","name":"x","email":"x@shop.example"}`)
		s.Refuses(400, "rest_missing_callback_param", "POST", base, `{"review":"x"}`)
		if gone := s.Call("DELETE", item+"?force=true", "").Want(200); gone.Get("deleted").Raw != "true" ||
			gone.Get("previous.rating").Int() != 5 {
			t.Errorf("%s: deleted %s", version, gone.Raw)
		}
		s.Refuses(404, "shop_rest_review_invalid_id", "GET", item, "")
	}
	s := newTestShop(t, nil)
	s.Refuses(404, "rest_no_route", "GET", "/shop/v3/products/1/reviews", "")
}

func TestLegacyProductsDifferInTheirRecordOnly(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	for version, first := range map[string]string{
		"v2": "id name slug permalink date_created date_created_gmt date_modified date_modified_gmt type status",
		"v1": "id name slug permalink date_created date_modified type status featured",
	} {
		base := "/shop/" + version + "/products"
		made := s.Post(base, `{"name":"Mug","regular_price":"2.00","images":[{"src":"http://img.test/a.png"},`+
			`{"src":"http://img.test/b.png"}],"in_stock":false}`).
			Want(201)
		if made.Header.Get("Location") != "http://shop.test"+base+"/"+made.Get("id").String() {
			t.Errorf("%s: Location is %q", version, made.Header.Get("Location"))
		}
		got := s.Get(base + "/" + made.Get("id").String()).Want(200)
		if !strings.HasPrefix(keysOf(got.Result), first) {
			t.Errorf("%s: fields are %s", version, keysOf(got.Result))
		}
		for _, gone := range []string{"stock_status", "has_options", "global_unique_id", "low_stock_amount"} {
			if got.Get(gone).Exists() {
				t.Errorf("%s shows %s", version, gone)
			}
		}
		if got.Get("in_stock").Raw != "false" || got.Get("images.1.position").Int() != 1 ||
			got.Get("_links.self.0.href").String() != "http://shop.test"+base+"/"+got.Get("id").String() {
			t.Errorf("%s: %s", version, got.Raw)
		}
		if id := got.Get("id").String(); s.Get("/shop/v3/products/"+id).Get("stock_status").String() != "outofstock" {
			t.Errorf("%s: in_stock was not written", version)
		}
		if list := s.Get(base + "?in_stock=true").Want(200); len(list.Array()) != 0 {
			t.Errorf("%s: in_stock=true shows %s", version, list.Raw)
		}
		if list := s.Get(base + "?in_stock=false&per_page=1").Want(200); len(list.Array()) != 1 {
			t.Errorf("%s: in_stock=false shows %s", version, list.Raw)
		}
		if got := s.As("ck_mock_r", "cs_mock_r").Post(base, `{"name":"x"}`); got.Status != 403 {
			t.Errorf("%s: a read key creates: %d", version, got.Status)
		}
		if got := s.As("", "").Call("GET", base, ""); got.Status != 401 {
			t.Errorf("%s without credentials: %d", version, got.Status)
		}
	}
	v1 := s.Get("/shop/v1/products?per_page=1").Get("0")
	if v1.Get("date_on_sale_from").Raw != `""` || v1.Get("download_type").String() != "standard" || v1.Get("date_created_gmt").Exists() ||
		v1.Get("images.0.date_created_gmt").Exists() {
		t.Errorf("v1: %s", v1.Raw)
	}
	refuse(t, s,
		refusal{404, "shop_rest_product_invalid_id", "GET", "/shop/v2/products/999", ""},
		refusal{404, "shop_rest_invalid_product_id", "GET", "/shop/v1/products/999", ""},
		refusal{400, "shop_rest_product_name_required", "POST", "/shop/v1/products", `{}`},
	)
}

func TestLegacyVariationsTermsAndBatch(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	for _, version := range []string{"v2", "v1"} {
		base := "/shop/" + version + "/products"
		parent := s.Post(base, `{"name":"Shirt","type":"variable","attributes":[{"name":"Size","variation":true,`+
			`"options":["S","M"]}]}`).
			Want(201)
		if parent.Get("attributes.0.slug").Exists() {
			t.Errorf("%s shows the slug of an attribute: %s", version, parent.Get("attributes"))
		}
		path := base + "/" + parent.Get("id").String() + "/variations"
		small := s.Post(path, `{"regular_price":"3","image":{"src":"http://img.test/s.png"},"attributes":[{"name":"Size",`+
			`"option":"S"}]}`).
			Want(201)
		if small.Get("parent_id").Exists() || small.Get("attributes.0.slug").Exists() || small.Get("in_stock").Raw != "true" {
			t.Errorf("%s variation: %s", version, small.Raw)
		}
		if got := s.Get(path + "?_fields=image"); got.Get("0.image.src").String() != "http://img.test/s.png" {
			t.Errorf("%s: _fields=image: %s", version, got.Raw)
		}
		if got := s.Get(path + "?in_stock=false"); len(got.Array()) != 0 {
			t.Errorf("%s: in_stock=false shows %s", version, got.Raw)
		}
		done := s.Post(base+"/batch",
			`{"create":[{"name":"A"}],"update":[{"id":`+parent.Get("id").String()+`,"in_stock":true}]}`).
			Want(200)
		if !done.Get("create.0.in_stock").Exists() || done.Get("update.0.stock_status").Exists() {
			t.Errorf("%s batch: %s", version, done.Raw)
		}
		s.Post(base+"/categories", `{"name":"Of `+version+`"}`).Want(201)
		s.Get(base + "/attributes").Want(200)
		s.Get(base + "/tags").Want(200)
	}
}
