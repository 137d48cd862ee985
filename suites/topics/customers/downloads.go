package customers

// What a customer may download.

import (
	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) downloads() {
	buying := Needs(contract.FeatureOrderCreate)

	It("have every documented field in its type", ReqShape(contract.CustomerDownload()), buying, func(ctx SpecContext) {
		bought := t.sharedFile(ctx)

		Expect(t.Customers.Sub(bought.customer, "downloads").List(ctx, nil)).To(HaveRecord("0", contract.CustomerDownload()))
	})

	It("are what was bought", Req("customers.downloads.list"), buying, func(ctx SpecContext) {
		bought := t.sharedFile(ctx)

		answer := t.Customers.Sub(bought.customer, "downloads").List(ctx, nil)

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("#", 1))
		Expect(answer).To(HaveJSON("0.product_id", bought.product.ID))
		Expect(answer).To(HaveJSON("0.product_name", bought.product.Name))
		Expect(answer).To(HaveJSON("0.order_id", bought.order.ID()))
		Expect(answer).To(HaveJSON("0.order_key", bought.order.Get("order_key").String()))
		Expect(answer).To(HaveJSON("0.file.name", bought.file))
		for _, field := range []string{"download_id", "download_url", "file.file"} {
			Expect(answer).To(HaveJSON("0."+field, BeNonEmpty()))
		}
	})

	It("are none for who bought nothing", Req("customers.downloads.empty"), func(ctx SpecContext) {
		answer := t.Customers.Sub(t.SharedCustomer(ctx).ID(), "downloads").List(ctx, nil)

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("#", 0))
	})

	It("are listed with paging headers", Req("customers.downloads.paging"), buying, func(ctx SpecContext) {
		bought := t.sharedFile(ctx)

		Expect(t.Customers.Sub(bought.customer, "downloads").List(ctx, nil)).To(HavePaging(1, 1))
	})

	It("are paged", Req("customers.downloads.pages", "customers.downloads.list"), buying, func(ctx SpecContext) {
		bought := t.buysFile(ctx)
		again := t.orders(ctx, bought.customer, bought.product)

		all := t.Customers.Sub(bought.customer, "downloads").List(ctx, nil)
		t.For("customers.downloads.list").Expect(all).To(HaveJSON("#.order_id", BeInAnyOrder(bought.order.ID(), again.ID())))
		collection.Paged(ctx, t.Customers.Sub(bought.customer, "downloads"), "order_id", 2)
	})

	It("of a customer who does not exist are refused somehow", Req("customers.downloads.missing-customer"), func(ctx SpecContext) {
		answer := t.Customers.Sub(UnknownID, "downloads").List(ctx, nil)

		t.Observe("customer-downloads.missing-customer.status", answer.Status)
		t.Observe("customer-downloads.missing-customer.code", answer.Code())
	})
}

// purchase is a file that a customer has bought.
type purchase struct {
	customer int64
	product  Product
	order    *client.Answer
	file     any // its name
}

// Moved implements Movable.
func (p purchase) Moved(by int) purchase {
	p.product, p.order = p.product.Moved(by), p.order.Moved(by)
	return p
}

// sharedFile is a bought file that specs only look at.
func (t topic) sharedFile(ctx SpecContext) purchase {
	return Share(t.Env, "bought file", func() purchase { return t.buysFile(ctx) })
}

// buysFile lets a new customer buy a product that is a file to download.
func (t topic) buysFile(ctx SpecContext) purchase {
	file := t.Download(ctx)
	product := t.GivenProduct(ctx, Virtual(), With(Fields{"downloadable": true, "downloads": []Fields{file}}))
	if product.Answer.Get("downloads.#").Int() == 0 {
		t.CouldNotRun("the target takes no file to download for a product: it drops %s", file["file"])
	}
	customer := t.GivenCustomer(ctx)
	t.Customers.Sub(customer, "downloads").List(ctx, nil) // nothing yet
	return purchase{customer: customer, product: product, order: t.orders(ctx, customer, product), file: file["name"]}
}

// orders lets a customer order a product and pay for it.
func (t topic) orders(ctx SpecContext, customer int64, product Product) *client.Answer {
	order := t.GivenCustomerOrderOf(ctx, customer, product)
	t.Orders.Update(ctx, order.ID, Fields{"status": "completed"})
	return order.Answer
}
