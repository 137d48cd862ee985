package seed

// What a seed may leave to the shop to work out of a product: its type, and which attributes are meant.

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
)

// settled is a product whose type is named, and whose attributes and options are named as the other parts of the loader want it.
func (l *loader) settled(product fixtures.Product) (fixtures.Product, error) {
	if product.Type == "" {
		product.Type = typeOf(&product)
	}
	if len(product.Variations) > 0 && product.Type != string(shop.Variable) {
		return product, fmt.Errorf("it has variations, and is %s: leave out its type, or take %s", product.Type, shop.Variable)
	}
	product.Attributes = slices.Clone(product.Attributes)
	for i := range product.Attributes {
		l.settleAttribute(&product.Attributes[i])
	}
	product.Variations = slices.Clone(product.Variations)
	for i := range product.Variations {
		if err := settleVariation(&product, &product.Variations[i]); err != nil {
			return product, fmt.Errorf("variation %d: %w", i+1, err)
		}
	}
	var err error
	product.Defaults, err = byKey(&product, product.Defaults)
	return product, err
}

func typeOf(product *fixtures.Product) string {
	switch {
	case len(product.Variations) > 0:
		return string(shop.Variable)
	case len(product.Grouped) > 0:
		return string(shop.Grouped)
	case product.URL != "":
		return string(shop.External)
	}
	return string(shop.Simple)
}

// settleAttribute finds the global attribute that is meant by a name.
func (l *loader) settleAttribute(attribute *fixtures.ProductAttribute) {
	for _, global := range l.data.Attributes {
		if attribute.Global == global.Name || attribute.Global == "" && (attribute.Name == global.Name || attribute.Name == global.Slug) {
			attribute.Global, attribute.Name = global.Slug, ""
			return
		}
	}
}

// settleVariation names the options of a variation by their attributes, which are those that variations differ in.
func settleVariation(product *fixtures.Product, variation *fixtures.Variation) error {
	options := variation.Options
	if variation.Choice != "" {
		if options != nil {
			return errors.New("it has both choice and options: take one of them")
		}
		var err error
		if options, err = chosenBy(product, variation.Choice); err != nil {
			return err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(options)) {
		if attributeAt(product, name) < 0 {
			product.Attributes = append(product.Attributes, fixtures.ProductAttribute{Name: name})
		}
	}
	options, err := byKey(product, options)
	if err != nil {
		return err
	}
	variation.Options = options
	for i := range product.Attributes {
		attribute := &product.Attributes[i]
		option, chosen := options[attribute.Key()]
		if !chosen {
			continue
		}
		attribute.Variation = true
		if option != "" && !slices.Contains(attribute.Options, option) {
			attribute.Options = append(slices.Clone(attribute.Options), option)
		}
	}
	return nil
}

// chosenBy reads "Red, S": an option of each attribute, or of those that variations differ in.
func chosenBy(product *fixtures.Product, choice string) (map[string]string, error) {
	options := strings.Split(choice, ",")
	attributes := product.Attributes
	if differing := slices.DeleteFunc(slices.Clone(attributes), func(a fixtures.ProductAttribute) bool { return !a.Variation }); len(
		differing) == len(options) {
		attributes = differing
	}
	if len(options) != len(attributes) {
		return nil, fmt.Errorf("%q has %d options, but the product has %d attributes", choice, len(options), len(attributes))
	}
	chosen := map[string]string{}
	for i, option := range options {
		chosen[attributes[i].Key()] = strings.TrimSpace(option)
	}
	return chosen, nil
}

// byKey names options as the attributes of a product are named.
func byKey(product *fixtures.Product, options map[string]string) (map[string]string, error) {
	named := map[string]string{}
	for name, option := range options {
		at := attributeAt(product, name)
		if at < 0 {
			return nil, fmt.Errorf("it has no attribute %q", name)
		}
		named[product.Attributes[at].Key()] = option
	}
	return named, nil
}

// attributeAt finds an attribute by a name that a file may have for it, -1 if there is none.
func attributeAt(product *fixtures.Product, name string) int {
	return slices.IndexFunc(product.Attributes, func(a fixtures.ProductAttribute) bool {
		return strings.EqualFold(a.Key(), name) || strings.EqualFold(a.Key(), shop.Slugify(name))
	})
}
