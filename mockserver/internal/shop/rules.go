package shop

import "time"

// Coupon is a discount code with its conditions.
type Coupon struct {
	ID                               int64
	Code                             string // lower case, unique
	Amount                           string // percent or currency units, as sent
	Status                           string
	Created                          time.Time
	Modified                         time.Time
	Type                             string // pricing.PercentCoupon …
	Description                      string
	Expires                          *time.Time
	UsageCount                       int64
	IndividualUse                    bool
	ProductIDs, ExcludedProductIDs   []int64
	CategoryIDs, ExcludedCategoryIDs []int64
	UsageLimit                       *int64
	UsageLimitPerUser                *int64
	LimitToItems                     *int64 // at most so many items are discounted
	FreeShipping                     bool
	ExcludeSaleItems                 bool
	MinimumAmount, MaximumAmount     string
	EmailRestrictions                []string // may hold wildcards such as *@example.test
	UsedBy                           []string // customer ids and e-mails, one entry a use
	Meta                             []Meta
	Memo                             *Memo

	behind *takenUses // of the array of UsedBy
}

// RowID identifies the coupon in its table.
func (c *Coupon) RowID() int64 { return c.ID }

// TaxRate is one rate for one place and class. Empty place fields match everything.
type TaxRate struct {
	ID        int64
	Country   string
	State     string
	Postcodes []string // exact, with wildcards ("CB2*") or ranges ("90000...99999")
	Cities    []string
	Rate      string // percent
	Name      string
	Priority  int64 // one matching rate of each priority applies
	Compound  bool  // on top of the other taxes
	Shipping  bool  // applies to shipping too
	Order     int64
	Class     string // slug, "" is the standard class
	Memo      *Memo
}

// RowID identifies the rate in its table.
func (r *TaxRate) RowID() int64 { return r.ID }

// TaxClass names a class of rates.
type TaxClass struct {
	ID   int64
	Slug string
	Name string
	Memo *Memo
}

// RowID identifies the class in its table.
func (c *TaxClass) RowID() int64 { return c.ID }

// Zone is a shipping zone: an area and, through its methods, the ways to ship there. Zone 0 is the rest of the world.
type Zone struct {
	ID        int64
	Name      string
	Order     int64
	Locations []Location
	Memo      *Memo
}

// RowID identifies the zone in its table.
func (z *Zone) RowID() int64 { return z.ID }

// Location is one area of a zone.
type Location struct {
	Code string // "US", "US:CA", "EU", "90210", "CB2*", "90000...99999"
	Type string // country, state, continent, postcode
}

// ShippingMethod is one method of one zone. Its ID is the instance id.
type ShippingMethod struct {
	ID       int64
	ZoneID   int64
	MethodID string // flat_rate, free_shipping, local_pickup
	Title    string
	Order    int64
	Enabled  bool
	Settings map[string]string // by setting id: cost, tax_status, requires, min_amount, class_cost_<id>, no_class_cost, type …
	Memo     *Memo
}

// RowID identifies the method in its table.
func (m *ShippingMethod) RowID() int64 { return m.ID }

// Gateway is a payment method of the shop.
type Gateway struct {
	ID          int64
	Method      string // bacs, cheque, cod, mockpay
	Title       string
	Description string
	Order       int64
	Enabled     bool
	Settings    map[string]string
	Memo        *Memo
}

// RowID identifies the gateway in its table.
func (g *Gateway) RowID() int64 { return g.ID }
