package shop

import (
	"errors"
	"iter"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"shopcheck/mockserver/internal/shop/pricing"
	"shopcheck/mockserver/internal/state"
)

// Product finds a product that is not a variation.
func (v View) Product(id int64) (*Product, error) {
	if p, ok := v.Products.Get(id); ok {
		return p, nil
	}
	return nil, Faultf(NoSuchProduct, "There is no product %d.", id)
}

// Sellable finds a product or a variation.
func (v View) Sellable(id int64) (*Product, error) {
	if p, ok := v.Variations.Get(id); ok {
		return p, nil
	}
	return v.Product(id)
}

// BySKU finds a product or a variation by its SKU.
func (v View) BySKU(sku string) (*Product, bool) {
	if p, ok := Products.SKU.Find(&v.Products, sku); ok {
		return p, true
	}
	return Variations.SKU.Find(&v.Variations, sku)
}

// Children lists the variations of a variable product, in menu order, without those in the trash.
func (v View) Children(parent int64) []*Product {
	var children []*Product
	for child := range Variations.Parent.Rows(&v.Variations, strconv.FormatInt(parent, 10)) {
		if child.Status != StatusTrash {
			children = append(children, child)
		}
	}
	slices.SortStableFunc(children, func(a, b *Product) int { return int(a.MenuOrder - b.MenuOrder) })
	return children
}

func collect[R any](rows iter.Seq[R]) []R { return slices.Collect(rows) }

// NewProduct is a product with the defaults of the contract's table.
func (tx *Tx) NewProduct() *Product {
	return &Product{
		Type: Simple, Status: StatusPublish, Visibility: "visible",
		DownloadLimit: -1, DownloadExpiry: -1,
		TaxStatus: "taxable", StockStatus: InStock, Backorders: BackordersNo,
		ReviewsAllowed: true,
	}
}

// Create gives a product its id and puts it on the shelf.
//
// Faults: NameRequired, SKUTaken (with the holder's id), InvalidParam.
func (p *Product) Create(tx *Tx) error {
	p.ID = next(&tx.LastID.Post)
	if p.Created.IsZero() {
		p.Created = tx.Now
	}
	if len(p.CategoryIDs) == 0 {
		p.CategoryIDs = tx.uncategorized()
	}
	if err := p.save(tx); err != nil {
		return err
	}
	tx.emit("product", "created", p.ID)
	return nil
}

// uncategorized are the categories of a product that nobody chose any for.
func (tx *Tx) uncategorized() []int64 {
	if id, ok := tx.DefaultCategory(); ok {
		return []int64{id}
	}
	return nil
}

var uncategorized = TermKey(TaxonomyCategory, "uncategorized")

// DefaultCategory is the id of the category that products go to for which none was chosen.
func (v View) DefaultCategory() (int64, bool) {
	if t, ok := Terms.Slug.Find(&v.Terms, uncategorized); ok {
		return t.ID, true
	}
	return 0, false
}

// Save keeps a changed copy of a product.
func (p *Product) Save(tx *Tx) error {
	if old, known := tx.Products.Get(p.ID); known {
		tx.emit("product", kept(old.Status, p.Status), p.ID)
	}
	return p.save(tx)
}

func (p *Product) save(tx *Tx) error {
	if strings.TrimSpace(p.Name) == "" {
		return Faultf(NameRequired, "A product needs a name.")
	}
	if p.Slug == "" {
		p.Slug = p.Name
	}
	p.Slug = tx.freeSlug(Slugify(p.Slug), p.ID)
	p.Modified = tx.Now
	if err := p.check(tx); err != nil {
		return err
	}
	return p.put(tx)
}

// check checks what products and variations have in common, and settles what follows from it.
func (p *Product) check(tx *Tx) error {
	if err := p.checkSKU(tx); err != nil {
		return err
	}
	size := p.Extra().Dimensions
	for _, sent := range []struct{ name, text string }{
		{"regular_price", p.RegularPrice}, {"sale_price", p.SalePrice}, {"weight", p.Weight},
		{"dimensions", size.Length}, {"dimensions", size.Width}, {"dimensions", size.Height},
	} {
		if amount, ok := pricing.ParseAmount(sent.text); sent.text != "" && (!ok || amount.IsNegative()) {
			return invalidParam(sent.name, sent.name+" must be a decimal number that is not negative, or empty.")
		}
	}
	p.settleStock(tx.Config)
	p.settleTaxClass()
	return nil
}

func (p *Product) checkSKU(tx *Tx) error {
	if p.SKU == "" {
		return nil
	}
	if holder, taken := tx.BySKU(p.SKU); taken && holder.ID != p.ID {
		fault := Faultf(SKUTaken, "The SKU %q is already used by product %d.", p.SKU, holder.ID)
		fault.ID = holder.ID
		return fault
	}
	return nil
}

// settleStock makes quantity and status agree: a managed quantity decides the status.
func (p *Product) settleStock(config *Config) {
	if p.Type == External || p.Type == Grouped {
		p.ManageStock = false
	}
	if !p.ManageStock {
		p.StockQuantity, p.Backorders = nil, BackordersNo
		if p.Extra().LowStockAmount != nil {
			p.ChangeExtras(func(e *Extras) { e.LowStockAmount = nil })
		}
		return
	}
	if p.StockQuantity == nil {
		p.StockQuantity = new(int64)
	}
	switch {
	case *p.StockQuantity > config.OutOfStockThreshold:
		p.StockStatus = InStock
	case p.Backorders == BackordersNo:
		p.StockStatus = OutOfStock
	default:
		p.StockStatus = OnBackorder
	}
}

// put works out what is derived and writes the row.
func (p *Product) put(tx *Tx) error {
	p.notePricing(tx.Now)
	switch p.Type {
	case Variable:
		children := tx.Children(p.ID)
		p.priceFrom(children)
		p.stockFrom(children)
	case Grouped:
		p.priceFrom(p.grouped(tx))
	default:
		p.priceAlone(tx.Now)
	}
	p.Memo = new(Memo)
	was, known := tx.Products.Get(p.ID)
	if err := uniqueFault(tx.Products.Put(tx.rows, p)); err != nil || !known || p.forGroups() == was.forGroups() {
		return err // a new product is no member yet
	}
	return tx.followMember(p.ID)
}

// memberView is what a grouped product takes from a member.
type memberView struct {
	member, published bool
	price             string
	prices            PriceSpan
}

// forGroups is what grouped products take from the product, nothing of a grouped one.
func (p *Product) forGroups() memberView {
	if p.Type == Grouped {
		return memberView{}
	}
	return memberView{true, p.Status == StatusPublish, p.Price, p.Prices}
}

// followMember works out anew what grouped products take from one of their members. A product of another type may name members too,
// itself among them: it takes nothing from them.
func (tx *Tx) followMember(id int64) error {
	for _, group := range collect(Products.Member.Rows(&tx.Products, strconv.FormatInt(id, 10))) {
		if group.Type != Grouped {
			continue
		}
		changed := *group
		if err := changed.put(tx); err != nil {
			return err
		}
	}
	return nil
}

// stockFrom lets a variable product that does not manage stock itself be in stock when one of its variations is.
func (p *Product) stockFrom(children []*Product) {
	if p.ManageStock || len(children) == 0 {
		return
	}
	p.StockStatus = OutOfStock
	for _, child := range children {
		if child.StockStatus == InStock {
			p.StockStatus = InStock
			return
		}
		if child.StockStatus == OnBackorder {
			p.StockStatus = OnBackorder
		}
	}
}

// grouped lists the members of a grouped product. A group in a group is none: they could hold each other.
func (p *Product) grouped(tx *Tx) []*Product {
	var members []*Product
	for _, id := range p.Extra().GroupedIDs {
		if member, ok := tx.Products.Get(id); ok && member.Type != Grouped {
			members = append(members, member)
		}
	}
	return members
}

// uniqueFault turns a broken unique index into a fault. Rules check before they write, so that only a slug that two
// products want at once can still come here.
func uniqueFault(err error) error {
	if err == nil {
		return nil
	}
	var taken *state.UniqueError
	if !errors.As(err, &taken) {
		return err
	}
	fault := Faultf(SlugTaken, "The %s %q is already used by record %d.", taken.Index, taken.Key, taken.Holder)
	fault.ID = taken.Holder
	return fault
}

// Trash moves a product to the trash. Fault: AlreadyTrashed.
func (p *Product) Trash(tx *Tx) error {
	if p.Status == StatusTrash {
		return Faultf(AlreadyTrashed, "Product %d is in the trash already: send force=true to delete it for good.", p.ID)
	}
	trashed := *p
	trashed.markTrashed(tx)
	tx.emit("product", "deleted", p.ID)
	return trashed.put(tx)
}

// markTrashed notes that the product is in the trash from now on.
func (p *Product) markTrashed(tx *Tx) {
	p.ChangeExtras(func(e *Extras) { e.Meta = tx.trashMarks(e.Meta, p.Status) })
	p.Status, p.Modified = StatusTrash, tx.Now
}

// trashMarks adds to meta data what live shops note there when something goes to the trash: its status before, and the moment.
func (tx *Tx) trashMarks(meta []Meta, status string) []Meta {
	marks := []Meta{{Key: "_trash_meta_status", Value: jsonText(status)},
		{Key: "_trash_meta_time", Value: jsonText(strconv.FormatInt(tx.Now.Unix(), 10))}}
	marked := slices.DeleteFunc(slices.Clone(meta), func(m Meta) bool { return m.Key == marks[0].Key || m.Key == marks[1].Key })
	for _, mark := range marks {
		mark.ID = tx.NextMeta()
		marked = append(marked, mark)
	}
	return marked
}

// Delete removes a product with its variations and reviews for good.
func (p *Product) Delete(tx *Tx) error {
	tx.deleteReviewsOf(p.ID)
	for _, child := range collect(Variations.Parent.Rows(&tx.Variations, strconv.FormatInt(p.ID, 10))) {
		tx.Variations.Delete(tx.rows, child.ID)
	}
	tx.Products.Delete(tx.rows, p.ID)
	tx.emit("product", "deleted", p.ID)
	return tx.followMember(p.ID)
}

const maxSlug = 200

// Slugify makes the part of an address that stands for a name: lower case, words joined by hyphens.
func Slugify(name string) string {
	var slug strings.Builder
	slug.Grow(min(len(name), maxSlug))
	gap := false
	for _, r := range name {
		switch r = unicode.ToLower(r); {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || r > 127 && r != utf8.RuneError:
			if gap && slug.Len() > 0 {
				slug.WriteByte('-')
			}
			gap = false
			slug.WriteRune(r)
		default:
			gap = true
		}
		if slug.Len() > maxSlug {
			break
		}
	}
	return slug.String()
}

// freeSlug returns the slug, or the slug with a number that makes it free.
func (tx *Tx) freeSlug(slug string, id int64) string {
	if slug == "" {
		slug = "product"
	}
	free := func(candidate string) bool {
		holder, taken := Products.Slug.Find(&tx.Products, candidate)
		return !taken || holder.ID == id
	}
	if free(slug) {
		return slug
	}
	if tx.Numbered.Slug != slug || free(tx.Numbered.String()) {
		tx.Numbered = NumberedSlug{slug, 1}
	}
	tx.Numbered.Number, slug = firstFree(slug, tx.Numbered.Number, free)
	return slug
}

// NumberedSlug is a slug that was taken, and the number that it got.
type NumberedSlug struct {
	Slug   string
	Number int
}

// String returns the slug with its number.
func (n NumberedSlug) String() string {
	var room [64]byte
	return string(strconv.AppendInt(append(append(room[:0], n.Slug...), '-'), int64(n.Number), 10))
}

// freeName returns the name, or the name with the first number that makes it free.
func freeName(name string, free func(string) bool) string {
	if free(name) {
		return name
	}
	_, name = firstFree(name, 1, free)
	return name
}

// firstFree tries the numbers after one that is taken, with steps that grow, so that a million equal names stay quick, and returns the
// first free one and the name with it. 1 stands for the name without a number.
func firstFree(name string, taken int, free func(string) bool) (number int, numbered string) {
	step := 1
	for numbered = (NumberedSlug{name, taken + step}).String(); !free(numbered); numbered = (NumberedSlug{name, taken + step}).String() {
		taken, step = taken+step, step*2
	}
	for step > 1 {
		step /= 2
		if between := (NumberedSlug{name, taken + step}).String(); free(between) {
			numbered = between
		} else {
			taken += step
		}
	}
	return taken + 1, numbered
}

// DateOf is a helper for optional moments.
func DateOf(moment time.Time) *time.Time { return &moment }

// Purchasable reports whether the product as such can be sold in this shop: it is published and has a price. Whether it is in
// stock is another question.
func (p *Product) Purchasable() bool {
	sold := p.Type == Simple || p.Type == Variable || p.Type == Variation
	return sold && p.Status == StatusPublish && p.Prices.Set
}

// NeedsShipping reports whether the product is a thing that has to be sent.
func (p *Product) NeedsShipping() bool {
	return !p.Virtual && p.Type != External && p.Type != Grouped
}

// ResolveAttribute completes an attribute as a client sent it. One with an id, or with the slug of a global attribute
// as its name, is global: its options become terms. Fault: InvalidParam.
func (tx *Tx) ResolveAttribute(sent ProductAttribute) (ProductAttribute, error) {
	global, err := tx.globalAttribute(sent)
	if err != nil {
		return sent, err
	}
	if global == nil {
		if strings.TrimSpace(sent.Name) == "" {
			return sent, invalidParam("attributes", "Each attribute needs an id or a name.")
		}
		sent.Slug = sent.Name
		return sent, nil
	}
	sent.ID, sent.Name, sent.Slug = global.ID, global.Name, global.Slug
	sent.Options = slices.Clone(sent.Options)
	for i, option := range sent.Options {
		term, err := tx.EnsureTerm(global.Slug, option)
		if err != nil {
			return sent, invalidParam("attributes", "An option of an attribute must not be empty.")
		}
		sent.Options[i] = term.Name
	}
	return sent, nil
}

func (tx *Tx) globalAttribute(sent ProductAttribute) (*Attribute, error) {
	if sent.ID > 0 {
		global, ok := tx.Attributes.Get(sent.ID)
		if !ok {
			return nil, invalidParam("attributes", "There is no attribute with that id.")
		}
		return global, nil
	}
	if strings.HasPrefix(sent.Name, attributePrefix) {
		global, _ := Attributes.Slug.Find(&tx.Attributes, sent.Name)
		return global, nil
	}
	return nil, nil
}

func invalidParam(name, reason string) *Fault {
	return &Fault{Kind: InvalidParam, Message: reason, Params: map[string]string{name: reason}}
}
