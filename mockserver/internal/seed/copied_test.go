package seed_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/seed"
	"shopcheck/mockserver/internal/shop"
)

var today = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func TestACopyIsServedUnderItsOwnIDs(t *testing.T) {
	t.Parallel()
	made, err := seed.Open(seed.Source{Data: []byte(`{
	"shopmock_copy": 1,
	"settings": [{"group": "general", "id": "shop_currency", "value": "EUR"}, {"group": "general", "id": "of_a_plugin", "value": "x"}],
	"tax_classes": [{"slug": "standard", "name": "Standard"}],
	"categories": [{"id": 40, "name": "Mugs", "slug": "mugs", "parent": 41}, {"id": 41, "name": "Kitchen", "slug": "kitchen", "parent": 0}],
	"products": [
		{"id": 900, "name": "Set", "slug": "set", "type": "grouped", "grouped_products": [901], "date_created_gmt": "2020-02-03T04:05:06"},
		{"id": 901, "name": "Mug", "slug": "mug", "type": "simple", "regular_price": 12.5, "sku": "M", "categories": [{"id": 40}],
		 "total_sales": "7", "date_modified_gmt": "2021-02-03T04:05:06", "meta_data": [{"id": 77, "key": "colour", "value": "red"}]},
		{"id": 902, "name": "Shirt", "slug": "shirt", "type": "variable",
		 "attributes": [{"name": "Size", "variation": true, "options": ["S"]}]}],
	"variations": [{"id": 903, "product_id": 902, "regular_price": "20", "sku": "", "attributes": [{"name": "Size", "option": "S"}]}],
	"customers": [{"id": 1, "email": "ada@example.test", "first_name": "Ada"}],
	"orders": [{"id": 950, "status": "completed", "currency": "EUR", "total": "13.10", "date_created_gmt": "2021-05-05T01:02:03",
		"customer_id": 1, "line_items": [{"id": 5, "product_id": 901, "quantity": 1, "total": "12.50", "name": "Mug"}]}],
	"refunds": [{"id": 951, "parent_id": 950, "amount": "1.10", "date_created_gmt": "2021-05-06T01:02:03"}]
}`)}, today)
	if err != nil || len(made.Notes()) > 0 {
		t.Fatal(err, made.Notes())
	}
	state, err := made.State(today)
	if err != nil {
		t.Fatal(err)
	}
	mug, _ := state.Products.Get(901)
	set, _ := state.Products.Get(900)
	shirt, _ := state.Products.Get(902)
	mugs, _ := state.Terms.Get(40)
	order, _ := state.Orders.Get(950)
	buyer, _ := state.Customers.Get(1)
	for what, right := range map[string]bool{
		"the settings":    state.Config.Currency == "EUR",
		"the category":    mugs.ParentID == 41 && mugs.Slug == "mugs",
		"the mug":         mug.Price == "12.5" && mug.TotalSales == 7 && slices.Equal(mug.CategoryIDs, []int64{40}),
		"its dates":       mug.Modified.Equal(time.Date(2021, 2, 3, 4, 5, 6, 0, time.UTC)) && set.Created.Year() == 2020,
		"its meta data":   len(mug.Extra().Meta) == 1 && mug.Extra().Meta[0] == shop.Meta{ID: 77, Key: "colour", Value: `"red"`},
		"the set's price": set.Prices.Min.String() == "12.5",
		"the shirt":       shirt.Price == "20",
		"the order":       order.Totals.Total.String() == "13.1" && order.CustomerID == 1 && strings.HasPrefix(order.Key, "order_"),
		"its refund":      len(order.Refunds) == 1 && order.Refunds[0].Amount.String() == "1.1",
		"the buyer":       buyer.FirstName == "Ada" && buyer.Role == "customer",
		"the shop's own":  state.Customers.Len() == 2 && state.Keys.Len() == 4 && state.Zones.Len() == 1 && state.Gateways.Len() == 4,
		"what comes next": state.LastID.Post == 951 && state.LastID.Term >= 41 && state.LastID.Meta == 77 && state.LastID.Line == 5,
	} {
		if !right {
			t.Errorf("%s came otherwise", what)
		}
	}
}

func TestWhatDoesNotFitIsLeftOutOfACopy(t *testing.T) {
	t.Parallel()
	made, err := seed.Open(seed.Source{Data: []byte(`{"shopmock_copy": 1,
"products": [
{"id": 9, "name": "Mug"},
{"id": 9, "name": "Other"},
{"name": "None"},
{"id": 10, "name": "Mug", "sku": "A", "regular_price": "-3"},
{"id": 11, "name": "Jug", "shipping_class": "heavy"},
"text"],
"variations": [{"id": 12, "product_id": 13}],
"categories": [{"id": 1, "name": "A", "parent": 2}, {"id": 2, "name": "B", "parent": 1}],
"orders": [{"id": 20, "status": "completed", "currency": "EUR", "total": "a lot", "date_created_gmt": "2021-05-05T01:02:03"}, {"id": 21}],
"refunds": [{"id": 22, "parent_id": 20, "amount": "1"}]
}`)}, today)
	if err != nil {
		t.Fatal(err)
	}
	notes := strings.Join(made.Notes(), "\n")
	for _, wanted := range []string{
		"line 4: product 9 is left out: another record has its id", "line 5: product  is left out: it has no id",
		"line 6: product 10 is left out: regular_price must be", `line 7: product 11 is left out: There is no shipping class "heavy".`,
		"line 8: product  is left out", "line 9: variation 12 is left out: There is no product 13.", "category 1 is left out",
		"category 2 is left out", "line 11: order 20 is left out: total must be an amount", "order 21 is left out", "refund 22 is left out",
	} {
		if !strings.Contains(notes, wanted) {
			t.Errorf("nothing says %q", wanted)
		}
	}
	if len(made.Notes()) != 11 {
		t.Errorf("told:\n%s", notes)
	}
}

func TestDocumentsThatAreNoCopy(t *testing.T) {
	t.Parallel()
	for document, wanted := range map[string]string{
		`{"shopmock_copy": 2}`:                          "line 1: this copy has the layout 2, and only 1 can be read",
		"{\"shopmock_copy\": 1,\n\"products\": 7\n}":    "line 2: products must be a list",
		"{\"shopmock_copy\": 1,\n\"prodcts\": []\n}":    `line 2: a copy has no list "prodcts"`,
		"{\"shopmock_copy\": 1,\n\"products\": [}\n":    "line 2: ",
		"{\"shopmock_copy\": 1, \"products\": []}\n{}":  "line 2: ",
		`{"products": {"Tea": 4}, "shopmock_copy": 1}`:  `there is no "shopmock_copy"`,
		`{"shopmock_copy": 1, "products": [{"id": 1}]}`: "",
	} {
		_, err := seed.Open(seed.Source{Data: []byte(document)}, today)
		if wanted == "" && err != nil || wanted != "" && (err == nil || !strings.Contains(err.Error(), wanted)) {
			t.Errorf("%s gives %v", document, err)
		}
	}
	_, err := seed.Open(seed.Source{Data: []byte(`{"shopmock_copy": 1}`), Scale: "products=5"}, today)
	if err == nil || !strings.Contains(err.Error(), "leave the scale out") {
		t.Errorf("a scaled copy gives %v", err)
	}
}
