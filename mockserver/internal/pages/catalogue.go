package pages

// The pages of a product, and of a category, tag or brand with its products.

import (
	"html/template"
	"net/http"
	"strconv"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// productCard is what a page tells of a product.
type productCard struct {
	Name, SKU string
	Address   string
	Picture   string // empty: it has none
	Alt       string
	Price     template.HTML // of the shop's own making
	SoldOut   bool
}

func showProduct(v *visit) {
	p, found := shop.Products.Slug.Find(&v.Products, v.path["slug"])
	if !found || p.Status != shop.StatusPublish {
		v.missing("product")
		return
	}
	v.show(http.StatusOK, "product", p.Name, v.card(p))
}

func (v *visit) card(p *shop.Product) productCard {
	card := productCard{
		Name: p.Name, SKU: p.SKU, Address: v.site.Home + productPath + p.Slug + "/",
		Price: template.HTML(v.Config.PriceHTML(p.ShownPrices(v.View))), SoldOut: p.StockStatus == shop.OutOfStock,
	}
	if len(p.Images) > 0 {
		card.Picture, card.Alt = v.site.Absolute(p.Images[0].Src), p.Images[0].Alt
	}
	return card
}

// mostProducts is how many products the page of a term shows.
const mostProducts = 100

// termPage is what the page of a term tells.
type termPage struct {
	Description string
	Products    []productCard
	Total       int // how many there are, shown or not
}

// showTerm shows a term of a taxonomy by its slug. The terms above it, which stand before it in the address, are for people.
func showTerm(taxonomy string) func(*visit) {
	return func(v *visit) {
		term, found := shop.Terms.Slug.Find(&v.Terms, shop.TermKey(taxonomy, v.path["slug"]))
		if !found {
			v.missing("shelf")
			return
		}
		v.show(http.StatusOK, "term", term.Name, v.termPage(term))
	}
}

func (v *visit) termPage(term *shop.Term) termPage {
	facet := map[string]*state.Facet[*shop.Product]{
		shop.TaxonomyCategory: shop.Products.Category, shop.TaxonomyTag: shop.Products.Tag, shop.TaxonomyBrand: shop.Products.Brand,
	}[term.Taxonomy]
	products, total := v.Products.Select(state.Query[*shop.Product]{
		Where: []state.Condition[*shop.Product]{
			facet.Is(v.Branch(strconv.FormatInt(term.ID, 10))...), shop.Products.Status.Is(shop.StatusPublish),
			shop.Products.Visibility.Is("visible", "catalog"),
		},
		OrderBy: shop.Products.ByTitle, Limit: mostProducts,
	})
	shown := termPage{Description: term.Description, Total: total}
	for _, p := range products {
		shown.Products = append(shown.Products, v.card(p))
	}
	return shown
}
