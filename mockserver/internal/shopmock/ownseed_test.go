package shopmock_test

// Seeds of one's own: served, gone back to, and given to sandboxes.

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shopmock"
)

// productsAt names the products of a shop below an address.
func productsAt(shop *shopmock.Server, prefix string) string {
	var list []string
	answer := direct(shop, http.MethodGet, prefix+"/_mock/shop/v3/products?orderby=id&order=asc&per_page=100", "")
	for _, name := range gjson.GetBytes(answer.Body.Bytes(), "#.name").Array() {
		list = append(list, name.Str)
	}
	return strings.Join(list, ", ")
}

func TestAShopStartsFromItsOwnSeed(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.yaml")
	if err := os.WriteFile(file, []byte("products: {Tea: 4.50, Pot: 30}"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, options := range map[string]shopmock.Options{
		"file": {Seed: file}, "data": {SeedData: []byte(`{"products": {"Tea": 4.50, "Pot": 30}}`)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			shop := withoutSocket(t, options)
			if got := productsAt(shop, ""); got != "Tea, Pot" {
				t.Errorf("got %s", got)
			}
			direct(shop, http.MethodPost, "/_mock/shop/v3/products", `{"name": "Cup"}`)
			direct(shop, http.MethodPost, "/_mock/sandboxes", `{"name": "mine"}`)
			if mine, all := productsAt(shop, "/s/mine"), productsAt(shop, ""); mine != "Tea, Pot" || all != "Tea, Pot, Cup" {
				t.Errorf("the sandbox has %s, the shop %s", mine, all)
			}
			direct(shop, http.MethodPost, "/_mock/reset", "")
			if got := productsAt(shop, ""); got != "Tea, Pot" {
				t.Errorf("after a reset: %s", got)
			}
		})
	}
}

func TestASandboxStartsFromASeedThatIsSent(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	made := direct(shop, http.MethodPost, "/_mock/sandboxes", `{"name": "own", "seed": {"products": {"Tea": 4.50}}}`)
	if made.Code != http.StatusCreated || productsAt(shop, "/s/own") != "Tea" {
		t.Fatalf("%d %s, with %s", made.Code, made.Body, productsAt(shop, "/s/own"))
	}
	direct(shop, http.MethodPost, "/s/own/_mock/shop/v3/products", `{"name": "Cup"}`)
	direct(shop, http.MethodPost, "/s/own/_mock/reset", "")
	if got := productsAt(shop, "/s/own"); got != "Tea" {
		t.Errorf("after a reset: %s", got)
	}
	for name, body := range map[string]string{
		"a field that there is not": `{"name": "bad", "seed": {"product": []}}`,
		"a record that cannot be":   `{"name": "bad", "seed": {"products": [{"name": "A", "sku": "X"}, {"name": "B", "sku": "X"}]}}`,
		"no seed":                   `{"name": "bad", "seed": 7}`,
		"a list":                    `{"name": "bad", "seed": ["demo"]}`,
		"a name that there is not":  `{"name": "bad", "seed": "nope"}`,
		"a file":                    `{"name": "bad", "seed": "/etc/passwd"}`,
		"two origins":               `{"name": "bad", "seed": {"products": {}}, "clone": "."}`,
		"deep":                      `{"name": "bad", "seed": {"products": ` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}}`,
	} {
		answer := direct(shop, http.MethodPost, "/_mock/sandboxes", body)
		params := gjson.GetBytes(answer.Body.Bytes(), "data.params")
		if answer.Code != http.StatusBadRequest || !strings.Contains(params.Raw, "seed") {
			t.Errorf("%s: %d %.300s", name, answer.Code, answer.Body)
		}
	}
	if list := direct(shop, http.MethodGet, "/_mock/sandboxes", "").Body.String(); strings.Contains(list, `"name":"bad"`) {
		t.Errorf("a sandbox was made of what was refused: %s", list)
	}
}

func TestSeedsThatCannotBeStartNoShop(t *testing.T) {
	t.Parallel()
	for wanted, options := range map[string]shopmock.Options{
		"line 2":       {SeedData: []byte("\nproduct: {}")},
		"one seed":     {Seed: "demo", SeedData: []byte("products: {}")},
		"no seed":      {Seed: "nope"},
		"a scale of":   {Scale: "cups=3"},
		"order, demo?": {Seed: filepath.Join(t.TempDir(), "order, demo?")},
	} {
		if server, err := shopmock.New(options); err == nil || !strings.Contains(err.Error(), wanted) {
			t.Errorf("%+v gives %v, %v", options, server != nil, err)
		}
	}
}

func TestALargeShopAnswers(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{Scale: "products=400,orders=100"})
	for list, wanted := range map[string]string{
		"products": "400", "orders?status=any": "99", "orders?status=trash": "1", "customers?role=all": "25",
	} {
		if got := direct(shop, http.MethodGet, "/_mock/shop/v3/"+list, "").Header().Get("X-Shop-Total"); got != wanted {
			t.Errorf("%s: %s, want %s", list, got, wanted)
		}
	}
}
