package defects

// Rules of products and variations that are not kept.

import (
	"encoding/json"
	"net/http"

	"shopcheck/suites/contract"
)

func productDefects() []Defect {
	create, remove := at("POST /shop/v3/products"), at("DELETE /shop/v3/products/{id}")
	get, put := at("GET /shop/v3/products/{id}"), at("PUT /shop/v3/products/{id}")
	variations := at("POST /shop/v3/products/{id}/variations")
	shown := at("POST /shop/v3/products", "GET /shop/v3/products/{id}")
	duplicate := "shop_rest_product_sku_already_exists"

	var enums []Defect
	for _, field := range contract.ProductEnums() {
		last := field.Values[len(field.Values)-1]
		enums = append(enums,
			defect(field.UnknownID(), "taken", "Any "+field.Name+" goes.",
				sent(create.and(holds(field.Name, equals("no-such-value"))), without(field.Name))),
			defect("products.create.field."+field.Name, "one-refused", "The "+field.Name+" "+last+" is not known.",
				refused(create.and(holds(field.Name, equals(last))), http.StatusBadRequest)))
	}
	return append(enums,
		defect("products.slug-from-name", "empty", "No slug is made of a name.", shows(create, "slug", "")),
		defect("products.price-current", "regular", "price is the regular price, also while on sale.",
			copied(shown, "regular_price", "price")),
		defect("products.on-sale", "never", "on_sale is always false.", shows(shown, "on_sale", false)),
		defect("products.on-sale", "always", "on_sale is always true.", shows(shown, "on_sale", true)),
		defect("products.sku-unique", "shared", "Two products may have one SKU.",
			failed(duplicate, func(a *answer) { a.Status = http.StatusOK })),
		defect("products.categories-by-id", "unnamed", "A category that was given by its id has no name.",
			shows(shown, "categories.#.name", "")),
		defect("products.images-by-src", "dropped", "Images of a create body are dropped.",
			unsent(create, "images")).also("products.create.field.images"),
		defect("products.create.name-required", "optional", "A product needs no name.", assumed(create, "name", "unnamed")),
		defect("products.retrieve", "other", "Another product is answered.", shows(get, "name", "another")),
		defect("products.update.empty-values", "kept", "An empty description does not empty it.", dropped(put, "description", "")),
		defect("products.update.empty-values", "zero", "A stock of 0 is no value.", dropped(put, "stock_quantity", json.Number("0"))),
		defect("products.list.filters-together", "one", "A lowest price is ignored where products on sale are asked for.",
			queried(at("GET /shop/v3/products").and(asksFor("on_sale")), func(q map[string][]string) { delete(q, "min_price") })),
		defect("products.delete.trash", "force-false", "force=false removes a product for good.",
			queried(remove, func(q map[string][]string) { replaced(q, "force", "false", "true") })),
		defect("products.one-record", "list", "Lists show another regular price.",
			shows(at("GET /shop/v3/products"), "#.regular_price", "1.11")),
		defect("products.one-record", "update", "The answer to an update shows another SKU.", shows(put, "sku", "another")),
		defect("products.one-record", "pictures", "Lists show the first picture only.",
			succeeded(at("GET /shop/v3/products"), func(a *answer) { a.set("#.images", firstOf) })),
		defect("products.create.field.images", "first-only", "Of several images the first is kept.",
			sent(create.and(holds("images", anything)), func(body map[string]any) { body["images"] = firstOf(body["images"]) })),
		defect("products.update.partial", "resets", "An update clears the description that it does not name.",
			assumed(put, "description", "")),
		defect("products.update.partial", "resets-stock", "An update clears the stock that it does not name.",
			assumed(put, "stock_quantity", 0)),
		defect("products.delete.trash", "for-good", "DELETE without force removes for good.", forced(remove)),
		defect("products.delete.trash", "ignored", "DELETE does nothing.", ignored(remove)),
		defect("products.delete.force", "trash", "DELETE with force moves to the trash.", unforced(remove)),
		defect("variations.list", "empty", "The list of variations is empty.", emptied(at("GET /shop/v3/products/{id}/variations"))),
		defect("variations.create", "200", "Creating a variation answers 200.", withStatus(variations, success, http.StatusOK)),
		defect("variations.create", "unpriced", "The price of a created variation is dropped.", unsent(variations, "regular_price")),
		defect("variations.one-record", "list", "The list shows one price of all variations.",
			shows(at("GET /shop/v3/products/{id}/variations"), "#.regular_price", "11.00")),
		defect("variations.pages", "ignored", "Lists of variations are not paged.", unpageable("GET /shop/v3/products/{id}/variations")),
	)
}

// dropped leaves a value out of requests.
func dropped(when match, path string, value any) bend {
	return sent(when, func(body map[string]any) {
		places(body, path, func(object map[string]any, key string) {
			if given, there := object[key]; there && given == value {
				delete(object, key)
			}
		})
	})
}

// without leaves a field out.
func without(name string) func(body map[string]any) {
	return func(body map[string]any) { delete(body, name) }
}

// copied shows the value at a path also in another field of the same object.
func copied(when match, from, to string) bend {
	return succeeded(when, func(a *answer) {
		tree := a.tree()
		places(tree, from, func(object map[string]any, key string) { object[to] = object[key] })
		a.setTree(tree)
	})
}
