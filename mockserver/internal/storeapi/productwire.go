package storeapi

import (
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/shop"
)

// The wire form of a product (contract, "Store API: Checkout", last paragraph; field order of the reference).

type productWire struct {
	ID                int64              `json:"id"`
	Name              string             `json:"name"`
	Slug              string             `json:"slug"`
	Parent            int64              `json:"parent"`
	Type              shop.ProductType   `json:"type"`
	Variation         string             `json:"variation"`
	Permalink         string             `json:"permalink"`
	SKU               string             `json:"sku"`
	ShortDescription  string             `json:"short_description"`
	Description       string             `json:"description"`
	OnSale            bool               `json:"on_sale"`
	Prices            productPrices      `json:"prices"`
	PriceHTML         string             `json:"price_html"`
	AverageRating     string             `json:"average_rating"`
	ReviewCount       int64              `json:"review_count"`
	Images            []imageWire        `json:"images"`
	Categories        []termLink         `json:"categories"`
	Tags              []termLink         `json:"tags"`
	Brands            []termLink         `json:"brands"`
	Attributes        []productAttribute `json:"attributes"`
	Variations        []productVariation `json:"variations"`
	GroupedProducts   []int64            `json:"grouped_products"`
	HasOptions        bool               `json:"has_options"`
	IsPurchasable     bool               `json:"is_purchasable"`
	IsInStock         bool               `json:"is_in_stock"`
	IsOnBackorder     bool               `json:"is_on_backorder"`
	LowStockRemaining *int64             `json:"low_stock_remaining"`
	StockAvailability stockAvailability  `json:"stock_availability"`
	SoldIndividually  bool               `json:"sold_individually"`
	AddToCart         addToCart          `json:"add_to_cart"`
	Extensions        struct{}           `json:"extensions"`
}

// productPrices are the prices of a product. Without a sale, sale_price is the regular one.
type productPrices struct {
	Price        string      `json:"price"`
	RegularPrice string      `json:"regular_price"`
	SalePrice    string      `json:"sale_price"`
	PriceRange   *priceRange `json:"price_range"`
	currency
}

// priceRange is the span of the prices of a product that has several.
type priceRange struct {
	Min string `json:"min_amount"`
	Max string `json:"max_amount"`
}

type imageWire struct {
	ID        int64  `json:"id"`
	Src       string `json:"src"`
	Thumbnail string `json:"thumbnail"`
	Name      string `json:"name"`
	Alt       string `json:"alt"`
}

// termLink is a category, tag or brand of a product.
type termLink struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Slug string `json:"slug"`
	Link string `json:"link"`
}

type productAttribute struct {
	ID            int64           `json:"id"`
	Name          string          `json:"name"`
	Taxonomy      *string         `json:"taxonomy"` // null: the product's own attribute
	HasVariations bool            `json:"has_variations"`
	Terms         []attributeTerm `json:"terms"`
}

type attributeTerm struct {
	ID   int64  `json:"id"`
	Name string `json:"name"`
	Slug string `json:"slug"`
}

type productVariation struct {
	ID         int64             `json:"id"`
	Attributes []variationChoice `json:"attributes"`
}

// variationChoice says what a variation stands for. A null value fits any option.
type variationChoice struct {
	Name  string  `json:"name"`
	Value *string `json:"value"`
}

type stockAvailability struct {
	Text  string `json:"text"`
	Class string `json:"class"`
}

type addToCart struct {
	Text        string `json:"text"`
	Description string `json:"description"`
	URL         string `json:"url"`
	SingleText  string `json:"single_text"`
	Minimum     int64  `json:"minimum"`
	Maximum     int64  `json:"maximum"`
	MultipleOf  int64  `json:"multiple_of"`
}

// product shows a product, or a variation.
func (s *scene) product(p *shop.Product) any {
	parent := s.parentOf(p)
	least, most := s.quantities(p)
	span := s.ShownPrices(p)
	return &productWire{
		ID: p.ID, Name: s.nameOf(p), Slug: parent.Slug, Parent: p.ParentID, Type: p.Type, Variation: choicesText(p.Choices),
		Permalink: s.productLink(p), SKU: s.skuOf(p), ShortDescription: parent.ShortDescription, Description: s.descriptionOf(p),
		OnSale: p.Prices.OnSale, Prices: s.prices(span), PriceHTML: s.Config.PriceHTML(span),
		AverageRating: ratingText(parent.AverageRating), ReviewCount: parent.RatingCount,
		Images:     s.images(s.picturesOf(p)),
		Categories: s.termLinks(s.shownCategories(p), s.categoryLink),
		Tags:       s.termLinks(p.TagIDs, s.tagLink),
		Brands:     s.termLinks(p.BrandIDs, s.brandLink),
		Attributes: s.attributes(p), Variations: s.variations(p), GroupedProducts: orEmpty(p.GroupedIDs),
		HasOptions: p.Type == shop.Variable, IsPurchasable: p.Purchasable(),
		IsInStock: p.StockStatus != shop.OutOfStock, IsOnBackorder: p.StockStatus == shop.OnBackorder,
		LowStockRemaining: s.lowStock(p), StockAvailability: availability(p), SoldIndividually: p.SoldIndividually,
		AddToCart: addToCart{
			Text: buttonText(p), Description: buttonText(p) + ": " + s.nameOf(p), URL: s.buttonLink(p), SingleText: singleText(p),
			Minimum: least, Maximum: most, MultipleOf: 1,
		},
	}
}

// parentOf gives the product that a variation belongs to; other products are their own.
func (s *scene) parentOf(p *shop.Product) *shop.Product {
	if parent, ok := s.Products.Get(p.ParentID); ok && p.Type == shop.Variation {
		return parent
	}
	return p
}

func (s *scene) nameOf(p *shop.Product) string { return s.parentOf(p).Name }

func (s *scene) skuOf(p *shop.Product) string {
	if p.SKU == "" {
		return s.parentOf(p).SKU
	}
	return p.SKU
}

func (s *scene) descriptionOf(p *shop.Product) string {
	if p.Description == "" {
		return s.parentOf(p).Description
	}
	return p.Description
}

func (s *scene) picturesOf(p *shop.Product) []shop.Image {
	if len(p.Images) == 0 {
		return s.parentOf(p).Images
	}
	return p.Images
}

// productLink leads to a product's page, with the options of a variation chosen.
func (s *scene) productLink(p *shop.Product) string {
	link := s.site.Home + "/product/" + s.parentOf(p).Slug + "/"
	separator := "?"
	for _, choice := range p.Choices {
		link += separator + "attribute_" + shop.Slugify(choice.Slug) + "=" + shop.Slugify(choice.Option)
		separator = "&"
	}
	return link
}

func (s *scene) prices(span shop.PriceSpan) productPrices {
	prices := productPrices{
		Price:        s.minor(span.Min),
		RegularPrice: s.minor(span.RegularMin),
		SalePrice:    s.minor(span.Min),
		currency:     s.currency(),
	}
	if !span.Min.Equal(span.Max) {
		prices.PriceRange = &priceRange{s.minor(span.Min), s.minor(span.Max)}
	}
	return prices
}

func (s *scene) images(pictures []shop.Image) []imageWire {
	images := make([]imageWire, len(pictures))
	for i, picture := range pictures {
		images[i] = s.image(picture)
	}
	return images
}

func (s *scene) image(picture shop.Image) imageWire {
	src := s.site.Absolute(picture.Src)
	return imageWire{ID: picture.ID, Src: src, Thumbnail: src, Name: picture.Name, Alt: picture.Alt}
}

func (s *scene) termLinks(ids []int64, link func(*shop.Term) string) []termLink {
	links := make([]termLink, 0, len(ids))
	for _, id := range ids {
		if term, ok := s.Terms.Get(id); ok {
			links = append(links, termLink{term.ID, term.Name, term.Slug, link(term)})
		}
	}
	return links
}

// shownCategories leaves out the default one, which only says that nobody chose any.
func (s *scene) shownCategories(p *shop.Product) []int64 {
	none, _ := s.DefaultCategory()
	return slices.DeleteFunc(slices.Clone(p.CategoryIDs), func(id int64) bool { return id == none })
}

func (s *scene) categoryLink(t *shop.Term) string {
	path := t.Slug + "/"
	for parent, ok := s.Terms.Get(t.ParentID); ok; parent, ok = s.Terms.Get(parent.ParentID) {
		path = parent.Slug + "/" + path
	}
	return s.site.Home + "/product-category/" + path
}

func (s *scene) tagLink(t *shop.Term) string { return s.site.Home + "/product-tag/" + t.Slug + "/" }

func (s *scene) brandLink(t *shop.Term) string { return s.site.Home + "/brand/" + t.Slug + "/" }

func (s *scene) attributes(p *shop.Product) []productAttribute {
	attributes := make([]productAttribute, 0, len(p.Attributes))
	for _, a := range p.Attributes {
		shown := productAttribute{ID: a.ID, Name: a.Name, HasVariations: a.Variation, Terms: make([]attributeTerm, len(a.Options))}
		if a.ID > 0 {
			shown.Taxonomy = &a.Slug
		}
		for i, option := range a.Options {
			shown.Terms[i] = s.attributeTerm(a, option)
		}
		attributes = append(attributes, shown)
	}
	return attributes
}

// attributeTerm shows an option: that of a global attribute is a term, that of an own one just a text.
func (s *scene) attributeTerm(a shop.ProductAttribute, option string) attributeTerm {
	if term, ok := s.optionTerm(a.ID, a.Slug, option); ok {
		return attributeTerm{term.ID, term.Name, term.Slug}
	}
	return attributeTerm{Name: option, Slug: option}
}

// optionTerm finds the term of an option of a global attribute.
func (s *scene) optionTerm(attribute int64, taxonomy, option string) (*shop.Term, bool) {
	if attribute == 0 {
		return nil, false
	}
	if term, ok := shop.Terms.Slug.Find(&s.Terms, shop.TermKey(taxonomy, shop.Slugify(option))); ok {
		return term, true
	}
	for term := range shop.Terms.Taxonomy.Rows(&s.Terms, taxonomy) {
		if term.Name == option {
			return term, true
		}
	}
	return nil, false
}

func (s *scene) variations(p *shop.Product) []productVariation {
	variations := []productVariation{}
	if p.Type != shop.Variable {
		return variations
	}
	for _, child := range s.Children(p.ID) {
		if child.Status != shop.StatusPublish {
			continue
		}
		variation := productVariation{ID: child.ID, Attributes: make([]variationChoice, len(child.Choices))}
		for i, choice := range child.Choices {
			variation.Attributes[i] = variationChoice{Name: choice.Name, Value: s.choiceValue(choice)}
		}
		variations = append(variations, variation)
	}
	return variations
}

func (s *scene) choiceValue(choice shop.AttributeChoice) *string {
	if choice.Option == "" {
		return nil
	}
	if term, ok := s.optionTerm(choice.ID, choice.Slug, choice.Option); ok {
		return &term.Slug
	}
	return &choice.Option
}

// ratingText shows an average, and a bare nought where there is none, as live shops do.
func ratingText(average shop.Rating) string {
	if average == 0 {
		return "0"
	}
	return average.String()
}

// choicesText names what a variation stands for: "Size: Medium, Colour: any".
func choicesText(choices []shop.AttributeChoice) string {
	texts := make([]string, len(choices))
	for i, choice := range choices {
		option := choice.Option
		if option == "" {
			option = "any"
		}
		texts[i] = choice.Name + ": " + option
	}
	return strings.Join(texts, ", ")
}

// lowStock is how many pieces are left, when they are few.
func (s *scene) lowStock(p *shop.Product) *int64 {
	if !p.ManageStock || p.StockQuantity == nil || p.Backorders != shop.BackordersNo {
		return nil
	}
	threshold := s.Config.LowStockThreshold
	if p.LowStockAmount != nil {
		threshold = *p.LowStockAmount
	}
	if *p.StockQuantity > threshold {
		return nil
	}
	left := max(0, *p.StockQuantity)
	return &left
}

// quantities are the fewest and the most pieces that one cart may hold of a product.
func (s *scene) quantities(p *shop.Product) (least, most int64) {
	switch {
	case p.SoldIndividually:
		return 1, 1
	case p.ManageStock && p.StockQuantity != nil && p.Backorders == shop.BackordersNo && *p.StockQuantity > 0:
		return 1, min(shop.MaxQuantity, *p.StockQuantity)
	}
	return 1, shop.MaxQuantity
}

func availability(p *shop.Product) stockAvailability {
	switch {
	case p.StockStatus == shop.OutOfStock:
		return stockAvailability{"Sold out", "out-of-stock"}
	case p.StockStatus == shop.OnBackorder:
		return stockAvailability{"On backorder", "available-on-backorder"}
	case p.ManageStock && p.StockQuantity != nil:
		return stockAvailability{strconv.FormatInt(*p.StockQuantity, 10) + " available", "in-stock"}
	}
	return stockAvailability{"", "in-stock"}
}

func buttonText(p *shop.Product) string {
	switch {
	case p.Type == shop.Grouped:
		return "See the products"
	case p.Type == shop.External:
		return singleText(p)
	case !canBuyNow(p):
		return "Details"
	case p.Type == shop.Variable:
		return "Choose options"
	}
	return "Add to cart"
}

func singleText(p *shop.Product) string {
	switch {
	case p.Type != shop.External:
		return "Add to cart"
	case p.ButtonText != "":
		return p.ButtonText
	}
	return "Buy elsewhere"
}

func (s *scene) buttonLink(p *shop.Product) string {
	switch {
	case p.Type == shop.External && p.ExternalURL != "":
		return p.ExternalURL
	case p.Type == shop.Simple && canBuyNow(p):
		return "?add-to-cart=" + strconv.FormatInt(p.ID, 10)
	}
	return s.productLink(p)
}

func canBuyNow(p *shop.Product) bool { return p.Purchasable() && p.StockStatus != shop.OutOfStock }

// orEmpty gives a list that is shown as [] rather than null.
func orEmpty[E any](list []E) []E {
	if list == nil {
		return []E{}
	}
	return slices.Clip(list)
}
