// Package versioning is the topic of addresses: the versions of both APIs, the rest_route form, and the roots that the
// contract names without showing what they answer.
package versioning

import (
	"net/url"
	"strconv"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

// Register declares the topic's specs.
func Register(env *Env) {
	t := topic{env}
	Describe("namespace", t.namespaces)
	Describe("rest_route", t.restRoute)
	Describe("root", t.roots)
	Describe("store without a version", t.unversioned)
}

// topic groups the specs of addresses around their environment.
type topic struct{ *Env }

func (t topic) namespaces() {
	for _, version := range []string{"v3", "v2", "v1"} {
		It("shop/"+version+" is served", Req("versioning."+version), func(ctx SpecContext) {
			list := t.Do(ctx, client.Request{Method: GET, Path: "/shop/" + version + "/products", Auth: t.Key(ReadWrite)})

			Expect(list).To(HaveStatus(200))
			Expect(list.IsJSON()).To(BeTrue(), "the list is JSON")
		})

		for collection, feature := range map[string]string{"orders": contract.FeatureManagement, "customers": contract.FeatureCustomers} {
			It("shop/"+version+" has "+collection, Req("versioning."+version), Needs(feature), func(ctx SpecContext) {
				list := t.Do(ctx, client.Request{Method: GET, Path: "/shop/" + version + "/" + collection, Auth: t.Key(ReadWrite)})

				Expect(list).To(HaveStatus(200))
				Expect(list.IsJSON()).To(BeTrue(), "the list is JSON")
			})
		}

		It("shop/"+version+" shows one order and one customer", Req("versioning."+version), func(ctx SpecContext) {
			for _, records := range t.writable(ctx)[1:] {
				id := t.SharedOwner(ctx, "/"+records.name)
				Expect(t.Do(ctx, client.Request{Method: GET, Path: "/shop/" + version + "/" + records.name + "/" + number(id),
					Auth: t.Key(ReadWrite)})).To(HaveStatus(200))
			}
		})

		It("shop/"+version+" shows the same products", Req("versioning."+version), func(ctx SpecContext) {
			product, pictured := t.SharedPictured(ctx) // a record with more in it than one without pictures
			if !pictured {
				product = t.SharedProduct(ctx)
			}

			record := t.Do(ctx, client.Request{Method: GET, Path: "/shop/" + version + "/products/" + number(product.ID),
				Auth: t.Key(ReadWrite)})

			Expect(record).To(HaveStatus(200))
			Expect(record.IsJSON()).To(BeTrue(), "the record is JSON")
			Expect(record).To(HaveText(product.Name)) // what the legacy namespaces call their fields is not shown
			page := t.Do(ctx, client.Request{Method: GET, Path: "/shop/" + version + "/products", Query: url.Values{"per_page": {"1"}},
				Auth: t.Key(ReadWrite)})
			if page.JSON().IsArray() { // which the legacy namespaces need not answer
				Expect(page).To(HaveJSON("#", 1))
			}
		})
	}

	for _, version := range []string{"v2", "v1"} {
		It("shop/"+version+" keeps strangers out", Req("general.authenticated", "auth.wrong-secret"),
			Needs(contract.FeatureLegacyNamespaces), func(ctx SpecContext) {
				for _, records := range t.writable(ctx) {
					t.strangersKeptOut(ctx, client.Request{Path: "/shop/" + version + "/" + records.name}, records.body)
				}
			})

		served := "versioning." + version
		It("shop/"+version+" lets a key do what it may", Req(append(keyRules(), served)...), Needs(contract.FeatureLegacyNamespaces),
			func(ctx SpecContext) {
				t.keysDoWhatTheyMay(ctx, served, client.Request{Path: "/shop/" + version + "/products"})
			})
	}

	It("shop/store/v1 is served", Req("versioning.store-v1"), func(ctx SpecContext) {
		answer := t.NewSession(ByToken).Get(ctx, "/shop/store/v1/cart", nil)

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveMembers("", contract.Cart()))
	})

	It("shop/store without a version is served as v1", Req("versioning.store-unversioned"), func(ctx SpecContext) {
		product := t.AnyProduct(ctx)
		visitor := t.NewSession(ByToken)
		Expect(visitor.Get(ctx, "/shop/store/cart", nil)).To(HaveStatus(200))

		answer := visitor.Post(ctx, "/shop/store/cart/add-item", Fields{"id": product.ID, "quantity": 2})

		Expect(answer).To(HaveStatus(200, 201))
		Expect(answer).To(HaveJSON("items.0.quantity", 2))
		Expect(visitor.Get(ctx, "/cart", nil)).To(HaveJSON("items.0.id", product.ID))
	})
}

// unversioned declares that each call of the Store API is served without a version, as with one.
func (t topic) unversioned() {
	const served = "versioning.store-unversioned"
	isCart := func(ctx SpecContext, visitor *Session, answer *client.Answer) *client.Answer {
		t.Agree(served, answer, "", visitor.Get(ctx, "/cart", nil).JSON(), contract.Cart())
		return answer
	}
	It("does all that the cart does", Req(served), func(ctx SpecContext) {
		visitor := t.NewSession(ByToken)
		visitor.Get(ctx, "/cart", nil)
		one, two := t.SharedProducts(ctx)
		add := visitor.Post(ctx, "/shop/store/cart/add-item", Fields{"id": one.ID, "quantity": 1})
		Expect(isCart(ctx, visitor, add)).To(HaveStatus(200, 201))
		Expect(isCart(ctx, visitor, visitor.Post(ctx, "/shop/store/cart/update-item",
			Fields{"key": add.Get("items.0.key").String(), "quantity": 3}))).To(HaveJSON("items.0.quantity", 3))
		answer := visitor.Post(ctx, "/shop/store/cart/update-customer",
			Fields{"billing_address": t.Billing(), "shipping_address": t.Shipping()})
		Expect(isCart(ctx, visitor, answer)).To(HaveStatus(200, 201))
		Expect(answer).To(HaveJSON("billing_address.company", t.Billing()["company"]))
		Expect(answer).To(HaveJSON("shipping_address.company", t.Shipping()["company"]))
		if rate := answer.Get("shipping_rates.0.shipping_rates.#(selected!=true).rate_id").String(); rate != "" {
			selected := isCart(ctx, visitor, visitor.Post(ctx, "/shop/store/cart/select-shipping-rate",
				Fields{"package_id": answer.Get("shipping_rates.0.package_id").Int(), "rate_id": rate}))
			Expect(selected).To(HaveStatus(200, 201))
			Expect(selected).To(HaveJSON("shipping_rates.0.shipping_rates.#(selected==true).rate_id", rate))
		}
		isCart(ctx, visitor, visitor.Get(ctx, "/shop/store/cart", nil))
		visitor.Post(ctx, "/shop/store/batch", Fields{"requests": []Fields{{"path": client.Store + "/cart/add-item", "method": POST,
			"body": Fields{"id": two.ID, "quantity": 1}, "headers": Fields{"Cart-Token": visitor.Token}}}})
		Expect(visitor.Get(ctx, "/cart", nil)).To(HaveJSON("items.#", 2))
		Expect(isCart(ctx, visitor, visitor.Post(ctx, "/shop/store/cart/remove-item",
			Fields{"key": add.Get("items.0.key").String()}))).To(HaveJSON("items.#", 1))
	})

	It("takes coupons", Req(served), Needs(contract.FeatureCoupons), func(ctx SpecContext) {
		cart, code := t.GivenCart(ctx, Item{Product: t.AnyProduct(ctx)}), Fields{"code": t.Coupon().Code}

		for gone, operation := range []string{"apply-coupon", "remove-coupon"} {
			answer := isCart(ctx, cart.Session, cart.Post(ctx, "/shop/store/cart/"+operation, code))
			Expect(answer).To(HaveStatus(200, 201))
			Expect(answer).To(HaveJSON("coupons.#", 1-gone))
		}
	})

	It("checks out, and looks the order up", Req(served), Needs(contract.FeatureStoreCheckout), func(ctx SpecContext) {
		cart := t.GivenReadyCart(ctx, Item{Product: t.AnyProduct(ctx)})

		draft := cart.Get(ctx, "/shop/store/checkout", nil)
		Expect(draft).To(HaveStatus(200))
		t.Agree(served, draft, "", cart.Get(ctx, "/checkout", nil).JSON(), contract.Checkout())
		put := cart.Put(ctx, "/shop/store/checkout", nil, Fields{"order_notes": "x"})
		Expect(put).To(HaveStatus(200))
		Expect(put).To(HaveJSON("customer_note", "x"))
		t.Agree(served, put, "", cart.Get(ctx, "/checkout", nil).JSON(), contract.Checkout())
		placed := cart.Post(ctx, "/shop/store/checkout", t.CheckoutBody(nil))
		Expect(placed).To(HaveStatus(200))
		for _, field := range []string{"order_id", "order_key"} {
			Expect(placed).To(HaveJSON(field, put.Get(field).Value()))
		}
		address, key := "/order/"+placed.Get("order_id").String(), Query{"key": placed.Get("order_key").String()}
		found := cart.In(ByNonce).Get(ctx, "/shop/store"+address, key)
		Expect(found).To(HaveStatus(200))
		for _, field := range []string{"id", "status", "totals", "billing_address", "shipping_address"} {
			if known := cart.In(ByNonce).Get(ctx, address, key).Get(field); known.Exists() {
				Expect(found).To(HaveJSON(field, known.Value()))
			}
		}
	})

	It("lists products", Req(served), Needs(contract.FeatureStoreProducts), func(ctx SpecContext) {
		visitor := t.NewSession(ByToken)
		list, same := visitor.Get(ctx, "/shop/store/products", nil), visitor.Get(ctx, "/products", nil)
		Expect(list).To(HaveStatus(200))
		if list.Get("0.id").Exists() && list.Get("0.id").Raw == same.Get("0.id").Raw { // else something has changed meanwhile
			t.Agree(served, list, "0.", same.Get("0"), contract.StoreProduct())
		}
	})
}

func (t topic) restRoute() {
	It("reaches orders", Req("general.rest-route"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		Expect(t.routed(ctx, "/orders", nil)).To(HaveStatus(200))
	})

	It("reaches customers", Req("general.rest-route"), Needs(contract.FeatureCustomers), func(ctx SpecContext) {
		Expect(t.routed(ctx, "/customers", nil)).To(HaveStatus(200))
	})

	It("reaches the management API", Req("general.rest-route"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		product := t.SharedProduct(ctx)

		list := t.routed(ctx, "/products", Query{"sku": product.SKU})
		record := t.routed(ctx, "/products/"+number(product.ID), nil)

		Expect(list).To(HaveStatus(200))
		Expect(list).To(HaveJSON("#.id", []int64{product.ID}))
		Expect(record).To(HaveStatus(200))
		Expect(record).To(HaveJSON("name", product.Name))
	})

	It("writes by the management API", Req("general.rest-route"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		made := t.byRoute(ctx, POST, "/products", nil, t.ProductBody())
		Expect(made).To(HaveStatus(201))
		address := "/products/" + number(made.ID())

		Expect(t.byRoute(ctx, PUT, address, nil, Fields{"description": "by another address"})).To(HaveStatus(200))
		Expect(t.Products.Get(ctx, made.ID())).To(HaveJSON("description", ContainSubstring("by another address")))
		batch := Fields{"update": []Fields{{"id": made.ID(), "description": "by a batch"}}}
		Expect(t.byRoute(ctx, POST, "/products/batch", nil, batch)).To(BeSuccess())
		Expect(t.Products.Get(ctx, made.ID())).To(HaveJSON("description", ContainSubstring("by a batch")))
		Expect(t.byRoute(ctx, DELETE, address, Query{"force": "true"}, nil)).To(BeSuccess())
		Expect(t.Products.Get(ctx, made.ID())).To(HaveStatus(404))
	})

	It("keeps strangers out", Req("general.authenticated", "auth.wrong-secret"), Needs(contract.FeatureRestRoute), func(ctx SpecContext) {
		for _, records := range t.writable(ctx) {
			t.strangersKeptOut(ctx, routeTo("/"+records.name, nil), records.body)
		}
	})

	It("lets a key do what it may", Req(append(keyRules(), "general.rest-route")...), Needs(contract.FeatureRestRoute),
		func(ctx SpecContext) { t.keysDoWhatTheyMay(ctx, "general.rest-route", routeTo("/products", nil)) })

	It("writes orders and customers", Req("general.rest-route"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		for _, records := range t.writable(ctx)[1:] {
			made := t.byRoute(ctx, POST, "/"+records.name, nil, records.body)
			Expect(made).To(HaveStatus(201))
			address := "/" + records.name + "/" + number(made.ID())
			changes := Fields{"billing": Fields{"company": "Shopcheck Routes"}}
			Expect(t.byRoute(ctx, PUT, address, nil, changes)).To(HaveStatus(200))
			Expect(t.routed(ctx, address, nil)).To(HaveJSON("billing.company", "Shopcheck Routes"))
			Expect(t.byRoute(ctx, DELETE, address, Query{"force": "true"}, nil)).To(BeSuccess())
			Expect(t.Manage(ctx, GET, address, nil, nil)).To(HaveStatus(404))
		}
	})

	It("reaches what belongs to a record", Req("general.rest-route"), Needs(contract.FeatureManagement), func(ctx SpecContext) {
		parts := map[string]string{"products": "/variations", "orders": "/notes", "customers": "/downloads"}
		for _, records := range t.writable(ctx) {
			part := parts[records.name]
			id := t.SharedOwner(ctx, "/"+records.name+part)
			Expect(t.routed(ctx, "/"+records.name+"/"+number(id)+part, nil)).To(HaveStatus(200))
		}
	})

	It("reaches the Store API", Req("general.rest-route-store"), Needs(contract.FeatureStoreCart), func(ctx SpecContext) {
		answer := t.Do(ctx, client.Request{Method: GET, Path: "/", Query: map[string][]string{"rest_route": {client.Store + "/cart"}}})

		Expect(answer).To(HaveStatus(200))
		Expect(answer).To(HaveJSON("items_count", 0))
	})
}

// routed asks for a path in the form that works without URL rewriting.
func (t topic) routed(ctx SpecContext, path string, query Query) *client.Answer {
	return t.byRoute(ctx, GET, path, query, nil)
}

// byRoute sends a request to the management API in that form.
func (t topic) byRoute(ctx SpecContext, method, path string, query Query, body any) *client.Answer {
	request := routeTo(path, query)
	request.Method, request.Body, request.Auth = method, body, t.Key(ReadWrite)
	return t.Do(ctx, request)
}

// routeTo is a request to a path of the management API in that form.
func routeTo(path string, query Query) client.Request {
	values := map[string][]string{"rest_route": {client.Management + path}}
	for name, value := range query {
		values[name] = []string{value}
	}
	return client.Request{Path: "/", Query: values}
}

// records are a collection, and a create body for it.
type records struct {
	name string
	body Fields
}

// writable are the collections in which the target lets records be made: products first.
func (t topic) writable(ctx SpecContext) []records {
	all := []records{{"products", t.ProductBody()}}
	if t.Offers(contract.FeatureOrderCreate) {
		all = append(all, records{"orders", t.OrderBody(t.SharedProduct(ctx), 1)})
	}
	if t.Offers(contract.FeatureCustomers) {
		all = append(all, records{"customers", t.CustomerBody(nil)})
	}
	return all
}

// strangersKeptOut expects that who has no key can neither read nor make the records at an address, and who has another secret not read
// them.
func (t topic) strangersKeptOut(ctx SpecContext, records client.Request, body Fields) {
	records.Method = GET
	Expect(t.Do(ctx, records)).To(BeRefused())
	records.Auth = t.Key(ReadWrite)
	records.Auth.Secret = t.Unique("cs")
	t.For("auth.wrong-secret").Expect(t.Do(ctx, records)).To(BeRefused())
	records.Method, records.Body, records.Auth = POST, body, client.Auth{}
	Expect(t.Do(ctx, records)).To(BeRefused())
}

// keyRules are the requirements of what keys may do.
func keyRules() []string {
	return []string{"auth.read-cannot-create", "auth.write-cannot-read", "auth.query", "auth.wrong-secret-query", "auth.unknown-key",
		"auth.revoked"}
}

// keysDoWhatTheyMay expects that a key does what it may at another address of the products, and nothing else, by whatever way it comes.
// served is the requirement that there is such an address.
func (t topic) keysDoWhatTheyMay(ctx SpecContext, served string, products client.Request) {
	answer := func(method string, key client.Auth, way client.AuthWay) *client.Answer {
		products.Method, products.Auth, products.Body = method, key, nil
		products.Auth.Way = way
		if method == POST {
			products.Body = t.ProductBody()
		}
		return t.Do(ctx, products)
	}
	unknown, wrong := t.Key(ReadWrite), t.Key(ReadWrite)
	unknown.Credentials.Key, wrong.Secret = "ck_"+t.Word(), t.Unique("cs")

	t.For(served).Expect(answer(GET, t.Key(Read), client.AnyWay)).To(HaveStatus(200))
	t.For("auth.query").Expect(answer(GET, t.Key(Read), client.QueryWay)).To(HaveStatus(200))
	t.For("auth.wrong-secret-query").Expect(answer(GET, wrong, client.QueryWay)).To(BeRefused())
	t.For("auth.unknown-key").Expect(answer(GET, unknown, client.AnyWay)).To(BeRefused())
	for _, way := range []client.AuthWay{client.AnyWay, client.QueryWay} {
		t.For("auth.write-cannot-read").Expect(answer(GET, t.Key(Write), way)).To(BeRefused())
		t.For("auth.read-cannot-create").Expect(answer(POST, t.Key(Read), way)).To(BeRefused())
	}
	t.For("auth.revoked").Expect(answer(GET, t.Key(Revoked), client.AnyWay)).To(BeRefused())
}

func (t topic) roots() {
	for _, root := range contract.NamedRoots() {
		It("shop/v3/"+root+" answers", Req("general.root."+root), func(ctx SpecContext) {
			answer := t.Manage(ctx, GET, "/"+root, nil, nil)

			Expect(answer).To(HaveStatus(200))
			Expect(answer.IsJSON()).To(BeTrue(), "the answer is JSON")
		})

		It("shop/v3/"+root+" keeps strangers out", Req("general.authenticated", "auth.wrong-secret"), func(ctx SpecContext) {
			request := client.Request{Method: GET, Path: client.Management + "/" + root}
			Expect(t.Do(ctx, request)).To(BeRefused())
			request.Auth = t.Key(ReadWrite)
			request.Auth.Secret = t.Unique("cs")
			t.For("auth.wrong-secret").Expect(t.Do(ctx, request)).To(BeRefused())
		})
	}
}

func number(id int64) string { return strconv.FormatInt(id, 10) }
