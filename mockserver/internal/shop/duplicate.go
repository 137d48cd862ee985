package shop

import "slices"

// Duplicate makes a draft that is like a product, its variations too, under an SKU that is free. Fault: as
// Create.
func (p *Product) Duplicate(tx *Tx) (*Product, error) {
	copied := p.copied(tx)
	copied.Name, copied.Slug, copied.Status = p.Name+" (copy)", "", StatusDraft
	copied.TotalSales, copied.AverageRating, copied.RatingCount = 0, 0, 0
	if err := copied.Create(tx); err != nil {
		return nil, err
	}
	for _, child := range tx.Children(p.ID) {
		variation := child.copied(tx)
		variation.ParentID = copied.ID
		if err := variation.CreateVariation(tx); err != nil {
			return nil, err
		}
	}
	copied, _ = tx.Products.Get(copied.ID)
	return copied, nil
}

// copied is a copy that may be changed and kept as another row.
func (p *Product) copied(tx *Tx) *Product {
	copied := *p
	copied.Created = tx.Now
	copied.ChangeExtras(func(e *Extras) {
		e.GlobalUniqueID, e.Meta = "", slices.Clone(e.Meta)
		for i := range e.Meta {
			e.Meta[i].ID = tx.NextMeta()
		}
	})
	if p.SKU != "" {
		copied.SKU = freeName(p.SKU, func(sku string) bool {
			_, taken := tx.BySKU(sku)
			return !taken
		})
	}
	return &copied
}
