package shopmock_test

// The links that records carry lead somewhere.

import (
	"net/http"
	"shopcheck/mockserver/internal/testkit"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestLinksOfRecordsLeadSomewhere(t *testing.T) {
	shop := testkit.Open(t, testkit.Options{})
	kinds := map[string]map[string]bool{} // name of the field → links
	lists := []string{
		"/shop/store/v1/products?per_page=100", "/shop/store/v1/products?type=variation&per_page=100",
		"/shop/store/v1/products/categories?per_page=100",
		"/shop/store/v1/products/brands", "/shop/v3/products?status=publish&per_page=100", "/shop/v3/products/23/variations",
		"/shop/v3/orders?per_page=100",
	}
	for _, id := range shop.Get("/shop/v3/customers?per_page=100").Get("#.id").Array() {
		lists = append(lists, "/shop/v3/customers/"+id.String()+"/downloads")
	}
	for _, list := range lists {
		answer := shop.Get(list)
		if answer.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", list, answer.Status, answer.Body)
		}
		collectLinks(answer.Result, kinds)
	}
	for _, kind := range []string{"permalink", "link", "src", "payment_url", "file", "download_url"} {
		if len(kinds[kind]) == 0 {
			t.Errorf("no record has a %s", kind)
		}
		for link := range kinds[kind] {
			if code := shop.Get(link).Status; code != http.StatusOK && code != http.StatusSeeOther {
				t.Errorf("%s %s: %d", kind, link, code)
			}
		}
	}
}

// collectLinks finds the site's addresses in a record, by the name of their field. Downloads that expire are left out: theirs
// may have expired.
func collectLinks(record gjson.Result, into map[string]map[string]bool) {
	if expires := record.Get("access_expires"); expires.Exists() && expires.String() != "never" {
		return
	}
	record.ForEach(func(name, value gjson.Result) bool {
		switch {
		case value.IsObject() || value.IsArray():
			if name.String() != "_links" {
				collectLinks(value, into)
			}
		case strings.HasPrefix(value.String(), testkit.Site+"/"):
			if into[name.String()] == nil {
				into[name.String()] = map[string]bool{}
			}
			into[name.String()][value.String()] = true
		}
		return true
	})
}
