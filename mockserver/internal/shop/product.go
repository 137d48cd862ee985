package shop

import (
	"reflect"
	"strconv"
	"time"
)

// ProductType tells how a product is sold.
type ProductType string

// The product types of the contract, and the type of a variable product's children.
const (
	Simple    ProductType = "simple"
	Grouped   ProductType = "grouped"
	External  ProductType = "external"
	Variable  ProductType = "variable"
	Variation ProductType = "variation"
)

// Publication states of products, coupons and other posts.
const (
	StatusPublish = "publish"
	StatusDraft   = "draft"
	StatusPending = "pending"
	StatusPrivate = "private"
	StatusTrash   = "trash"
)

// Stock states of a product.
const (
	InStock     = "instock"
	OutOfStock  = "outofstock"
	OnBackorder = "onbackorder"
)

// Backorder policies of a product.
const (
	BackordersNo     = "no"
	BackordersNotify = "notify"
	BackordersYes    = "yes"
)

// Product is a row of the products table, or of the variations table when its type is Variation. Prices and weight are kept as they
// were sent. A nil quantity means "not set". Fields of one byte are next to each other, so that a row is short: most memory of a large
// shop are its products.
type Product struct {
	ID       int64
	ParentID int64 // the variable product of a variation; else the post parent, usually 0
	Name     string
	Slug     string
	Created  time.Time // UTC
	Modified time.Time // UTC
	Type     ProductType
	Status   string

	Featured         bool
	Virtual          bool
	Downloadable     bool
	ManageStock      bool
	SoldIndividually bool
	ReviewsAllowed   bool

	Visibility       string // visible, catalog, search, hidden
	Description      string
	ShortDescription string
	SKU              string

	RegularPrice string
	SalePrice    string

	TotalSales int64

	DownloadLimit  int64 // -1: no limit
	DownloadExpiry int64 // days, -1: never

	TaxStatus string // taxable, shipping, none
	TaxClass  string // slug, "" is the standard class; a variation may say ParentTaxClass

	StockQuantity *int64
	StockStatus   string
	Backorders    string

	Weight          string
	ShippingClassID int64

	AverageRating Rating
	RatingCount   int64

	CategoryIDs []int64
	TagIDs      []int64

	Images     []Image
	Attributes []ProductAttribute
	Choices    []AttributeChoice // variations only: what this variation stands for; an empty option is "any"
	MenuOrder  int64

	Extras *Extras `json:",inline"` // nil: none. Rows share it: it is read by Extra and replaced by SetExtras

	// Derived at every save, and when a sale date passes:
	Price  string    // the current price, as sent; of a variable product the lowest of its variations
	Prices PriceSpan // the span of current prices, of a variable product over its variations

	Memo *Memo // the encoded record, made when first asked for
}

// Extras are what few products have. They never change: a product that gets others gets new ones. A nil time or quantity means "not
// set"; dimensions are kept as they were sent.
type Extras struct {
	GlobalUniqueID string
	PurchaseNote   string
	Password       string

	SaleFrom     *time.Time
	SaleTo       *time.Time
	SalePricedAt time.Time `json:"PricedAt"` // when the price was worked out that depends on these dates

	Downloads []Download

	ExternalURL string
	ButtonText  string

	LowStockAmount *int64
	Dimensions     Dimensions

	UpsellIDs    []int64
	CrossSellIDs []int64
	BrandIDs     []int64
	GroupedIDs   []int64

	DefaultAttributes []AttributeChoice
	Meta              []Meta
}

var noExtras = &Extras{}

// Extra returns the product's extras, for reading.
func (p *Product) Extra() *Extras {
	if p.Extras == nil {
		return noExtras
	}
	return p.Extras
}

// SetExtras gives the product other extras.
func (p *Product) SetExtras(extras Extras) {
	p.Extras = nil
	if !reflect.ValueOf(&extras).Elem().IsZero() {
		p.Extras = &extras
	}
}

// ChangeExtras gives the product extras that differ from those that it has.
func (p *Product) ChangeExtras(change func(*Extras)) {
	extras := *p.Extra()
	change(&extras)
	p.SetExtras(extras)
}

// RowID identifies the product in its table.
func (p *Product) RowID() int64 { return p.ID }

// Rating is an average of stars, in hundredths of a star; nought means that nobody has rated.
type Rating int64

// rating is the average of so many ratings with that many stars together.
func rating(stars, count int64) Rating {
	if count == 0 {
		return 0
	}
	return Rating((2*100*stars + count) / (2 * count))
}

// String writes it with two decimals: "4.67".
func (r Rating) String() string {
	if r == 0 { // as most are
		return "0.00"
	}
	return strconv.FormatFloat(float64(r)/100, 'f', 2, 64)
}

// Stars is the nearest whole number of stars.
func (r Rating) Stars() int64 { return int64(r+50) / 100 }

// PriceSpan is the span of the current prices of a product. Set is false when it has no price.
type PriceSpan struct {
	Set, OnSale            bool
	Min, Max               Amount
	RegularMin, RegularMax Amount
}

// Download is one file of a downloadable product.
type Download struct{ ID, Name, File string }

// Dimensions are kept as sent, in the shop's dimension unit.
type Dimensions struct{ Length, Width, Height string }

// Image is one picture of a product; the first one is the main picture.
type Image struct {
	ID       int64
	Created  time.Time
	Modified time.Time
	Src      string
	Name     string
	Alt      string
}

// ProductAttribute is an attribute of a product: a global one (ID > 0) or one of its own (ID 0).
type ProductAttribute struct {
	ID        int64
	Name      string
	Slug      string // "pa_color" of a global attribute; the name itself of an own one
	Position  int64
	Visible   bool
	Variation bool // whether variations differ by it
	Options   []string
}

// AttributeChoice is one attribute with one chosen option.
type AttributeChoice struct {
	ID     int64
	Name   string
	Slug   string
	Option string
}

// Meta is one entry of free data that clients keep with a record. Value is any JSON value, as text.
type Meta struct {
	ID    int64
	Key   string
	Value string
}
