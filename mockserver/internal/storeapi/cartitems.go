package storeapi

import (
	"net/http"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// The items of the cart as a collection of their own.

const (
	itemsPath = "/cart/items"
	itemPath  = itemsPath + "/{key:[0-9A-Za-z_-]{32}}"
)

func cartItemEndpoints() []rest.Endpoint {
	return []rest.Endpoint{
		{Methods: []string{http.MethodGet}, Path: itemsPath, Access: rest.Public, Params: reading(), Do: reads(itemList)},
		{Methods: []string{http.MethodPost}, Path: itemsPath, Access: rest.Guarded, Params: reading(goodsParams()...), Do: createItem},
		{Methods: []string{http.MethodDelete}, Path: itemsPath, Access: rest.Guarded, Do: clearItems},
		{Methods: []string{http.MethodGet}, Path: itemPath, Access: rest.Public, Params: reading(), Do: reads(oneItem)},
		{Methods: []string{http.MethodPut, http.MethodPost, http.MethodPatch}, Path: itemPath, Access: rest.Guarded, Params: reading(keyInPath, quantityFrom(0)), Do: changeItem},
		{Methods: []string{http.MethodDelete}, Path: itemPath, Access: rest.Guarded, Params: []rest.Param{keyInPath}, Do: deleteItem},
	}
}

var keyInPath = rest.Param{Name: "key", Type: rest.String, Description: "Key of the item."}

// linkedItem is an item with the links of a collection's member.
type linkedItem struct {
	*cartItemWire
	Links links `json:"_links"`
}

// links of a member of a collection.
type links struct {
	Self       []memberLink `json:"self"`
	Collection []link       `json:"collection"`
}

type link struct {
	Href string `json:"href"`
}

type memberLink struct {
	Href  string `json:"href"`
	Hints *hints `json:"targetHints,omitempty"` // none at the member's own address
}

type hints struct {
	Allow []string `json:"allow"`
}

func (s *scene) linksTo(collection, member string, allow ...string) links {
	address := s.site.Root + "/" + Namespace + collection
	return links{[]memberLink{{address + "/" + member, &hints{allow}}}, []link{{address}}}
}

func (s *scene) linkedItem(item *shop.CartItemQuote) linkedItem {
	return linkedItem{s.cartItem(item), s.linksTo(itemsPath, item.Key,
		http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete)}
}

func itemList(r *rest.Request, quote *shop.CartQuote) (rest.Answer, error) {
	s := sceneOf(r)
	items := make([]linkedItem, len(quote.Items))
	for i := range quote.Items {
		items[i] = s.linkedItem(&quote.Items[i])
	}
	return rest.OK(items)
}

// createItem answers with the item that the goods went into: the one whose quantity grew.
func createItem(r *rest.Request) (rest.Answer, error) {
	before := map[string]int64{}
	add := func(tx *shop.Tx, who shop.Shopper, args rest.Args) (*shop.CartQuote, error) {
		for _, item := range tx.CartOf(who).Items {
			before[item.Key] = item.Quantity
		}
		return addItem(tx, who, args)
	}
	return changeCart(r, add, func(r *rest.Request, quote *shop.CartQuote) (rest.Answer, error) {
		for i := range quote.Items {
			if item := &quote.Items[i]; item.Quantity > before[item.Key] {
				return rest.Answer{Status: http.StatusCreated, Body: sceneOf(r).linkedItem(item)}, nil
			}
		}
		return rest.Answer{}, invalidKey()
	})
}

func clearItems(r *rest.Request) (rest.Answer, error) {
	empty := func(tx *shop.Tx, who shop.Shopper, _ rest.Args) (*shop.CartQuote, error) { return tx.EmptyCart(who) }
	return changeCart(r, empty, itemList)
}

// oneItem shows an item at its own address.
func oneItem(r *rest.Request, quote *shop.CartQuote) (rest.Answer, error) {
	for i := range quote.Items {
		if item := &quote.Items[i]; item.Key == r.Path["key"] {
			shown := sceneOf(r).linkedItem(item)
			shown.Links.Self[0].Hints = nil
			return rest.OK(shown)
		}
	}
	return rest.Answer{}, invalidKey()
}

func invalidKey() error {
	return rest.Errorf(http.StatusConflict, "shop_rest_cart_invalid_key", "The cart holds no such item, or no longer.")
}

// changeItem sets the quantity. An item that is set to 0 is gone.
func changeItem(r *rest.Request) (rest.Answer, error) {
	if r.Args.Int("quantity") == 0 {
		return changeCart(r, updateItem, noContent)
	}
	return changeCart(r, updateItem, oneItem)
}

func deleteItem(r *rest.Request) (rest.Answer, error) { return changeCart(r, removeItem, noContent) }
