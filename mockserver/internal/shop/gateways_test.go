package shop

import (
	"slices"
	"testing"

	"shopcheck/mockserver/internal/shop/pricing"
)

func TestCashOnDeliveryIsOfferedWhereItsSettingsSay(t *testing.T) {
	for _, test := range []struct {
		name     string
		settings map[string]string
		product  int64
		offered  bool
	}{
		{"as it comes", nil, mugID, true},
		{"as it comes, nothing to ship", nil, eBookID, true},
		{"with the chosen method", map[string]string{EnableForMethods: pricing.FlatRate}, mugID, true},
		{"with another method", map[string]string{EnableForMethods: pricing.LocalPickup}, mugID, false},
		{"with another method, nothing to ship", map[string]string{EnableForMethods: pricing.LocalPickup}, eBookID, true},
		{"not for what is not shipped", map[string]string{EnableForVirtual: no}, eBookID, false},
		{"not for what is not shipped, but this is", map[string]string{EnableForVirtual: no}, mugID, true},
	} {
		s := newTestShop(t)
		write(t, s, func(tx *Tx) (bool, error) {
			gateway, err := tx.GatewayOf(CashOnDelivery)
			if err != nil {
				return false, err
			}
			changed := *gateway
			changed.Enabled, changed.Settings = true, test.settings
			return true, changed.Save(tx)
		})
		put(t, s, ann, test.product, 1)
		write(t, s, func(tx *Tx) (*CartQuote, error) {
			address := annsAddress()
			return tx.UpdateCartAddresses(ann, nil, with(func(a *Address) {
				a.Country, a.State, a.Postcode, a.City = address.Country, address.State, address.Postcode, address.City
			}))
		})
		cart := s.Read().CartOf(ann)
		if slices.ContainsFunc(cart.Gateways, func(g *Gateway) bool { return g.Method == CashOnDelivery }) != test.offered {
			t.Errorf("%s: offered is not %t; delivery %+v", test.name, test.offered, cart.delivery())
		}
		done, err := try(s, func(tx *Tx) (*Checkout, error) { return tx.PlaceOrder(ann, orderBy(CashOnDelivery)) })
		if !test.offered {
			wantFault(t, err, PaymentUnavailable)
		} else if err != nil || done.Order.Status != Processing && done.Order.Status != Completed {
			t.Errorf("%s: %+v, %v", test.name, done, err)
		}
	}
}
