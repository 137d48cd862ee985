package shop

// Carts as they were answered last, kept while nothing that shows in them changes.

type keptCart struct {
	basis cartBasis
	shown ShownCart
}

// ShownCart is a cart as an API shows it.
type ShownCart struct {
	Hash string // as CartQuote.Hash
	Encoded
}

// cartBasis tells what an encoded cart was made from. Two equal ones mean equal bytes.
type cartBasis struct {
	own, visited *Cart // the row, and the one of the session that goes into it; nil: there is none
	customer     int64
	base         string // address that links begin with
	config       *Config
	second       int64 // the moment, where time matters

	products, variations, terms, attributes, orders, customers, coupons uint64
	taxRates, taxClasses, zones, methods, gateways                      uint64
}

// ShownCart returns the shopper's cart as encode shows it below a base address. encode is not called if that is known.
func (v View) ShownCart(who Shopper, base string, encode func(*CartQuote) Encoded) ShownCart {
	if v.kept == nil {
		return showCart(v.CartOf(who), encode)
	}
	basis := v.cartBasis(who, base)
	name := who.Session + " " + who.cartName()
	carts := v.kept.carts.atMost(maxKeptCarts)
	if kept, known := carts.Get(name); known && kept.basis == basis {
		return kept.shown
	}
	shown := showCart(v.CartOf(who), encode)
	if len(shown.Bytes) <= maxKeptBytes {
		carts.Add(name, &keptCart{basis, shown})
	}
	return shown
}

func showCart(q *CartQuote, encode func(*CartQuote) Encoded) ShownCart {
	return ShownCart{q.Hash, encode(q)}
}

func (v View) cartBasis(who Shopper, base string) cartBasis {
	basis := cartBasis{
		customer: who.CustomerID, base: base, config: v.Config,
		products: v.Products.Version(), variations: v.Variations.Version(), terms: v.Terms.Version(), attributes: v.Attributes.Version(),
		orders: v.Orders.Version(), customers: v.Customers.Version(), coupons: v.Coupons.Version(), taxRates: v.TaxRates.Version(),
		taxClasses: v.TaxClasses.Version(), zones: v.Zones.Version(), methods: v.Methods.Version(), gateways: v.Gateways.Version(),
	}
	basis.visited, _ = Carts.Session.Find(&v.Carts, who.Session)
	basis.own = basis.visited
	if who.CustomerID != 0 {
		basis.own, _ = Carts.Session.Find(&v.Carts, who.cartName())
	}
	if v.timeMatters(basis.own, basis.visited) {
		basis.second = v.Now.Unix()
	}
	return basis
}

// timeMatters reports whether carts may change because time passes: coupons expire, and what others hold becomes free.
func (v View) timeMatters(carts ...*Cart) bool {
	for _, cart := range carts {
		if cart != nil && len(cart.Coupons) > 0 {
			return true
		}
	}
	_, held := Orders.ByHold.Least(&v.Orders)
	return held
}
