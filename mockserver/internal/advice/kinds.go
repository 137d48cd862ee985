package advice

// Level tells how much an advice matters.
type Level string

// The levels.
const (
	Must     Level = "must"     // it breaks a rule of the contract, or costs somebody money or a cart
	Should   Level = "should"   // it costs requests, or what the contract advises against
	Observed Level = "observed" // good to know
)

// Kind is a piece of advice that a client may earn.
type Kind struct {
	ID      string // a promise: it never changes its meaning
	Level   Level
	Section string // of the contract
	Text    string // what the client does, and what it does better
	Chance  string // what a client must come by so that it can be judged
	Try     string // what brings a client there
}

// The kinds, by their places in the catalogue.
const (
	nonceReused = iota
	nonceNotRetried
	cartTokenDropped
	conflictIgnored
	redirectNotFollowed
	amountUnit
	signatureUnverified
	retryUnsafe
	retryTooSoon
	retryNone
	retryRefused
	timeoutNone
	writeRepeated
	pagesNotFollowed
	listForOne
	parameterUnknown
	fieldUnknown
	secretInQuery
	namespaceDeprecated
	namespaceLegacy
	kindCount
)

// Kinds returns all advice that there is.
func Kinds() []Kind { return append([]Kind(nil), catalogue[:]...) }

// What lets a client show how it does, where its own calls do not.
const (
	anyUse    = "any use of the app"
	rateLimit = "POST /_mock/faults {\"scenario\": \"rate-limited\"}"
)

var catalogue = [kindCount]Kind{
	nonceReused: {"nonce.reused", Must, "Authentication / Store API",
		"A nonce was sent again after an answer had brought a newer one. Take the Nonce header of each answer, and send the newest.",
		"a call of the Store API with a nonce that an earlier answer brought", "add something to a cart, with a Nonce and no Cart-Token"},
	nonceNotRetried: {"nonce.not-retried", Must, "Authentication / Store API",
		"Calls that were refused for their nonce were given up. After shop_rest_invalid_nonce GET the cart, and send the call " +
			"again with the nonce that it brings.",
		"two calls that are refused for their nonce", "POST /_mock/faults {\"scenario\": \"nonce-storm\"}"},
	cartTokenDropped: {"cart-token.dropped", Should, "Authentication / Store API",
		"The answer that brought the nonce brought a Cart-Token, too, and the next change of the cart came with neither token nor " +
			"cookie. A nonce alone keeps no cart at a shop that tells visitors by token or cookie: send the Cart-Token with every call.",
		"a change of the cart after an answer that brought a Cart-Token", "add something to a cart"},
	conflictIgnored: {"conflict.cart-ignored", Must, "Errors",
		"After a 409 the same call came again, with the cart as it was. data.cart of the refusal is the cart as it is now: show " +
			"that, and go on from it.",
		"a 409 that holds the cart", "POST /_mock/faults {\"scenario\": \"sold-out-at-checkout\"}"},
	redirectNotFollowed: {"payment.redirect-not-followed", Must, "Resources / Store API: Checkout",
		"A payment was left waiting: the checkout answered with a page on which the customer completes it, and nobody opened that " +
			"page. Send the customer to payment_result.redirect_url.",
		"a checkout whose payment is completed on another page",
		"pay with mockpay and payment_data [{\"key\": \"result\", \"value\": \"redirect\"}]"},
	amountUnit: {"amounts.unit", Must, "Resources / amount rule",
		"An amount is off by exactly the currency's unit: the management API takes decimal amounts (19.99), the Store API gives " +
			"whole numbers of the smallest unit (1999). Divide by 10 to the power currency_minor_unit.",
		"an order line with an amount, or a new price of a product that has one", "create an order whose line items name a total"},
	signatureUnverified: {"webhook.signature-unverified", Must, "Events",
		"A delivery that was signed with another secret was taken. Compute the HMAC-SHA256 of the body, compare it with the " +
			"signature, and answer 401 where they differ.",
		"a delivery that is signed wrongly",
		"POST /_mock/faults {\"effect\": \"webhook-wrong-signature\"}, or the scenario webhook-chaos"},
	retryUnsafe: {"retry.unsafe", Must, "Limits",
		"A call that makes something new got no answer, or an error of the server, and was sent again at once. The first may have " +
			"been carried out: look at the cart, the checkout or the orders before sending it again.",
		"a call that makes something new and gets no answer or a 5xx",
		"POST /_mock/faults {\"method\": \"POST\", \"times\": 1, \"effect\": \"cut\"}"},
	retryTooSoon: {"retry.too-soon", Should, "Limits",
		"A call that was refused with 429 or 503 came again before Retry-After was over. Wait that long, and longer after each refusal.",
		"a call that is refused with 429 or 503 and comes again", rateLimit},
	retryNone: {"retry.none", Should, "Limits",
		"Calls that were refused with 429 or 503 were given up. Send them again when Retry-After is over.",
		"three calls that are refused with 429 or 503", rateLimit},
	retryRefused: {"retry.refused", Should, "Errors",
		"A call that was refused for what it says came again and again unchanged. A 4xx stays what it is: correct the call, or " +
			"tell the user.",
		"a change that is refused with 400, 401, 403 or 404", "send a change that the shop refuses"},
	timeoutNone: {"timeout.none", Should, "Limits",
		"The client waited for an answer for more than a minute. Give up after some seconds, and tell the user.",
		"an answer that takes more than a minute",
		"POST /_mock/faults {\"times\": 1, \"effect\": \"latency\", \"delay\": \"70s\"}"},
	writeRepeated: {"write.repeated", Should, "Endpoints",
		"The same change was sent three times in a row, and nothing had changed in between. Send a change when there is one.",
		"a change that sets what is there", "change a product, an address or a quantity"},
	pagesNotFollowed: {"pages.not-followed", Should, "Limits",
		"A list has more pages than were read. Go on while X-Shop-TotalPages or the Link header name a next one: 10 records come " +
			"unless per_page says otherwise, and never more than 100.",
		"a list of several pages, read without page and per_page or with 100 a page", "read /shop/v3/products of the demo shop"},
	listForOne: {"list.for-one", Should, "Endpoints / Management API: collection conventions",
		"A whole collection was read three times, for one of its records each. Ask for the record by its id, or with a filter such " +
			"as sku or email.",
		"a whole collection of 20 records or more, and one of its records next", "read a list and then one record of it"},
	parameterUnknown: {"parameters.unknown", Should, "Endpoints",
		"The query has a parameter that the endpoint does not know, and that shops ignore. Look for a slip of the pen, or leave it out.",
		"a call with a query", anyUse},
	fieldUnknown: {"fields.unknown", Should, "Resources",
		"The body has a field that the endpoint does not know, and that shops ignore. Look for a slip of the pen, or leave it out.",
		"a call with a body", anyUse},
	secretInQuery: {"secrets.in-query", Should, "Authentication / Management API",
		"A secret is in the address, which logs, histories and other sites get to see. Send it in the Authorization header, or in " +
			"the body.",
		"a call with credentials", anyUse},
	namespaceDeprecated: {"namespace.deprecated", Should, "Versioning",
		"shop/v1 is deprecated. New integrations use shop/v3.", "a call of the management API", anyUse},
	namespaceLegacy: {"namespace.legacy", Observed, "Versioning",
		"shop/v2 is still supported, and legacy. New integrations use shop/v3.", "a call of the management API", anyUse},
}
