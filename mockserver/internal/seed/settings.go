package seed

// Settings, taxes, payment methods, shipping zones and keys.

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

func configOf(s fixtures.Settings) (*shop.Config, error) {
	currency, ok := fixtures.Currency(s.Currency)
	if !ok {
		return nil, fmt.Errorf("there is no currency %q", s.Currency)
	}
	return &shop.Config{
		Title:             s.Title,
		Currency:          currency.Code,
		CurrencySymbol:    currency.Symbol,
		CurrencyPosition:  shop.CurrencyPosition(s.SymbolPosition),
		ThousandSeparator: s.ThousandSeparator,
		DecimalSeparator:  s.DecimalSeparator,
		Decimals:          s.Decimals,

		Country:  s.Address.Country,
		State:    s.Address.State,
		Address1: s.Address.Address1,
		Address2: s.Address.Address2,
		City:     s.Address.City,
		Postcode: s.Address.Postcode,

		TaxesEnabled:         s.TaxesEnabled,
		PricesIncludeTax:     s.PricesIncludeTax,
		TaxBasedOn:           shop.TaxBase(s.TaxBasedOn),
		ShippingTaxClass:     shop.ShippingTaxClassNamed(s.ShippingTaxClass),
		DisplayPricesWithTax: s.DisplayPricesWithTax,

		CouponsEnabled:      s.CouponsEnabled,
		GuestCheckout:       s.GuestCheckout,
		AccountCreation:     s.AccountCreation,
		ManageStock:         s.ManageStock,
		HoldStockMinutes:    s.HoldStockMinutes,
		LowStockThreshold:   s.LowStockThreshold,
		OutOfStockThreshold: s.OutOfStockThreshold,
		ReviewsEnabled:      s.ReviewsEnabled,
		WeightUnit:          s.WeightUnit,
		DimensionUnit:       s.DimensionUnit,
	}, nil
}

func (l *loader) loadTaxes() error {
	if err := each(l.data, "tax_classes", "tax class", l.data.TaxClasses, func(c *fixtures.TaxClass) string { return c.Name },
		func(_ int, class *fixtures.TaxClass) error {
			return (&shop.TaxClass{Slug: class.Slug, Name: class.Name}).Create(l.Tx)
		}); err != nil {
		return err
	}
	return each(l.data, "tax_rates", "tax rate", l.data.TaxRates, func(r *fixtures.TaxRate) string { return r.Country + " " + r.Rate },
		func(order int, rate *fixtures.TaxRate) error {
			return (&shop.TaxRate{
				Country: rate.Country, State: rate.State, Postcodes: rate.Postcodes, Cities: rate.Cities,
				Rate: rate.Rate, Name: cmp.Or(rate.Name, "Tax"), Priority: max(1, rate.Priority), Compound: rate.Compound,
				Shipping: rate.Shipping, Order: int64(order), Class: rate.Class,
			}).Create(l.Tx)
		})
}

func (l *loader) loadGateways() error {
	return each(l.data, "gateways", "payment method", l.data.Gateways, func(g *fixtures.Gateway) string { return g.Method },
		func(_ int, gateway *fixtures.Gateway) error {
			return (&shop.Gateway{
				Method: gateway.Method, Title: gateway.Title, Description: gateway.Description, Enabled: gateway.Enabled,
				Settings: map[string]string{"title": gateway.Title, "instructions": gateway.Instructions},
			}).Add(l.Tx)
		})
}

func (l *loader) loadZones() error {
	order := int64(0)
	return each(l.data, "zones", "zone", l.data.Zones, func(z *fixtures.Zone) string { return z.Name },
		func(_ int, zone *fixtures.Zone) error {
			id, err := l.addZone(*zone, order)
			if err != nil {
				return err
			}
			if id != 0 {
				order++
			}
			return l.addMethods(id, zone.Methods)
		})
}

func (l *loader) addZone(zone fixtures.Zone, order int64) (int64, error) {
	if len(zone.Locations) == 0 {
		return 0, l.AddRestOfWorld(zone.Name)
	}
	row := &shop.Zone{Name: zone.Name, Order: order}
	for _, location := range zone.Locations {
		row.Locations = append(row.Locations, shop.Location{Code: location.Code, Type: location.Type})
	}
	err := row.Add(l.Tx)
	return row.ID, err
}

func (l *loader) addMethods(zone int64, methods []fixtures.ShippingMethod) error {
	for order, method := range methods {
		settings := maps.Clone(method.Settings)
		if settings == nil {
			settings = map[string]string{}
		}
		for name, value := range settings {
			if !validCost(name, value) {
				return fmt.Errorf("method %s: %s cannot be %.60q", method.Title, name, value)
			}
		}
		for _, class := range slices.Sorted(maps.Keys(method.ClassCosts)) {
			id, err := l.termOf(shop.TaxonomyShippingClass, class)
			if err != nil {
				return err
			}
			settings["class_cost_"+strconv.FormatInt(id, 10)] = method.ClassCosts[class]
		}
		if err := (&shop.ShippingMethod{
			ZoneID: zone, MethodID: method.Method, Title: method.Title, Order: int64(order + 1), Enabled: true, Settings: settings,
		}).Create(l.Tx); err != nil {
			return fmt.Errorf("method %s: %w", method.Title, err)
		}
	}
	return nil
}

// validCost reports whether a setting that is a cost says one.
func validCost(name, value string) bool {
	switch {
	case name == "cost" || name == "no_class_cost":
		return pricing.ValidCost(value)
	case name == "min_amount":
		amount, ok := pricing.ParseAmount(value)
		return value == "" || ok && !amount.IsNegative()
	}
	return true
}

func (l *loader) loadCustomers() error {
	return each(l.data, "customers", "customer", l.data.Customers, func(c *fixtures.Customer) string { return c.Email },
		func(_ int, customer *fixtures.Customer) error {
			billing := addressOf(customer.Billing)
			row := &shop.Customer{
				Created: l.daysAgo(customer.AgeDays), Email: customer.Email, Username: customer.Username,
				FirstName: customer.FirstName, LastName: customer.LastName,
				Role: customer.Role, Billing: billing, Shipping: shippingOf(billing),
			}
			if customer.Password != "" {
				row.PasswordHash = l.HashPassword(customer.Password)
			}
			if customer.Shipping != nil {
				row.Shipping = addressOf(*customer.Shipping)
			}
			if err := row.Create(l.Tx); err != nil {
				return err
			}
			l.customers[customer.Email] = row.ID
			return nil
		})
}

func addressOf(a fixtures.Address) shop.Address {
	return shop.Address{
		FirstName: a.FirstName, LastName: a.LastName, Company: a.Company, Address1: a.Address1, Address2: a.Address2,
		City: a.City, State: a.State, Postcode: a.Postcode, Country: a.Country, Email: a.Email, Phone: a.Phone,
	}
}

// shippingOf is a billing address as a place to ship to.
func shippingOf(billing shop.Address) shop.Address {
	billing.Email = ""
	return billing
}

func (l *loader) loadKeys() error {
	for _, key := range l.data.Keys {
		if err := (&shop.APIKey{
			Description: key.Description, UserID: l.customers[l.data.Customers[0].Email], Permission: shop.Permission(key.Permission),
			Key: key.Key, Secret: key.Secret, Revoked: key.Revoked,
		}).Add(l.Tx); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) loadCoupons() error {
	return each(l.data, "coupons", "coupon", l.data.Coupons, func(c *fixtures.Coupon) string { return c.Code },
		func(_ int, coupon *fixtures.Coupon) error { return l.loadCoupon(coupon) })
}

func (l *loader) loadCoupon(coupon *fixtures.Coupon) error {
	row := &shop.Coupon{
		Code: coupon.Code, Amount: coupon.Amount, Status: shop.StatusPublish, Type: cmp.Or(coupon.Type, pricing.FixedCartCoupon),
		Description: coupon.Description,
		Created:     l.daysAgo(coupon.AgeDays), Modified: l.daysAgo(coupon.AgeDays), Expires: l.inDays(coupon.ExpiresIn),
		UsageCount: coupon.Used, IndividualUse: coupon.IndividualUse, FreeShipping: coupon.FreeShipping,
		ExcludeSaleItems: coupon.ExcludeSaleItems,
		UsageLimit:       coupon.UsageLimit, UsageLimitPerUser: coupon.UsageLimitPerUser, LimitToItems: coupon.LimitToItems,
		MinimumAmount: coupon.MinimumAmount, MaximumAmount: coupon.MaximumAmount, EmailRestrictions: coupon.Emails,
	}
	var err [4]error
	row.ProductIDs, err[0] = resolve("product", l.products, coupon.Products)
	row.ExcludedProductIDs, err[1] = resolve("product", l.products, coupon.ExcludedProducts)
	row.CategoryIDs, err[2] = l.termsOf(shop.TaxonomyCategory, coupon.Categories)
	row.ExcludedCategoryIDs, err[3] = l.termsOf(shop.TaxonomyCategory, coupon.ExcludedCategories)
	if err := errors.Join(err[:]...); err != nil {
		return err
	}
	return row.Create(l.Tx)
}
