package storeapi_test

// The shop that the tests visit, and how they visit it.

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/mux"
	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/storeapi"
)

const base = "/shop/store/v1"

var opening = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// clock stands until it is moved.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) move(by time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(by)
}

// store is a shop behind the API.
type store struct {
	t       testing.TB
	clock   *clock
	shop    *shop.Shop
	handler http.Handler
	goods   *goods
}

// open opens a shop. Changes of its settings may be given.
func open(t testing.TB, changes ...func(*shop.Config)) *store {
	t.Helper()
	c := &clock{now: opening}
	config := settings()
	for _, change := range changes {
		change(config)
	}
	stock := &goods{}
	initial, err := shop.Build(shop.NewState(config), opening, 1, func(tx *shop.Tx) error {
		*stock = goods{}
		return stock.arrange(tx)
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &store{t: t, clock: c, goods: stock, shop: shop.New(initial, shop.Options{Clock: c.Now, Secret: []byte("1")})}
	s.serve(auth.RotateNonce)
	return s
}

// stableNonces makes the shop keep a nonce for its whole life.
func (s *store) stableNonces() *store {
	s.serve(auth.StableNonce)
	return s
}

// doors are what a server knows its visitors by.
type doors struct {
	sessions *auth.Sessions
	signIn   *auth.SignIn
}

type doorsKey struct{}

func doorsOf(r *http.Request) doors { return r.Context().Value(doorsKey{}).(doors) }

// router serves all shops of the tests: a request carries the doors of its own.
var router = func() *mux.Router {
	router := mux.NewRouter()
	storeapi.API(
		func(r *http.Request) *auth.Sessions { return doorsOf(r).sessions },
		func(r *http.Request) *auth.SignIn { return doorsOf(r).signIn },
	).Mount(router)
	return router
}()

func (s *store) serve(mode auth.NonceMode) {
	of := doors{
		auth.NewSessions(auth.SessionOptions{Clock: s.clock.Now, Key: []byte("test"), Nonce: mode}),
		auth.NewSignIn(auth.SignInOptions{Clock: s.clock.Now, Key: []byte("test")}),
	}
	host := rest.Host{Shop: s.shop, Site: rest.Site{Home: "http://shop.test", Root: "http://shop.test"}}
	s.handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rest.Serve(context.WithValue(r.Context(), doorsKey{}, of), router, w, rest.Canonical(r, storeapi.Namespace), host)
	})
}

// answer is what came back.
type answer struct {
	gjson.Result
	t      testing.TB
	what   string
	status int
	header http.Header
}

type fields = map[string]any

// send sends a request; body is text, nil, or what JSON can encode.
func (s *store) send(method, path string, body any, header ...string) *answer {
	s.t.Helper()
	var reader io.Reader
	switch b := body.(type) {
	case nil:
	case string:
		reader = strings.NewReader(b)
	default:
		encoded, err := json.Marshal(b)
		if err != nil {
			s.t.Fatal(err)
		}
		reader = strings.NewReader(string(encoded))
	}
	request := httptest.NewRequest(method, base+path, reader)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	recorded := httptest.NewRecorder()
	s.handler.ServeHTTP(recorded, request)
	text := recorded.Body.String()
	return &answer{gjson.Parse(text), s.t, method + " " + path, recorded.Code, recorded.Header()}
}

func (s *store) get(path string, header ...string) *answer {
	s.t.Helper()
	return s.send(http.MethodGet, path, nil, header...)
}

// wants checks the status.
func (a *answer) wants(status int) *answer {
	a.t.Helper()
	if a.status != status {
		a.t.Fatalf("%s answered %d, want %d: %.400s", a.what, a.status, status, a.Raw)
	}
	return a
}

// fails checks that the answer is an error envelope with the code.
func (a *answer) fails(status int, code string) *answer {
	a.t.Helper()
	a.wants(status)
	if got := a.Get("code").Str; got != code {
		a.t.Errorf("%s failed with %q, want %q: %s", a.what, got, code, a.Get("message").Str)
	}
	if a.Get("data.status").Int() != int64(status) || a.Get("message").Str == "" {
		a.t.Errorf("%s: not an error envelope: %.300s", a.what, a.Raw)
	}
	return a
}

// has checks values by their paths.
func (a *answer) has(pairs ...any) *answer {
	a.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		path := pairs[i].(string)
		want, err := json.Marshal(pairs[i+1])
		if err != nil {
			a.t.Fatal(err)
		}
		if got := a.Get(path).Raw; got != string(want) {
			a.t.Errorf("%s: %s is %.200s, want %s", a.what, path, got, want)
		}
	}
	return a
}

// settings are those of a shop in California.
func settings() *shop.Config {
	return &shop.Config{
		Title: "Test shop", Currency: "USD", CurrencySymbol: "$", CurrencyPosition: shop.SymbolLeft,
		ThousandSeparator: ",", DecimalSeparator: ".", Decimals: 2,
		Country: "US", State: "CA", TaxBasedOn: shop.TaxByShipping, ShippingTaxClass: "inherit",
		CouponsEnabled: true, GuestCheckout: true, AccountCreation: true, ManageStock: true,
		HoldStockMinutes: 60, LowStockThreshold: 2, ReviewsEnabled: true, WeightUnit: "kg", DimensionUnit: "cm",
	}
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
			p.CategoryIDs, p.TagIDs, p.BrandIDs = []int64{g.clothing}, []int64{g.sale}, []int64{g.acme}
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
		{&g.external, "Elsewhere", func(p *shop.Product) { p.Type, p.ExternalURL = shop.External, "https://example.test/buy" }},
		{&g.grouped, "Set", func(p *shop.Product) {
			p.Type, p.RegularPrice, p.GroupedIDs = shop.Grouped, "", []int64{g.plain, g.onSale}
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
		{Code: "old", Amount: "10", Type: pricing.PercentCoupon, Status: shop.StatusPublish, Expires: shop.DateOf(opening.Add(-time.Hour))},
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
