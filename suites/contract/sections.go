package contract

// What each section of the contract is about, in our words: reports show it above the section's requirements.

import "shopcheck/reports"

// Sections lists the sections that requirements name, in the order of the contract, with what each lays down.
func Sections() []reports.Section {
	return []reports.Section{
		{Title: sectionGeneral,
			Summary: "Two JSON interfaces over one shop: the management API for who runs it, the Store API for who buys. Bodies " +
				"are JSON both ways, dates are ISO 8601, money is text: decimal in the one, smallest units in the other."},
		{Title: sectionProduct,
			Summary: "The fields of a product and of a variation, their types and defaults, and which of them a client cannot " +
				"set. What only the sample shows is a should."},
		{Title: sectionOrder,
			Summary: "The fields of an order, of its lines and of addresses, and which of them the shop alone works out: all " +
				"totals and taxes are read-only."},
		{Title: sectionCustomer,
			Summary: "The fields of a customer and of a download permission. The e-mail address is unique; a password is taken " +
				"and never shown."},
		{Title: sectionCart,
			Summary: "The whole cart is the answer to each operation on it. Amounts are integers of the smallest unit, as " +
				"strings, and each block of amounts names its currency."},
		{Title: sectionCheckout,
			Summary: "The record of a checkout: a draft order made from the cart, its addresses, and after payment the result " +
				"with the address to go to next."},
		{Title: sectionOrderStatus,
			Summary: "The states of an order and the moves that are shown: a draft by opening the checkout, a real order by " +
				"paying, any documented status by the management API, the trash by deleting."},
		{Title: sectionProductStatus,
			Summary: "A product is a draft, pending, private or published; deleting moves it to the trash, or with force " +
				"removes it for good."},
		{Title: sectionCollections,
			Summary: "What lists, single records and batches have in common: paging by page and per_page with totals in " +
				"headers, 201 for what was created, force for what is gone, a batch of three lists."},
		{Title: sectionProductsEndpoint,
			Summary: "The addresses of products and variations, the filters and orders of their list, and the body that creates " +
				"one: only the name is required."},
		{Title: sectionOrdersEndpoint,
			Summary: "The addresses of orders and their notes, the filters of the list, and the body that creates one: nothing " +
				"in it is required."},
		{Title: sectionCustomersEndpoint,
			Summary: "The addresses of customers, the filters of the list, and the body that creates one. Nested addresses may " +
				"be changed in part; deleting demands force."},
		{Title: sectionCartEndpoint,
			Summary: "Reading the cart and the operations that change it, one address each. Inputs may come in the query or in " +
				"the body; the answer is the whole cart."},
		{Title: sectionCheckoutEndpoint,
			Summary: "Opening, keeping and completing a checkout. What completes it needs both addresses and a way of payment, " +
				"and faults are named by field."},
		{Title: sectionLookup,
			Summary: "A buyer sees an order by its id and its key. Orders of others stay hidden."},
		{Title: sectionStoreProduct,
			Summary: "Public lists of products, categories, attributes and reviews. Of their fields only a sample of a product " +
				"is shown."},
		{Title: sectionAuthManagement,
			Summary: "Each request says who it is: by an API key, signed by OAuth 1.0a, by a login or by a bearer token. A key " +
				"reads, writes or does both; 401 is for who is unknown, 403 for who may not."},
		{Title: sectionAuthStore,
			Summary: "Reading is free. A change of the cart needs the newest nonce or the cart token, and so does all of the " +
				"checkout."},
		{Title: sectionEvents,
			Summary: "The shop tells subscribers what happens. Each message is signed, so that its receiver can refuse a forged " +
				"one."},
		{Title: sectionErrors,
			Summary: "One form of error body in both APIs: code, message, and data with the status. Codes and statuses are " +
				"listed with what leads to them."},
		{Title: sectionLimits,
			Summary: "Defaults and bounds: the size of a page, quantities, the life of a nonce."},
		{Title: sectionVersioning,
			Summary: "The current namespaces and the older ones that still answer."},
	}
}
