package auth

// Permissions of API keys: read, write, both.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) permissions() {
	It("read lets a key read", Req("auth.read-reads"), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)
		reader := t.Products.As(t.Key(Read))

		Expect(reader.List(ctx, one)).To(HaveStatus(200))
		Expect(reader.Get(ctx, product.ID)).To(HaveStatus(200))
	})

	It("read lets no key create", Req("auth.read-cannot-create"), func(ctx SpecContext) {
		reader := t.Products.As(t.Key(Read))

		Expect(reader.Create(ctx, t.ProductBody())).To(HaveStatus(403))
		Expect(reader.Batch(ctx, Fields{"create": []Fields{t.ProductBody()}})).To(HaveStatus(403))
		for _, root := range []string{"coupons", "orders", "customers"} { // which a shop may lack
			word := t.Word()
			Expect(t.with(ctx, client.Request{Method: POST, Path: client.Management + "/" + root,
				Body: Fields{"code": word, "email": word + "@example.test"}}, Read)).To(BeRefused())
		}
	})

	It("read lets no key update", Req("auth.read-cannot-update"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)

		Expect(t.Products.As(t.Key(Read)).Update(ctx, product.ID, Fields{"description": "x"})).To(HaveStatus(403))
	})

	It("read lets no key delete", Req("auth.read-cannot-delete"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)
		reader := t.Products.As(t.Key(Read))

		Expect(reader.Delete(ctx, product.ID)).To(HaveStatus(403))
		Expect(reader.ForceDelete(ctx, product.ID)).To(HaveStatus(403))
	})

	It("write lets a key create, update and delete", Req("auth.write-writes"), func(ctx SpecContext) {
		writer := t.Products.As(t.Key(Write))

		made := writer.Create(ctx, t.ProductBody())

		Expect(made).To(HaveStatus(201))
		Expect(writer.Update(ctx, made.ID(), Fields{"description": "x"})).To(HaveStatus(200))
		Expect(writer.ForceDelete(ctx, made.ID())).To(BeSuccess())
	})

	It("write lets no key read", Req("auth.write-cannot-read"), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)
		writer := t.Products.As(t.Key(Write))

		Expect(writer.List(ctx, one)).To(HaveStatus(403))
		Expect(writer.Get(ctx, product.ID)).To(HaveStatus(403))
		for _, root := range contract.NamedRoots() { // which a shop may lack
			Expect(t.with(ctx, client.Request{Method: GET, Path: client.Management + "/" + root}, Write)).To(BeRefused())
		}
	})

	It("read_write lets a key do both", Req("auth.read-write"), func(ctx SpecContext) {
		made := t.Products.Create(ctx, t.ProductBody())

		Expect(made).To(HaveStatus(201))
		Expect(t.Products.Get(ctx, made.ID())).To(HaveStatus(200))
	})

	It("that is lacking leaves everything as it was", Req("auth.refused-changes-nothing"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)
		for _, stranger := range []client.Auth{{}, t.wrongSecret(client.AnyWay), t.Key(Read)} {
			t.changesNothing(ctx, stranger, product)
		}
	})

	It("that is lacking gets an answer of some form", Req("auth.error-bodies"), func(ctx SpecContext) {
		t.Observe("read-key-writes.code", t.Products.As(t.Key(Read)).Create(ctx, t.ProductBody()).Code())
		t.Observe("write-key-reads.code", t.Products.As(t.Key(Write)).List(ctx, one).Code())
	})
}

// changesNothing lets somebody try to create, update and delete, and looks whether that did something to a product.
func (t topic) changesNothing(ctx SpecContext, stranger client.Auth, product Product) {
	wanted := t.ProductBody()
	products := t.Products.As(stranger)

	products.Create(ctx, wanted)
	products.Update(ctx, product.ID, Fields{"regular_price": "99.99"})
	products.ForceDelete(ctx, product.ID)

	Expect(t.Products.List(ctx, Query{"sku": wanted["sku"].(string)})).To(HaveJSON("#", 0))
	stored := t.Products.Get(ctx, product.ID)
	Expect(stored).To(HaveStatus(200))
	Expect(stored).NotTo(HaveJSON("regular_price", EqualAmount("99.99")))
}
