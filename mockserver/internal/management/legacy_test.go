package management_test

import (
	"path"
	"strings"
	"testing"
)

func TestLegacyReviewsAreBelowTheirProduct(t *testing.T) {
	t.Parallel()
	for version, fields := range map[string]string{
		"v2": "id date_created date_created_gmt review rating name email verified _links",
		"v1": "id date_created review rating name email verified _links",
	} {
		t.Run(version, func(t *testing.T) {
			s := newTestShop(t, nil)
			products := "/shop/" + version + "/products"
			base, other := s.Create(products, `{"name":"Mug"}`)+"/reviews", s.Create(products, `{"name":"Pot"}`)+"/reviews"
			made := s.Post(base, `{"review":"Good.","name":"Ann","email":"ann@shop.example","rating":4}`).Want(201)
			item := base + "/" + made.Get("id").String()
			made.HasHeader("Location", "http://shop.test"+item)
			s.Get(item).Want(200).HasFields("", fields).Has("name", "Ann", "rating", 4, "_links.self.0.href", "http://shop.test"+item)
			s.Get(base).Want(200).HasHeader("X-Shop-Total", "1").Has("#", 1)
			s.Get(other).Want(200).Has("#", 0)
			s.Call("PUT", item, `{"rating":5,"name":"Ann L."}`).Want(200).Has("rating", 5, "name", "Ann L.", "email", "ann@shop.example")
			s.refuseLegacyReviews(t, version, strings.Replace(item, base, other, 1))
			s.Call("DELETE", item+"?force=true", "").Want(200).Has("deleted", true, "previous.rating", 5)
			s.Refuses(404, "shop_rest_review_invalid_id", "GET", item, "")
		})
	}
	newTestShop(t, nil).Refuses(404, "rest_no_route", "GET", "/shop/v3/products/1/reviews", "")
}

func (s *testShop) refuseLegacyReviews(t *testing.T, version, ofAnother string) {
	missing := map[string]string{"v2": "shop_rest_product_invalid_id", "v1": "shop_rest_invalid_product_id"}[version]
	nowhere := "/shop/" + version + "/products/999/reviews"
	for _, method := range []string{"GET", "PUT", "DELETE"} {
		refuse(t, s,
			refusal{404, "shop_rest_review_invalid_id", method, ofAnother, ""},
			refusal{404, missing, method, nowhere + "/1", ""},
		)
	}
	refuse(t, s,
		refusal{404, missing, "GET", nowhere, ""},
		refusal{404, missing, "POST", nowhere, `{"review":"x","name":"x","email":"x@shop.example"}`},
		refusal{400, "rest_missing_callback_param", "POST", path.Dir(ofAnother), `{"review":"x"}`},
	)
}

func TestLegacyProductRecords(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	const mug = `{"name":"Mug","images":[{"src":"http://img.test/a.png"},{"src":"http://img.test/b.png"}],"in_stock":false}`
	for version, first := range map[string]string{
		"v2": "id name slug permalink date_created date_created_gmt date_modified date_modified_gmt type status ",
		"v1": "id name slug permalink date_created date_modified type status featured ",
	} {
		t.Run(version, func(t *testing.T) {
			s := s.in(t)
			made := s.Post("/shop/"+version+"/products", mug).Want(201)
			path := "/products/" + made.Get("id").String()
			made.HasHeader("Location", "http://shop.test/shop/"+version+path)
			got := s.Get("/shop/"+version+path).Want(200).
				HasNo("stock_status", "has_options", "global_unique_id", "low_stock_amount").
				Has("in_stock", false, "images.1.position", 1, "_links.self.0.href", "http://shop.test/shop/"+version+path)
			if fields := got.Fields(""); !strings.HasPrefix(fields, first) {
				t.Errorf("the fields are %s", fields)
			}
			s.Get("/shop/v3"+path).Has("stock_status", "outofstock")
		})
	}
	s.Get("/shop/v1/products?per_page=1").Has("0.date_on_sale_from", "", "0.download_type", "standard").
		HasNo("0.date_created_gmt", "0.images.0.date_created_gmt")
}

func TestLegacyProductsAreListedAndRefusedAsOthers(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Post("/shop/v3/products", `{"name":"Mug","stock_status":"outofstock"}`).Want(201)
	for _, version := range []string{"v2", "v1"} {
		base := "/shop/" + version + "/products"
		lists(t, s, base, "name", map[string]string{"in_stock=true": "", "in_stock=false&per_page=1": "Mug"})
		s.As("ck_mock_r", "cs_mock_r").Post(base, `{"name":"x"}`).Want(403)
		s.As("", "").Get(base).Want(401)
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
		t.Run(version, func(t *testing.T) {
			s, base := s.in(t), "/shop/"+version+"/products"
			id := s.Post(base, `{"name":"Shirt","type":"variable","attributes":[{"name":"Size","variation":true,"options":["S","M"]}]}`).
				Want(201).HasNo("attributes.0.slug").Get("id").String()
			path := base + "/" + id + "/variations"
			s.Post(path, `{"regular_price":"3","image":{"src":"http://img.test/s.png"},"attributes":[{"name":"Size","option":"S"}]}`).
				Want(201).Has("in_stock", true).HasNo("parent_id", "attributes.0.slug")
			s.Get(path+"?_fields=image").Has("0.image.src", "http://img.test/s.png")
			s.Get(path+"?in_stock=false").Has("#", 0)
			s.Post(base+"/batch", `{"create":[{"name":"A"}],"update":[{"id":`+id+`,"in_stock":true}]}`).
				Want(200).Has("create.0.in_stock", true, "update.0.in_stock", true).HasNo("update.0.stock_status")
			s.Post(base+"/categories", `{"name":"Of `+version+`"}`).Want(201)
			s.Get(base + "/attributes").Want(200)
			s.Get(base + "/tags").Want(200)
		})
	}
}
