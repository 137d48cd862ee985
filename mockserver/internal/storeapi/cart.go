package storeapi

import (
	"net/http"
	"strconv"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// The cart (contract, "Store API: cart"): every operation answers with the whole cart as it is afterwards.

func cartEndpoints() []rest.Endpoint {
	key := rest.Param{Name: "key", Type: rest.String, Required: true, Max: rest.Bound(maxText), Description: "Key of the item."}
	code := rest.Param{Name: "code", Type: rest.String, Required: true, Max: rest.Bound(maxText), Description: "The coupon's code."}
	return []rest.Endpoint{
		{Methods: []string{http.MethodGet}, Path: "/cart", Access: rest.Public, Params: reading(), Do: readCart},
		cartOperation("/add-item", http.StatusCreated, addItem, goodsParams()...),
		cartOperation("/update-item", http.StatusOK, updateItem, key, quantityFrom(0)),
		cartOperation("/remove-item", http.StatusOK, removeItem, key),
		cartOperation("/apply-coupon", http.StatusOK, applyCoupon, code),
		cartOperation("/remove-coupon", http.StatusOK, removeCoupon, code),
		cartOperation("/update-customer", http.StatusOK, updateCustomer,
			addressParam("billing_address", billingAddress), addressParam("shipping_address", shippingAddress)),
		cartOperation("/select-shipping-rate", http.StatusOK, selectRate,
			rest.Param{Name: "package_id", Type: rest.Integer, Required: true, Description: "Number of the package."},
			rest.Param{Name: "rate_id", Type: rest.String, Required: true, Max: rest.Bound(maxText),
				Description: "The rate: method and instance."}),
	}
}

// goodsParams say what to put into the cart.
func goodsParams() []rest.Param {
	return []rest.Param{
		{Name: "id", Type: rest.Integer, Required: true, Description: "Id of a product or variation."},
		quantityFrom(1),
		{Name: "variation", Type: rest.Array, Max: rest.Bound(50), Description: "Chosen attributes of a variable product.",
			Items: &rest.Param{Type: rest.Object, Fields: []rest.Param{
				{Name: "attribute", Type: rest.String, Required: true, Max: rest.Bound(maxText)},
				{Name: "value", Type: rest.String, Required: true, Max: rest.Bound(maxText)},
			}}},
	}
}

func quantityFrom(least int64) rest.Param {
	return rest.Param{Name: "quantity", Type: rest.Integer, Required: true, Min: rest.Bound(least), Description: "How many pieces."}
}

// cartChange is one operation on the caller's cart.
type cartChange func(tx *shop.Tx, who shop.Shopper, args rest.Args) (*shop.CartQuote, error)

// cartOperation declares an operation that answers with the cart.
func cartOperation(path string, status int, change cartChange, params ...rest.Param) rest.Endpoint {
	return rest.Endpoint{
		Methods: []string{http.MethodPost}, Path: "/cart" + path, Access: rest.Guarded, Params: reading(params...), Status: status,
		Do: func(r *rest.Request) (rest.Answer, error) { return changeCart(r, change, wholeCart) },
	}
}

// cartAnswer makes an answer of the caller's cart.
type cartAnswer func(*rest.Request, *shop.CartQuote) (rest.Answer, error)

// wholeCart answers with all of the cart.
func wholeCart(r *rest.Request, quote *shop.CartQuote) (rest.Answer, error) {
	return rest.OK(cartRecord.Body(rest.NewEncoding(r), quote))
}

// readCart answers with the caller's cart. Nothing is worked out if it is known; of chosen fields, it is made anew.
func readCart(r *rest.Request) (rest.Answer, error) {
	if r.Args.Has("_fields") {
		return showCart(r, cartOf(r), wholeCart)
	}
	shown := r.View.ShownCart(r.Shopper, r.Site.Root, func(quote *shop.CartQuote) shop.Encoded {
		return rest.Tagged(cartRecord.Encode(rest.NewEncoding(r), nil, quote))
	})
	markHash(r, shown.Hash, r.Shopper.CustomerID)
	return rest.OK(rest.NewConstant(shown.Encoded))
}

// noContent answers that there is nothing more to say.
func noContent(*rest.Request, *shop.CartQuote) (rest.Answer, error) {
	return rest.Answer{Status: http.StatusNoContent}, nil
}

// changeCart runs an operation in a transaction of its own, and answers with the cart as the operation left it.
func changeCart(r *rest.Request, change cartChange, answer cartAnswer) (rest.Answer, error) {
	var quote *shop.CartQuote
	err := r.Write(func(tx *shop.Tx) (err error) {
		quote, err = change(tx, r.Shopper, r.Args)
		return err
	})
	if err != nil {
		return rest.Answer{}, err
	}
	return showCart(r, quote, answer)
}

// showCart answers with a cart, and with the headers that tell which one it is.
func showCart(r *rest.Request, quote *shop.CartQuote, answer cartAnswer) (rest.Answer, error) {
	markCart(r, quote)
	return answer(r, quote)
}

// reads makes an endpoint's function that answers with the caller's cart as it is.
func reads(answer cartAnswer) func(*rest.Request) (rest.Answer, error) {
	return func(r *rest.Request) (rest.Answer, error) { return showCart(r, cartOf(r), answer) }
}

// cartOf is the caller's cart.
func cartOf(r *rest.Request) *shop.CartQuote { return r.View.CartOf(r.Shopper) }

// markCart gives the answer the headers that tell which cart it is about.
func markCart(r *rest.Request, quote *shop.CartQuote) { markHash(r, quote.Hash, quote.Cart.CustomerID) }

func markHash(r *rest.Request, hash string, customer int64) {
	r.Header.Set("Cart-Hash", hash)
	markUser(r, customer)
}

// markUser gives the answer the header that tells as whom the caller is known; 0 is a guest.
func markUser(r *rest.Request, customer int64) {
	r.Header.Set("User-Id", strconv.FormatInt(customer, 10))
}

func addItem(tx *shop.Tx, who shop.Shopper, args rest.Args) (*shop.CartQuote, error) {
	wanted := shop.CartRequest{ProductID: args.Int("id"), Quantity: args.Int("quantity")}
	for _, choice := range args.Objects("variation") {
		wanted.Variation = append(wanted.Variation,
			shop.ChosenAttribute{Attribute: choice.String("attribute"), Value: choice.String("value")})
	}
	return tx.AddToCart(who, wanted)
}

func updateItem(tx *shop.Tx, who shop.Shopper, args rest.Args) (*shop.CartQuote, error) {
	return tx.SetCartQuantity(who, args.String("key"), args.Int("quantity"))
}

func removeItem(tx *shop.Tx, who shop.Shopper, args rest.Args) (*shop.CartQuote, error) {
	return tx.RemoveFromCart(who, args.String("key"))
}

func applyCoupon(tx *shop.Tx, who shop.Shopper, args rest.Args) (*shop.CartQuote, error) {
	return tx.ApplyCoupon(who, args.String("code"))
}

func removeCoupon(tx *shop.Tx, who shop.Shopper, args rest.Args) (*shop.CartQuote, error) {
	return tx.RemoveCoupon(who, args.String("code"))
}

func updateCustomer(tx *shop.Tx, who shop.Shopper, args rest.Args) (*shop.CartQuote, error) {
	billing, shipping := addressChanges(args)
	return tx.UpdateCartAddresses(who, billing, shipping)
}

func selectRate(tx *shop.Tx, who shop.Shopper, args rest.Args) (*shop.CartQuote, error) {
	return tx.SelectRate(who, int(args.Int("package_id")), args.String("rate_id"))
}

// extensionEndpoints are where extensions keep data with the cart. This shop has none, so that every namespace is unknown.
func extensionEndpoints() []rest.Endpoint {
	return []rest.Endpoint{{
		Methods: []string{http.MethodPost}, Path: "/cart/extensions", Access: rest.Guarded,
		Params: reading(
			rest.Param{Name: "namespace", Type: rest.String, Required: true, Max: rest.Bound(maxText),
				Description: "Which extension the data is for."},
			rest.Param{Name: "data", Type: rest.Object, Description: "What the extension is to know."},
		),
		Do: func(r *rest.Request) (rest.Answer, error) {
			return rest.Answer{}, rest.Errorf(http.StatusBadRequest, "shop_rest_cart_extensions_error",
				"No extension is registered for the namespace %q.", r.Args.String("namespace"))
		},
	}}
}
