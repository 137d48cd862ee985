package shop

import (
	"reflect"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/state"
)

// State is one version of everything that a shop knows. It is a value: copying it is a snapshot. Tables are
// changed only inside a transaction; the plain fields are replaced whole.
type State struct {
	Products   state.Table[*Product]
	Variations state.Table[*Product]
	Terms      state.Table[*Term]
	Attributes state.Table[*Attribute]
	Orders     state.Table[*Order]
	Notes      state.Table[*Note]
	Customers  state.Table[*Customer]
	Keys       state.Table[*APIKey]
	Coupons    state.Table[*Coupon]
	TaxRates   state.Table[*TaxRate]
	TaxClasses state.Table[*TaxClass]
	Zones      state.Table[*Zone]
	Methods    state.Table[*ShippingMethod]
	Gateways   state.Table[*Gateway]
	Carts      state.Table[*Cart]
	Webhooks   state.Table[*Webhook]
	Reviews    state.Table[*Review]

	Config *Config
	LastID IDs

	CartBytes int64 // what the carts and their drafts take, roughly

	Numbered NumberedSlug // of the product that got a number last: the next one of its name begins to look there
}

// IDs counts the ids given out, one sequence for each kind of record. Products, variations, orders, refunds and
// coupons share one, as they do in shops of this family: a client that mixes them up notices.
type IDs struct {
	Post, Term, Attribute, Customer, Note, Review, Line, Meta, Image int64
	Key, TaxRate, TaxClass, Zone, Method, Gateway, Cart, Webhook     int64
}

// NewState makes a state without any record.
func NewState(config *Config) State {
	return State{
		Products: state.New(Products.schema), Variations: state.New(Variations.schema),
		Terms: state.New(Terms.schema), Attributes: state.New(Attributes.schema),
		Orders: state.New(Orders.schema), Notes: state.New(Notes.schema),
		Customers: state.New(Customers.schema), Keys: state.New(Keys.schema),
		Coupons: state.New(Coupons.schema), TaxRates: state.New(TaxRates.schema), TaxClasses: state.New(TaxClasses.schema),
		Zones: state.New(Zones.schema), Methods: state.New(Methods.schema), Gateways: state.New(Gateways.schema),
		Carts: state.New(Carts.schema), Webhooks: state.New(Webhooks.schema),
		Reviews: state.New(Reviews.schema),
		Config:  config,
	}
}

// Tables lists the tables of the state, in the order of its fields.
func (st *State) Tables() []state.Kept {
	var all []state.Kept
	fields := reflect.ValueOf(st).Elem()
	for i := range fields.NumField() {
		if table, ok := fields.Field(i).Addr().Interface().(state.Kept); ok {
			all = append(all, table)
		}
	}
	return all
}

// The tables' schemas and indexes: what can be looked up, filtered and ordered without a scan. They are declarations,
// never changed after the process has started.
var (
	Products   = defineProducts("products")
	Variations = defineProducts("variations")
	Terms      = defineTerms()
	Attributes = defineAttributes()
	Orders     = defineOrders()
	Notes      = defineNotes()
	Customers  = defineCustomers()
	Keys       = defineKeys()
	Coupons    = defineCoupons()
	TaxRates   = defineTaxRates()
	TaxClasses = defineTaxClasses()
	Zones      = defineZones()
	Methods    = defineMethods()
	Gateways   = defineGateways()
	Carts      = defineCarts()
	Webhooks   = defineWebhooks()
	Reviews    = defineReviews()
)

// ProductIndexes are the ways to find products. Orderings leave trashed products out, as lists do by default.
type ProductIndexes struct {
	schema *state.Schema[*Product]

	SKU, Slug *state.Unique[*Product]

	ByDate, ByModified, ByID, ByTitle, BySlug, ByPopularity, ByRating, ByMenuOrder *state.Ordered[*Product]
	ByLowest, ByHighest                                                            *state.Ordered[*Product] // of the range of prices

	Status, Type, Stock, Featured, OnSale, Virtual, Downloadable *state.Facet[*Product]
	Category, Tag, Brand, ShippingClass, TaxClass, Visibility    *state.Facet[*Product]
	Parent, Member                                               *state.Facet[*Product]   // the parent; the members of a grouped product
	BySaleDate                                                   *state.Ordered[*Product] // where a sale begins or ends
	Term                                                         *state.Facet[*Product]   // "pa_color:Red"
}

func defineProducts(table string) ProductIndexes {
	s := state.Define[*Product](table)
	live := func(key func(*Product) state.Key) func(*Product) (state.Key, bool) {
		return func(p *Product) (state.Key, bool) {
			if p.Status == StatusTrash {
				return state.Key{}, false
			}
			return key(p), true
		}
	}
	counted := func(number func(*Product) int64) func(*Product) (int64, bool) {
		return func(p *Product) (int64, bool) { return number(p), p.Status != StatusTrash }
	}
	return ProductIndexes{
		schema: s,
		SKU:    s.Unique("sku", func(p *Product) (string, bool) { return p.SKU, p.SKU != "" }),
		Slug:   s.Unique("slug", func(p *Product) (string, bool) { return p.Slug, p.Slug != "" && p.Type != Variation }),

		ByDate:       s.Numbered("date", counted(func(p *Product) int64 { return p.Created.Unix() })),
		ByModified:   s.Numbered("modified", counted(func(p *Product) int64 { return p.Modified.Unix() })),
		ByID:         s.Numbered("id", counted(func(p *Product) int64 { return p.ID })),
		ByTitle:      s.Ordered("title", live(func(p *Product) state.Key { return state.Key{Text: strings.ToLower(p.Name)} })),
		BySlug:       s.Ordered("slug_order", live(func(p *Product) state.Key { return state.Key{Text: p.Slug} })),
		ByLowest:     s.Numbered("price", counted(func(p *Product) int64 { return PriceNumber(p.Prices.Min) })),
		ByHighest:    s.Numbered("highest_price", counted(func(p *Product) int64 { return PriceNumber(p.Prices.Max) })),
		ByPopularity: s.Numbered("popularity", counted(func(p *Product) int64 { return p.TotalSales })),
		ByRating:     s.Numbered("rating", counted(func(p *Product) int64 { return int64(p.AverageRating) })),
		ByMenuOrder:  s.Ordered("menu_order", live(func(p *Product) state.Key { return state.Key{Num: p.MenuOrder, Text: p.Name} })),

		Status:        s.Single("status", func(p *Product) string { return p.Status }),
		Type:          s.Single("type", func(p *Product) string { return string(p.Type) }),
		Stock:         s.Single("stock_status", func(p *Product) string { return p.StockStatus }),
		Featured:      s.Single("featured", func(p *Product) string { return strconv.FormatBool(p.Featured) }),
		OnSale:        s.Single("on_sale", func(p *Product) string { return strconv.FormatBool(p.Prices.OnSale) }),
		Virtual:       s.Single("virtual", func(p *Product) string { return strconv.FormatBool(p.Virtual) }),
		Downloadable:  s.Single("downloadable", func(p *Product) string { return strconv.FormatBool(p.Downloadable) }),
		Category:      s.Facet("category", each(func(p *Product) []int64 { return p.CategoryIDs })),
		Tag:           s.Facet("tag", each(func(p *Product) []int64 { return p.TagIDs })),
		Brand:         s.Facet("brand", each(func(p *Product) []int64 { return p.Extra().BrandIDs })),
		ShippingClass: s.Single("shipping_class", func(p *Product) string { return strconv.FormatInt(p.ShippingClassID, 10) }),
		TaxClass:      s.Single("tax_class", func(p *Product) string { return p.TaxClass }),
		Visibility:    s.Single("visibility", func(p *Product) string { return p.Visibility }),
		BySaleDate:    s.Numbered("sale_date", nextSaleDate),
		Parent:        s.Single("parent", func(p *Product) string { return strconv.FormatInt(p.ParentID, 10) }),
		Member:        s.Facet("member", each(func(p *Product) []int64 { return p.Extra().GroupedIDs })),
		Term: s.Facet("term", func(p *Product, emit func(string)) {
			for _, a := range p.Attributes {
				for _, option := range a.Options {
					emit(a.Slug + ":" + option)
				}
			}
		}),
	}
}

// ByPrice is the order of prices in one direction: a range of them counts by the end that comes first.
func (i ProductIndexes) ByPrice(descending bool) *state.Ordered[*Product] {
	if descending {
		return i.ByHighest
	}
	return i.ByLowest
}

// PriceNumber orders amounts: whole units and four decimals fit an integer.
func PriceNumber(amount Amount) int64 { return amount.Shift(4).IntPart() }

func each[R any](values func(R) []int64) func(R, func(string)) {
	return func(row R, emit func(string)) {
		for _, id := range values(row) {
			emit(strconv.FormatInt(id, 10))
		}
	}
}

// TermIndexes are the ways to find terms.
type TermIndexes struct {
	schema   *state.Schema[*Term]
	Slug     *state.Unique[*Term] // TermKey
	Taxonomy *state.Facet[*Term]
	Parent   *state.Facet[*Term]
	ByName   *state.Ordered[*Term]
	BySlug   *state.Ordered[*Term]
	ByOrder  *state.Ordered[*Term]
}

// TermKey is the unique key of a term's slug.
func TermKey(taxonomy, slug string) string { return taxonomy + "\x00" + slug }

func defineTerms() TermIndexes {
	s := state.Define[*Term]("terms")
	return TermIndexes{
		schema:   s,
		Slug:     s.Unique("slug", func(t *Term) (string, bool) { return TermKey(t.Taxonomy, t.Slug), true }),
		Taxonomy: s.Single("taxonomy", func(t *Term) string { return t.Taxonomy }),
		Parent:   s.Single("parent", func(t *Term) string { return strconv.FormatInt(t.ParentID, 10) }),
		ByName:   s.Ordered("name", func(t *Term) (state.Key, bool) { return state.Key{Text: strings.ToLower(t.Name)}, true }),
		BySlug:   s.Ordered("slug_order", func(t *Term) (state.Key, bool) { return state.Key{Text: t.Slug}, true }),
		ByOrder: s.Ordered("menu_order", func(t *Term) (state.Key, bool) {
			return state.Key{Num: t.MenuOrder, Text: strings.ToLower(t.Name)}, true
		}),
	}
}

// AttributeIndexes are the ways to find global attributes.
type AttributeIndexes struct {
	schema *state.Schema[*Attribute]
	Slug   *state.Unique[*Attribute]
}

func defineAttributes() AttributeIndexes {
	s := state.Define[*Attribute]("attributes")
	return AttributeIndexes{schema: s, Slug: s.Unique("slug", func(a *Attribute) (string, bool) { return a.Slug, true })}
}

// OrderIndexes are the ways to find orders. Drafts of the checkout and trashed orders are in no ordering but ByAnyDate.
type OrderIndexes struct {
	schema                              *state.Schema[*Order]
	Key                                 *state.Unique[*Order]
	ByDate, ByModified, ByID, ByAnyDate *state.Ordered[*Order]
	Status, Customer, Product, Parent   *state.Facet[*Order]
	Held                                *state.Facet[*Order]   // product and variation ids that an unfinished order holds stock of
	ByHold                              *state.Ordered[*Order] // the moment until which an unfinished order holds stock
	ByDeadline                          *state.Ordered[*Order] // the moment until which an order of the checkout must be paid
	Placed                              *state.Facet[*Order]   // how orders came that are no drafts
}

func defineOrders() OrderIndexes {
	s := state.Define[*Order]("orders")
	listed := func(number func(*Order) int64) func(*Order) (int64, bool) {
		return func(o *Order) (int64, bool) {
			return number(o), o.Status != Trashed && o.Status != CheckoutDraft
		}
	}
	return OrderIndexes{
		schema:     s,
		Key:        s.Unique("order_key", func(o *Order) (string, bool) { return o.Key, o.Key != "" }),
		ByDate:     s.Numbered("date", listed(func(o *Order) int64 { return o.Created.Unix() })),
		ByModified: s.Numbered("modified", listed(func(o *Order) int64 { return o.Modified.Unix() })),
		ByID:       s.Numbered("id", listed(func(o *Order) int64 { return o.ID })),
		ByAnyDate:  s.Numbered("any_date", func(o *Order) (int64, bool) { return o.Created.Unix(), true }),
		Status:     s.Single("status", func(o *Order) string { return string(o.Status) }),
		Customer:   s.Single("customer", func(o *Order) string { return strconv.FormatInt(o.CustomerID, 10) }),
		Parent:     s.Single("parent", func(o *Order) string { return strconv.FormatInt(o.ParentID, 10) }),
		Product: s.Facet("product", func(o *Order, emit func(string)) {
			for _, line := range o.Lines {
				emit(strconv.FormatInt(line.ProductID, 10))
				if line.VariationID != 0 {
					emit(strconv.FormatInt(line.VariationID, 10))
				}
			}
		}),
		Held: s.Facet("held", func(o *Order, emit func(string)) {
			if o.StockHeldUntil.IsZero() {
				return
			}
			for _, line := range o.Lines {
				emit(strconv.FormatInt(line.ProductID, 10))
				if line.VariationID != 0 {
					emit(strconv.FormatInt(line.VariationID, 10))
				}
			}
		}),
		Placed: s.Facet("placed", func(o *Order, emit func(string)) {
			if o.Status != CheckoutDraft {
				emit(o.Via)
			}
		}),
		ByHold: s.Numbered("hold", func(o *Order) (int64, bool) {
			return o.StockHeldUntil.Unix(), !o.StockHeldUntil.IsZero()
		}),
		ByDeadline: s.Numbered("deadline", func(o *Order) (int64, bool) {
			return o.StockHeldUntil.Unix(), o.Status == Pending && o.Via == ViaCheckout && !o.StockHeldUntil.IsZero()
		}),
	}
}

// StockID is the id of the product or variation that the line sells.
func (l *OrderLine) StockID() int64 {
	if l.VariationID != 0 {
		return l.VariationID
	}
	return l.ProductID
}

// NoteIndexes are the ways to find order notes.
type NoteIndexes struct {
	schema *state.Schema[*Note]
	Order  *state.Facet[*Note]
}

func defineNotes() NoteIndexes {
	s := state.Define[*Note]("notes")
	return NoteIndexes{schema: s, Order: s.Single("order", func(n *Note) string { return strconv.FormatInt(n.OrderID, 10) })}
}

// CustomerIndexes are the ways to find customers. E-mail and user name ignore case.
type CustomerIndexes struct {
	schema          *state.Schema[*Customer]
	Email, Username *state.Unique[*Customer]
	Role, Via       *state.Facet[*Customer]
	ByName, ByDate  *state.Ordered[*Customer]
}

func defineCustomers() CustomerIndexes {
	s := state.Define[*Customer]("customers")
	return CustomerIndexes{
		schema:   s,
		Email:    s.Unique("email", func(c *Customer) (string, bool) { return strings.ToLower(c.Email), c.Email != "" }),
		Username: s.Unique("username", func(c *Customer) (string, bool) { return strings.ToLower(c.Username), true }),
		Role:     s.Single("role", func(c *Customer) string { return c.Role }),
		Via: s.Facet("via", func(c *Customer, emit func(string)) {
			if c.Via != "" {
				emit(c.Via)
			}
		}),
		ByName: s.Ordered("name", func(c *Customer) (state.Key, bool) { return state.Key{Text: strings.ToLower(c.DisplayName)}, true }),
		ByDate: s.Numbered("registered_date", func(c *Customer) (int64, bool) { return c.Created.Unix(), true }),
	}
}

// KeyIndexes are the ways to find API keys.
type KeyIndexes struct {
	schema *state.Schema[*APIKey]
	Key    *state.Unique[*APIKey]
}

func defineKeys() KeyIndexes {
	s := state.Define[*APIKey]("api_keys")
	return KeyIndexes{schema: s, Key: s.Unique("consumer_key", func(k *APIKey) (string, bool) { return k.Key, true })}
}

// CouponIndexes are the ways to find coupons.
type CouponIndexes struct {
	schema                            *state.Schema[*Coupon]
	Code                              *state.Unique[*Coupon]
	Status                            *state.Facet[*Coupon]
	ByDate, ByModified, ByID, ByTitle *state.Ordered[*Coupon]
}

func defineCoupons() CouponIndexes {
	s := state.Define[*Coupon]("coupons")
	live := func(key func(*Coupon) state.Key) func(*Coupon) (state.Key, bool) {
		return func(c *Coupon) (state.Key, bool) { return key(c), c.Status != StatusTrash }
	}
	return CouponIndexes{
		schema:     s,
		Code:       s.Unique("code", func(c *Coupon) (string, bool) { return c.Code, c.Status != StatusTrash }),
		Status:     s.Single("status", func(c *Coupon) string { return c.Status }),
		ByDate:     s.Ordered("date", live(func(c *Coupon) state.Key { return state.Key{Num: c.Created.Unix()} })),
		ByModified: s.Ordered("modified", live(func(c *Coupon) state.Key { return state.Key{Num: c.Modified.Unix()} })),
		ByID:       s.Ordered("id", live(func(c *Coupon) state.Key { return state.Key{Num: c.ID} })),
		ByTitle:    s.Ordered("title", live(func(c *Coupon) state.Key { return state.Key{Text: c.Code} })),
	}
}

// TaxRateIndexes are the ways to find tax rates.
type TaxRateIndexes struct {
	schema              *state.Schema[*TaxRate]
	Class               *state.Facet[*TaxRate]
	ByOrder, ByPriority *state.Ordered[*TaxRate]
}

func defineTaxRates() TaxRateIndexes {
	s := state.Define[*TaxRate]("tax_rates")
	return TaxRateIndexes{
		schema:     s,
		Class:      s.Single("class", func(r *TaxRate) string { return r.Class }),
		ByOrder:    s.Numbered("order", func(r *TaxRate) (int64, bool) { return r.Order, true }),
		ByPriority: s.Numbered("priority", func(r *TaxRate) (int64, bool) { return r.Priority, true }),
	}
}

// TaxClassIndexes are the ways to find tax classes.
type TaxClassIndexes struct {
	schema *state.Schema[*TaxClass]
	Slug   *state.Unique[*TaxClass]
}

func defineTaxClasses() TaxClassIndexes {
	s := state.Define[*TaxClass]("tax_classes")
	return TaxClassIndexes{schema: s, Slug: s.Unique("slug", func(c *TaxClass) (string, bool) { return c.Slug, true })}
}

// ZoneIndexes are the ways to find shipping zones.
type ZoneIndexes struct {
	schema  *state.Schema[*Zone]
	ByOrder *state.Ordered[*Zone]
}

func defineZones() ZoneIndexes {
	s := state.Define[*Zone]("shipping_zones")
	return ZoneIndexes{schema: s, ByOrder: s.Numbered("order", func(z *Zone) (int64, bool) { return z.Order, true })}
}

// MethodIndexes are the ways to find the shipping methods of a zone.
type MethodIndexes struct {
	schema *state.Schema[*ShippingMethod]
	Zone   *state.Facet[*ShippingMethod]
}

func defineMethods() MethodIndexes {
	s := state.Define[*ShippingMethod]("shipping_methods")
	return MethodIndexes{schema: s, Zone: s.Single("zone", func(m *ShippingMethod) string { return strconv.FormatInt(m.ZoneID, 10) })}
}

// GatewayIndexes are the ways to find payment gateways.
type GatewayIndexes struct {
	schema  *state.Schema[*Gateway]
	Method  *state.Unique[*Gateway]
	ByOrder *state.Ordered[*Gateway]
}

func defineGateways() GatewayIndexes {
	s := state.Define[*Gateway]("payment_gateways")
	return GatewayIndexes{
		schema:  s,
		Method:  s.Unique("method", func(g *Gateway) (string, bool) { return g.Method, true }),
		ByOrder: s.Numbered("order", func(g *Gateway) (int64, bool) { return g.Order, true }),
	}
}

// CartIndexes are the ways to find carts.
type CartIndexes struct {
	schema  *state.Schema[*Cart]
	Session *state.Unique[*Cart]
	ByUse   *state.Ordered[*Cart]
}

func defineCarts() CartIndexes {
	s := state.Define[*Cart]("carts")
	return CartIndexes{
		schema:  s,
		Session: s.Unique("session", func(c *Cart) (string, bool) { return c.Session, true }),
		ByUse:   s.Numbered("updated", func(c *Cart) (int64, bool) { return c.Updated.Unix(), true }),
	}
}
