package shop

import (
	"slices"
	"strings"
)

// VariationOf finds a variation of a product.
func (v View) VariationOf(parent, id int64) (*Product, error) {
	if p, ok := v.Variations.Get(id); ok && p.ParentID == parent {
		return p, nil
	}
	return nil, Faultf(NoSuchVariation, "Product %d has no variation %d.", parent, id)
}

// NewVariation is a variation of a product with its defaults. Fault: NoSuchProduct.
func (tx *Tx) NewVariation(parent int64) (*Product, error) {
	if _, err := tx.Product(parent); err != nil {
		return nil, err
	}
	p := tx.NewProduct()
	p.Type, p.ParentID, p.TaxClass = Variation, parent, ParentTaxClass
	return p, nil
}

// CreateVariation gives a variation its id and adds it to its product.
//
// Faults: SKUTaken, InvalidParam, NoSuchProduct.
func (p *Product) CreateVariation(tx *Tx) error {
	_, err := tx.CreateVariations([]*Product{p})
	return err
}

// CreateVariations is CreateVariation for several of one product, which follows once. After an error, at is the one that is wrong.
func (tx *Tx) CreateVariations(all []*Product) (at int, err error) {
	for at, p := range all {
		p.ID = next(&tx.LastID.Post)
		if p.Created.IsZero() {
			p.Created = tx.Now
		}
		if err := p.settleVariation(tx); err != nil {
			return at, err
		}
	}
	if len(all) == 0 {
		return 0, nil
	}
	return 0, tx.followChildren(all[0].ParentID)
}

// ShippingClass is the id of the shipping class, 0 for none: a variation that has none takes that of its product.
func (p *Product) ShippingClass(v View) int64 {
	if p.Type != Variation || p.ShippingClassID != 0 {
		return p.ShippingClassID
	}
	parent, _ := v.Products.Get(p.ParentID)
	return p.shippingClass(parent)
}

func (p *Product) shippingClass(parent *Product) int64 {
	if p.ShippingClassID == 0 && parent != nil {
		return parent.ShippingClassID
	}
	return p.ShippingClassID
}

// SaveVariation keeps a changed copy of a variation and lets its product follow.
func (p *Product) SaveVariation(tx *Tx) error {
	if err := p.settleVariation(tx); err != nil {
		return err
	}
	return tx.followChildren(p.ParentID)
}

// settleVariation keeps a variation that fits its product.
func (p *Product) settleVariation(tx *Tx) error {
	parent, err := tx.Product(p.ParentID)
	if err != nil {
		return err
	}
	p.Modified = tx.Now
	p.Choices = completeChoices(parent, p.Choices)
	p.Name = choiceNames(p.Choices)
	if err := p.check(tx); err != nil {
		return err
	}
	return p.placeVariation(tx)
}

func (p *Product) putVariation(tx *Tx) error {
	if err := p.placeVariation(tx); err != nil {
		return err
	}
	return tx.followChildren(p.ParentID)
}

func (p *Product) placeVariation(tx *Tx) error {
	p.notePricing(tx.Now)
	p.priceAlone(tx.Now)
	p.Memo = new(Memo)
	return uniqueFault(tx.Variations.Put(tx.rows, p))
}

// followChildren works out anew what a product takes from its variations.
func (tx *Tx) followChildren(id int64) error {
	parent, ok := tx.Products.Get(id)
	if !ok {
		return nil
	}
	changed := *parent
	changed.Modified = tx.Now
	tx.emit("product", "updated", id)
	return changed.put(tx)
}

// TrashVariation moves a variation to the trash. Fault: AlreadyTrashed.
func (p *Product) TrashVariation(tx *Tx) error {
	if p.Status == StatusTrash {
		return Faultf(AlreadyTrashed, "Variation %d is in the trash already: send force=true to delete it for good.", p.ID)
	}
	trashed := *p
	trashed.markTrashed(tx)
	return trashed.putVariation(tx)
}

// DeleteVariation removes a variation for good.
func (p *Product) DeleteVariation(tx *Tx) error {
	tx.Variations.Delete(tx.rows, p.ID)
	return tx.followChildren(p.ParentID)
}

// completeChoices returns one choice for each attribute that the product's variations differ by, in the product's order. An
// attribute without a choice is left open: any option fits.
func completeChoices(parent *Product, sent []AttributeChoice) []AttributeChoice {
	var complete []AttributeChoice
	for _, attribute := range parent.Attributes {
		if !attribute.Variation {
			continue
		}
		choice := AttributeChoice{ID: attribute.ID, Name: attribute.Name, Slug: attribute.Slug}
		at := slices.IndexFunc(sent, func(c AttributeChoice) bool { return c.names(attribute) })
		if at >= 0 {
			choice.Option = attribute.option(sent[at].Option)
		}
		complete = append(complete, choice)
	}
	return complete
}

// names reports whether a choice is about an attribute: by id, name or slug.
func (c AttributeChoice) names(a ProductAttribute) bool {
	if c.ID > 0 && a.ID > 0 {
		return c.ID == a.ID
	}
	for _, name := range []string{c.Slug, c.Name} {
		if name != "" &&
			(name == a.Slug || strings.EqualFold(name, a.Name) || Slugify(name) == Slugify(a.Slug) || "pa_"+Slugify(name) == a.Slug) {
			return true
		}
	}
	return false
}

// option returns an option as the attribute spells it; clients may send its slug.
func (a ProductAttribute) option(sent string) string {
	if slices.Contains(a.Options, sent) { // most are: of a product with thousands of options each variation asks
		return sent
	}
	slug := Slugify(sent)
	for _, option := range a.Options {
		if strings.EqualFold(option, sent) || Slugify(option) == slug {
			return option
		}
	}
	return sent
}

func choiceNames(choices []AttributeChoice) string {
	var names []string
	for _, choice := range choices {
		if choice.Option != "" {
			names = append(names, choice.Option)
		}
	}
	return strings.Join(names, ", ")
}

// maxGenerated bounds how many variations one call may make.
const maxGenerated = 50

// MissingVariations returns a new variation, not yet kept, for each combination of the product's options that has none; at most 50.
func (tx *Tx) MissingVariations(parent int64) ([]*Product, error) {
	product, err := tx.Product(parent)
	if err != nil {
		return nil, err
	}
	taken := map[string]bool{}
	for _, child := range tx.Children(parent) {
		taken[choiceNames(child.Choices)] = true
	}
	var missing []*Product
	for _, choices := range combinations(product.Attributes) {
		if taken[choiceNames(choices)] || len(missing) == maxGenerated {
			continue
		}
		variation, err := tx.NewVariation(parent)
		if err != nil {
			return nil, err
		}
		variation.Choices = choices
		missing = append(missing, variation)
	}
	return missing, nil
}

// maxCombinations bounds the options that are combined with each other.
const maxCombinations = 10_000

// combinations returns every choice of one option for each attribute that variations differ by.
func combinations(attributes []ProductAttribute) [][]AttributeChoice {
	var all [][]AttributeChoice
	for _, attribute := range attributes {
		if !attribute.Variation || len(attribute.Options) == 0 {
			continue
		}
		if all == nil {
			all = [][]AttributeChoice{nil}
		}
		if len(all)*len(attribute.Options) > maxCombinations {
			return all
		}
		var longer [][]AttributeChoice
		for _, shorter := range all {
			for _, option := range attribute.Options {
				choice := AttributeChoice{ID: attribute.ID, Name: attribute.Name, Slug: attribute.Slug, Option: option}
				longer = append(longer, append(slices.Clip(shorter), choice))
			}
		}
		all = longer
	}
	return all
}
