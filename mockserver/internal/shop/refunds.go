package shop

// Refunds: money given back for an order, in whole or for some of its lines.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/decimal"
)

// RefundInput asks for a refund.
type RefundInput struct {
	Amount   *Amount // nil: what the lines come to
	Reason   string
	By       int64 // the user who refunds
	PaidBack *bool // whether the payment method gives the money back; nil: if it can
	Restock  bool  // whether refunded pieces go back to the stock
	Lines    []RefundLine
	Meta     []Meta
}

// RefundLine is what is refunded of one line of the order: a product, shipping or fee line.
type RefundLine struct {
	ID       int64            // 0: that of the first line of the product with enough pieces left
	Product  int64            // a product or variation, where ID is 0
	Quantity int64            // of a product line
	Total    Amount           // without tax
	Taxes    map[int64]Amount // by rate
}

// Refunded is the sum of the order's refunds.
func (o *Order) Refunded() Amount {
	sum := Zero
	for _, refund := range o.Refunds {
		sum = sum.Add(refund.Amount)
	}
	return sum
}

// FindRefund finds a refund of an order. Faults: NoSuchOrder, NoSuchRefund.
func (v View) FindRefund(orderID, id int64) (*Refund, error) {
	order, err := v.FindOrder(orderID)
	if err != nil {
		return nil, err
	}
	place := slices.IndexFunc(order.Refunds, func(r Refund) bool { return r.ID == id })
	if place < 0 {
		return nil, Faultf(NoSuchRefund, "Order %d has no refund %d.", orderID, id)
	}
	return &order.Refunds[place], nil
}

// CreateRefund refunds an order. When nothing is left to refund, the order is refunded.
//
// Faults: NoSuchOrder, CannotPayBack, InvalidLine, InvalidQuantity (more pieces than were sold), InvalidAmount (negative,
// more than is left, or more than a line came to), InvalidParam (too many lines).
func (tx *Tx) CreateRefund(orderID int64, input RefundInput) (*Refund, error) {
	found, err := tx.FindOrder(orderID)
	if err != nil {
		return nil, err
	}
	if len(input.Lines) > maxOrderLines {
		return nil, invalidParam("line_items", fmt.Sprintf("A refund holds at most %d lines.", maxOrderLines))
	}
	order := found.clone()
	refund, err := order.refund(tx, input)
	if err != nil {
		return nil, err
	}
	if input.Restock {
		if err := order.restock(tx, refund); err != nil {
			return nil, err
		}
	}
	order.Refunds = append(order.Refunds, *refund)
	if err := order.coversRefunds(InvalidAmount); err != nil {
		return nil, err
	}
	order.Modified = tx.Now
	if order.Totals.Total.IsPositive() && order.Refunded().Equal(order.Totals.Total) && order.Status != Refunded {
		if err := order.enter(tx, Refunded); err != nil {
			return nil, err
		}
	}
	tx.emit("order", "updated", orderID)
	return refund, order.put(tx)
}

// refund makes the refund that an input asks for. The order does not have it yet.
func (o *Order) refund(tx *Tx, input RefundInput) (*Refund, error) {
	paidBack := o.PaymentMethod == MockPay
	if asked := input.PaidBack; asked != nil {
		if *asked && !paidBack {
			return nil, Faultf(CannotPayBack, "The payment method of order %d cannot pay back: refund it with api_refund=false.", o.ID)
		}
		paidBack = *asked
	}
	refund := &Refund{ID: next(&tx.LastID.Post), Created: tx.Now, Reason: input.Reason, By: input.By, PaidBack: paidBack, Meta: input.Meta}
	for _, line := range input.Lines {
		if line.ID == 0 && line.Product != 0 {
			line.ID = o.lineSelling(line.Product, line.Quantity, refund)
		}
		if err := o.refundLine(tx, refund, line); err != nil {
			return nil, err
		}
	}
	refund.Amount = refund.linesTotal()
	if input.Amount != nil {
		refund.Amount = input.Amount.Round(o.Decimals)
	}
	if left := o.Totals.Total.Sub(o.Refunded()); refund.Amount.IsNegative() || refund.Amount.GreaterThan(left) {
		return nil, Faultf(InvalidAmount, "The refund must be between 0 and %s, which is left of the order.", left.StringFixed(o.Decimals))
	}
	refund.TaxLines = o.refundTaxes(tx, refund)
	return refund, nil
}

// lineSelling returns the id of the first line that sells a product or variation and has enough pieces left to refund, else that of
// any line that sells it, else 0.
func (o *Order) lineSelling(product, pieces int64, refund *Refund) int64 {
	var selling int64
	for i := range o.Lines {
		line := &o.Lines[i]
		if product != line.ProductID && product != line.VariationID {
			continue
		}
		if o.refundable(line, refund) >= pieces {
			return line.ID
		}
		selling = cmp.Or(selling, line.ID)
	}
	return selling
}

// refundable counts the pieces of a line that neither the order's refunds nor one under way have refunded.
func (o *Order) refundable(line *OrderLine, refund *Refund) int64 {
	return line.Quantity - o.refundedPieces(line.ID) - refund.pieces(line.ID)
}

// refundLine adds the counterpart of an order's line to a refund: its quantity and amounts are negative.
func (o *Order) refundLine(tx *Tx, refund *Refund, wanted RefundLine) error {
	if wanted.Total.IsNegative() || wanted.Quantity < 0 {
		return Faultf(InvalidAmount, "What is refunded of a line must not be negative.")
	}
	total, taxes, tax := wanted.negative(o.Decimals)
	mark := []LineMeta{tx.refundMark(wanted.ID)}
	if at, err := lineAt(o.Lines, wanted.ID, func(l *OrderLine) int64 { return l.ID }); err == nil {
		line := o.Lines[at]
		if left := o.refundable(&line, refund); wanted.Quantity > left {
			return Faultf(InvalidQuantity, "Of %q %d can be refunded at most.", line.Name, left)
		}
		line.ID, line.Quantity, line.Meta, line.StockTaken = next(&tx.LastID.Line), -wanted.Quantity, mark, 0
		line.Subtotal, line.SubtotalTax, line.Total, line.TotalTax, line.Taxes = total, tax, total, tax, taxes
		line.Refunds = wanted.ID
		refund.Lines = append(refund.Lines, line)
		return nil
	}
	if at, err := lineAt(o.ShippingLines, wanted.ID, func(l *ShippingLine) int64 { return l.ID }); err == nil {
		line := o.ShippingLines[at]
		line.ID, line.Total, line.TotalTax, line.Taxes, line.Meta, line.Refunds = next(&tx.LastID.Line), total, tax, taxes, mark, wanted.ID
		refund.ShippingLines = append(refund.ShippingLines, line)
		return nil
	}
	at, err := lineAt(o.FeeLines, wanted.ID, func(l *FeeLine) int64 { return l.ID })
	if err != nil {
		return err
	}
	line := o.FeeLines[at]
	line.ID, line.Total, line.TotalTax, line.Taxes, line.Meta, line.Refunds = next(&tx.LastID.Line), total, tax, taxes, mark, wanted.ID
	refund.FeeLines = append(refund.FeeLines, line)
	return nil
}

// negative returns the amounts of a refunded line with their sign.
func (l RefundLine) negative(places int32) (total Amount, taxes []LineTax, tax Amount) {
	rates := make([]int64, 0, len(l.Taxes))
	for rate := range l.Taxes {
		rates = append(rates, rate)
	}
	slices.Sort(rates)
	for _, rate := range rates {
		amount := l.Taxes[rate].Round(places).Neg()
		taxes = append(taxes, LineTax{RateID: rate, Total: amount, Subtotal: amount})
		tax = tax.Add(amount)
	}
	return l.Total.Round(places).Neg(), taxes, tax
}

// refundMark says which line of the order is refunded.
func (tx *Tx) refundMark(lineID int64) LineMeta {
	return tx.innerMeta("_refunded_item_id", strconv.FormatInt(lineID, 10))
}

// innerMeta is an entry of a line that the shop itself writes. Its key begins with _, so that buyers are not shown it.
func (tx *Tx) innerMeta(key, text string) LineMeta {
	return LineMeta{Meta: Meta{ID: tx.NextMeta(), Key: key, Value: jsonText(text)}, DisplayKey: key, DisplayValue: text}
}

// Inner reports whether the shop wrote the entry for itself.
func (m *LineMeta) Inner() bool { return strings.HasPrefix(m.Key, "_") }

// refundedPieces counts the pieces of a line that were refunded before.
func (o *Order) refundedPieces(lineID int64) int64 {
	var pieces int64
	for i := range o.Refunds {
		pieces += o.Refunds[i].pieces(lineID)
	}
	return pieces
}

// pieces counts the pieces that the refund gives back of a line of the order.
func (r *Refund) pieces(lineID int64) int64 {
	var pieces int64
	for i := range r.Lines {
		if r.Lines[i].Refunds == lineID {
			pieces -= r.Lines[i].Quantity
		}
	}
	return pieces
}

// refundedPart is what was refunded of one line of an order.
type refundedPart struct {
	product, variation, pieces int64
	total                      Amount           // without tax
	taxes                      map[int64]Amount // by rate
}

// refundedParts sums up what was refunded of each line of the order, by the line's id.
func (o *Order) refundedParts() map[int64]refundedPart {
	parts := map[int64]refundedPart{}
	add := func(lineID int64, total Amount, taxes []LineTax) refundedPart {
		part := parts[lineID]
		if part.taxes == nil {
			part.taxes = map[int64]Amount{}
		}
		part.total = part.total.Sub(total)
		for _, tax := range taxes {
			part.taxes[tax.RateID] = part.taxes[tax.RateID].Sub(tax.Total)
		}
		parts[lineID] = part
		return part
	}
	for i := range o.Refunds {
		for _, line := range o.Refunds[i].Lines {
			part := add(line.Refunds, line.Total, line.Taxes)
			part.product, part.variation, part.pieces = line.ProductID, line.VariationID, part.pieces-line.Quantity
			parts[line.Refunds] = part
		}
		for _, line := range o.Refunds[i].ShippingLines {
			add(line.Refunds, line.Total, line.Taxes)
		}
		for _, line := range o.Refunds[i].FeeLines {
			add(line.Refunds, line.Total, line.Taxes)
		}
	}
	return parts
}

// coversRefunds checks that the order, and each of its lines, comes to no less than what was refunded of it. The fault is of
// the kind that the caller gives.
func (o *Order) coversRefunds(kind Kind) error {
	if len(o.Refunds) == 0 {
		return nil
	}
	if refunded := o.Refunded(); refunded.GreaterThan(o.Totals.Total) {
		return Faultf(kind, "Of order %d %s was refunded: its total cannot be %s.", o.ID, refunded, o.Totals.Total)
	}
	parts := o.refundedParts()
	covered := func(id int64, total Amount, taxes []LineTax) bool {
		part, refunded := parts[id]
		delete(parts, id)
		return !refunded || part.fits(total, taxes)
	}
	for i := range o.Lines {
		line := &o.Lines[i]
		part, refunded := parts[line.ID]
		other := part.product != line.ProductID || part.variation != line.VariationID
		if refunded && (other || part.pieces > line.Quantity) || !covered(line.ID, line.Total, line.Taxes) {
			return lessThanRefunded(kind, line.ID)
		}
	}
	for i := range o.ShippingLines {
		if line := &o.ShippingLines[i]; !covered(line.ID, line.Total, line.Taxes) {
			return lessThanRefunded(kind, line.ID)
		}
	}
	for i := range o.FeeLines {
		if line := &o.FeeLines[i]; !covered(line.ID, line.Total, line.Taxes) {
			return lessThanRefunded(kind, line.ID)
		}
	}
	if len(parts) > 0 {
		return Faultf(kind, "Line %d of the order was refunded: it stays.", slices.Min(slices.Collect(maps.Keys(parts))))
	}
	return nil
}

func lessThanRefunded(kind Kind, lineID int64) error {
	return Faultf(kind, "Line %d must come to no less than what was refunded of it, and sell the same product.", lineID)
}

// fits reports whether a line that comes to total, with these taxes, holds what was refunded of it.
func (p refundedPart) fits(total Amount, taxes []LineTax) bool {
	if p.total.IsPositive() && p.total.GreaterThan(total) {
		return false
	}
	for rate, refunded := range p.taxes {
		if refunded.IsPositive() && refunded.GreaterThan(taxOf(taxes, rate)) {
			return false
		}
	}
	return true
}

// linesTotal is what the lines of a refund come to, with tax.
func (r *Refund) linesTotal() Amount {
	sum := Zero
	for i := range r.Lines {
		sum = sum.Add(r.Lines[i].Total).Add(r.Lines[i].TotalTax)
	}
	for i := range r.ShippingLines {
		sum = sum.Add(r.ShippingLines[i].Total).Add(r.ShippingLines[i].TotalTax)
	}
	for i := range r.FeeLines {
		sum = sum.Add(r.FeeLines[i].Total).Add(r.FeeLines[i].TotalTax)
	}
	return sum.Neg()
}

// refundTaxes sums the refunded taxes by the order's rates.
func (o *Order) refundTaxes(tx *Tx, refund *Refund) []TaxLine {
	var lines []TaxLine
	for _, known := range o.TaxLines {
		line := known
		line.Tax, line.ShippingTax = Zero, Zero
		for i := range refund.Lines {
			line.Tax = line.Tax.Add(taxOf(refund.Lines[i].Taxes, line.RateID))
		}
		for i := range refund.FeeLines {
			line.Tax = line.Tax.Add(taxOf(refund.FeeLines[i].Taxes, line.RateID))
		}
		for i := range refund.ShippingLines {
			line.ShippingTax = line.ShippingTax.Add(taxOf(refund.ShippingLines[i].Taxes, line.RateID))
		}
		if line.Tax.IsZero() && line.ShippingTax.IsZero() {
			continue
		}
		line.ID = next(&tx.LastID.Line)
		lines = append(lines, line)
	}
	return lines
}

// taxOf sums the taxes of one rate.
func taxOf(taxes []LineTax, rate int64) Amount {
	sum := Zero
	for _, tax := range taxes {
		if tax.RateID == rate {
			sum = decimal.Sum(sum, tax.Total)
		}
	}
	return sum
}

// restock gives the refunded pieces back to the stock, as far as they were taken from it and no refund that was deleted since gave them
// back, and notes in the refund's lines how many are there by it.
func (o *Order) restock(tx *Tx, refund *Refund) error {
	before := o.clone()
	err := o.moveStock(tx, "Stock given back: ", func(line *OrderLine) int64 {
		pieces := refund.pieces(line.ID)
		there := min(pieces, line.PutBack)
		line.PutBack -= there
		return -min(pieces-there, line.StockTaken)
	})
	for i := range o.Lines {
		line, was := &o.Lines[i], &before.Lines[i]
		if place := slices.IndexFunc(refund.Lines, func(l OrderLine) bool { return l.Refunds == line.ID }); place >= 0 {
			refund.Lines[place].StockTaken = line.StockTaken - was.StockTaken + line.PutBack - was.PutBack
		}
	}
	return err
}

// restockedPieces counts the pieces of a line that refunds gave back to the stock, deleted ones too.
func (o *Order) restockedPieces(line *OrderLine) int64 {
	return line.PutBack + o.restockedBy(line.ID)
}

// restockedBy counts the pieces of a line that the order's refunds gave back to the stock.
func (o *Order) restockedBy(lineID int64) int64 {
	var pieces int64
	for i := range o.Refunds {
		for j := range o.Refunds[i].Lines {
			if line := &o.Refunds[i].Lines[j]; line.Refunds == lineID {
				pieces -= line.StockTaken
			}
		}
	}
	return pieces
}

// DeleteRefund removes a refund and returns it as it was. The order's status stays, and what it gave back to the stock stays there.
//
// Faults: NoSuchOrder, NoSuchRefund.
func (tx *Tx) DeleteRefund(orderID, id int64) (*Refund, error) {
	refund, err := tx.FindRefund(orderID, id)
	if err != nil {
		return nil, err
	}
	found, err := tx.FindOrder(orderID)
	if err != nil {
		return nil, err
	}
	order := found.clone()
	order.Refunds = slices.DeleteFunc(order.Refunds, func(r Refund) bool { return r.ID == id })
	for i := range order.Lines {
		line := &order.Lines[i]
		line.PutBack += found.restockedBy(line.ID) - order.restockedBy(line.ID)
	}
	order.Modified = tx.Now
	tx.emit("order", "updated", orderID)
	return refund, order.put(tx)
}
