package products

// Creating products: the operation, each field of the body, the defaults, what is read-only.

import (
	"strings"

	. "github.com/onsi/ginkgo/v2"
	. "github.com/onsi/gomega"
	"github.com/tidwall/gjson"

	. "shopcheck/suites"
	"shopcheck/suites/contract"
	. "shopcheck/suites/expect"
	. "shopcheck/suites/stage"
)

func (t topic) create() {
	It("answers 201 with the record", Req("products.create", "collections.create-status", "general.method-post", "general.json-requests"), func(ctx SpecContext) {
		body := t.ProductBody()

		answer := t.Products.Create(ctx, body)

		Expect(answer).To(HaveStatus(201))
		Expect(answer).To(HaveJSON("name", body["name"]))
		Expect(t.Products.Get(ctx, answer.ID())).To(HaveJSON("name", body["name"]))
	})

	It("tells the record's address", Req("collections.location"), func(ctx SpecContext) {
		t.Observe("product-create.location", t.GivenProduct(ctx).Answer.Header.Get("Location") != "")
	})

	It("needs a name", Req("products.create.name-required"), func(ctx SpecContext) {
		body := t.ProductBody()
		delete(body, "name")

		Expect(t.Products.Create(ctx, body)).To(BeErrorEnvelope("shop_rest_product_name_required"))
	})

	It("refuses an unknown type", Req("products.create.unknown-type"), func(ctx SpecContext) {
		Expect(t.Products.Create(ctx, t.ProductBody(With(Fields{"type": "no-such-type"})))).To(BeErrorEnvelope("rest_invalid_param"))
	})

	It("gives a SKU to one product only", Req("products.sku-unique"), func(ctx SpecContext) {
		first, second := t.GivenProduct(ctx), t.GivenProduct(ctx)

		Expect(t.Products.Create(ctx, t.ProductBody(With(Fields{"sku": first.SKU})))).To(BeRefused())
		Expect(t.Products.Update(ctx, second.ID, Fields{"sku": first.SKU})).To(BeRefused())
	})

	It("makes a slug when none is given", Req("products.slug-from-name"), func(ctx SpecContext) {
		Expect(t.GivenProduct(ctx).Answer).To(HaveJSON("slug", BeNonEmpty()))
	})

	It("names a category in full that is given by its id", Req("products.categories-by-id"), func(ctx SpecContext) {
		category := t.GivenTerm(ctx, "categories")

		product := t.GivenProduct(ctx, With(Fields{"categories": []Fields{{"id": category.ID}}}))

		Expect(product.Answer).To(HaveJSON("categories.0.id", category.ID))
		Expect(product.Answer).To(HaveJSON("categories.0.name", category.Name))
		Expect(product.Answer).To(HaveJSON("categories.0.slug", BeNonEmpty()))
	})

	It("ignores or keeps a stock quantity without manage_stock", Req("products.stock-quantity-without-manage"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, With(Fields{"stock_quantity": 5}))

		t.Observe("product.stock-quantity-without-manage", product.Answer.Get("stock_quantity").Raw)
	})

	for field, value := range readOnlyValues() {
		It("does not let "+field+" be set", Req("products.read-only."+field), func(ctx SpecContext) {
			before := t.GivenProduct(ctx)

			t.Products.Update(ctx, before.ID, Fields{field: value})

			Expect(t.Products.Get(ctx, before.ID)).NotTo(HaveJSON(field, value))
		})
	}
}

// readOnlyValues are values that no product has by itself.
func readOnlyValues() map[string]any {
	return map[string]any{
		"id":            1 << 40,
		"permalink":     "https://example.test/elsewhere",
		"date_created":  "2001-02-03T04:05:06",
		"date_modified": "2001-02-03T04:05:06",
		"price":         "987654.32",
		"on_sale":       true,
	}
}

// fieldValue is a value to write, what else the body needs for it, and how the record shows it.
type fieldValue struct {
	value any
	with  Fields
	shown any // a value or matcher; nil: as written
	path  string
}

func (t topic) writableFields() {
	plain := fieldValues()
	for _, field := range contract.ProductWritable() {
		if value, ok := plain[field.Name]; ok {
			It("keeps "+field.Name, Req("products.create.field."+field.Name), func(ctx SpecContext) {
				t.keeps(ctx, field.Name, value)
			})
		}
	}

	It("keeps name, sku and slug", Req("products.create.field.name", "products.create.field.sku", "products.create.field.slug"), func(ctx SpecContext) {
		slug := t.Word()
		body := t.ProductBody(With(Fields{"slug": slug}))

		answer := t.Products.Create(ctx, body)

		Expect(answer).To(HaveJSON("name", body["name"]))
		t.For("products.create.field.sku").Expect(answer).To(HaveJSON("sku", body["sku"]))
		t.For("products.create.field.slug").Expect(answer).To(HaveJSON("slug", slug))
	})

	for field, collection := range map[string]string{"categories": "categories", "tags": "tags"} {
		It("keeps "+field, Req("products.create.field."+field), func(ctx SpecContext) {
			term := t.GivenTerm(ctx, collection)
			t.keeps(ctx, field, fieldValue{value: []Fields{{"id": term.ID}}, path: field + ".#.id", shown: []int64{term.ID}})
		})
	}
}

// keeps creates a product with a field and looks for it in the answer and in the stored record.
func (t topic) keeps(ctx SpecContext, name string, v fieldValue) {
	body := t.ProductBody(With(v.with), With(Fields{name: v.value}))
	path, shown := v.path, v.shown
	if path == "" {
		path = name
	}
	if shown == nil {
		shown = v.value
	}

	answer := t.Products.Create(ctx, body)

	Expect(answer).To(HaveJSON(path, shown))
	Expect(t.Products.Get(ctx, answer.ID())).To(HaveJSON(path, shown))
}

func fieldValues() map[string]fieldValue {
	return map[string]fieldValue{
		"type":               {value: "external"},
		"regular_price":      {value: "19.99", shown: EqualAmount("19.99")},
		"sale_price":         {value: "9.99", with: Fields{"regular_price": "19.99"}, shown: EqualAmount("9.99")},
		"description":        {value: "<p>Long text of shopcheck</p>", shown: ContainSubstring("Long text of shopcheck")},
		"short_description":  {value: "<p>Short text of shopcheck</p>", shown: ContainSubstring("Short text of shopcheck")},
		"manage_stock":       {value: true},
		"stock_quantity":     {value: 7, with: Fields{"manage_stock": true}},
		"stock_status":       {value: "outofstock"},
		"status":             {value: "draft"},
		"featured":           {value: true},
		"catalog_visibility": {value: "hidden"},
		"virtual":            {value: true},
		"downloadable":       {value: true},
		"tax_status":         {value: "none"},
		"backorders":         {value: "notify", with: Fields{"manage_stock": true}},
		"sold_individually":  {value: true},
		"weight":             {value: "1.5"},
		"dimensions": {value: Fields{"length": "1", "width": "2", "height": "3"},
			path: "[dimensions.length,dimensions.width,dimensions.height]", shown: []string{"1", "2", "3"}},
		"reviews_allowed": {value: false},
		"menu_order":      {value: 7},
		"meta_data":       {value: []Fields{{"key": "shopcheck", "value": "yes"}}, path: `meta_data.#(key=="shopcheck").value`, shown: "yes"},
	}
}

func (t topic) defaults() {
	for _, field := range contract.ProductWritable() {
		if field.Default == "" {
			continue
		}
		It("of "+field.Name+" is "+strings.Trim(field.Default, `"`), Req("products.default."+field.Name), func(ctx SpecContext) {
			answer := t.Products.Create(ctx, Fields{"name": t.Word()})

			Expect(answer).To(BeSuccess())
			Expect(answer).To(HaveJSON(field.Name, gjson.Parse(field.Default).Value()))
		})
	}
}
