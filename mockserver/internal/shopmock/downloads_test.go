package shopmock_test

// Files that are bought can be fetched as often as the product says.

import (
	"net/http"
	"testing"

	"github.com/tidwall/gjson"
)

func TestDownloadsAreCounted(t *testing.T) {
	test := newBadInput(t)
	made := func(path, body string) gjson.Result {
		answer := test.Post("/shop/v3/"+path, body)
		if answer.Status != http.StatusCreated {
			t.Fatalf("%s: %d %s", path, answer.Status, answer.Body)
		}
		return answer.Result
	}
	customer := made("customers", `{"email":"reader@shop.example"}`).Get("id").String()
	limited := made("products", `{"name":"Book","virtual":true,"downloadable":true,"download_limit":2,"downloads":[{"name":"A",`+
		`"file":"/downloads/a.pdf"},{"name":"B","file":"/downloads/b.pdf"}]}`).Get("id").String()
	free := made("products",
		`{"name":"Song","virtual":true,"downloadable":true,"downloads":[{"name":"C","file":"/downloads/c.mp3"}]}`).Get("id").String()
	made("orders", `{"customer_id":`+customer+`,"set_paid":true,"billing":{"email":"reader@shop.example"},"line_items":[{"product_id":`+
		limited+`,"quantity":1},{"product_id":`+free+`,"quantity":1}]}`)
	downloads := func() gjson.Result {
		return test.Get("/shop/v3/customers/" + customer + "/downloads").Result
	}
	remain := func(want string) {
		t.Helper()
		if got := downloads().Get("#.downloads_remaining").Raw; got != want {
			t.Errorf("downloads_remaining: %s, want %s", got, want)
		}
	}
	fetch := func(method string, at, status int) {
		t.Helper()
		link := downloads().Array()[at].Get("download_url").Str
		if answer := test.Call(method, link, ""); answer.Status != status {
			t.Errorf("%s %s: %d, want %d", method, link, answer.Status, status)
		}
	}
	remain(`["2","2","unlimited"]`)
	fetch(http.MethodHead, 0, http.StatusSeeOther)
	remain(`["2","2","unlimited"]`)
	fetch(http.MethodGet, 0, http.StatusSeeOther)
	fetch(http.MethodGet, 2, http.StatusSeeOther)
	remain(`["1","2","unlimited"]`)
	fetch(http.MethodGet, 0, http.StatusSeeOther)
	remain(`["0","2","unlimited"]`)
	fetch(http.MethodGet, 0, http.StatusNotFound)
	fetch(http.MethodHead, 0, http.StatusNotFound)
	remain(`["0","2","unlimited"]`)
	fetch(http.MethodGet, 1, http.StatusSeeOther)
	fetch(http.MethodGet, 2, http.StatusSeeOther)
	remain(`["0","1","unlimited"]`)
}
