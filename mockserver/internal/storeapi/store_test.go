package storeapi_test

// The shop that the tests visit, and how they visit it.

import (
	"strings"
	"testing"
	"time"

	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/testkit"
)

const base = "/shop/store/v1"

type fields = testkit.Object

// store is a shop behind the Store API, called by nobody in particular or, after visit, in one session.
type store struct {
	*testkit.Shop
	goods *goods
}

// open opens a shop. Changes of its settings may be given.
func open(t testing.TB, changes ...func(*shop.Config)) *store {
	t.Helper()
	return openWith(t, shopmock.Options{}, changes...)
}

func openWith(t testing.TB, server shopmock.Options, changes ...func(*shop.Config)) *store {
	t.Helper()
	config := testkit.California()
	for _, change := range changes {
		change(config)
	}
	s := &store{goods: &goods{}}
	s.Shop = testkit.Open(t, testkit.Options{Server: server, Config: config, Fill: func(tx *shop.Tx) error {
		*s.goods = goods{}
		return s.goods.arrange(tx)
	}})
	s.Client = s.As("", "").Under(base)
	return s
}

// in is the same shop for a subtest.
func (s *store) in(t testing.TB) *store { return &store{s.In(t), s.goods} }

// visit is the shop in a new session, kept by its cart token.
func (s *store) visit() *store {
	s.T.Helper()
	token := s.Get("/cart", "Cart-Token", "").Want(200).Header.Get("Cart-Token")
	visit := s.in(s.T)
	visit.Client = s.With("Cart-Token", token)
	return visit
}

// adds puts goods into the cart.
func (s *store) adds(id, quantity int64) *testkit.Answer {
	s.T.Helper()
	return s.Post("/cart/add-item", fields{"id": id, "quantity": quantity}).Want(201)
}

// goods are the ids of what the shop holds.
type goods struct {
	clothing, music, shirts, sale, acme, empty    int64 // terms
	size                                          int64 // attribute
	plain, onSale, gone, low, backorder, one      int64 // simple products
	variable, small, medium, external, grouped    int64
	draft, hidden, searchOnly, unpriced, download int64
	flatRate, freeShipping                        int64 // shipping methods
	customer                                      int64
}

func (g *goods) arrange(tx *shop.Tx) error {
	for _, step := range []func(*shop.Tx) error{g.arrangeTerms, g.arrangeProducts, g.arrangeVariable, g.arrangeUnseen, g.arrangeRules} {
		if err := step(tx); err != nil {
			return err
		}
	}
	return nil
}

func (g *goods) arrangeTerms(tx *shop.Tx) error {
	picture := &shop.Image{ID: tx.NextImage(), Src: "/pictures/clothing.svg", Name: "clothing", Alt: "A coat"}
	for _, term := range []struct {
		id *int64
		shop.Term
	}{
		{&g.clothing, shop.Term{Taxonomy: shop.TaxonomyCategory, Name: "Clothing", Image: picture}},
		{&g.music, shop.Term{Taxonomy: shop.TaxonomyCategory, Name: "Music"}},
		{&g.empty, shop.Term{Taxonomy: shop.TaxonomyCategory, Name: "Nothing yet"}},
		{&g.sale, shop.Term{Taxonomy: shop.TaxonomyTag, Name: "Sale"}},
		{&g.acme, shop.Term{Taxonomy: shop.TaxonomyBrand, Name: "Acme"}},
	} {
		row := term.Term
		if err := row.Create(tx); err != nil {
			return err
		}
		*term.id = row.ID
	}
	shirts := &shop.Term{Taxonomy: shop.TaxonomyCategory, Name: "Shirts", ParentID: g.clothing}
	if err := shirts.Create(tx); err != nil {
		return err
	}
	g.shirts = shirts.ID
	size := &shop.Attribute{Name: "Size", Type: "select", OrderBy: "menu_order"}
	if err := size.Create(tx); err != nil {
		return err
	}
	g.size = size.ID
	for _, name := range []string{"Small", "Medium", "Large"} {
		if err := (&shop.Term{Taxonomy: "pa_size", Name: name}).Create(tx); err != nil {
			return err
		}
	}
	return nil
}

// create puts a product on the shelf, changed from the defaults.
func create(tx *shop.Tx, id *int64, name string, change func(*shop.Product)) error {
	p := tx.NewProduct()
	p.Name, p.SKU, p.RegularPrice = name, strings.ToUpper(shop.Slugify(name)), "12"
	change(p)
	err := p.Create(tx)
	*id = p.ID
	return err
}

// shelf is a product to create.
type shelf struct {
	id     *int64
	name   string
	change func(*shop.Product)
}

func fill(tx *shop.Tx, products []shelf) error {
	for _, product := range products {
		if err := create(tx, product.id, product.name, product.change); err != nil {
			return err
		}
	}
	return nil
}

func managed(quantity int64, backorders string) func(*shop.Product) {
	return func(p *shop.Product) { p.ManageStock, p.StockQuantity, p.Backorders = true, &quantity, backorders }
}

func (g *goods) arrangeProducts(tx *shop.Tx) error {
	return fill(tx, []shelf{
		{&g.plain, "Plain coat", func(p *shop.Product) {
			p.RegularPrice, p.Weight = "35", "0.5"
			p.Description, p.ShortDescription = "<p>A long story</p>", "<p>A coat & more</p>"
			p.CategoryIDs, p.TagIDs = []int64{g.clothing}, []int64{g.sale}
			p.SetExtras(shop.Extras{BrandIDs: []int64{g.acme}})
			p.Images = []shop.Image{{ID: tx.NextImage(), Src: "/pictures/coat.svg", Name: "coat", Alt: "The coat"}}
			p.Featured = true
		}},
		{&g.onSale, "Record", func(p *shop.Product) {
			p.RegularPrice, p.SalePrice, p.CategoryIDs = "17.50", "14", []int64{g.music}
			p.AverageRating, p.RatingCount, p.TotalSales = 450, 2, 9
		}},
		{&g.gone, "Gone thing", func(p *shop.Product) { p.StockStatus = shop.OutOfStock }},
		{&g.low, "Few left", managed(2, shop.BackordersNo)},
		{&g.backorder, "On its way", managed(0, shop.BackordersNotify)},
		{&g.one, "Only one", func(p *shop.Product) { p.SoldIndividually = true }},
	})
}

func (g *goods) arrangeVariable(tx *shop.Tx) error {
	err := create(tx, &g.variable, "Shirt", func(p *shop.Product) {
		p.Type, p.RegularPrice, p.CategoryIDs = shop.Variable, "", []int64{g.shirts}
		p.Attributes = []shop.ProductAttribute{
			{ID: g.size, Name: "Size", Slug: "pa_size", Visible: true, Variation: true, Options: []string{"Small", "Medium", "Large"}},
			{Name: "Logo", Slug: "Logo", Visible: true, Variation: true, Options: []string{"Yes", "No"}},
		}
	})
	if err != nil {
		return err
	}
	for _, v := range []struct {
		id          *int64
		size, price string
	}{{&g.small, "Small", "5"}, {&g.medium, "Medium", "17"}} {
		variation, err := tx.NewVariation(g.variable)
		if err != nil {
			return err
		}
		variation.RegularPrice, variation.SKU = v.price, "SHIRT-"+strings.ToUpper(v.size)
		variation.Choices = []shop.AttributeChoice{{ID: g.size, Option: v.size}}
		if err := variation.CreateVariation(tx); err != nil {
			return err
		}
		*v.id = variation.ID
	}
	return nil
}

func (g *goods) arrangeUnseen(tx *shop.Tx) error {
	return fill(tx, []shelf{
		{&g.external, "Elsewhere", func(p *shop.Product) {
			p.Type = shop.External
			p.SetExtras(shop.Extras{ExternalURL: "https://example.test/buy"})
		}},
		{&g.grouped, "Set", func(p *shop.Product) {
			p.Type, p.RegularPrice = shop.Grouped, ""
			p.SetExtras(shop.Extras{GroupedIDs: []int64{g.plain, g.onSale}})
		}},
		{&g.draft, "Draft", func(p *shop.Product) { p.Status = shop.StatusDraft }},
		{&g.hidden, "Hidden", func(p *shop.Product) { p.Visibility = "hidden" }},
		{&g.searchOnly, "Search me", func(p *shop.Product) { p.Visibility = "search" }},
		{&g.unpriced, "No price", func(p *shop.Product) { p.RegularPrice = "" }},
		{&g.download, "Song", func(p *shop.Product) { p.Virtual, p.Downloadable = true, true }},
	})
}

func (g *goods) arrangeRules(tx *shop.Tx) error {
	us := &shop.Zone{Name: "US", Locations: []shop.Location{{Code: "US", Type: "country"}}}
	if err := us.Add(tx); err != nil {
		return err
	}
	flat := &shop.ShippingMethod{ZoneID: us.ID, MethodID: "flat_rate", Title: "Flat rate", Order: 1, Enabled: true,
		Settings: map[string]string{"cost": "5"}}
	free := &shop.ShippingMethod{ZoneID: us.ID, MethodID: "free_shipping", Title: "Free shipping", Order: 2, Enabled: true,
		Settings: map[string]string{}}
	for _, method := range []*shop.ShippingMethod{flat, free} {
		if err := method.Add(tx); err != nil {
			return err
		}
	}
	g.flatRate, g.freeShipping = flat.ID, free.ID
	for i, method := range []string{"cod", "bacs", "cheque", "mockpay"} {
		if err := (&shop.Gateway{Method: method, Title: method, Order: int64(i), Enabled: true,
			Settings: map[string]string{}}).Add(tx); err != nil {
			return err
		}
	}
	for _, coupon := range []*shop.Coupon{
		{Code: "save10", Amount: "10", Type: pricing.PercentCoupon, Status: shop.StatusPublish},
		{Code: "old", Amount: "10", Type: pricing.PercentCoupon, Status: shop.StatusPublish, Expires: shop.DateOf(tx.Now.Add(-time.Hour))},
	} {
		if err := coupon.Add(tx); err != nil {
			return err
		}
	}
	owner := &shop.Customer{Email: "owner@example.test", Username: "owner", Role: "customer"}
	err := owner.Create(tx)
	g.customer = owner.ID
	return err
}

func hideOutOfStock(c *shop.Config) { c.HideOutOfStock = true }
