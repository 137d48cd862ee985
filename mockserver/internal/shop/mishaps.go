package shop

// Mishaps: what happens in a shop while a customer is on the way to the checkout.

import (
	"cmp"

	"shopcheck/mockserver/internal/shop/pricing"
)

// SellOut lets somebody else buy all that is left of what the shopper's cart holds.
func (tx *Tx) SellOut(who Shopper) error {
	return tx.changeGoods(who, func(product, parent *Product) *Product {
		changed := *cmp.Or(product.stockKeeper(tx.View, parent), product)
		if changed.ManageStock {
			changed.StockQuantity, changed.Backorders = new(int64), BackordersNo
		}
		changed.StockStatus = OutOfStock
		return &changed
	})
}

// Reprice changes the prices of what the shopper's cart holds by a share of them: 0.1 is a tenth more.
func (tx *Tx) Reprice(who Shopper, share Amount) error {
	return tx.changeGoods(who, func(product, _ *Product) *Product {
		changed := *product
		for _, price := range []*string{&changed.RegularPrice, &changed.SalePrice} {
			if amount, ok := pricing.ParseAmount(*price); ok {
				*price = amount.Add(amount.Mul(share)).Round(tx.Config.Decimals).String()
			}
		}
		return &changed
	})
}

// changeGoods keeps what a function makes of each product and variation in the shopper's cart.
func (tx *Tx) changeGoods(who Shopper, change func(product, parent *Product) *Product) error {
	for _, item := range tx.cartRow(who).Items {
		product, parent := tx.goodsOf(item.ProductID, item.VariationID)
		if product == nil {
			continue
		}
		changed := change(product, parent)
		save := changed.Save
		if changed.Type == Variation {
			save = changed.SaveVariation
		}
		if err := save(tx); err != nil {
			return err
		}
	}
	return nil
}

// UseUpCoupons lets others use the coupons of the shopper's cart as often as they may be used.
func (tx *Tx) UseUpCoupons(who Shopper) error {
	for _, code := range tx.cartRow(who).Coupons {
		coupon, known := Coupons.Code.Find(&tx.Coupons, code)
		if !known {
			continue
		}
		changed := *coupon
		changed.UsageCount = max(changed.UsageCount, 1)
		changed.UsageLimit = &changed.UsageCount
		if err := changed.Save(tx); err != nil {
			return err
		}
	}
	return nil
}
