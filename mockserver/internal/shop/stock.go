package shop

// Stock: how much of a product can be sold now, and taking and giving back what orders sell.

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"shopcheck/mockserver/internal/state"
)

// stockKeeper is the row whose quantity a product draws on: its own, or that of the variable product it belongs to.
// It is nil if nobody counts.
func (v View) stockKeeper(product, parent *Product) *Product {
	switch {
	case !v.Config.ManageStock || product == nil:
		return nil
	case product.ManageStock:
		return product
	case parent != nil && parent.ManageStock:
		return parent
	}
	return nil
}

// inStock reports whether a product can be sold at all as far as its stock goes.
func (v View) inStock(product, parent *Product) bool {
	return cmp.Or(v.stockKeeper(product, parent), product).StockStatus != OutOfStock
}

// available counts the pieces that can be sold now: what there is, less what other unfinished orders hold. It is not
// limited if nobody counts or backorders are allowed.
func (v View) available(product, parent *Product, exceptOrder int64) (pieces int64, limited bool) {
	keeper := v.stockKeeper(product, parent)
	if keeper == nil || keeper.Backorders != BackordersNo || keeper.StockQuantity == nil {
		return 0, false
	}
	return max(*keeper.StockQuantity-v.held(keeper, exceptOrder), 0), true
}

// held counts the pieces that unfinished orders other than the given one hold of what a row keeps.
func (v View) held(keeper *Product, exceptOrder int64) int64 {
	var pieces int64
	for order := range Orders.Held.Rows(&v.Orders, strconv.FormatInt(keeper.ID, 10)) {
		if order.ID == exceptOrder || !order.StockHeldUntil.After(v.Now) {
			continue
		}
		for i := range order.Lines {
			if v.keeperOf(&order.Lines[i]) == keeper.ID {
				pieces += order.Lines[i].Quantity
			}
		}
	}
	return pieces
}

// keeperOf is the id of the row that a line draws its stock from, 0 for none.
func (v View) keeperOf(line *OrderLine) int64 {
	product, parent := v.goodsOf(line.ProductID, line.VariationID)
	if keeper := v.stockKeeper(product, parent); keeper != nil {
		return keeper.ID
	}
	return 0
}

// goodsOf finds what a line sells: a product, or a variation and its variable product. What is gone is nil.
func (v View) goodsOf(productID, variationID int64) (product, parent *Product) {
	product, _ = v.Products.Get(productID)
	if variationID == 0 {
		return product, nil
	}
	variation, _ := v.Variations.Get(variationID)
	return variation, product
}

// paymentsOverdue reports whether an order of the checkout was not paid while it held its stock.
func (v View) paymentsOverdue() bool {
	order, some := Orders.ByDeadline.Least(&v.Orders)
	return some && order.Num <= v.Now.Unix()
}

// cancelOverdue cancels the orders of the checkout that were not paid while they held their stock.
func (tx *Tx) cancelOverdue() error {
	for _, order := range collect(Orders.ByDeadline.Ascend(&tx.Orders, nil, &state.Key{Num: tx.Now.Unix()})) {
		if err := tx.systemNote(order.ID, "The order was not paid in time."); err != nil {
			return err
		}
		if _, err := tx.SetOrderStatus(order.ID, Cancelled); err != nil {
			return err
		}
	}
	return nil
}

// releaseExpiredHolds clears what unfinished orders no longer hold, a few at a time, so that looking for holds stays
// quick however many carts are abandoned. Orders that wait for their payment are cancelled instead.
func (tx *Tx) releaseExpiredHolds() error {
	if err := tx.cancelOverdue(); err != nil {
		return err
	}
	const atOnce = 50
	until := &state.Key{Num: tx.Now.Unix()}
	released := 0
	for order := range Orders.ByHold.Ascend(&tx.Orders, nil, until) {
		if released++; released > atOnce {
			return nil
		}
		changed := order.clone()
		changed.StockHeldUntil = time.Time{}
		if err := tx.putOrder(changed); err != nil {
			return err
		}
	}
	return nil
}

// takeStock takes what an order sells out of the stock, as far as it was not taken yet, and notes it. The order is a
// copy of the caller's, who keeps it.
func (tx *Tx) takeStock(order *Order) error {
	order.StockTaken, order.StockHeldUntil = true, time.Time{}
	return tx.moveStock(order, "Stock taken: ", func(line *OrderLine) int64 { return line.Quantity - line.StockTaken })
}

// giveBackStock puts back what was taken for an order and notes it.
func (tx *Tx) giveBackStock(order *Order) error {
	order.StockTaken, order.StockHeldUntil = false, time.Time{}
	return tx.moveStock(order, "Stock given back: ", func(line *OrderLine) int64 { return -line.StockTaken })
}

// moveStock takes from the stock as many pieces for each line as the function says; less than nought gives back.
func (tx *Tx) moveStock(order *Order, title string, wanted func(*OrderLine) int64) error {
	var moves []string
	for i := range order.Lines {
		line := &order.Lines[i]
		pieces := wanted(line)
		keeper := tx.stockKeeper(tx.goodsOf(line.ProductID, line.VariationID))
		if pieces == 0 || keeper == nil {
			continue
		}
		before := *keeper.StockQuantity
		if err := tx.setStock(keeper, before-pieces); err != nil {
			return err
		}
		line.StockTaken += pieces
		moves = append(moves, fmt.Sprintf("%s %d → %d", line.label(), before, before-pieces))
	}
	if len(moves) == 0 {
		return nil
	}
	return tx.systemNote(order.ID, title+strings.Join(moves, ", ")+".")
}

// label names the line in notes: its name and SKU.
func (l *OrderLine) label() string {
	if l.SKU == "" {
		return l.Name
	}
	return l.Name + " (" + l.SKU + ")"
}

// setStock keeps a new quantity and the status that follows from it.
func (tx *Tx) setStock(keeper *Product, quantity int64) error {
	changed := *keeper
	changed.StockQuantity = &quantity
	changed.Modified = tx.Now
	changed.settleStock(tx.Config)
	return tx.putGoods(&changed)
}

// putGoods keeps a changed copy of a product or variation and says so.
func (tx *Tx) putGoods(changed *Product) error {
	if changed.Type == Variation {
		return tx.putVariation(changed)
	}
	tx.emit("product", "updated", changed.ID)
	return tx.putProduct(changed)
}

// countSales adds the pieces that an order sold to the products' total sales, or takes them off again.
func (tx *Tx) countSales(order *Order, counted bool) error {
	order.SalesCounted = counted
	for i := range order.Lines {
		line := &order.Lines[i]
		product, known := tx.Products.Get(line.ProductID)
		if !known || line.Quantity == 0 {
			continue
		}
		pieces := line.Quantity
		if !counted {
			pieces = -pieces
		}
		changed := *product
		changed.TotalSales = max(changed.TotalSales+pieces, 0)
		if err := tx.putProduct(&changed); err != nil {
			return err
		}
	}
	return nil
}
