package management_test

import (
	"net/http"
	"strconv"
	"strings"
	"testing"

	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

const orderHook = `{"name":"W","topic":"order.created","delivery_url":"http://127.0.0.1:37643/hook","secret":"s3cret"}`

func TestWebhooksAreRegisteredChangedAndDeleted(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)

	made := s.Post("/shop/v3/webhooks", orderHook).Want(http.StatusCreated)
	const want = `{"id":1,"name":"W","status":"active","topic":"order.created","resource":"order","event":"created",` +
		`"hooks":["shop_new_order"],` +
		`"delivery_url":"http://127.0.0.1:37643/hook","date_created":"2026-03-01T12:00:00","date_created_gmt":"2026-03-01T12:00:00",` +
		`"date_modified":"2026-03-01T12:00:00","date_modified_gmt":"2026-03-01T12:00:00",` +
		`"_links":{"self":[{"href":"http://shop.test/shop/v3/webhooks/1","targetHints":{"allow":["GET","POST","PUT","PATCH",` +
		`"DELETE"]}}],"collection":[{"href":"http://shop.test/shop/v3/webhooks"}]}}`
	unchanged := strings.NewReplacer(`"date_modified":"2026-03-01T12:00:00"`, `"date_modified":null`,
		`"date_modified_gmt":"2026-03-01T12:00:00"`, `"date_modified_gmt":null`).Replace(want)
	if made.Body != unchanged {
		t.Errorf("created\n%s\nwant\n%s", made.Body, unchanged)
	}
	if got := made.Header.Get("Location"); got != "http://shop.test/shop/v3/webhooks/1" {
		t.Errorf("Location %q", got)
	}
	if got := s.Get("/shop/v3/webhooks/1").Want(http.StatusOK); got.Body != want {
		t.Errorf("retrieved\n%s\nwant\n%s", got.Body, want)
	}

	s.Call("PUT", "/shop/v3/webhooks/1", `{"status":"paused"}`).Want(http.StatusOK).Has("status", "paused", "topic", "order.created")
	s.Refuses(http.StatusNotImplemented, "shop_rest_trash_not_supported", "DELETE", "/shop/v3/webhooks/1", "")
	s.Call("DELETE", "/shop/v3/webhooks/1?force=true", "").Want(http.StatusOK).Has("status", "paused")
	s.Refuses(http.StatusNotFound, "shop_rest_shop_webhook_invalid_id", "GET", "/shop/v3/webhooks/1", "")
}

func TestWebhooksThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Post("/shop/v3/webhooks", orderHook).Want(http.StatusCreated)
	for _, c := range []struct{ name, method, path, body, code string }{
		{"unknown topic", "POST", "", `{"topic":"nope","delivery_url":"http://127.0.0.1/x"}`, "shop_rest_shop_webhook_invalid_topic"},
		{"unknown event", "POST", "", `{"topic":"order.eaten","delivery_url":"http://127.0.0.1/x"}`,
			"shop_rest_shop_webhook_invalid_topic"},
		{"hook without a name", "POST", "", `{"topic":"action.","delivery_url":"http://127.0.0.1/x"}`,
			"shop_rest_shop_webhook_invalid_topic"},
		{"hook with a line break", "POST", "", `{"topic":"action.a\nb","delivery_url":"http://127.0.0.1/x"}`,
			"shop_rest_shop_webhook_invalid_topic"},
		{"no topic", "POST", "", `{"delivery_url":"http://127.0.0.1/x"}`, "rest_missing_callback_param"},
		{"no address", "POST", "", `{"topic":"order.created"}`, "rest_missing_callback_param"},
		{"other scheme", "POST", "", `{"topic":"order.created","delivery_url":"ftp://x"}`, "shop_rest_shop_webhook_invalid_delivery_url"},
		{"no host", "POST", "", `{"topic":"order.created","delivery_url":"http:///x"}`, "shop_rest_shop_webhook_invalid_delivery_url"},
		{"endless address", "POST", "", `{"topic":"order.created","delivery_url":"http://x/` + strings.Repeat("a", 3000) + `"}`,
			"shop_rest_shop_webhook_invalid_delivery_url"},
		{"unknown status", "PUT", "/1", `{"status":"nope"}`, "rest_invalid_param"},
		{"change to an unknown topic", "PUT", "/1", `{"topic":"nope"}`, "shop_rest_shop_webhook_invalid_topic"},
		{"change to another scheme", "PUT", "/1", `{"delivery_url":"mailto:a@b.c"}`, "shop_rest_shop_webhook_invalid_delivery_url"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.In(t).Refuses(http.StatusBadRequest, c.code, c.method, "/shop/v3/webhooks"+c.path, c.body)
		})
	}
}

func TestWebhookGetsANameAndASecret(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	made := s.Post("/shop/v3/webhooks", `{"topic":"action.shop_new_order","delivery_url":"https://hooks.example/x"}`).
		Want(http.StatusCreated).Has("resource", "action", "event", "shop_new_order", "hooks.0", "shop_new_order")
	secret := s.webhook(1).Secret
	if made.Get("name").String() == "" || len(secret) < 40 {
		t.Errorf("the name is %s, the secret %q", made.Get("name"), secret)
	}
	for _, path := range []string{"/shop/v3/webhooks/1?context=edit", "/shop/v3/webhooks?_fields=secret", "/shop/v2/webhooks/1"} {
		if shown := s.Get(path).Want(http.StatusOK); strings.Contains(shown.Body, secret) {
			t.Errorf("%s shows the secret: %s", path, shown.Body)
		}
	}
	for _, c := range [][2]string{{"", secret}, {"new", "new"}} { // an empty one replaces nothing
		t.Run("changed to "+c[0], func(t *testing.T) {
			s.In(t).Call("PUT", "/shop/v3/webhooks/1", `{"secret":"`+c[0]+`"}`).Want(http.StatusOK)
			if got := s.webhook(1).Secret; got != c[1] {
				t.Errorf("the secret is %q, want %q", got, c[1])
			}
		})
	}
}

func (s *testShop) webhook(id int64) *shop.Webhook {
	s.T.Helper()
	w, err := s.Read().WebhookByID(id)
	if err != nil {
		s.T.Fatal(err)
	}
	return w
}

func TestWebhooksAreListedByStatusNameAndBatch(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Post("/shop/v3/webhooks/batch", `{"create":[
		{"name":"B","topic":"order.created","delivery_url":"http://a.example"},
		{"name":"A","topic":"order.updated","delivery_url":"http://a.example","status":"paused"},
		{"name":"C","topic":"nope","delivery_url":"http://a.example"}]}`).
		Want(http.StatusOK).Has("create.2.error.code", "shop_rest_shop_webhook_invalid_topic")
	lists(t, s, "/shop/v3/webhooks", "name", map[string]string{
		"":                        "A B",
		"orderby=title":           "B A",
		"orderby=id&order=asc":    "B A",
		"status=paused":           "A",
		"status=disabled":         "",
		"search=b":                "B",
		"include=1":               "B",
		"after=2026-03-02":        "",
		"per_page=1&orderby=id":   "A",
		"exclude=2&status=active": "B",
	})
}

func TestOldestVersionShowsWebhooksWithoutGMTDates(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Post("/shop/v1/webhooks", orderHook).Want(http.StatusCreated)
	s.Get("/shop/v1/webhooks/1").Want(http.StatusOK).Has("date_created", "2026-03-01T12:00:00").HasNo("date_created_gmt")
}

func TestPayloadIsWhatAGetShows(t *testing.T) {
	t.Parallel()
	s := newTestShop(t, nil)
	s.Post("/shop/v3/products", `{"name":"Mug <&> 'ü'","regular_price":"12"}`).Want(http.StatusCreated)
	id := s.Get("/shop/v3/products").Want(http.StatusOK).Get("0.id").Int()
	got, err := management.Payload(s.Read(), rest.Site{Home: "http://shop.test", Root: "http://shop.test"},
		shop.Event{Resource: "product", Action: "created", ID: id})
	if err != nil {
		t.Fatal(err)
	}
	if want := s.Get("/shop/v3/products/" + strconv.FormatInt(id, 10)).Body; string(got) != want {
		t.Errorf("payload\n%s\nwant\n%s", got, want)
	}
}
