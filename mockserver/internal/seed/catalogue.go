package seed

// Terms, attributes, products and variations.

import (
	"cmp"
	"fmt"
	"path"
	"strings"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
)

func (l *loader) loadTerms() error {
	for _, group := range []struct {
		list, taxonomy string
		terms          []fixtures.Term
	}{
		{"categories", shop.TaxonomyCategory, l.data.Categories},
		{"tags", shop.TaxonomyTag, l.data.Tags},
		{"brands", shop.TaxonomyBrand, l.data.Brands},
		{"shipping_classes", shop.TaxonomyShippingClass, l.data.ShippingClasses},
	} {
		if err := l.addTerms(group.list, group.taxonomy, group.terms); err != nil {
			return err
		}
	}
	return each(l.data, "attributes", "attribute", l.data.Attributes, func(a *fixtures.Attribute) string { return a.Name },
		func(_ int, attribute *fixtures.Attribute) error {
			row := &shop.Attribute{Name: attribute.Name, Slug: attribute.Slug, Type: "select", OrderBy: "menu_order"}
			if err := row.Create(l.Tx); err != nil {
				return err
			}
			attribute.Slug = strings.TrimPrefix(row.Slug, globalPrefix)
			for order, term := range attribute.Terms {
				if err := l.addTerm(row.Slug, order, term); err != nil {
					return err
				}
			}
			return nil
		})
}

func (l *loader) addTerms(list, taxonomy string, terms []fixtures.Term) error {
	return each(l.data, list, "term", terms, func(t *fixtures.Term) string { return t.Name },
		func(order int, term *fixtures.Term) error { return l.addTerm(taxonomy, order, *term) })
}

func (l *loader) addTerm(taxonomy string, order int, term fixtures.Term) error {
	row := &shop.Term{
		Taxonomy: taxonomy, Name: term.Name, Slug: term.Slug,
		Description: term.Description, Display: "default", MenuOrder: int64(order), Image: l.termPicture(term),
	}
	if term.Parent != "" {
		parent, err := l.termOf(taxonomy, term.Parent)
		if err != nil {
			return err
		}
		row.ParentID = parent
	}
	if err := row.Create(l.Tx); err != nil {
		return err
	}
	l.terms[taxonomy+row.Slug] = row.ID
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
	src := file
	if !isAddress(file) {
		src = PicturePath + file
	}
	return shop.Image{
		ID: l.NextImage(), Created: l.daysAgo(pictureAge), Modified: l.daysAgo(pictureAge),
		Src: src, Name: path.Base(file), Alt: alt,
	}
}

// isAddress reports whether a file is somewhere else.
func isAddress(file string) bool {
	return strings.HasPrefix(file, "https://") || strings.HasPrefix(file, "http://")
}

// pictureAge is how many days ago the pictures were drawn: before the first product.
const pictureAge = 330

func (l *loader) loadProducts() error {
	return each(l.data, "products", "product", l.data.Products, productName,
		func(_ int, product *fixtures.Product) error { return l.loadProduct(product) })
}

// productName is what other records call a product.
func productName(product *fixtures.Product) string {
	return cmp.Or(product.ID, product.SKU, product.Name)
}

func (l *loader) loadProduct(described *fixtures.Product) error {
	product, err := l.settled(*described)
	if err != nil {
		return err
	}
	row := l.NewProduct()
	row.Name, row.Slug = product.Name, product.Slug
	row.Type = shop.ProductType(cmp.Or(product.Type, string(row.Type)))
	row.Visibility = cmp.Or(product.Visibility, row.Visibility)
	row.Featured, row.MenuOrder = product.Featured, product.MenuOrder
	row.Created = l.daysAgo(product.AgeDays)
	row.ShortDescription = product.ShortDescription
	row.SetExtras(shop.Extras{PurchaseNote: product.PurchaseNote, ExternalURL: product.URL, ButtonText: product.ButtonText})
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
	l.products[productName(described)] = row.ID
	return l.loadVariations(row, product)
}

// setOffer sets what products and variations have in common.
func (l *loader) setOffer(row *shop.Product, offer fixtures.Offer, name string) error {
	row.SKU, row.Status = offer.SKU, cmp.Or(offer.Status, row.Status)
	row.Description = offer.Description
	row.RegularPrice, row.SalePrice = offer.Price, offer.SalePrice
	row.ManageStock, row.StockQuantity = offer.Stock != nil, offer.Stock
	row.StockStatus, row.Backorders = cmp.Or(offer.StockStatus, row.StockStatus), cmp.Or(offer.Backorders, row.Backorders)
	row.Weight = offer.Weight
	l.setDownloads(row, offer)
	row.ChangeExtras(func(e *shop.Extras) {
		e.SaleFrom, e.SaleTo, e.LowStockAmount = l.inDays(offer.SaleFrom), l.inDays(offer.SaleTo), offer.LowStock
		e.Dimensions = shop.Dimensions{Length: offer.Dimensions[0], Width: offer.Dimensions[1], Height: offer.Dimensions[2]}
		e.Downloads = l.downloads(offer)
	})
	for _, file := range offer.Pictures {
		row.Images = append(row.Images, l.picture(file, name))
	}
	if offer.ShippingClass == "" {
		return nil
	}
	class, err := l.termOf(shop.TaxonomyShippingClass, offer.ShippingClass)
	row.ShippingClassID = class
	return err
}

func (l *loader) setDownloads(row *shop.Product, offer fixtures.Offer) {
	row.Virtual, row.Downloadable = offer.Virtual, offer.Downloadable
	row.DownloadLimit = cmp.Or(offer.DownloadLimit, row.DownloadLimit)
	row.DownloadExpiry = cmp.Or(offer.DownloadExpiry, row.DownloadExpiry)
}

func (l *loader) downloads(offer fixtures.Offer) (files []shop.Download) {
	for _, file := range offer.Downloads {
		place := file.File
		if !isAddress(place) {
			place = "/" + place
		}
		files = append(files,
			shop.Download{ID: strings.ToLower(l.Token(downloadIDLength)), Name: cmp.Or(file.Name, path.Base(place)), File: place})
	}
	return files
}

const downloadIDLength = 32

func (l *loader) setTerms(row *shop.Product, product fixtures.Product) error {
	var err error
	if row.CategoryIDs, err = l.termsOf(shop.TaxonomyCategory, product.Categories); err != nil {
		return err
	}
	if row.TagIDs, err = l.termsOf(shop.TaxonomyTag, product.Tags); err != nil {
		return err
	}
	brands, err := l.termsOf(shop.TaxonomyBrand, product.Brands)
	row.ChangeExtras(func(e *shop.Extras) { e.BrandIDs = brands })
	return err
}

func (l *loader) setAttributes(row *shop.Product, product fixtures.Product) error {
	var preselected []shop.AttributeChoice
	for position, attribute := range product.Attributes {
		resolved, err := l.ResolveAttribute(shop.ProductAttribute{
			Name: attributeName(attribute), Position: int64(position), Visible: !attribute.Hidden,
			Variation: attribute.Variation, Options: attribute.Options,
		})
		if err != nil {
			return err
		}
		row.Attributes = append(row.Attributes, resolved)
		if option, chosen := product.Defaults[attribute.Key()]; chosen {
			preselected = append(preselected, choiceOf(resolved, option))
		}
	}
	row.ChangeExtras(func(e *shop.Extras) { e.DefaultAttributes = preselected })
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
	var rows []*shop.Product
	for order, variation := range product.Variations {
		row, err := l.NewVariation(parent.ID)
		if err != nil {
			return err
		}
		row.Created, row.MenuOrder = parent.Created, int64(order)
		if err := l.setOffer(row, inherited(variation.Offer, product.Offer), product.Name); err != nil {
			return fmt.Errorf("variation %d: %w", order+1, err)
		}
		for i, attribute := range product.Attributes {
			if option, chosen := variation.Options[attribute.Key()]; chosen {
				row.Choices = append(row.Choices, choiceOf(parent.Attributes[i], option))
			}
		}
		rows = append(rows, row)
	}
	if at, err := l.CreateVariations(rows); err != nil {
		return fmt.Errorf("variation %d: %w", at+1, err)
	}
	for at, variation := range product.Variations {
		l.products[variationName(product, variation)] = rows[at].ID
	}
	return nil
}

// variationName is what other records call a variation: "Mug: Red, S" where it has no name of its own.
func variationName(product fixtures.Product, variation fixtures.Variation) string {
	if own := cmp.Or(variation.ID, variation.SKU); own != "" {
		return own
	}
	var options []string
	for _, attribute := range product.Attributes {
		if option, chosen := variation.Options[attribute.Key()]; chosen {
			options = append(options, option)
		}
	}
	return productName(&product) + ": " + strings.Join(options, ", ")
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
	return each(l.data, "products", "product", l.data.Products, productName, func(_ int, product *fixtures.Product) error {
		if len(product.Grouped)+len(product.Upsells)+len(product.CrossSells) == 0 {
			return nil
		}
		old, err := l.Product(l.products[productName(product)])
		if err != nil {
			return err
		}
		row, extras := *old, *old.Extra()
		for to, names := range map[*[]int64][]string{&extras.GroupedIDs: product.Grouped, &extras.UpsellIDs: product.Upsells,
			&extras.CrossSellIDs: product.CrossSells} {
			if *to, err = resolve("product", l.products, names); err != nil {
				return err
			}
		}
		row.SetExtras(extras)
		return row.Save(l.Tx)
	})
}
