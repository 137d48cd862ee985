package management

// A shop made of what another one shows of itself: the records of shop/v3, under the ids that they have there.

import (
	"bytes"
	"errors"
	"fmt"
	"slices"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// copiedList is a list of a copy: what each of its records is called, and how one comes into a shop.
type copiedList struct {
	name, called string
	restore      func(*restorer, rest.Args) error
}

// copiedLists are the lists that a copy may have, in the order in which their records refer to each other.
var copiedLists = []copiedList{
	{"settings", "setting", restoreSetting},
	{"tax_classes", "tax class", restoreTaxClass},
	{"taxes", "tax rate", restoring("TaxRates", taxRates, func(ids *shop.IDs) *int64 { return &ids.TaxRate })},
	{"categories", "category", restoringTerms("/products/categories", shop.TaxonomyCategory, treeRecord)},
	{"brands", "brand", restoringTerms("/products/brands", shop.TaxonomyBrand, treeRecord)},
	{"tags", "tag", restoringTerms("/products/tags", shop.TaxonomyTag, flatRecord)},
	{"shipping_classes", "shipping class", restoringTerms("/products/shipping_classes", shop.TaxonomyShippingClass, flatRecord)},
	{"attributes", "attribute", restoring("Attributes", attributes, func(ids *shop.IDs) *int64 { return &ids.Attribute })},
	{"attribute_terms", "attribute term", restoring("Terms", attributeTerms, func(ids *shop.IDs) *int64 { return &ids.Term })},
	{"products", "product", restoreProduct},
	{"variations", "variation", restoring("Variations", variations, postIDs)},
	{"zones", "shipping zone", restoreZone},
	{"shipping_methods", "shipping method", restoring("Methods", zoneMethods, func(ids *shop.IDs) *int64 { return &ids.Method })},
	{"coupons", "coupon", restoring("Coupons", coupons, postIDs)},
	{"customers", "customer", restoreCustomer},
	{"orders", "order", restoreOrder},
	{"refunds", "refund", restoreRefund},
	{"reviews", "review", restoring("Reviews", reviews, func(ids *shop.IDs) *int64 { return &ids.Review })},
}

func postIDs(ids *shop.IDs) *int64 { return &ids.Post }

// restorer puts records of a copy into a shop.
type restorer struct {
	*shop.Tx
	document []byte
	taken    map[*int64]map[int64]bool // ids by the sequence that they come from
	groups   []int64                   // products that are made of others
	after    []func() error            // what is done once all records are there
	notes    []string
}

// Restore puts the records of a copy into a shop that has none. A record that the shop does not take is left out, which the notes
// say. An error says what is wrong with the copy as a whole.
func Restore(tx *shop.Tx, document []byte) (notes []string, err error) {
	r := &restorer{Tx: tx, document: document, taken: map[*int64]map[int64]bool{}}
	lists := map[string][]gjson.Result{}
	gjson.ParseBytes(document).ForEach(func(name, list gjson.Result) bool {
		known := slices.ContainsFunc(copiedLists, func(l copiedList) bool { return l.name == name.Str })
		switch {
		case !known && list.IsArray():
			err = fmt.Errorf("line %d: a copy has no list %.60q", r.line(name), name.Str)
		case known && !list.IsArray():
			err = fmt.Errorf("line %d: %s must be a list", r.line(name), name.Str)
		case known:
			lists[name.Str] = list.Array()
		}
		return err == nil
	})
	if err != nil {
		return nil, err
	}
	for _, list := range copiedLists {
		r.restoreList(list, lists[list.name])
	}
	for _, id := range r.groups { // whose members may have come after them
		group, _ := tx.Products.Get(id)
		changed := *group
		if err := changed.Save(tx); err != nil {
			return nil, err
		}
	}
	for _, finish := range r.after {
		if err := finish(); err != nil {
			return nil, err
		}
	}
	return r.notes, nil
}

// line is where the document has a value.
func (r *restorer) line(value gjson.Result) int {
	return 1 + bytes.Count(r.document[:value.Index], []byte("\n"))
}

// mostRounds bounds how deep records of a list may lie below each other.
const mostRounds = 50

// restoreList restores records, and those that lie below another one once that is there.
func (r *restorer) restoreList(list copiedList, records []gjson.Result) {
	var refused []gjson.Result
	var reasons []error
	for range mostRounds {
		refused, reasons = nil, nil
		for _, record := range records {
			if err := r.restore(list, record); err != nil {
				refused, reasons = append(refused, record), append(reasons, err)
			}
		}
		if len(refused) == 0 || len(refused) == len(records) {
			break
		}
		records = refused
	}
	for i, record := range refused {
		r.note(list, record, reasons[i])
	}
}

func (r *restorer) restore(list copiedList, record gjson.Result) error {
	shown, err := rest.ReadShown([]byte(record.Raw))
	if err != nil {
		return err
	}
	return list.restore(r, shown)
}

// mostNotes bounds how much is said of a copy that does not fit.
const mostNotes = 100

func (r *restorer) note(list copiedList, record gjson.Result, why error) {
	switch id := record.Get("id"); {
	case len(r.notes) < mostNotes:
		r.notes = append(r.notes, fmt.Sprintf("line %d: %s %.40s is left out: %.300s", r.line(record), list.called, id, rest.Reason(why)))
	case len(r.notes) == mostNotes:
		r.notes = append(r.notes, "more records are left out")
	}
}

// claim takes the id that a record has, and lets the next record that is made of the sequence have it.
func (r *restorer) claim(sequence *int64, shown rest.Args) (id int64, err error) {
	id = rest.ShownID(shown.Value("id"))
	switch taken := r.taken[sequence]; {
	case id == 0:
		return 0, errors.New("it has no id")
	case taken[id]:
		return 0, errors.New("another record has its id")
	case taken == nil:
		r.taken[sequence] = map[int64]bool{}
	}
	return id, nil
}

// restoring restores the records of a resource.
func restoring[T any](table string, res *rest.Resource[T], sequenceOf func(*shop.IDs) *int64) func(*restorer, rest.Args) error {
	return func(r *restorer, shown rest.Args) error {
		sequence := sequenceOf(&r.LastID)
		id, err := r.claim(sequence, shown)
		if err != nil {
			return err
		}
		request := r.request(shown)
		row, err := res.New(r.Tx, request)
		if err != nil {
			return err
		}
		decoding := &rest.Decoding{Tx: r.Tx}
		if err := res.Record.Restore(decoding, row, shown); err != nil {
			return err
		}
		last := *sequence
		*sequence = id - 1
		err = res.Create(r.Tx, row, shown)
		*sequence = max(last, *sequence)
		if err != nil {
			return err
		}
		r.taken[sequence][id] = true
		r.after = append(r.after, func() error { return redate(r.Tx, table, res, request, id, shown) })
		return nil
	}
}

func restoreProduct(r *restorer, shown rest.Args) error {
	err := restoring("Products", products, postIDs)(r, shown)
	if err == nil && shown.String("type") == string(shop.Grouped) {
		r.groups = append(r.groups, rest.ShownID(shown.Value("id")))
	}
	return err
}

// redate gives a row the moment of its last change, which making it and those around it has moved.
func redate[T any](tx *shop.Tx, table string, res *rest.Resource[T], request *rest.Request, id int64, shown rest.Args) error {
	var modified rest.Args
	for _, name := range []string{"date_modified", "date_modified_gmt"} {
		if moment, known := shown.Get(name); known {
			modified.Set(name, moment)
		}
	}
	if len(modified) == 0 {
		return nil
	}
	current, err := res.Find(tx.View, request, rest.IDText(id))
	if err != nil {
		return err
	}
	return tx.Load(table, id, func(into any) error {
		row := into.(*T)
		*row = *current
		return res.Record.Restore(&rest.Decoding{Tx: tx}, row, modified)
	})
}

// request is one that names, in its path, the record that another one belongs to.
func (r *restorer) request(shown rest.Args) *rest.Request {
	path := map[string]string{}
	for _, name := range []string{"product_id", "attribute_id", "zone_id"} {
		path[name] = rest.IDText(rest.ShownID(shown.Value(name)))
	}
	return &rest.Request{Call: &rest.Call{View: r.View, Path: path}}
}

func restoringTerms(path, name string, record *rest.Record[term]) func(*restorer, rest.Args) error {
	return restoring("Terms", taxonomy(path, name, record), func(ids *shop.IDs) *int64 { return &ids.Term })
}

// restoreSetting sets what this shop knows; live shops have many more, for what they add.
func restoreSetting(r *restorer, shown rest.Args) error {
	setting, err := shop.FindSetting(shown.String("group"), shown.String("id"))
	if err != nil {
		return nil //nolint:nilerr // see above
	}
	row := settingRow{Setting: setting}
	if err := decodeSetting(nil, &row, shown.Value("value")); err != nil {
		return err
	}
	return setting.Change(r.Tx, row.value)
}

func restoreTaxClass(r *restorer, shown rest.Args) error {
	class := new(taxClassRow)
	if err := taxClasses.Record.Restore(&rest.Decoding{Tx: r.Tx}, class, shown); err != nil {
		return err
	}
	return class.Create(r.Tx)
}

func restoreZone(r *restorer, shown rest.Args) error {
	places, err := rest.ShownObjects("locations", shown.Value("locations"))
	if err != nil {
		return err
	}
	var locations []location
	for _, place := range places {
		if slices.Contains(shop.LocationTypes(), place.String("type")) {
			locations = append(locations, location{Code: place.String("code"), Type: place.String("type")})
		}
	}
	if shown.Value("id") == float64(0) {
		return r.AddRestOfWorld(shown.String("name"))
	}
	zoned := *zones
	zoned.Create = func(tx *shop.Tx, z *zone, _ rest.Args) error {
		z.Locations = locations
		return z.Create(tx)
	}
	return restoring("Zones", &zoned, func(ids *shop.IDs) *int64 { return &ids.Zone })(r, shown)
}

// restoreCustomer restores a customer who has no password.
func restoreCustomer(r *restorer, shown rest.Args) error {
	known := *customers
	known.Create = func(tx *shop.Tx, c *customer, _ rest.Args) error { return c.Create(tx) }
	return restoring("Customers", &known, func(ids *shop.IDs) *int64 { return &ids.Customer })(r, shown)
}

// restoreOrder puts an order into the shop as it is: nothing is priced anew, and nothing is taken from the stock.
func restoreOrder(r *restorer, shown rest.Args) error {
	id, err := r.claim(&r.LastID.Post, shown)
	if err != nil {
		return err
	}
	const keyLength = 13
	err = r.Load("Orders", id, func(into any) error {
		o := into.(*order)
		*o = order{Key: "order_" + r.Token(keyLength), Decimals: r.Config.Decimals}
		if err := orderFields.Restore(&rest.Decoding{Tx: r.Tx}, o, shown); err != nil {
			return err
		}
		return r.settleOrder(o)
	})
	if err == nil {
		r.taken[&r.LastID.Post][id] = true
	}
	return err
}

// settleOrder sets what an order does not show, and takes back what it says of records that are not there.
func (r *restorer) settleOrder(o *order) error {
	if o.Created.IsZero() || o.Status == "" || o.Currency == "" {
		return errors.New("an order needs a date, a status and a currency")
	}
	if _, known := r.Customers.Get(o.CustomerID); !known {
		o.CustomerID = 0
	}
	if gateway, known := shop.Gateways.Method.Find(&r.Gateways, o.PaymentMethod); known && o.PaymentMethodTitle == "" {
		o.PaymentMethodTitle = gateway.Title
	}
	o.StockTaken = slices.Contains([]shop.OrderStatus{shop.Processing, shop.Completed, shop.OnHold}, o.Status)
	o.SalesCounted, o.CouponsCounted = o.StockTaken, o.StockTaken
	r.settleLines(o.Lines, o.StockTaken)
	r.settleTaxes(o.TaxLines)
	for i := range o.ShippingLines {
		r.used(o.ShippingLines[i].ID)
	}
	for i := range o.FeeLines {
		r.used(o.FeeLines[i].ID)
	}
	for i := range o.CouponLines {
		r.used(o.CouponLines[i].ID)
	}
	return nil
}

// used keeps new lines from having the id of one that came.
func (r *restorer) used(line int64) { r.LastID.Line = max(r.LastID.Line, line) }

// settleLines gives lines the pictures of what they sell.
func (r *restorer) settleLines(lines []shop.OrderLine, taken bool) {
	for i := range lines {
		line := &lines[i]
		r.used(line.ID)
		for _, id := range []int64{line.ProductID, line.VariationID} {
			if goods, err := r.Sellable(id); err == nil && len(goods.Images) > 0 {
				line.Image = goods.Images[0]
			}
		}
		if goods, err := r.Sellable(line.StockID()); err == nil && taken && goods.ManageStock {
			line.StockTaken = line.Quantity
		}
	}
}

// settleTaxes gives lines the codes of their rates.
func (r *restorer) settleTaxes(lines []shop.TaxLine) {
	for i := range lines {
		r.used(lines[i].ID)
		if rate, known := r.TaxRates.Get(lines[i].RateID); known {
			lines[i].RateCode = rate.Code()
		}
	}
}

// restoreRefund adds a refund to its order.
func restoreRefund(r *restorer, shown rest.Args) error {
	id, err := r.claim(&r.LastID.Post, shown)
	if err != nil {
		return err
	}
	of, err := r.FindOrder(rest.ShownID(shown.Value("parent_id")))
	if err != nil {
		return err
	}
	made := refundOf(of, new(shop.Refund))
	if err := refundFields.Restore(&rest.Decoding{Tx: r.Tx}, made, shown); err != nil {
		return err
	}
	r.settleLines(made.Lines, false)
	r.settleTaxes(made.TaxLines)
	if made.Amount.IsNegative() || made.Created.IsZero() {
		return errors.New("a refund needs a date, and an amount that is not negative")
	}
	err = r.Load("Orders", of.ID, func(into any) error {
		o := into.(*order)
		*o = *of.Copy()
		o.Refunds = append(o.Refunds, *made.Refund)
		return nil
	})
	if err == nil {
		r.taken[&r.LastID.Post][id] = true
		r.LastID.Post = max(r.LastID.Post, id)
	}
	return err
}
