package shop

// Shipping: where the shop ships to, and by which methods.

import (
	"slices"

	"shopcheck/mockserver/internal/shop/pricing"
)

// ships reports whether the shop ships at all: it may, and it has an enabled method in some zone.
func (v View) ships() bool {
	if v.Config.ShipTo != nil && len(v.Config.ShipTo) == 0 {
		return false
	}
	for method := range v.Methods.All() {
		if method.Enabled {
			return true
		}
	}
	return false
}

func (v View) findMethods(destination Address) []pricing.Method {
	if !v.Config.shipsTo(destination.Country) {
		return nil
	}
	rows := v.MethodsOf(v.ZoneFor(destination))
	methods := make([]pricing.Method, 0, len(rows))
	for _, method := range rows {
		if method.Enabled {
			methods = append(methods, pricing.Method{
				InstanceID: method.ID, MethodID: method.MethodID, Title: method.Title,
				Taxable: method.Settings["tax_status"] != "none", Settings: method.Settings,
			})
		}
	}
	return methods
}

// sellsTo reports whether customers of the country may buy.
func (c *Config) sellsTo(country string) bool {
	return c.SellTo == nil || slices.Contains(c.SellTo, country)
}

// shipsTo reports whether the shop ships to the country.
func (c *Config) shipsTo(country string) bool {
	if c.ShipTo == nil {
		return c.sellsTo(country)
	}
	return slices.Contains(c.ShipTo, country)
}
