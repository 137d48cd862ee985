package contract

// Statements about products and their variations in the management API.

const (
	sectionProductsEndpoint = "Endpoints / Products"
	sectionProductStatus    = "States and transitions / Product status"
)

func productRequirements() []Requirement {
	out := Product().Requirements()
	out = append(out, Variation().Requirements()...)
	out = append(out, productFieldRules()...)
	out = append(out, ProductList().Requirements()...)
	return append(out, productOperations()...)
}

func productFieldRules() []Requirement {
	g := &group{section: sectionProduct, feature: FeatureManagement}
	g.writable("products", ProductWritable())
	g.readOnly("products", ProductReadOnly())
	g.must("products.slug-from-name", "A slug is generated when none is given.")
	g.must("products.id-unique", "A product's id is unique.")
	g.must("products.price-current", "price is the current price: the sale price while on sale, else the regular price.")
	g.must("products.on-sale", "on_sale is true while a sale price holds.")
	g.must("products.sku-unique", "A SKU belongs to one product.")
	g.must("products.categories-by-id", "On write a category needs its id alone; the record names it in full.")
	g.must("products.images-by-src", "On create an image needs its src alone; the record holds an image for it.")
	g.observed("products.stock-quantity-without-manage", "What a stock quantity becomes without manage_stock.")
	return g.list
}

func productOperations() []Requirement {
	g := &group{section: sectionProductsEndpoint, feature: FeatureManagement}
	g.must("products.list", "GET on the collection lists products.")
	g.must("products.create", "POST on the collection creates a product and answers 201 with its record.")
	g.must("products.create.name-required", "A create body needs a name.")
	for _, f := range ProductEnums() {
		g.add(f.Level, f.UnknownID(), "A "+f.Name+" outside the allowed ones is refused.")
	}
	g.must("products.retrieve", "GET on a product's address answers its record.")
	g.must("products.update", "PUT changes the given fields and answers the record.")
	g.must("products.update.partial", "PUT leaves fields that are not given as they were.")
	g.must("products.update.missing", "PUT on a product that does not exist is answered with 404.")
	g.must("products.delete.missing", "DELETE on a product that does not exist is answered with 404.")
	g.batches("products")
	g.must("variations.list", "GET on a variable product's variations lists them.")
	g.must("variations.create", "POST on a variable product's variations creates one with regular_price and attributes and answers 201.")
	g.must("variations.one-record", "A variation is the same in the answer to its creation as in the list.")
	g.should("variations.paging", "Lists of variations carry the paging headers.")
	g.should("variations.pages", "Lists of variations are paged by page and per_page.")
	g.observed("variations.item", "Whether one variation has an address of its own to be read, changed and deleted at.")
	g.observed("variations.batch", "Whether variations can be written by a batch.")
	g.observed("variations.missing-parent", "How variations of a product that does not exist are answered.")

	g.section = sectionProductStatus
	g.must("products.delete.trash", "DELETE without force moves the product to the trash.")
	g.must("products.delete.force", "DELETE with force=true removes the product permanently.")
	g.observed("products.delete.answer", "The status and body of the answer to a delete.")
	g.observed("products.trashed-in-lists", "Whether trashed products show in lists.")
	return g.list
}
