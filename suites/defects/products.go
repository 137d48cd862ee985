package defects

// Rules of products and variations that are not kept.

import (
	"net/http"
)

func productDefects() []Defect {
	create, list, batch := at("POST /shop/v3/products"), at("GET /shop/v3/products"), at("POST /shop/v3/products/batch")
	get, put, remove := at("GET /shop/v3/products/{id}"), at("PUT /shop/v3/products/{id}"), at("DELETE /shop/v3/products/{id}")
	variations := at("POST /shop/v3/products/{id}/variations")
	shown := at("POST /shop/v3/products", "GET /shop/v3/products/{id}")
	duplicate := "shop_rest_product_sku_already_exists"

	return []Defect{
		defect("products.slug-from-name", "empty", "No slug is made of a name.", shows(create, "slug", "")),
		defect("products.id-unique", "constant", "All products have one id.", shows(create, "id", 7)),
		defect("products.price-current", "regular", "price is the regular price, also while on sale.", copied(shown, "regular_price", "price")),
		defect("products.on-sale", "never", "on_sale is always false.", shows(shown, "on_sale", false)),
		defect("products.on-sale", "always", "on_sale is always true.", shows(shown, "on_sale", true)),
		defect("products.sku-unique", "shared", "Two products may have one SKU.", failed(duplicate, func(a *answer) { a.Status = http.StatusOK })),
		defect("products.categories-by-id", "unnamed", "A category that was given by its id has no name.", shows(shown, "categories.#.name", "")),
		defect("products.images-by-src", "dropped", "Images of a create body are dropped.", unsent(create, "images")).also("products.create.field.images"),
		defect("products.create", "200", "Creating a product answers 200.", withStatus(create, success, http.StatusOK)),
		defect("products.create", "lost", "A created product is not kept.", lost(create)),
		defect("products.create.name-required", "optional", "A product needs no name.", assumed(create, "name", "unnamed")),
		defect("products.create.unknown-type", "taken", "Any type goes.", sent(create, func(body map[string]any) {
			if body["type"] == "no-such-type" {
				body["type"] = "simple"
			}
		})),
		defect("products.retrieve", "other", "Another product is answered.", shows(get, "name", "another")),
		defect("products.update", "ignored", "Updates are ignored.", ignored(put)),
		defect("products.update", "answer-only", "Updates show in the answer and are not kept.", unkept(put)),
		defect("products.update.partial", "resets", "An update clears the description that it does not name.", assumed(put, "description", "")),
		defect("products.update.partial", "resets-stock", "An update clears the stock that it does not name.", assumed(put, "stock_quantity", 0)),
		defect("products.update.missing", "400", "Updating what does not exist is answered with 400.", withStatus(put, is(http.StatusNotFound), http.StatusBadRequest)),
		defect("products.delete.missing", "400", "Deleting what does not exist is answered with 400.", withStatus(remove, is(http.StatusNotFound), http.StatusBadRequest)),
		defect("products.delete.trash", "for-good", "DELETE without force removes for good.", forced(remove)),
		defect("products.delete.trash", "ignored", "DELETE does nothing.", ignored(remove)),
		defect("products.delete.force", "trash", "DELETE with force moves to the trash.", unforced(remove)),
		defect("products.batch.create", "half", "A batch creates only the first record.", sent(batch, func(body map[string]any) { shorten(body, "create") })),
		defect("products.batch.update", "ignored", "A batch does not update.", unsent(batch, "update")),
		defect("products.batch.delete", "ignored", "A batch does not delete.", unsent(batch, "delete")),
		defect("products.batch.optional-keys", "needed", "A batch needs all of its keys.", refused(batch.and(lacks("delete")), http.StatusBadRequest)),
		defect("products.list", "refused", "Products cannot be listed.", refused(list, http.StatusNotFound)),
		defect("variations.list", "empty", "The list of variations is empty.", emptied(at("GET /shop/v3/products/{id}/variations"))),
		defect("variations.create", "200", "Creating a variation answers 200.", withStatus(variations, success, http.StatusOK)),
		defect("variations.create", "unpriced", "The price of a created variation is dropped.", unsent(variations, "regular_price")),
	}
}

// copied shows the value of one field in another.
func copied(when match, from, to string) bend {
	return succeeded(when, func(a *answer) {
		tree := a.tree()
		if object, ok := tree.(map[string]any); ok {
			object[to] = object[from]
			a.setTree(object)
		}
	})
}

// lost answers a create with its record and forgets the record.
func lost(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		remove := copyOf(r)
		a := record(inner, r)
		if object, ok := a.tree().(map[string]any); ok && a.ok() {
			remove.Method = http.MethodDelete
			remove.URL.Path += "/" + textOf(object["id"])
			remove.URL.RawQuery = "force=true"
			record(inner, remove)
		}
		return a
	})
}

// unkept shows the sent fields in the answer of a write, and does not do it.
func unkept(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		changes := fields(r)
		a := lookedAt(inner, r)
		tree, ok := a.tree().(map[string]any)
		if !ok || !a.ok() {
			return a
		}
		for name, value := range changes {
			tree[name] = value
		}
		a.setTree(tree)
		return a
	})
}

// shorten leaves one item of a list.
func shorten(body map[string]any, name string) {
	if list, ok := body[name].([]any); ok && len(list) > 1 {
		body[name] = list[:1]
	}
}
