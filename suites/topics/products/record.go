package products

// The product record itself: every documented field, and what is true of several of them.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) record() {
	It("has every documented field in its type", ReqShape(contract.Product()), func(ctx SpecContext) {
		category, _ := t.SharedTerms(ctx, "categories")
		tag, _ := t.SharedTerms(ctx, "tags")
		product := t.GivenProduct(ctx, OnSale("20.00", "15.00"), InStock(3), With(Fields{
			"categories": []Fields{{"id": category.ID}},
			"tags":       []Fields{{"id": tag.ID}},
		}))

		Expect(t.Products.Get(ctx, product.ID)).To(MatchShape(contract.Product()))
		if pictured, ok := t.SharedPictured(ctx); ok {
			Expect(t.Products.Get(ctx, pictured.ID)).To(MatchShape(contract.Product()))
		}
	})

	It("carries its images as records", Req("products.images-by-src", "product.field.images.id", "product.field.images.src"),
		func(ctx SpecContext) {
			answer := t.pictured(ctx)

			Expect(answer).To(HaveJSON("images.#", 1))
			Expect(answer).To(HaveJSON("images.0.src", BeNonEmpty()))
		})

	It("carries several images, the same wherever it is shown", Req("products.create.field.images", "products.one-record",
		"product.field.images.id", "products.batch.update"), func(ctx SpecContext) {
		images, family := t.images(ctx), t.NewFamily()

		made := t.member(ctx, family, With(Fields{"images": images})).Answer

		Expect(made).To(HaveJSON("images.#", len(images)))
		t.For("product.field.images.id").Expect(made.Get("images.0.id").Int()).NotTo(Equal(made.Get("images.1.id").Int()),
			"the ids of two images")
		stored := t.Products.Get(ctx, made.ID())
		Expect(stored).To(HaveJSON("images.#.id", made.Get("images.#.id").Value()))
		t.Agree("products.one-record", made, "", stored.JSON(), contract.Product())
		t.Agree("products.one-record", t.Products.List(ctx, family.Query), "0.", stored.JSON(), contract.Product())
		changed := t.Products.Update(ctx, made.ID(), Fields{"menu_order": 7})
		t.Agree("products.one-record", changed, "", stored.JSON(), contract.Product(), "menu_order")
		t.Products.Batch(ctx, Fields{"update": []Fields{{"id": made.ID(), "menu_order": 8}}})
		t.For("products.batch.update").Expect(t.Products.Get(ctx, made.ID())).To(HaveJSON("images.#.id", made.Get("images.#.id").Value()))
	})

	It("changes all of its images", Req("products.update.field.images"), func(ctx SpecContext) {
		images, product := t.images(ctx), t.GivenProduct(ctx)

		changed := t.Products.Update(ctx, product.ID, Fields{"images": images})

		Expect(changed).To(HaveJSON("images.#", len(images)))
		Expect(t.Products.Get(ctx, product.ID)).To(HaveJSON("images.#.id", changed.Get("images.#.id").Value()))
	})

	It("changes its images alone", Req("products.update.field.images"), func(ctx SpecContext) {
		source := t.pictured(ctx).Get("images.0.src").String()
		product := t.GivenProduct(ctx)

		changed := t.Products.Update(ctx, product.ID, Fields{"images": []Fields{{"src": source}}})

		Expect(changed).To(HaveJSON("images.#", 1))
		Expect(t.Products.Get(ctx, product.ID)).To(HaveJSON("images.#", 1))
	})

	It("keeps its images", Req("products.create.field.images"), func(ctx SpecContext) {
		Expect(t.Products.Get(ctx, t.pictured(ctx).ID())).To(HaveJSON("images.#", 1))
	})

	It("shows dates as ISO 8601", Req("general.dates"), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)

		Expect(product.Answer).To(HaveJSON("date_created", BeISO8601()))
		Expect(product.Answer).To(HaveJSON("date_modified", BeISO8601()))
	})

	It("shows money as decimal strings", Req("general.management-money"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, OnSale("20.50", "15.25"))

		for _, field := range []string{"price", "regular_price", "sale_price"} {
			Expect(product.Answer).To(HaveJSON(field, BeDecimalMoney()))
		}
	})

	It("costs the regular price unless it is on sale", Req("products.price-current", "products.on-sale"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, Price("20.00"))

		Expect(product.Answer).To(HaveJSON("price", EqualAmount("20.00")))
		t.For("products.on-sale").Expect(product.Answer).To(HaveJSON("on_sale", false))
	})

	It("costs the sale price from when it is set", Req("products.price-current", "products.on-sale"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, Price("12.00"))

		changed := t.Products.Update(ctx, product.ID, Fields{"sale_price": "9.00"})

		for _, shown := range []*client.Answer{changed, t.Products.Get(ctx, product.ID)} {
			Expect(shown).To(HaveJSON("price", EqualAmount("9.00")))
			t.For("products.on-sale").Expect(shown).To(HaveJSON("on_sale", true))
		}
	})

	It("costs the sale price while it is on sale", Req("products.price-current", "products.on-sale"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx, OnSale("20.00", "15.00"))

		Expect(product.Answer).To(HaveJSON("price", EqualAmount("15.00")))
		t.For("products.on-sale").Expect(product.Answer).To(HaveJSON("on_sale", true))
	})
}

// images are several images, by their src alone.
func (t topic) images(ctx SpecContext) (images []Fields) {
	for _, source := range t.PictureAddresses(ctx) {
		images = append(images, Fields{"src": source})
	}
	if len(images) < 2 {
		t.NotApplicable("the target shows no two pictures that a product could be given")
	}
	return images
}

// pictured creates a product with an image of which the src alone is given.
func (t topic) pictured(ctx SpecContext) *client.Answer {
	source := t.PictureAddress(ctx)
	if source == "" {
		source = "https://example.test/picture.png"
	}
	answer := t.Products.Create(ctx, t.ProductBody(With(Fields{"images": []Fields{{"src": source}}})))
	if !answer.OK() {
		t.CouldNotRun("the target does not take the image %s: it answers %d %s", source, answer.Status, answer.Code())
	}
	return answer
}
