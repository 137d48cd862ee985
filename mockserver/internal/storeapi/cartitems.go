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
		{Methods: []string{http.MethodGet}, Path: itemsPath, Access: rest.Public, Params: reading(), Do: reads(itemList),
			Shows: rest.Records},
		{Methods: []string{http.MethodPost}, Path: itemsPath, Access: rest.Guarded, Params: reading(goodsParams()...), Do: createItem,
			Status: http.StatusCreated},
		{Methods: []string{http.MethodDelete}, Path: itemsPath, Access: rest.Guarded, Do: clearItems, Shows: rest.Records},
		{Methods: []string{http.MethodGet}, Path: itemPath, Access: rest.Public, Params: reading(), Do: reads(oneItem)},
		{Methods: []string{http.MethodPut, http.MethodPost, http.MethodPatch}, Path: itemPath, Access: rest.Guarded,
			Params: reading(keyInPath, quantityFrom(0)), Do: changeItem, Empties: true},
		{Methods: []string{http.MethodDelete}, Path: itemPath, Access: rest.Guarded, Params: []rest.Param{keyInPath}, Do: deleteItem,
			Shows: rest.NoBody, Status: http.StatusNoContent},
	}
}

var keyInPath = rest.Param{Name: "key", Type: rest.String, Max: rest.Bound(maxText), Description: "Key of the item."}

// linkedItem is an item with the links of a collection's member.
var linkedItem = rest.Lazily(func() *rest.Record[item] {
	return rest.Shown(itemRecord.All(), fields(linksOf(itemsPath,
		func(i *item) member {
			m := member{name: i.key}
			if !i.alone {
				m.allow = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
			}
			return m
		})))
})

// member is a record as its collection links to it.
type member struct {
	path  string // of the collection
	name  string
	allow []string // the methods that its address takes; nil at the address itself, which gives no hints
}

// linksOf is the field _links of the members of a collection.
func linksOf[T any](path string, of func(*T) member) rest.Field[T] {
	return rest.NestedOf("_links", func(_ *rest.Encoding, row *T) *member {
		m := of(row)
		m.path = path
		return &m
	}, memberLinks)
}

var memberLinks = rest.Lazily(func() *rest.Record[member] {
	return rest.Shown(fields(
		rest.RowsOf("self", itself, rest.Shown(fields(
			rest.TextOf("href", func(e *rest.Encoding, m *member) string { return collectionLink(e, m) + "/" + m.name }),
			targetHints(),
		))),
		rest.RowsOf("collection", itself, rest.Shown(fields(rest.TextOf("href", collectionLink)))),
	))
})

func targetHints() rest.Field[member] {
	return withHints(rest.Part("targetHints", rest.Shown(fields(
		rest.Texts("allow", func(m *member) *[]string { return &m.allow }),
	))))
}

func withHints(field rest.Field[member]) rest.Field[member] {
	field.Absent = func(_ *rest.Encoding, m *member) bool { return m.allow == nil }
	return field
}

func itself(_ *rest.Encoding, m *member) []*member { return []*member{m} }

func collectionLink(e *rest.Encoding, m *member) string {
	return e.Site.Root + "/" + Namespace + m.path
}

func itemList(r *rest.Request, quote *shop.CartQuote) (rest.Answer, error) {
	return rest.OK(linkedItem.List(rest.NewEncoding(r), itemsOf(quote)))
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
				return rest.OK(linkedItem.Body(rest.NewEncoding(r), itemOf(item)))
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
		if quote.Items[i].Key == r.Path["key"] {
			shown := itemOf(&quote.Items[i])
			shown.alone = true
			return rest.OK(linkedItem.Body(rest.NewEncoding(r), shown))
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
