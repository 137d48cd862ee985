// Package catalogue is the topic of the Store API's product endpoints: what visitors of the store see of the products.
package catalogue

import (
	"context"
	"fmt"
	"strconv"

	. "github.com/onsi/ginkgo/v2"
	"github.com/tidwall/gjson"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("products", t.list)
	Describe("product", t.one)
	Describe("prices", t.prices)
	Describe("visibility", t.visibility)
	Describe("paging", t.paging)
	Describe("roots", t.roots)
	Describe("root", t.filed)
	Describe("read-only", t.readOnly)
}

// topic groups the specs of the catalogue around their environment.
type topic struct{ *Env }

// managed: the spec makes products to find.
func managed() any { return Needs(contract.FeatureManagement) }

const products = "/products"

func productPath(id int64) string { return fmt.Sprintf("%s/%d", products, id) }

// found searches the store for a product by its name.
func (t topic) found(ctx context.Context, p Product) *client.Answer {
	return t.StoreGet(ctx, products, Query{"search": p.Name, "per_page": "100"})
}

// shown is the record of a given product in the store.
func (t topic) shown(ctx context.Context, options ...ProductOption) *client.Answer {
	return t.StoreGet(ctx, productPath(t.GivenProduct(ctx, options...).ID), nil)
}

func (t topic) list() {
	It("are listed as an array", Req("general.store-collections-are-arrays", "catalogue.products.list"), func(ctx SpecContext) {
		answer := t.StoreGet(ctx, products, nil)

		Expect(answer).To(HaveStatus(200))
		Expect(answer.JSON().IsArray()).To(BeTrue(), "whether the list is a JSON array")
	})

	It("have the documented fields", ReqShape(contract.StoreProduct()), Req("catalogue.products.shape"), managed(), func(ctx SpecContext) {
		list := t.found(ctx, t.GivenProduct(ctx))

		Expect(list).To(HaveJSON("#", 1))
		t.For("catalogue.products.shape").Expect(list).To(HaveMembers("0", contract.StoreProduct()))
	})

	It("hold a product that was published", Req("catalogue.products.list", "catalogue.products.search"), managed(), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		list := t.found(ctx, product)

		Expect(list).To(HaveStatus(200))
		Expect(list).To(HaveJSON("#.id", []int64{product.ID}))
		Expect(list).To(HaveJSON("0.name", product.Name))
		Expect(list).To(HaveJSON("0.sku", product.SKU))
	})

	It("are searched by a word of the name", Req("catalogue.products.search"), managed(), func(ctx SpecContext) {
		word := t.Word()
		Expect(t.StoreGet(ctx, products, Query{"search": word})).To(HaveJSON("#", 0))
		wanted := t.GivenProduct(ctx, With(Fields{"name": "Shopcheck " + word + " lamp"}))
		t.SharedProduct(ctx)

		Expect(t.StoreGet(ctx, products, Query{"search": word})).To(HaveJSON("#.id", []int64{wanted.ID}))
	})

	It("are none when nothing matches", Req("catalogue.products.search"), func(ctx SpecContext) {
		answer := t.StoreGet(ctx, products, Query{"search": t.Word()})

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("#", 0))
	})

	It("are read without authentication", Req("catalogue.products.no-authentication", "general.store-public"), func(ctx SpecContext) {
		Expect(t.StoreGet(ctx, products, nil)).To(HaveStatus(200))
	})
}

func (t topic) one() {
	It("is answered under its id", Req("catalogue.products.retrieve"), managed(), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)

		answer := t.StoreGet(ctx, productPath(product.ID), nil)

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("id", product.ID))
		Expect(answer).To(HaveJSON("name", product.Name))
		Expect(answer).To(HaveJSON("slug", product.Answer.Get("slug").String()))
		Expect(answer).To(HaveJSON("type", "simple"))
	})

	It("is answered under its slug or not", Req("catalogue.products.retrieve"), managed(), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)

		t.Observe("store-product.by-slug.status", t.StoreGet(ctx, products+"/"+product.Answer.Get("slug").String(), nil).Status)
	})

	It("is answered with 404 where there is none", Req("errors.not-found", "catalogue.products.unknown-code"),
		Needs(contract.FeatureStoreProducts), func(ctx SpecContext) {
			unknown := t.StoreGet(ctx, productPath(UnknownID), nil)

			Expect(unknown).To(BeErrorEnvelope("", 404))
			t.For("catalogue.products.unknown-code").Expect(unknown).To(BeErrorEnvelope("shop_rest_product_invalid_id"))
		})

	It("is gone when it was deleted", Req("errors.not-found", "catalogue.products.list"), managed(),
		Needs(contract.FeatureStoreProducts), func(ctx SpecContext) {
			product := t.GivenProduct(ctx)
			t.StoreGet(ctx, productPath(product.ID), nil)
			t.For("catalogue.products.list").Expect(t.found(ctx, product)).To(HaveJSON("#", 1))

			Expect(t.Products.ForceDelete(ctx, product.ID)).To(BeSuccess())

			Expect(t.StoreGet(ctx, productPath(product.ID), nil)).To(HaveStatus(404))
			t.For("catalogue.products.list").Expect(t.found(ctx, product)).To(HaveJSON("#", 0))
		})

	It("names its categories", Req("catalogue.products.shape"), managed(), func(ctx SpecContext) {
		category, _ := t.SharedTerms(ctx, "categories")

		answer := t.shown(ctx, With(Fields{"categories": []Fields{{"id": category.ID}}}))

		Expect(answer).To(HaveJSON("categories.#.id", []int64{category.ID}))
	})

	It("is the same in the list", Req("catalogue.products.one-record"), ReqPrefix("store-product.field.images"),
		ReqPrefix("store-product.field.categories"), managed(), func(ctx SpecContext) {
			category, _ := t.SharedTerms(ctx, "categories")
			for _, options := range []ProductOption{OnSale("20.50", "15.25"), Price("7.50")} {
				product := t.GivenProduct(ctx, options, With(Fields{"description": "Long text of " + t.Word(),
					"short_description": "Short text of " + t.Word(), "categories": []Fields{{"id": category.ID}}}))

				one := t.StoreGet(ctx, productPath(product.ID), nil)

				t.Agree("catalogue.products.one-record", t.found(ctx, product), fmt.Sprintf("#(id==%d).", product.ID), one.JSON(),
					contract.StoreProduct())
				for _, field := range []string{"id", "name", "slug", "type", "sku"} {
					Expect(one).To(HaveJSON(field, product.Answer.Get(field).Value()))
				}
			}
			shirt := t.SharedVariable(ctx)
			Expect(t.StoreGet(ctx, productPath(shirt.ID), nil)).To(HaveJSON("type", "variable"))
			Expect(t.found(ctx, shirt.Product)).To(HaveJSON(fmt.Sprintf("#(id==%d).type", shirt.ID), "variable"))
			if pictured, done := t.SharedPictured(ctx); done {
				pictures := pictured.Answer.Get("images.#").Int()
				Expect(t.StoreGet(ctx, productPath(pictured.ID), nil)).To(HaveJSON("images.#", pictures))
				Expect(t.found(ctx, pictured)).To(HaveJSON(fmt.Sprintf("#(id==%d).images.#", pictured.ID), pictures))
			}
		})

	It("has its texts", Req("catalogue.products.shape"), managed(), func(ctx SpecContext) {
		long, short := t.Word(), t.Word()

		answer := t.shown(ctx, With(Fields{"description": long, "short_description": short}))

		Expect(answer).To(HaveJSON("description", ContainSubstring(long)))
		Expect(answer).To(HaveJSON("short_description", ContainSubstring(short)))
	})
}

func (t topic) prices() {
	It("are counts of the smallest unit", Req("catalogue.products.prices", "general.store-money"), managed(), func(ctx SpecContext) {
		decimals := unitDecimals(t.shown(ctx))

		answer := t.shown(ctx, Untaxed(), Price(MajorUnits("12345", decimals)))

		Expect(answer).To(HaveJSON("prices.price", "12345"))
		Expect(answer).To(HaveJSON("prices.regular_price", "12345"))
	})

	It("of a product on sale are its regular and its sale price", Req("catalogue.products.prices"), managed(), func(ctx SpecContext) {
		decimals := unitDecimals(t.shown(ctx))

		answer := t.shown(ctx, Untaxed(), OnSale(MajorUnits("20511", decimals), MajorUnits("15257", decimals)))

		Expect(answer).To(HaveJSON("prices.price", "15257"))
		Expect(answer).To(HaveJSON("prices.sale_price", "15257"))
		Expect(answer).To(HaveJSON("prices.regular_price", "20511"))
	})

	It("follow an update of what was read before", Req("catalogue.products.prices"), managed(), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, Untaxed(), Price("10.00"))
		decimals := unitDecimals(t.StoreGet(ctx, productPath(product.ID), nil))
		t.found(ctx, product)

		t.Products.Update(ctx, product.ID, Fields{"regular_price": MajorUnits("12345", decimals)})

		Expect(t.StoreGet(ctx, productPath(product.ID), nil)).To(HaveJSON("prices.price", "12345"))
		Expect(t.found(ctx, product)).To(HaveJSON("0.prices.price", "12345"))
	})

	It("of a range are counts of the smallest unit, too", Req("general.store-money"), managed(), func(ctx SpecContext) {
		answer := t.StoreGet(ctx, productPath(t.SharedVariable(ctx).ID), nil)

		answer.Get("prices.price_range").ForEach(func(name, bound gjson.Result) bool { // its form is not documented
			if _, err := strconv.ParseFloat(bound.Str, 64); err == nil {
				Expect(answer).To(HaveJSON("prices.price_range."+name.Str, BeMinorUnits()))
			}
			return true
		})
	})

	It("are in the currency of the cart", Req("catalogue.products.prices"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		cart := t.SharedFilledCart(ctx)

		answer := t.StoreGet(ctx, productPath(product.ID), nil)

		for _, field := range []string{"currency_code", "currency_symbol", "currency_minor_unit"} {
			Expect(answer).To(HaveJSON("prices."+field, cart.Answer.Get("totals."+field).Value()))
		}
	})
}

// unitDecimals is the number of decimals that the prices of a product have.
func unitDecimals(product *client.Answer) int64 {
	return product.Get("prices.currency_minor_unit").Int()
}
