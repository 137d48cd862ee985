// Package spec is what a spec may touch: the environment (Env) with what specs are given – products, carts, orders, sessions,
// made through the target's own API – and the calls of the API, the decorators that say what a spec verifies, the matchers,
// and the record of what it did.
//
// # Writing a topic
//
// A topic is a package with one function, Register(*Env), that declares specs with ginkgo. The run wraps it
// in a container of the topic's name; that name is the specs' label and the first part of their ids.
//
//	package cart
//
//	import (
//		. "github.com/onsi/ginkgo/v2"
//
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
// What a given needs and the target refuses is filed under the requirement that the refusal breaks (products.create), not under
// the requirement of the spec that asked. What the target cannot be expected to have (keys, a coupon) makes the spec could-not-run.
//
// # What is checked without asking
//
// Every answer that passes through env, its resources and its sessions is inspected (expect.InspectAnswer): JSON and
// its content type, the documented records of the endpoint field by field, documented headers (paging of lists, Nonce,
// Cart-Token), the error envelope. A deviation is filed under the field's or header's own requirement, in the first spec
// that meets it and in every spec that names the requirement (Record.DropRepeated); it does not stop the spec. Each shape has one
// spec that owns it with ReqShape and makes sure that such a record is seen. Requests with _fields or context are left alone.
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
// What it makes of its own may have been made ahead of it, like others and unchanged since: Fresh makes it just then. What specs only
// look at is shared (SharedProduct, SharedReadyCart, Share, Resource.Once): the run breaks a spec that would change it.
// Whatever passes by as created (201 on a collection, batch creates, draft orders) is deleted at the end of the run, also
// after an interrupt; a write that is on its way is waited for. Every record carries a mark of its run – in its SKU, name or
// e-mail address – by which shopcheck cleanup finds what a killed run has left; env.Mark gives one to an order without any.
//
// # Signing in, and webhooks
//
// A collection is used as somebody else by env.Products.As(auth): client.ByOAuth(env.Signing()), client.ByPassword(env.Login()),
// client.ByToken(env.Token(ctx)). env.GivenWebhook(ctx, "product.created") subscribes to an event; Await gives the request that
// tells of a record as soon as it comes, in the form of an answer, so that all matchers work on it. The run owns the receiver.
package spec
