package shopmock_test

// Records can be sent back as they were read: an app that reads a record, changes one field and writes the whole must change
// nothing else.

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// moves are fields that a save works out anew.
var moves = map[string]bool{"date_modified": true, "date_modified_gmt": true, "related_ids": true}

func TestRecordsCanBeSentBack(t *testing.T) {
	test := newBadInput(t)
	read := func(path string) gjson.Result {
		answer := test.Get(path)
		if answer.Status != http.StatusOK {
			t.Fatalf("%s: %d %s", path, answer.Status, answer.Body)
		}
		return answer.Result
	}
	lists := []string{"/products?", "/orders?", "/customers?", "/coupons?", "/taxes?", "/products/categories?", "/products/tags?",
		"/products/brands?",
		"/products/shipping_classes?", "/products/attributes?", "/products/reviews?status=all&"}
	for _, parent := range read("/shop/v3/products?type=variable&per_page=100").Array() {
		lists = append(lists, "/products/"+parent.Get("id").String()+"/variations?")
	}
	for _, attribute := range read("/shop/v3/products/attributes").Array() {
		lists = append(lists, "/products/attributes/"+attribute.Get("id").String()+"/terms?")
	}
	for _, list := range lists {
		collection, _, _ := strings.Cut(list, "?")
		records := read("/shop/v3" + list + "per_page=100").Array()
		if len(records) == 0 {
			t.Errorf("%s is empty", collection)
		}
		for _, listed := range records {
			path := "/shop/v3" + collection + "/" + listed.Get("id").String()
			before := read(path)
			if answer := test.Call(http.MethodPut, path, before.Raw); answer.Status != http.StatusOK {
				t.Errorf("%s, sent back: %d %s", path, answer.Status, answer.Body)
			}
			after := read(path)
			before.ForEach(func(name, value gjson.Result) bool {
				if got := after.Get(name.String()).Raw; !moves[name.String()] && got != value.Raw {
					t.Errorf("%s: %s was %s, and is %s after it was sent back", path, name, value.Raw, got)
				}
				return true
			})
		}
	}
}
