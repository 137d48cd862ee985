package shopmock_test

// _fields trims what every address shows.

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestEveryAddressShowsOnlyTheFieldsThatAreAskedFor(t *testing.T) {
	if testing.Short() {
		t.Skip("every field of every address, one after the other")
	}
	test := newBadInput(t)
	test.fillCart()
	addresses := resolver{shop: test, known: map[string][]string{}}
	tested := 0
	for _, api := range allAPIs() {
		paths := []string{"/" + api.Namespace}
		for i := range api.Endpoints() {
			if slices.Contains(api.Endpoints()[i].Methods, http.MethodGet) {
				paths = append(paths, addresses.find("/"+api.Namespace+api.Endpoints()[i].Path))
			}
		}
		for _, path := range paths {
			answer := test.Get(path)
			record := firstOf(answer.Body)
			if answer.Status != http.StatusOK || !record.IsObject() {
				continue
			}
			tested++
			names := keysOf(record)
			name := names[len(names)/2]
			for _, query := range []string{"?_fields=", "?_fields[]="} {
				trimmed := firstOf(test.Get(path + query + url.QueryEscape(name)).Body)
				got := slices.DeleteFunc(keysOf(trimmed), func(key string) bool { return key == "_links" && name != "_links" })
				if len(got) != 1 || got[0] != name || trimmed.Get(escaped(name)).Raw != record.Get(escaped(name)).Raw && name != "_links" {
					t.Errorf("%s%s%s: %.300s", path, query, name, trimmed.Raw)
				}
			}
		}
	}
	if tested < 100 {
		t.Errorf("only %d addresses were tested", tested)
	}
}

func TestFieldsOfStoreRecords(t *testing.T) {
	test := newBadInput(t)
	test.fillCart()
	for _, c := range []struct{ method, target, body, want string }{
		{"GET", "/shop/store/v1/products?include=1&_fields=id,prices.currency_code,images.nothing", "",
			`[{"id":1,"prices":{"currency_code":"USD"}}]`},
		{"GET", "/shop/store/v1/cart?_fields=items_count,totals.currency_minor_unit", "",
			`{"totals":{"currency_minor_unit":2},"items_count":2}`},
		{"POST", "/shop/store/v1/cart/add-item?_fields=items_count", `{"id":1,"quantity":1}`, `{"items_count":3}`},
		{"POST", "/shop/store/v1/cart/add-item?_fields=items_count", `{"id":1}`, ""}, // what is refused is told whole
	} {
		answer := test.Call(c.method, c.target, c.body)
		if got := answer.Body; c.want == "" && !isEnvelope(http.StatusBadRequest, got) || c.want != "" && got != c.want {
			t.Errorf("%s %s: %.300s, want %s", c.method, c.target, got, c.want)
		}
	}
}

// firstOf returns a record, or the first of a list.
func firstOf(text string) gjson.Result {
	record := gjson.Parse(text)
	if record.IsArray() {
		return record.Get("0")
	}
	return record
}

func keysOf(record gjson.Result) []string {
	var names []string
	record.ForEach(func(name, _ gjson.Result) bool {
		names = append(names, name.Str)
		return true
	})
	return names
}

// escaped is a key as a path of gjson.
func escaped(name string) string { return strings.NewReplacer(".", `\.`, "@", `\@`).Replace(name) }
