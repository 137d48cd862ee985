package shop

// What staff do with shipping zones, their places and methods, and with payment methods.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/shop/pricing"
)

// ZoneByID finds a shipping zone; 0 is the rest of the world. Fault: NoSuchZone.
func (v View) ZoneByID(id int64) (*Zone, error) {
	if zone, known := v.Zones.Get(id); known {
		return zone, nil
	}
	return nil, Faultf(NoSuchZone, "There is no shipping zone %d.", id)
}

// Create returns a zone its id. Fault: InvalidParam.
func (z *Zone) Create(tx *Tx) error {
	if err := z.check(); err != nil {
		return err
	}
	return z.Add(tx)
}

// Save keeps a changed copy of a zone. Faults: InvalidParam, ZoneFixed.
func (z *Zone) Save(tx *Tx) error {
	if z.ID == 0 {
		return Faultf(ZoneFixed, "Zone 0 stands for all places that no other zone covers: it cannot be changed.")
	}
	if err := z.check(); err != nil {
		return err
	}
	z.Memo = new(Memo)
	return tx.Zones.Put(tx.rows, z)
}

func (z *Zone) check() error {
	if strings.TrimSpace(z.Name) == "" {
		return invalidParam("name", "A shipping zone needs a name.")
	}
	return nil
}

// Delete removes a zone and its methods. Zone 0 stays, without a fault, as in live shops.
func (z *Zone) Delete(tx *Tx) error {
	if z.ID == 0 {
		return nil
	}
	for _, method := range tx.MethodsOf(z.ID) {
		tx.Methods.Delete(tx.rows, method.ID)
	}
	tx.Zones.Delete(tx.rows, z.ID)
	return nil
}

// LocationTypes are the kinds of places that a zone can hold.
func LocationTypes() []string { return []string{"postcode", "state", "country", "continent"} }

// MethodsOf lists the shipping methods of a zone, those that are off too, in their order.
func (v View) MethodsOf(zone int64) []*ShippingMethod {
	methods := collect(Methods.Zone.Rows(&v.Methods, strconv.FormatInt(zone, 10)))
	slices.SortFunc(methods, func(a, b *ShippingMethod) int { return cmp.Or(cmp.Compare(a.Order, b.Order), cmp.Compare(a.ID, b.ID)) })
	return methods
}

// MethodOf finds a method of a zone. Faults: NoSuchZone, NoSuchMethod.
func (v View) MethodOf(zone, id int64) (*ShippingMethod, error) {
	if _, err := v.ZoneByID(zone); err != nil {
		return nil, err
	}
	if method, known := v.Methods.Get(id); known && method.ZoneID == zone {
		return method, nil
	}
	return nil, Faultf(NoSuchMethod, "Zone %d has no shipping method %d.", zone, id)
}

// ShippingMethodIDs are the kinds of shipping methods that a zone can have.
func ShippingMethodIDs() []string {
	return []string{pricing.FlatRate, pricing.FreeShipping, pricing.LocalPickup}
}

// Create adds a method to its zone, as the last one. Fault: UnknownMethod.
func (m *ShippingMethod) Create(tx *Tx) error {
	if !slices.Contains(ShippingMethodIDs(), m.MethodID) {
		return Faultf(UnknownMethod, "There is no shipping method %q: take one of %s.", m.MethodID, strings.Join(ShippingMethodIDs(), ", "))
	}
	if m.Order == 0 {
		m.Order = int64(len(tx.MethodsOf(m.ZoneID))) + 1
	}
	return m.Add(tx)
}

// Save keeps a changed copy of a shipping method.
func (m *ShippingMethod) Save(tx *Tx) error {
	m.Memo = new(Memo)
	return tx.Methods.Put(tx.rows, m)
}

// Delete removes a shipping method.
func (m *ShippingMethod) Delete(tx *Tx) error {
	tx.Methods.Delete(tx.rows, m.ID)
	return nil
}

// GatewayOf finds a payment method by its name. Fault: NoSuchGateway.
func (v View) GatewayOf(method string) (*Gateway, error) {
	if gateway, known := Gateways.Method.Find(&v.Gateways, method); known {
		return gateway, nil
	}
	return nil, Faultf(NoSuchGateway, "There is no payment method %q.", method)
}

// Save keeps a changed copy of a payment method.
func (g *Gateway) Save(tx *Tx) error {
	g.Memo = new(Memo)
	return tx.Gateways.Put(tx.rows, g)
}
