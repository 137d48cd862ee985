package products

// Creating products: the operation, each field of the body, the defaults, what is read-only.

import (
	"fmt"
	"strings"

	. "github.com/onsi/ginkgo/v2"
	"github.com/tidwall/gjson"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) create() {
	It("answers 201 with the record", Req("products.create", "collections.create-status", "general.method-post", "general.json-requests"),
		func(ctx SpecContext) {
			body := t.ProductBody()

			answer := t.Products.Create(ctx, body)

			Expect(answer).To(HaveStatus(201))
			Expect(answer).To(HaveJSON("name", body["name"]))
			Expect(t.Products.Get(ctx, answer.ID())).To(HaveJSON("name", body["name"]))
		})

	It("tells the record's address", Req("collections.location"), func(ctx SpecContext) {
		t.Observe("product-create.location", t.SharedProduct(ctx).Answer.Header.Get("Location") != "")
	})

	It("needs a name", Req("products.create.name-required"), func(ctx SpecContext) {
		body := t.ProductBody()
		delete(body, "name")

		Expect(t.Products.Create(ctx, body)).To(BeErrorEnvelope("shop_rest_product_name_required"))
	})

	for _, field := range contract.ProductEnums() {
		for _, value := range field.Values {
			It("takes the "+field.Name+" "+value, Req("products.create.field."+field.Name), func(ctx SpecContext) {
				Expect(t.Products.Create(ctx, t.ProductBody(With(Fields{field.Name: value})))).To(HaveJSON(field.Name, value))
			})

			It("changes the "+field.Name+" to "+value, Req("products.update.field."+field.Name), func(ctx SpecContext) {
				product := t.GivenProduct(ctx)
				if product.Answer.Get(field.Name).String() == value {
					product = t.GivenProduct(ctx, With(Fields{field.Name: collection.OtherThan(value, field.Values...)}))
				}

				Expect(t.Products.Update(ctx, product.ID, Fields{field.Name: value})).To(HaveJSON(field.Name, value))
				Expect(t.Products.Get(ctx, product.ID)).To(HaveJSON(field.Name, value))
			})
		}

		It("refuses a "+field.Name+" that is not documented", Req(field.UnknownID()), func(ctx SpecContext) {
			product, unknown := t.GivenProduct(ctx), Fields{field.Name: "no-such-value"}
			body := t.ProductBody(With(unknown))

			Expect(t.Products.Create(ctx, body)).To(BeErrorEnvelope("rest_invalid_param"))
			Expect(t.Products.List(ctx, Query{"sku": body["sku"].(string)})).To(HaveJSON("#", 0))
			Expect(t.Products.Update(ctx, product.ID, unknown)).To(BeErrorEnvelope("rest_invalid_param"))
			Expect(t.Products.Get(ctx, product.ID)).To(HaveJSON(field.Name, product.Answer.Get(field.Name).Value()))
		})
	}

	It("takes prices of any size, and a stock of nothing", Req("products.create", "products.price-current"), func(ctx SpecContext) {
		for _, price := range []string{"0.00", "7", "1234567.80"} {
			stored := t.Products.Get(ctx, t.GivenProduct(ctx, Price(price)).ID)
			Expect(stored).To(HaveJSON("regular_price", EqualAmount(price)))
			t.For("products.price-current").Expect(stored).To(HaveJSON("price", EqualAmount(price)))
		}
		Expect(t.GivenProduct(ctx, InStock(0)).Answer).To(HaveJSON("stock_quantity", 0))
	})

	It("gives a SKU to one product only", Req("products.sku-unique"), func(ctx SpecContext) {
		first, second := t.SharedProduct(ctx), t.GivenProduct(ctx)

		Expect(t.Products.Create(ctx, t.ProductBody(With(Fields{"sku": first.SKU})))).To(BeRefused())
		Expect(t.Products.Update(ctx, second.ID, Fields{"sku": first.SKU})).To(BeRefused())
		later := t.Word()
		Expect(t.Products.Update(ctx, second.ID, Fields{"sku": later})).To(BeSuccess())
		Expect(t.Products.Create(ctx, t.ProductBody(With(Fields{"sku": second.SKU})))).To(HaveStatus(201)) // no other product has it now
		Expect(t.Products.ForceDelete(ctx, second.ID)).To(BeSuccess())
		Expect(t.Products.Create(ctx, t.ProductBody(With(Fields{"sku": later})))).To(HaveStatus(201))
	})

	It("makes a slug when none is given", Req("products.slug-from-name"), func(ctx SpecContext) {
		Expect(t.SharedProduct(ctx).Answer).To(HaveJSON("slug", BeNonEmpty()))
	})

	It("names a category in full that is given by its id", Req("products.categories-by-id"), func(ctx SpecContext) {
		category, other := t.SharedTerms(ctx, "categories")

		product := t.GivenProduct(ctx, With(Fields{"categories": []Fields{{"id": category.ID}, {"id": other.ID}}}))

		Expect(product.Answer).To(HaveJSON("categories.#.id", BeInAnyOrder(category.ID, other.ID)))
		for _, term := range []Term{category, other} {
			Expect(product.Answer).To(HaveJSON(fmt.Sprintf("categories.#(id==%d).name", term.ID), term.Name))
		}
		Expect(product.Answer).To(HaveJSON("categories.0.slug", BeNonEmpty()))
	})

	It("ignores or keeps a stock quantity without manage_stock", Req("products.stock-quantity-without-manage"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, With(Fields{"stock_quantity": 5}))

		t.Observe("product.stock-quantity-without-manage", product.Answer.Get("stock_quantity").Raw)
	})
}

// readOnlyValues are values that no product has by itself.
func readOnlyValues() map[string]any {
	return map[string]any{
		"id":            1 << 40,
		"permalink":     "https://example.test/elsewhere",
		"date_created":  collection.LongAgo,
		"date_modified": collection.LongAgo,
		"price":         "987654.32",
		"on_sale":       true,
	}
}

// values are values for the fields of a create body, none of them a default.
func (t topic) values() map[string]collection.Value {
	return map[string]collection.Value{
		"name":               {Made: t.word},
		"sku":                {Made: t.word},
		"slug":               {Made: t.word},
		"type":               {Alone: true, Sent: "external"},
		"regular_price":      {Sent: "19.99", Shown: EqualAmount("19.99")},
		"sale_price":         {Sent: "1009.99", With: Fields{"regular_price": "1019.99"}, Shown: EqualAmount("1009.99")},
		"description":        {Sent: "<p>Long <em>text</em> of shopcheck</p>", Shown: ContainSubstring("Long <em>text</em> of shopcheck")},
		"short_description":  {Sent: "<p>Short <em>text</em> of shopcheck</p>", Shown: ContainSubstring("Short <em>text</em>")},
		"manage_stock":       {Sent: true},
		"stock_quantity":     {Sent: 7, With: Fields{"manage_stock": true}},
		"stock_status":       {Alone: true, Sent: "outofstock"},
		"categories":         {Alone: true, Made: func(ctx SpecContext) collection.Value { return t.term(ctx, "categories") }},
		"status":             {Alone: true, Sent: "draft"},
		"featured":           {Sent: true},
		"catalog_visibility": {Sent: "hidden"},
		"tags":               {Alone: true, Made: func(ctx SpecContext) collection.Value { return t.term(ctx, "tags") }},
		"virtual":            {Alone: true, Sent: true},
		"downloadable":       {Sent: true},
		"tax_status":         {Sent: "none"},
		"backorders":         {Sent: "notify", With: Fields{"manage_stock": true}},
		"sold_individually":  {Sent: true},
		"weight":             {Sent: "1.5"},
		"dimensions": {Sent: Fields{"length": "1", "width": "2", "height": "3"},
			Path: "[dimensions.length,dimensions.width,dimensions.height]", Shown: []string{"1", "2", "3"}},
		"reviews_allowed": {Sent: false},
		"menu_order":      {Sent: 7},
		"meta_data": {Sent: []Fields{{"key": "shopcheck", "value": "yes"}}, Path: `meta_data.#(key=="shopcheck").value`,
			Shown: "yes"},
		"downloads":        {Alone: true, Made: t.download},
		"download_limit":   {Sent: 3, With: Fields{"downloadable": true}},
		"download_expiry":  {Sent: 30, With: Fields{"downloadable": true}},
		"grouped_products": {Alone: true, Made: t.grouped},
		"attributes":       {Sent: ownAttribute(), Path: "attributes.0.options", Shown: []string{"Red", "Blue"}},
		"default_attributes": {Alone: true, Sent: []Fields{{"name": "Color", "option": "Red"}}, Path: "default_attributes.#.option",
			Shown: []string{"Red"},
			With:  Fields{"type": "variable", "attributes": ownAttribute()}},
	}
}

// ownAttribute is an attribute that only one product has, for its variations.
func ownAttribute() []Fields {
	return []Fields{{"name": "Color", "options": []string{"Red", "Blue"}, "visible": true, "variation": true}}
}

func (t topic) word(SpecContext) collection.Value { return collection.Value{Sent: t.Word()} }

// term is two categories or tags, given by their ids.
func (t topic) term(ctx SpecContext, kind string) collection.Value {
	one, other := t.SharedTerms(ctx, kind)
	if one.ID == other.ID {
		return collection.Value{Sent: []Fields{{"id": one.ID}}, Path: kind + ".#.id", Shown: []int64{one.ID}}
	}
	return collection.Value{Sent: []Fields{{"id": one.ID}, {"id": other.ID}}, Path: kind + ".#.id", Shown: BeInAnyOrder(one.ID, other.ID)}
}

// download is a file to download. Some shops take only what they hold themselves: a picture of theirs.
func (t topic) download(ctx SpecContext) collection.Value {
	file := t.Download(ctx)
	return collection.Value{Sent: []Fields{file}, Path: "downloads.0.name", Shown: file["name"], With: Fields{"downloadable": true}}
}

func (t topic) grouped(ctx SpecContext) collection.Value {
	return collection.Value{Sent: []int64{t.SharedProduct(ctx).ID}, With: Fields{"type": "grouped"}}
}

func (t topic) defaults() {
	for _, field := range contract.ProductWritable() {
		if field.Default == "" {
			continue
		}
		It("of "+field.Name+" is "+strings.Trim(field.Default, `"`), Req("products.default."+field.Name), func(ctx SpecContext) {
			named := Share(t.Env, "product of a name alone", func() Product { return t.GivenNamed(ctx) })

			Expect(named.Answer).To(HaveJSON(field.Name, gjson.Parse(field.Default).Value()))
		})
	}
}
