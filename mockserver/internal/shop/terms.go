package shop

import (
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/state"
)

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

// TermOf finds a term of a taxonomy.
func (v View) TermOf(taxonomy string, id int64) (*Term, error) {
	if t, ok := v.Terms.Get(id); ok && t.Taxonomy == taxonomy {
		return t, nil
	}
	return nil, Faultf(NoSuchTerm, "There is no such term: %d.", id)
}

// Count is how many published products carry the term.
func (t *Term) Count(v View) int {
	facet, value := Products.Term, ""
	switch t.Taxonomy {
	case TaxonomyCategory:
		facet, value = Products.Category, strconv.FormatInt(t.ID, 10)
	case TaxonomyTag:
		facet, value = Products.Tag, strconv.FormatInt(t.ID, 10)
	case TaxonomyBrand:
		facet, value = Products.Brand, strconv.FormatInt(t.ID, 10)
	case TaxonomyShippingClass:
		facet, value = Products.ShippingClass, strconv.FormatInt(t.ID, 10)
	default:
		value = t.Taxonomy + ":" + t.Name
	}
	_, count := v.Products.Select(state.Query[*Product]{
		Where: []state.Condition[*Product]{facet.Is(value), Products.Status.Is(StatusPublish)}, Limit: 1,
	})
	return count
}

// Create gives a term its id and slug.
//
// Faults: TermExists (with its id) when a sibling has that name or the slug is taken, MissingParent, NameRequired.
func (t *Term) Create(tx *Tx) error {
	t.ID = next(&tx.LastID.Term)
	return t.Save(tx)
}

// Save keeps a changed copy of a term, or a new one that has its id.
func (t *Term) Save(tx *Tx) error {
	if strings.TrimSpace(t.Name) == "" {
		return Faultf(NameRequired, "A term needs a name.")
	}
	if err := t.checkParent(tx); err != nil {
		return err
	}
	if t.Slug == "" {
		t.Slug = t.Name
	}
	t.Slug = Slugify(t.Slug)
	if holder, taken := Terms.Slug.Find(&tx.Terms, TermKey(t.Taxonomy, t.Slug)); taken && holder.ID != t.ID {
		fault := Faultf(TermExists, "A term with the slug %q exists already: %d.", t.Slug, holder.ID)
		fault.ID = holder.ID
		return fault
	}
	t.Memo = new(Memo)
	return tx.Terms.Put(tx.rows, t)
}

func (t *Term) checkParent(tx *Tx) error {
	if t.ParentID == 0 {
		return nil
	}
	for id := t.ParentID; id != 0; {
		parent, ok := tx.Terms.Get(id)
		if !ok || parent.Taxonomy != t.Taxonomy || parent.ID == t.ID {
			return Faultf(MissingParent, "The parent term %d does not exist, or is the term itself or one below it.", t.ParentID)
		}
		id = parent.ParentID
	}
	return nil
}

// EnsureTerm finds the term of a name, or makes it.
func (tx *Tx) EnsureTerm(taxonomy, name string) (*Term, error) {
	if t, ok := Terms.Slug.Find(&tx.Terms, TermKey(taxonomy, Slugify(name))); ok {
		return t, nil
	}
	t := &Term{Taxonomy: taxonomy, Name: name}
	return t, t.Create(tx)
}

// Delete removes a term and takes it off the products that carry it; its children move up to its parent.
func (t *Term) Delete(tx *Tx) error {
	for _, child := range collect(Terms.Parent.Rows(&tx.Terms, strconv.FormatInt(t.ID, 10))) {
		moved := *child
		moved.ParentID, moved.Memo = t.ParentID, new(Memo)
		if err := tx.Terms.Put(tx.rows, &moved); err != nil {
			return err
		}
	}
	tx.Terms.Delete(tx.rows, t.ID)
	return t.forget(tx)
}

// forget takes a term off the products that carry it.
func (t *Term) forget(tx *Tx) error {
	value := strconv.FormatInt(t.ID, 10)
	facets := map[string]*state.Facet[*Product]{
		TaxonomyCategory: Products.Category, TaxonomyTag: Products.Tag, TaxonomyBrand: Products.Brand,
		TaxonomyShippingClass: Products.ShippingClass,
	}
	facet, known := facets[t.Taxonomy]
	if !known {
		return nil
	}
	for _, p := range collect(facet.Rows(&tx.Products, value)) {
		changed := *p
		changed.CategoryIDs = without(p.CategoryIDs, t.ID)
		changed.TagIDs = without(p.TagIDs, t.ID)
		changed.ChangeExtras(func(e *Extras) { e.BrandIDs = without(e.BrandIDs, t.ID) })
		if p.ShippingClassID == t.ID {
			changed.ShippingClassID = 0
		}
		if len(changed.CategoryIDs) == 0 {
			changed.CategoryIDs = tx.uncategorized()
		}
		if err := changed.put(tx); err != nil {
			return err
		}
	}
	return nil
}

func without(ids []int64, id int64) []int64 {
	return slices.DeleteFunc(slices.Clone(ids), func(n int64) bool { return n == id })
}

// AttributeByID finds a global attribute.
func (v View) AttributeByID(id int64) (*Attribute, error) {
	if a, ok := v.Attributes.Get(id); ok {
		return a, nil
	}
	return nil, Faultf(NoSuchTaxonomy, "There is no attribute %d.", id)
}

const attributePrefix = "pa_"

// Create gives a global attribute its id and slug. Faults: TaxonomyExists, NameRequired.
func (a *Attribute) Create(tx *Tx) error {
	a.ID = next(&tx.LastID.Attribute)
	return a.Save(tx, nil)
}

// Save keeps a changed copy of a global attribute; its terms follow a new slug.
func (a *Attribute) Save(tx *Tx, old *Attribute) error {
	if strings.TrimSpace(a.Name) == "" {
		return Faultf(NameRequired, "An attribute needs a name.")
	}
	if a.Slug == "" {
		a.Slug = a.Name
	}
	a.Slug = attributePrefix + Slugify(strings.TrimPrefix(a.Slug, attributePrefix))
	if holder, taken := Attributes.Slug.Find(&tx.Attributes, a.Slug); taken && holder.ID != a.ID {
		return Faultf(TaxonomyExists, "The slug %q is already used by attribute %d.", a.Slug, holder.ID)
	}
	if old != nil && old.Slug != a.Slug {
		if err := tx.renameTaxonomy(old.Slug, a.Slug); err != nil {
			return err
		}
	}
	a.Memo = new(Memo)
	return tx.Attributes.Put(tx.rows, a)
}

func (tx *Tx) renameTaxonomy(from, to string) error {
	for _, t := range collect(Terms.Taxonomy.Rows(&tx.Terms, from)) {
		moved := *t
		moved.Taxonomy, moved.Memo = to, new(Memo)
		if err := tx.Terms.Put(tx.rows, &moved); err != nil {
			return err
		}
	}
	return nil
}

// Delete removes a global attribute and its terms.
func (a *Attribute) Delete(tx *Tx) error {
	for _, t := range collect(Terms.Taxonomy.Rows(&tx.Terms, a.Slug)) {
		tx.Terms.Delete(tx.rows, t.ID)
	}
	tx.Attributes.Delete(tx.rows, a.ID)
	return nil
}

// Branch is a term and all terms below it, as facet values: who asks for a category means its sub-categories too.
func (v View) Branch(id string) []string {
	branch := []string{id}
	for at := 0; at < len(branch); at++ {
		for child := range Terms.Parent.Rows(&v.Terms, branch[at]) {
			branch = append(branch, strconv.FormatInt(child.ID, 10))
		}
	}
	return branch
}
