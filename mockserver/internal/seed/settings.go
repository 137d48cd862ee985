package seed

// Settings, taxes, payment methods, shipping zones and keys.

import (
	"fmt"
	"maps"
	"slices"
	"strconv"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
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
	for _, class := range l.data.TaxClasses {
		if err := (&shop.TaxClass{Slug: class.Slug, Name: class.Name}).Add(l.Tx); err != nil {
			return err
		}
	}
	for order, rate := range l.data.TaxRates {
		if err := (&shop.TaxRate{
			Country: rate.Country, State: rate.State, Postcodes: rate.Postcodes, Cities: rate.Cities,
			Rate: rate.Rate, Name: rate.Name, Priority: rate.Priority, Compound: rate.Compound, Shipping: rate.Shipping,
			Order: int64(order), Class: rate.Class,
		}).Add(l.Tx); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) loadGateways() error {
	for _, gateway := range l.data.Gateways {
		if err := (&shop.Gateway{
			Method: gateway.Method, Title: gateway.Title, Description: gateway.Description, Enabled: gateway.Enabled,
			Settings: map[string]string{"title": gateway.Title, "instructions": gateway.Instructions},
		}).Add(l.Tx); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) loadZones() error {
	order := int64(0)
	for _, zone := range l.data.Zones {
		id, err := l.addZone(zone, order)
		if err != nil {
			return err
		}
		if id != 0 {
			order++
		}
		if err := l.addMethods(id, zone.Methods); err != nil {
			return err
		}
	}
	return nil
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
		for _, class := range slices.Sorted(maps.Keys(method.ClassCosts)) {
			id, ok := l.terms[shop.TaxonomyShippingClass+class]
			if !ok {
				return fmt.Errorf("method %s: there is no shipping class %q", method.Title, class)
			}
			settings["class_cost_"+strconv.FormatInt(id, 10)] = method.ClassCosts[class]
		}
		if err := (&shop.ShippingMethod{
			ZoneID: zone, MethodID: method.Method, Title: method.Title, Order: int64(order + 1), Enabled: true, Settings: settings,
		}).Add(l.Tx); err != nil {
			return err
		}
	}
	return nil
}

func (l *loader) loadCustomers() error {
	for _, customer := range l.data.Customers {
		billing, shipping := addressOf(customer.Billing), customer.Shipping
		row := &shop.Customer{
			Created: l.daysAgo(customer.AgeDays), Email: customer.Email, Username: customer.Username,
			PasswordHash: l.HashPassword(customer.Password), FirstName: customer.FirstName, LastName: customer.LastName,
			Role: customer.Role, Billing: billing, Shipping: shippingOf(billing),
		}
		if shipping != nil {
			row.Shipping = addressOf(*shipping)
		}
		if err := row.Create(l.Tx); err != nil {
			return err
		}
		l.customers[customer.Email] = row.ID
	}
	return nil
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
	for _, coupon := range l.data.Coupons {
		row := &shop.Coupon{
			Code: coupon.Code, Amount: coupon.Amount, Status: shop.StatusPublish, Type: coupon.Type, Description: coupon.Description,
			Created: l.daysAgo(coupon.AgeDays), Modified: l.daysAgo(coupon.AgeDays), Expires: l.inDays(coupon.ExpiresIn),
			UsageCount: coupon.Used, IndividualUse: coupon.IndividualUse, FreeShipping: coupon.FreeShipping,
			ExcludeSaleItems: coupon.ExcludeSaleItems,
			UsageLimit:       coupon.UsageLimit, UsageLimitPerUser: coupon.UsageLimitPerUser, LimitToItems: coupon.LimitToItems,
			MinimumAmount: coupon.MinimumAmount, MaximumAmount: coupon.MaximumAmount, EmailRestrictions: coupon.Emails,
		}
		for _, reference := range []struct {
			to     *[]int64
			what   string
			ids    map[string]int64
			prefix string
			list   []string
		}{
			{&row.ProductIDs, "product", l.products, "", coupon.Products},
			{&row.ExcludedProductIDs, "product", l.products, "", coupon.ExcludedProducts},
			{&row.CategoryIDs, "category", l.terms, shop.TaxonomyCategory, coupon.Categories},
			{&row.ExcludedCategoryIDs, "category", l.terms, shop.TaxonomyCategory, coupon.ExcludedCategories},
		} {
			ids, err := resolve(reference.what, reference.ids, reference.prefix, reference.list)
			if err != nil {
				return fmt.Errorf("coupon %s: %w", coupon.Code, err)
			}
			*reference.to = ids
		}
		if err := row.Add(l.Tx); err != nil {
			return err
		}
	}
	return nil
}
