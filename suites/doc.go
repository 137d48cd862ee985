// Package suites is the conformance harness: it runs topics of specs against a target and sums them up in a report.
//
// # Writing a topic
//
// A topic is a package with one function, Register(*suites.Env), that declares specs with ginkgo. The run wraps it
// in a container of the topic's name; that name is the specs' label and the first part of their ids.
//
//	package cart
//
//	import (
//		. "github.com/onsi/ginkgo/v2"
//		. "github.com/onsi/gomega"
//		. "shopcheck/suites"
//		"shopcheck/suites/contract"
//		. "shopcheck/suites/expect"
//		. "shopcheck/suites/spec"
//	)
//
//	func Register(env *Env) {
//		Describe("update-item", func() {
//			It("sets the quantity of the item", Req("cart.update-item"), func(ctx SpecContext) {
//				cart := env.GivenCart(ctx, Item{Product: env.AnyProduct(ctx), Quantity: 1})
//
//				answer := cart.Post(ctx, "/cart/update-item", Fields{"key": cart.ItemKey(0), "quantity": 3})
//
//				Expect(answer).To(HaveStatus(200, 201))
//				Expect(answer).To(HaveJSON("items.0.quantity", 3))
//			})
//		})
//	}
//
// Decorators of It: Req(ids...) is compulsory; the first id is the one that a failure is filed under unless it says
// otherwise. ReqShape(contract.Cart()) names all field requirements of a shape, ReqPrefix("x") all ids below x.
// Needs(contract.FeatureOrderCreate) adds a feature beyond those of the requirements. Unknown ids, specs without an id,
// two specs with one id, focus and pending stop the build of the tree.
//
// # Levels
//
// A failed Expect is filed under the spec's first requirement. If that is a must, the spec fails and ends. If it is a
// should, it is a warning and the spec goes on; if it is observed, nothing more happens. env.For("errors.params").Expect(…)
// files under another requirement of the same Req. env.Observe("missing-nonce.status", answer.Status) records what the
// target does where the contract is silent; specs of observed requirements do that and expect nothing.
// env.CouldNotRun(why) ends a spec for which something of the target is not known; env.NotApplicable(why) one whose
// subject need not exist there.
//
// # What is checked without asking
//
// Every answer that passes through env, its resources and its sessions is inspected (package expect, Passing): JSON and
// its content type, the documented records of the endpoint field by field, documented headers (paging of lists, Nonce,
// Cart-Token), the error envelope. A deviation is filed under the field's or header's own requirement, in the first spec
// that meets it and in every spec that names the requirement; it does not stop the spec. Each shape has one spec that
// owns it with ReqShape and makes sure that such a record is seen. Requests with _fields or context are left alone.
//
// # What collections have in common
//
// How a documented collection of the management API is listed, sorted and paged, which fields a create body sets and which
// nobody can, and what a batch does, is declared once in package collection, from the tables of package contract. A topic
// says what values to write and what is true of its own records only.
//
// # Independence
//
// A spec makes what it needs (Given…) with names from env.Unique, and asserts nothing about records that it did not
// make: a list is narrowed to its own records by search, sku, include of ids in the expectation (ContainElement), never by counting all.
// Whatever passes by as created (201 on a collection, batch creates, draft orders) is deleted at the end of the run, also
// after an interrupt; a write that is on its way is waited for. Every record carries a mark of its run – in its SKU, name or
// e-mail address – by which shopcheck cleanup finds what a killed run has left; env.Mark gives one to an order without any.
//
// # Signing in, and webhooks
//
// A collection is used as somebody else by env.Products.As(auth): client.ByOAuth(env.Signing()), client.ByPassword(env.Login()),
// client.ByToken(env.Token(ctx)). env.GivenWebhook(ctx, "product.created") subscribes to an event; Await gives the request that
// tells of a record as soon as it comes, in the form of an answer, so that all matchers work on it. The run owns the receiver.
//
// # Running
//
// Run builds the tree, looks at the target (preflight), runs the selected specs – in this process or, with Workers, shared out
// among several – and returns the report.
// It may be called any number of times in one process; calls wait for each other, because ginkgo and Gomega keep globals.
package suites
