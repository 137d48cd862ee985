package shop

// Term is a category, tag, brand, shipping class or attribute option: they differ only in their taxonomy.
type Term struct {
	ID          int64
	Taxonomy    string // TaxonomyCategory …, or AttributeTaxonomy of a global attribute
	Name        string
	Slug        string // unique within the taxonomy
	ParentID    int64
	Description string
	Display     string // categories and brands: default, products, subcategories, both
	Image       *Image
	MenuOrder   int64
	Memo        *Memo
}

// RowID identifies the term in its table.
func (t *Term) RowID() int64 { return t.ID }

// The built-in taxonomies. A global attribute adds one of its own, named by its slug ("pa_color").
const (
	TaxonomyCategory      = "product_cat"
	TaxonomyTag           = "product_tag"
	TaxonomyBrand         = "product_brand"
	TaxonomyShippingClass = "product_shipping_class"
)

// Attribute is a global product attribute, whose options are terms of the taxonomy named by its slug.
type Attribute struct {
	ID          int64
	Name        string
	Slug        string // with the prefix "pa_"
	Type        string // select
	OrderBy     string // menu_order, name, name_num, id
	HasArchives bool
	Memo        *Memo
}

// RowID identifies the attribute in its table.
func (a *Attribute) RowID() int64 { return a.ID }
