package shop

// Stock: how much of a product can be sold now, and taking and giving back what orders sell.

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"shopcheck/mockserver/internal/state"
)

// stockKeeper is the row whose quantity a product draws on: its own, or that of the variable product it belongs to.
// It is nil if nobody counts.
func (p *Product) stockKeeper(v View, parent *Product) *Product {
	switch {
	case !v.Config.ManageStock || p == nil:
		return nil
	case p.ManageStock:
		return p
	case parent != nil && parent.ManageStock:
		return parent
	}
	return nil
}

// DrawsOnParent reports whether the variable product that a variation belongs to counts its pieces.
func (p *Product) DrawsOnParent(v View) bool {
	parent, ok := v.Products.Get(p.ParentID)
	return ok && p.stockKeeper(v, parent) == parent
}

// inStock reports whether a product can be sold at all as far as its stock goes.
func (p *Product) inStock(v View, parent *Product) bool {
	return cmp.Or(p.stockKeeper(v, parent), p).StockStatus != OutOfStock
}

// available counts the pieces that can be sold now: what there is, less what other unfinished orders hold. It is not
// limited if nobody counts or backorders are allowed.
func (p *Product) available(v View, parent *Product, exceptOrder int64) (pieces int64, limited bool) {
	keeper := p.stockKeeper(v, parent)
	if keeper == nil || keeper.Backorders != BackordersNo || keeper.StockQuantity == nil {
		return 0, false
	}
	return max(*keeper.StockQuantity-keeper.held(v, exceptOrder), 0), true
}

// held counts the pieces that unfinished orders other than the given one hold of what a row keeps.
func (p *Product) held(v View, exceptOrder int64) int64 {
	var pieces int64
	for order := range Orders.Held.Rows(&v.Orders, strconv.FormatInt(p.ID, 10)) {
		if order.ID == exceptOrder || !order.StockHeldUntil.After(v.Now) {
			continue
		}
		for i := range order.Lines {
			if order.Lines[i].keeper(v) == p.ID {
				pieces += order.Lines[i].Quantity
			}
		}
	}
	return pieces
}

// keeper is the id of the row that a line draws its stock from, 0 for none.
func (l *OrderLine) keeper(v View) int64 {
	product, parent := v.goodsOf(l.ProductID, l.VariationID)
	if keeper := product.stockKeeper(v, parent); keeper != nil {
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

// nextDeadline is the second at which an order of the checkout is overdue, if nobody pays it while it holds its stock.
func (v View) nextDeadline() int64 {
	if order, some := Orders.ByDeadline.Least(&v.Orders); some {
		return order.Num
	}
	return never
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
		if err := changed.put(tx); err != nil {
			return err
		}
	}
	return nil
}

// takeStock takes what an order sells out of the stock, as far as it was not taken yet, and notes it. The order is a
// copy of the caller's, who keeps it.
func (o *Order) takeStock(tx *Tx) error {
	o.StockTaken, o.StockHeldUntil = true, time.Time{}
	return o.moveStock(tx, "Stock taken: ", o.toTake)
}

// toTake counts the pieces of a line that are still to be taken from the stock. What a refund gave back is not taken again.
func (o *Order) toTake(line *OrderLine) int64 {
	return line.Quantity - line.StockTaken - o.restockedPieces(line)
}

// giveBackStock puts back what was taken for an order and notes it.
func (o *Order) giveBackStock(tx *Tx) error {
	o.StockTaken, o.StockHeldUntil = false, time.Time{}
	for i := range o.Lines {
		o.Lines[i].PutBack = 0 // all is there now: whoever takes it again takes the whole
	}
	return o.moveStock(tx, "Stock given back: ", func(line *OrderLine) int64 { return -line.StockTaken })
}

// moveStock takes from the stock as many pieces for each line as the function says; less than nought gives back.
func (o *Order) moveStock(tx *Tx, title string, wanted func(*OrderLine) int64) error {
	var moves []string
	for i := range o.Lines {
		line := &o.Lines[i]
		pieces := wanted(line)
		product, parent := tx.goodsOf(line.ProductID, line.VariationID)
		keeper := product.stockKeeper(tx.View, parent)
		if pieces == 0 || keeper == nil {
			continue
		}
		before := *keeper.StockQuantity
		if err := keeper.setStock(tx, before-pieces); err != nil {
			return err
		}
		line.StockTaken += pieces
		line.markStock(tx)
		moves = append(moves, fmt.Sprintf("%s %d → %d", line.label(), before, before-pieces))
	}
	if len(moves) == 0 {
		return nil
	}
	return tx.systemNote(o.ID, title+strings.Join(moves, ", ")+".")
}

// stockMark is the key of the entry that says how many pieces of a line were taken from the stock.
const stockMark = "_reduced_stock"

// markStock writes into the line's meta data how many pieces were taken, as live shops do; nothing reads it there.
func (l *OrderLine) markStock(tx *Tx) {
	l.Meta = slices.DeleteFunc(slices.Clone(l.Meta), func(m LineMeta) bool { return m.Key == stockMark })
	if l.StockTaken > 0 {
		l.Meta = append(l.Meta, tx.innerMeta(stockMark, strconv.FormatInt(l.StockTaken, 10)))
	}
}

// label names the line in notes: its name and SKU.
func (l *OrderLine) label() string {
	if l.SKU == "" {
		return l.Name
	}
	return l.Name + " (" + l.SKU + ")"
}

// setStock keeps a new quantity and the status that follows from it.
func (p *Product) setStock(tx *Tx, quantity int64) error {
	changed := *p
	changed.StockQuantity = &quantity
	changed.Modified = tx.Now
	changed.settleStock(tx.Config)
	return changed.putEither(tx)
}

// putEither keeps a changed copy of a product or variation and says so.
func (p *Product) putEither(tx *Tx) error {
	if p.Type == Variation {
		return p.putVariation(tx)
	}
	tx.emit("product", "updated", p.ID)
	return p.put(tx)
}

// countSales adds the pieces that an order sold to the products' total sales, or takes them off again.
func (o *Order) countSales(tx *Tx, counted bool) error {
	o.SalesCounted = counted
	for i := range o.Lines {
		line := &o.Lines[i]
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
		if err := changed.put(tx); err != nil {
			return err
		}
	}
	return nil
}
