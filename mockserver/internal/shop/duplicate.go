package shop

import "slices"

// DuplicateProduct makes a draft that is like a product, its variations too, under an SKU that is free. Fault: as
// CreateProduct.
func (tx *Tx) DuplicateProduct(p *Product) (*Product, error) {
	copied := tx.copyOf(p)
	copied.Name, copied.Slug, copied.Status = p.Name+" (copy)", "", StatusDraft
	copied.TotalSales, copied.AverageRating, copied.RatingCount = 0, 0, 0
	if err := tx.CreateProduct(copied); err != nil {
		return nil, err
	}
	for _, child := range tx.Children(p.ID) {
		variation := tx.copyOf(child)
		variation.ParentID = copied.ID
		if err := tx.CreateVariation(variation); err != nil {
			return nil, err
		}
	}
	copied, _ = tx.Products.Get(copied.ID)
	return copied, nil
}

// copyOf is a copy that may be changed and kept as another row.
func (tx *Tx) copyOf(p *Product) *Product {
	copied := *p
	copied.Created, copied.GlobalUniqueID = tx.Now, ""
	copied.Meta = slices.Clone(p.Meta)
	for i := range copied.Meta {
		copied.Meta[i].ID = tx.NextMeta()
	}
	if p.SKU != "" {
		copied.SKU = firstFree(p.SKU, func(sku string) bool {
			_, taken := tx.BySKU(sku)
			return !taken
		})
	}
	return &copied
}
