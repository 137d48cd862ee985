package seed

// Terms, attributes, products and variations.

import (
	"cmp"
	"fmt"
	"strings"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
)

func (l *loader) loadTerms() error {
	for _, group := range []struct {
		taxonomy string
		terms    []fixtures.Term
	}{
		{shop.TaxonomyCategory, l.data.Categories},
		{shop.TaxonomyTag, l.data.Tags},
		{shop.TaxonomyBrand, l.data.Brands},
		{shop.TaxonomyShippingClass, l.data.ShippingClasses},
	} {
		if err := l.addTerms(group.taxonomy, group.terms); err != nil {
			return err
		}
	}
	for _, attribute := range l.data.Attributes {
		row := &shop.Attribute{Name: attribute.Name, Slug: attribute.Slug, Type: "select", OrderBy: "menu_order"}
		if err := row.Create(l.Tx); err != nil {
			return err
		}
		if err := l.addTerms(row.Slug, attribute.Terms); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) addTerms(taxonomy string, terms []fixtures.Term) error {
	for order, term := range terms {
		row := &shop.Term{
			Taxonomy: taxonomy, Name: term.Name, Slug: term.Slug, ParentID: l.terms[taxonomy+term.Parent],
			Description: term.Description, Display: "default", MenuOrder: int64(order), Image: l.termPicture(term),
		}
		if err := row.Create(l.Tx); err != nil {
			return fmt.Errorf("term %s: %w", term.Slug, err)
		}
		l.terms[taxonomy+term.Slug] = row.ID
	}
	return nil
}

func (l *loader) termPicture(term fixtures.Term) *shop.Image {
	if term.Picture == "" {
		return nil
	}
	picture := l.picture(term.Picture, term.Name)
	return &picture
}

// PicturePath is where the shop serves the pictures of its seeds.
const PicturePath = "/pictures/"

func (l *loader) picture(file, alt string) shop.Image {
	return shop.Image{
		ID: l.NextImage(), Created: l.daysAgo(pictureAge), Modified: l.daysAgo(pictureAge),
		Src: PicturePath + file, Name: file, Alt: alt,
	}
}

// pictureAge is how many days ago the pictures were drawn: before the first product.
const pictureAge = 330

func (l *loader) loadProducts() error {
	for _, product := range l.data.Products {
		if err := l.loadProduct(product); err != nil {
			return fmt.Errorf("product %s: %w", product.SKU, err)
		}
	}
	return nil
}

func (l *loader) loadProduct(product fixtures.Product) error {
	row := l.NewProduct()
	row.Name, row.Slug = product.Name, product.Slug
	row.Type = shop.ProductType(cmp.Or(product.Type, string(row.Type)))
	row.Visibility = cmp.Or(product.Visibility, row.Visibility)
	row.Featured, row.MenuOrder = product.Featured, product.MenuOrder
	row.Created = l.daysAgo(product.AgeDays)
	row.ShortDescription, row.PurchaseNote = product.ShortDescription, product.PurchaseNote
	row.ExternalURL, row.ButtonText = product.URL, product.ButtonText
	row.TaxStatus, row.TaxClass = cmp.Or(product.TaxStatus, row.TaxStatus), product.TaxClass
	row.SoldIndividually, row.ReviewsAllowed = product.SoldIndividually, !product.NoReviews
	if err := l.setOffer(row, product.Offer, product.Name); err != nil {
		return err
	}
	if err := l.setTerms(row, product); err != nil {
		return err
	}
	if err := l.setAttributes(row, product); err != nil {
		return err
	}
	if err := row.Create(l.Tx); err != nil {
		return err
	}
	l.products[product.SKU] = row.ID
	return l.loadVariations(row, product)
}

// setOffer sets what products and variations have in common.
func (l *loader) setOffer(row *shop.Product, offer fixtures.Offer, name string) error {
	row.SKU, row.Status = offer.SKU, cmp.Or(offer.Status, row.Status)
	row.Description = offer.Description
	row.RegularPrice, row.SalePrice = offer.Price, offer.SalePrice
	row.SaleFrom, row.SaleTo = l.inDays(offer.SaleFrom), l.inDays(offer.SaleTo)
	row.ManageStock, row.StockQuantity, row.LowStockAmount = offer.Stock != nil, offer.Stock, offer.LowStock
	row.StockStatus, row.Backorders = cmp.Or(offer.StockStatus, row.StockStatus), cmp.Or(offer.Backorders, row.Backorders)
	row.Weight = offer.Weight
	row.Dimensions = shop.Dimensions{Length: offer.Dimensions[0], Width: offer.Dimensions[1], Height: offer.Dimensions[2]}
	l.setDownloads(row, offer)
	for _, file := range offer.Pictures {
		row.Images = append(row.Images, l.picture(file, name))
	}
	if offer.ShippingClass == "" {
		return nil
	}
	class, err := resolve("shipping class", l.terms, shop.TaxonomyShippingClass, []string{offer.ShippingClass})
	if err != nil {
		return err
	}
	row.ShippingClassID = class[0]
	return nil
}

func (l *loader) setDownloads(row *shop.Product, offer fixtures.Offer) {
	row.Virtual, row.Downloadable = offer.Virtual, offer.Downloadable
	row.DownloadLimit = cmp.Or(offer.DownloadLimit, row.DownloadLimit)
	row.DownloadExpiry = cmp.Or(offer.DownloadExpiry, row.DownloadExpiry)
	for _, file := range offer.Downloads {
		row.Downloads = append(
			row.Downloads,
			shop.Download{ID: strings.ToLower(l.Token(downloadIDLength)), Name: file.Name, File: "/" + file.File},
		)
	}
}

const downloadIDLength = 32

func (l *loader) setTerms(row *shop.Product, product fixtures.Product) error {
	var err error
	if row.CategoryIDs, err = resolve("category", l.terms, shop.TaxonomyCategory, product.Categories); err != nil {
		return err
	}
	if row.TagIDs, err = resolve("tag", l.terms, shop.TaxonomyTag, product.Tags); err != nil {
		return err
	}
	row.BrandIDs, err = resolve("brand", l.terms, shop.TaxonomyBrand, product.Brands)
	return err
}

func (l *loader) setAttributes(row *shop.Product, product fixtures.Product) error {
	for position, attribute := range product.Attributes {
		resolved, err := l.ResolveAttribute(shop.ProductAttribute{
			Name: attributeName(attribute), Position: int64(position), Visible: !attribute.Hidden,
			Variation: attribute.Variation, Options: attribute.Options,
		})
		if err != nil {
			return err
		}
		row.Attributes = append(row.Attributes, resolved)
		if option, preselected := product.Defaults[attribute.Key()]; preselected {
			row.DefaultAttributes = append(row.DefaultAttributes, choiceOf(resolved, option))
		}
	}
	return nil
}

// attributeName names a global attribute by its slug, as ResolveAttribute wants it.
func attributeName(attribute fixtures.ProductAttribute) string {
	if attribute.Global != "" {
		return globalPrefix + attribute.Global
	}
	return attribute.Name
}

// globalPrefix marks the slugs of global attributes.
const globalPrefix = "pa_"

func choiceOf(attribute shop.ProductAttribute, option string) shop.AttributeChoice {
	return shop.AttributeChoice{ID: attribute.ID, Name: attribute.Name, Slug: attribute.Slug, Option: option}
}

func (l *loader) loadVariations(parent *shop.Product, product fixtures.Product) error {
	for order, variation := range product.Variations {
		row, err := l.NewVariation(parent.ID)
		if err != nil {
			return err
		}
		row.Created, row.MenuOrder = parent.Created, int64(order)
		if err := l.setOffer(row, inherited(variation.Offer, product.Offer), product.Name); err != nil {
			return err
		}
		for i, attribute := range product.Attributes {
			if option, chosen := variation.Options[attribute.Key()]; chosen {
				row.Choices = append(row.Choices, choiceOf(parent.Attributes[i], option))
			}
		}
		if err := row.CreateVariation(l.Tx); err != nil {
			return err
		}
		l.products[variation.SKU] = row.ID
	}
	return nil
}

// inherited completes a variation by what its product says of all of them.
func inherited(variation, product fixtures.Offer) fixtures.Offer {
	variation.Weight = cmp.Or(variation.Weight, product.Weight)
	if variation.Dimensions == [3]string{} {
		variation.Dimensions = product.Dimensions
	}
	variation.ShippingClass = cmp.Or(variation.ShippingClass, product.ShippingClass)
	return variation
}

// linkProducts adds what products say of each other, once all have their ids.
func (l *loader) linkProducts() error {
	for _, product := range l.data.Products {
		if len(product.Grouped)+len(product.Upsells)+len(product.CrossSells) == 0 {
			continue
		}
		old, err := l.Product(l.products[product.SKU])
		if err != nil {
			return err
		}
		row := *old
		for to, skus := range map[*[]int64][]string{&row.GroupedIDs: product.Grouped, &row.UpsellIDs: product.Upsells,
			&row.CrossSellIDs: product.CrossSells} {
			if *to, err = resolve("product", l.products, "", skus); err != nil {
				return fmt.Errorf("product %s: %w", product.SKU, err)
			}
		}
		if err := row.Save(l.Tx); err != nil {
			return err
		}
	}
	return nil
}
