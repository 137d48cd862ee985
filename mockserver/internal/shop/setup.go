package shop

import "strings"

// What a shop is set up with: rows that are added without further rules. Each function gives its row an id.

// Add adds a coupon. Fault: CodeTaken.
func (c *Coupon) Add(tx *Tx) error {
	c.Code = strings.ToLower(c.Code)
	if holder, taken := Coupons.Code.Find(&tx.Coupons, c.Code); taken {
		return Faultf(CodeTaken, "The code %q belongs to coupon %d.", c.Code, holder.ID)
	}
	c.ID, c.Memo = next(&tx.LastID.Post), new(Memo)
	return tx.Coupons.Put(tx.rows, c)
}

// Add adds a tax class.
func (c *TaxClass) Add(tx *Tx) error {
	c.ID, c.Memo = next(&tx.LastID.TaxClass), new(Memo)
	return uniqueFault(tx.TaxClasses.Put(tx.rows, c))
}

// Add adds a tax rate.
func (r *TaxRate) Add(tx *Tx) error {
	r.settle()
	r.ID, r.Memo = next(&tx.LastID.TaxRate), new(Memo)
	return tx.TaxRates.Put(tx.rows, r)
}

// Add adds a shipping zone.
func (z *Zone) Add(tx *Tx) error {
	z.ID, z.Memo = next(&tx.LastID.Zone), new(Memo)
	return tx.Zones.Put(tx.rows, z)
}

// AddRestOfWorld adds zone 0, for all places that no other zone covers.
func (tx *Tx) AddRestOfWorld(name string) error {
	return tx.Zones.Put(tx.rows, &Zone{Name: name, Memo: new(Memo)})
}

// Add adds a shipping method to its zone.
func (m *ShippingMethod) Add(tx *Tx) error {
	m.ID, m.Memo = next(&tx.LastID.Method), new(Memo)
	return tx.Methods.Put(tx.rows, m)
}

// Add adds a payment method.
func (g *Gateway) Add(tx *Tx) error {
	g.ID, g.Memo = next(&tx.LastID.Gateway), new(Memo)
	return uniqueFault(tx.Gateways.Put(tx.rows, g))
}
