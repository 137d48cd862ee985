package shop

// Choosing: from what a customer asks for to the product or variation that is sold.

import (
	"cmp"
	"crypto/md5"
	"encoding/hex"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/shop/pricing"
)

// ChosenAttribute is one choice as customers send it: an attribute by slug ("pa_size") or by name, and an option
// by name or slug.
type ChosenAttribute struct{ Attribute, Value string }

// goods is what a line sells.
type goods struct {
	product *Product          // the simple product or the variation
	parent  *Product          // the variable product of a variation, else nil
	choices []AttributeChoice // one for each attribute that variations differ by
}

// choose finds what is sold for an id and a choice of attributes. Fault: InvalidProduct.
func (v View) choose(id int64, chosen []ChosenAttribute) (goods, error) {
	product, err := v.Sellable(id)
	if err != nil {
		return goods{}, Faultf(InvalidProduct, "There is no product %d.", id)
	}
	switch product.Type {
	case Simple:
		return goods{product: product}, nil
	case Variable:
		return product.chooseVariation(v, chosen)
	case Variation:
		return product.fixVariation(v, chosen)
	}
	return goods{}, Faultf(InvalidProduct, "%q cannot be put into a cart: it is not sold here itself.", product.Name)
}

// chooseVariation finds the variation of a product that the choices stand for.
func (p *Product) chooseVariation(v View, chosen []ChosenAttribute) (goods, error) {
	choices, err := p.choices(v, chosen)
	if err != nil {
		return goods{}, err
	}
	for _, variation := range v.Children(p.ID) {
		if variation.Status == StatusPublish && variation.standsFor(choices) {
			return goods{variation, p, choices}, nil
		}
	}
	return goods{}, Faultf(InvalidProduct, "%q does not come in that combination.", p.Name)
}

// fixVariation completes the choices of a variation: those that it fixes cannot be changed, those that it leaves open
// must be made.
func (p *Product) fixVariation(v View, chosen []ChosenAttribute) (goods, error) {
	parent, known := v.Products.Get(p.ParentID)
	if !known {
		return goods{}, Faultf(InvalidProduct, "The product of variation %d does not exist any more.", p.ID)
	}
	for _, fixed := range p.Choices {
		if fixed.Option != "" && !fixed.chosenIn(chosen) {
			chosen = append(chosen[:len(chosen):len(chosen)], ChosenAttribute{fixed.Slug, fixed.Option})
		}
	}
	choices, err := parent.choices(v, chosen)
	if err != nil {
		return goods{}, err
	}
	if !p.standsFor(choices) {
		return goods{}, Faultf(InvalidProduct, "Variation %d of %q does not come in that combination.", p.ID, parent.Name)
	}
	return goods{p, parent, choices}, nil
}

// choices returns one option for each attribute that the product's variations differ by.
func (p *Product) choices(v View, chosen []ChosenAttribute) ([]AttributeChoice, error) {
	var choices []AttributeChoice
	used := 0
	for _, attribute := range p.Attributes {
		if !attribute.Variation {
			continue
		}
		choice := AttributeChoice{ID: attribute.ID, Name: attribute.Name, Slug: attribute.Slug}
		for _, sent := range chosen {
			if choice.isNamed(sent.Attribute) {
				choice.Option = v.optionOf(attribute, sent.Value)
				used++
			}
		}
		if choice.Option == "" {
			return nil, Faultf(InvalidProduct, "Choose an available %s for %q.", attribute.Name, p.Name)
		}
		choices = append(choices, choice)
	}
	if used < len(chosen) {
		return nil, Faultf(InvalidProduct, "%q has no such attribute to choose.", p.Name)
	}
	return choices, nil
}

// Compare orders choices by the names under which clients send attributes: the slug of a global one, the slug of the name of another.
func (c AttributeChoice) Compare(other AttributeChoice) int {
	return cmp.Compare(c.sentAs(), other.sentAs())
}

func (c AttributeChoice) sentAs() string {
	if c.ID == 0 {
		return Slugify(c.Name)
	}
	return c.Slug
}

// isNamed reports whether a customer's word for an attribute means this one.
func (c AttributeChoice) isNamed(word string) bool {
	word = strings.TrimPrefix(word, "attribute_")
	return word == c.Slug || word == c.Name || c.ID == 0 && word == Slugify(c.Name)
}

func (c AttributeChoice) chosenIn(chosen []ChosenAttribute) bool {
	for _, sent := range chosen {
		if c.isNamed(sent.Attribute) {
			return true
		}
	}
	return false
}

// optionOf returns an option as the attribute spells it, "" if it has no such option.
func (v View) optionOf(attribute ProductAttribute, sent string) string {
	if term, known := Terms.Slug.Find(&v.Terms, TermKey(attribute.Slug, sent)); known {
		sent = term.Name
	}
	spelled := attribute.option(sent)
	for _, option := range attribute.Options {
		if option == spelled {
			return option
		}
	}
	return ""
}

// standsFor reports whether the variation is the one with these choices; what it leaves open fits every option.
func (p *Product) standsFor(choices []AttributeChoice) bool {
	for _, own := range p.Choices {
		for _, choice := range choices {
			if own.Option != "" && own.Slug == choice.Slug && !strings.EqualFold(own.Option, choice.Option) {
				return false
			}
		}
	}
	return true
}

// purchasable reports whether customers may buy it at all: it is published and has a price.
func (g goods) purchasable() bool {
	if g.product == nil || g.product.Status != StatusPublish || !g.product.Prices.Set {
		return false
	}
	if g.product.Type == Variation {
		return g.parent != nil && g.parent.Status == StatusPublish && g.parent.Type == Variable
	}
	return g.product.Type == Simple
}

// name is the name that carts show.
func (g goods) name() string {
	if g.parent != nil {
		return g.parent.Name
	}
	return g.product.Name
}

// fullName tells variations apart: "Shirt - Blue, Large".
func (g goods) fullName() string {
	if options := choiceNames(g.choices); g.parent != nil && options != "" {
		return g.parent.Name + " - " + options
	}
	return g.name()
}

// ids are the product and the variation, 0 for none.
func (g goods) ids() (productID, variationID int64) {
	if g.parent != nil {
		return g.parent.ID, g.product.ID
	}
	return g.product.ID, 0
}

// soldIndividually reports whether an order may hold one piece only.
func (g goods) soldIndividually() bool {
	return g.product.SoldIndividually || g.parent != nil && g.parent.SoldIndividually
}

// key identifies the goods in a cart: equal goods merge into one item.
func (g goods) key() string {
	productID, variationID := g.ids()
	var text strings.Builder
	text.WriteString(strconv.FormatInt(productID, 10))
	if variationID != 0 {
		text.WriteString("_" + strconv.FormatInt(variationID, 10))
	}
	for _, choice := range g.choices {
		text.WriteString("\x00" + choice.Slug + "\x00" + choice.Option)
	}
	sum := md5.Sum([]byte(text.String()))
	return hex.EncodeToString(sum[:])
}

// line is the basket line of a quantity of the goods at today's price.
func (g goods) line(quantity int64) BasketLine {
	return BasketLine{
		Line: pricing.Line{
			Quantity: quantity, Price: g.product.Prices.Min, Taxable: g.product.TaxStatus == "taxable", TaxClass: g.taxClass(),
			Weight: g.weight(), ShippingClass: g.shippingClass(),
		},
		Product: g.product, Parent: g.parent, OnSale: g.product.Prices.OnSale,
	}
}

// weight is the weight of one piece; a variation without one has its product's.
func (g goods) weight() Amount {
	weight := g.product.Weight
	if weight == "" && g.parent != nil {
		weight = g.parent.Weight
	}
	return pricing.AmountOf(weight)
}

// shippingClass is the shipping class of the goods; a variation without one has its product's.
func (g goods) shippingClass() int64 {
	return g.product.shippingClass(g.parent)
}

// taxClass is the class of the goods; a variation may leave it to its product.
func (g goods) taxClass() string {
	switch {
	case g.product.TaxClass != ParentTaxClass:
		return g.product.TaxClass
	case g.parent != nil:
		return g.parent.TaxClass
	}
	return ""
}
