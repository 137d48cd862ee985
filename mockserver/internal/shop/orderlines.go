package shop

// Editing the lines of an order: products, shipping and fees are added, changed and removed.

import (
	"cmp"
	"fmt"
	"slices"

	"shopcheck/mockserver/internal/decimal"
)

// maxOrderLines is how many product lines an order may hold, how many for shipping and how many fees, and how many entries of free
// data each line: all are looked at for each.
const maxOrderLines = 1000

// edit applies the changes of the lines.
func (o *Order) edit(tx *Tx, edit OrderEdit) error {
	if err := edit.fits(o); err != nil {
		return err
	}
	for _, change := range edit.Lines {
		if err := o.editLine(tx, change); err != nil {
			return err
		}
	}
	for _, change := range edit.Shipping {
		if err := o.editShipping(tx, change); err != nil {
			return err
		}
	}
	for _, change := range edit.Fees {
		if err := o.editFee(tx, change); err != nil {
			return err
		}
	}
	if len(edit.Lines) == 0 {
		return nil
	}
	return o.checkLineStock(tx)
}

// fits checks that the order does not get more lines than it may hold. Fault: InvalidParam.
func (e *OrderEdit) fits(o *Order) error {
	return cmp.Or(
		fitLines("line_items", len(o.Lines), e.Lines, func(l *LineEdit) (int64, int) { return l.ID, len(l.Meta) }),
		fitLines("shipping_lines", len(o.ShippingLines), e.Shipping, func(l *ShippingEdit) (int64, int) { return l.ID, len(l.Meta) }),
		fitLines("fee_lines", len(o.FeeLines), e.Fees, func(l *FeeEdit) (int64, int) { return l.ID, len(l.Meta) }),
	)
}

// fitLines checks the changes of one kind of lines, of which there are held so far. look gives the id of the line that is changed, 0
// for a new one, and the number of its entries of free data.
func fitLines[E any](name string, held int, changes []E, look func(*E) (id int64, entries int)) error {
	if len(changes) > maxOrderLines {
		return tooMany(name)
	}
	for i := range changes {
		id, entries := look(&changes[i])
		if id == 0 {
			held++
		}
		if held > maxOrderLines || entries > maxOrderLines {
			return tooMany(name)
		}
	}
	return nil
}

func tooMany(name string) error {
	return invalidParam(
		name,
		fmt.Sprintf("An order holds at most %d %s, and each of them as many entries of meta_data.", maxOrderLines, name),
	)
}

// lineAt finds a line by its id. Fault: InvalidLine.
func lineAt[L any](lines []L, id int64, idOf func(*L) int64) (int, error) {
	for place := range lines {
		if idOf(&lines[place]) == id {
			return place, nil
		}
	}
	return -1, Faultf(InvalidLine, "The order has no such line %d.", id)
}

func (o *Order) editLine(tx *Tx, change LineEdit) error {
	if change.ID == 0 {
		return o.addLine(tx, change)
	}
	place, err := lineAt(o.Lines, change.ID, func(l *OrderLine) int64 { return l.ID })
	if err != nil {
		return err
	}
	if change.Remove {
		o.Lines = slices.Delete(o.Lines, place, place+1)
		return nil
	}
	line := &o.Lines[place]
	if !line.sells(change) {
		if err := line.resell(tx, change); err != nil {
			return err
		}
	}
	return line.changeLine(tx, change, o.Decimals)
}

// sells reports whether the change leaves the line its product. Clients send whole lines back: a SKU alone names nothing new.
func (l *OrderLine) sells(change LineEdit) bool {
	named := func(sent *int64, ids ...int64) bool { return sent == nil || *sent == 0 || slices.Contains(ids, *sent) }
	return named(change.ProductID, l.ProductID, l.VariationID) && named(change.VariationID, l.VariationID)
}

// resell lets a line sell another product, at the amounts that the line has.
func (l *OrderLine) resell(tx *Tx, change LineEdit) error {
	sold, err := tx.ordered(change)
	if err != nil {
		return err
	}
	other := tx.lineOf(sold, l.Quantity)
	other.ID, other.Subtotal, other.Total = l.ID, l.Subtotal, l.Total
	*l = other
	return nil
}

// addLine adds a line for a product at its price, or at the amounts given.
func (o *Order) addLine(tx *Tx, change LineEdit) error {
	sold, err := tx.ordered(change)
	if err != nil {
		return err
	}
	quantity := int64(1)
	if change.Quantity != nil {
		quantity = *change.Quantity
	}
	if quantity < 1 {
		return Faultf(InvalidQuantity, "The quantity of %q must be at least 1.", sold.fullName())
	}
	if quantity > maxOrderQuantity {
		return Faultf(InvalidQuantity, "The quantity of %q must be at most %d.", sold.fullName(), maxOrderQuantity)
	}
	line := tx.lineOf(sold, quantity)
	entered := (&Basket{
		Lines: []BasketLine{sold.line(quantity)}, Billing: o.Billing, Shipping: o.Shipping,
		Decimals: o.Decimals, PricesIncludeTax: o.PricesIncludeTax,
	}).Quote(tx.View)
	line.price(&entered.Lines[0])
	change.Quantity = nil
	if change.Subtotal != nil && change.Total == nil {
		change.Total = change.Subtotal
	}
	if err := line.changeLine(tx, change, o.Decimals); err != nil {
		return err
	}
	o.Lines = append(o.Lines, line)
	return nil
}

// maxOrderQuantity keeps sums of quantities far from overflowing.
const maxOrderQuantity = 1_000_000_000

// ordered finds the product or variation that a new line names. Faults: ProductReference, InvalidProduct.
func (tx *Tx) ordered(change LineEdit) (goods, error) {
	id := int64(0)
	for _, named := range []*int64{change.VariationID, change.ProductID} {
		if named != nil && id == 0 {
			id = *named
		}
	}
	if id == 0 {
		if change.SKU == nil || *change.SKU == "" {
			return goods{}, Faultf(ProductReference, "A line item names a product by product_id, variation_id or sku.")
		}
		product, known := tx.BySKU(*change.SKU)
		if !known {
			return goods{}, Faultf(InvalidProduct, "There is no product with the SKU %q.", *change.SKU)
		}
		id = product.ID
	}
	product, err := tx.Sellable(id)
	if err != nil || product.Status == StatusTrash {
		return goods{}, Faultf(InvalidProduct, "There is no product %d to order.", id)
	}
	if product.Type != Variation {
		return goods{product: product}, nil
	}
	parent, known := tx.Products.Get(product.ParentID)
	named := change.ProductID
	if !known || named != nil && *named != 0 && *named != parent.ID && *named != product.ID {
		return goods{}, Faultf(InvalidProduct, "Variation %d belongs to another product, or to none.", product.ID)
	}
	return goods{product: product, parent: parent, choices: made(product.Choices)}, nil
}

// made leaves out the choices that are still open.
func made(choices []AttributeChoice) []AttributeChoice {
	return slices.DeleteFunc(slices.Clone(choices), func(c AttributeChoice) bool { return c.Option == "" })
}

// changeLine sets what is given, amounts with the order's decimals.
func (l *OrderLine) changeLine(tx *Tx, change LineEdit, places int32) error {
	if change.Quantity != nil {
		if *change.Quantity < 1 || *change.Quantity > maxOrderQuantity {
			return Faultf(InvalidQuantity, "The quantity must be between 1 and %d.", maxOrderQuantity)
		}
		l.Quantity = *change.Quantity
	}
	for _, given := range []struct {
		value *Amount
		field *Amount
	}{{change.Subtotal, &l.Subtotal}, {change.Total, &l.Total}} {
		if given.value == nil {
			continue
		}
		if given.value.IsNegative() {
			return Faultf(InvalidAmount, "The amounts of a line item must not be negative.")
		}
		*given.field = given.value.Round(places)
	}
	l.Subtotal = decimal.Max(l.Subtotal, l.Total)
	setText(&l.Name, change.Name)
	setTaxClass(&l.TaxClass, change.TaxClass)
	l.Meta = tx.mergeMeta(l.Meta, change.Meta)
	return nil
}

func setText(field, value *string) {
	if value != nil {
		*field = *value
	}
}

// setTaxClass keeps the slug of the class that is named, if one is.
func setTaxClass(field, name *string) {
	if name != nil {
		*field = TaxClassNamed(*name)
	}
}

// mergeMeta adds entries; one with the id of another replaces it, without a value it removes it.
func (tx *Tx) mergeMeta(kept, sent []LineMeta) []LineMeta {
	merged := slices.Clone(kept)
	for _, entry := range sent {
		place := slices.IndexFunc(merged, func(m LineMeta) bool { return entry.ID != 0 && m.ID == entry.ID })
		switch {
		case place >= 0 && (entry.Value == "" || entry.Value == "null"):
			merged = slices.Delete(merged, place, place+1)
		case place >= 0 && merged[place].Key == entry.Key && merged[place].Value == entry.Value: // sent back as it was shown
		case place >= 0:
			merged[place] = entry
		default:
			entry.ID = tx.NextMeta()
			merged = append(merged, entry)
		}
	}
	return merged
}

func (o *Order) editShipping(tx *Tx, change ShippingEdit) error {
	if change.ID == 0 {
		if change.MethodID == nil || *change.MethodID == "" {
			return Faultf(InvalidItem, "A shipping line needs a method_id.")
		}
		o.ShippingLines = append(o.ShippingLines, ShippingLine{ID: next(&tx.LastID.Line), TaxStatus: "taxable"})
		change.ID = o.ShippingLines[len(o.ShippingLines)-1].ID
	}
	place, err := lineAt(o.ShippingLines, change.ID, func(l *ShippingLine) int64 { return l.ID })
	if err != nil {
		return err
	}
	if change.Remove {
		o.ShippingLines = slices.Delete(o.ShippingLines, place, place+1)
		return nil
	}
	line := &o.ShippingLines[place]
	setText(&line.MethodID, change.MethodID)
	setText(&line.MethodTitle, change.MethodTitle)
	setText(&line.InstanceID, change.InstanceID)
	if change.Total != nil {
		if change.Total.IsNegative() {
			return Faultf(InvalidAmount, "Shipping must not cost less than nought.")
		}
		line.Total = change.Total.Round(o.Decimals)
	}
	line.Meta = tx.mergeMeta(line.Meta, change.Meta)
	return nil
}

func (o *Order) editFee(tx *Tx, change FeeEdit) error {
	if change.ID == 0 {
		if change.Name == nil || *change.Name == "" {
			return Faultf(InvalidItem, "A fee needs a name.")
		}
		o.FeeLines = append(o.FeeLines, FeeLine{ID: next(&tx.LastID.Line), TaxStatus: "taxable"})
		change.ID = o.FeeLines[len(o.FeeLines)-1].ID
	}
	place, err := lineAt(o.FeeLines, change.ID, func(l *FeeLine) int64 { return l.ID })
	if err != nil {
		return err
	}
	if change.Remove {
		o.FeeLines = slices.Delete(o.FeeLines, place, place+1)
		return nil
	}
	line := &o.FeeLines[place]
	setText(&line.Name, change.Name)
	setTaxClass(&line.TaxClass, change.TaxClass)
	setText(&line.TaxStatus, change.TaxStatus)
	if change.Total != nil {
		line.Total = change.Total.Round(o.Decimals)
	}
	line.Meta = tx.mergeMeta(line.Meta, change.Meta)
	return nil
}
