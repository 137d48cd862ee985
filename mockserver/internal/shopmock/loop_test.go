package shopmock_test

import (
	"fmt"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/testkit"
)

// TestNoWebhookBringsItselfAbout registers webhooks whose deliveries would make the next record, or the next delivery.
func TestNoWebhookBringsItselfAbout(t *testing.T) {
	t.Parallel()
	for _, dialect := range []string{"/shop/v3", "/wp-json/wc/v3"} {
		for _, target := range []string{"/shop/v3/products", "/wp-json/wc/v3/products", "/_mock/deliveries/1/redeliver"} {
			t.Run(dialect+" to "+target, func(t *testing.T) {
				t.Parallel()
				shop := testkit.Open(t, testkit.Options{Socket: true})
				address := strings.Replace(shop.Server.URL(), "//", "//ck_mock_rw:cs_mock_rw@", 1) + target
				shop.Post(dialect+"/webhooks", fmt.Sprintf(`{"topic":"product.created","delivery_url":%q}`, address))
				shop.Post("/shop/v3/products", `{"name":"Ouroboros"}`)
				shop.Post("/_mock/deliveries/drain?timeout=1s", "")
				products := shop.Get("/shop/v3/products?search=Ouroboros").Get("#").Int()
				sent := shop.Get("/_mock/deliveries") // a ping comes first
				if products != 1 || sent.Get("#").Int() != 2 || sent.Get("1.reason").Str != "answered with status 508" {
					t.Errorf("%d products, deliveries: %.500s", products, sent.Body)
				}
			})
		}
	}
}
