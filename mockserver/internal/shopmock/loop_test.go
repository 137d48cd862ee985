package shopmock_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

// TestNoWebhookBringsItselfAbout registers webhooks whose deliveries would make the next record, or the next delivery.
func TestNoWebhookBringsItselfAbout(t *testing.T) {
	t.Parallel()
	own := parcelDialect(t)
	for _, dialect := range []string{"/shop/v3", "/wp-json/wc/v3", "/shop/shop/v2"} {
		for _, target := range []string{"/shop/v3/products", "/wp-json/wc/v3/products", "/_mock/deliveries/1/redeliver"} {
			t.Run(dialect+" to "+target, func(t *testing.T) {
				t.Parallel()
				shop := testkit.Open(t, testkit.Options{Socket: true, Server: shopmock.Options{Dialect: own}})
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

// parcelDialect is a file of a dialect whose deliveries are not known by the end of the header's name.
func parcelDialect(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(awkwardDialect)
	if err != nil {
		t.Fatal(err)
	}
	const name = "X-Shop-Webhook-Delivery-ID: "
	renamed := strings.Replace(string(text), name+"X-Shop-Webhook-ID", name+"X-Parcel", 1)
	renamed = strings.Replace(renamed, "X-Shop-Webhook-ID: X-Shop-Webhook-Delivery-ID", "X-Shop-Webhook-ID: X-Webhook", 1)
	file := filepath.Join(t.TempDir(), "parcel.yaml")
	if err := os.WriteFile(file, []byte(renamed), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}
