package shop

// Related products: what else a shop shows beside a product.

import (
	"iter"
	"slices"
	"strconv"
)

// Related are the ids of a few other published products of the same categories and tags; nought stands for none.
type Related [5]int64

// IDs lists the ids.
func (r *Related) IDs() []int64 {
	if at := slices.Index(r[:], 0); at >= 0 {
		return r[:at]
	}
	return r[:]
}

// relatedAt is what was related to a product in one version of the products.
type relatedAt struct {
	version uint64
	ids     Related
}

// Related finds what is related to a product now. What was found is kept beside the row until some product is in other groups.
func (p *Product) Related(v View) Related {
	found := &relatedAt{version: v.Products.Version()}
	kept := p.Memo.related.Load()
	switch {
	case kept != nil && kept.version == found.version:
		return kept.ids
	case kept != nil && !v.Products.ChangedSince(kept.version, regrouped):
		found.ids = kept.ids
	default:
		found.ids = p.related(v)
	}
	p.Memo.related.Store(found)
	return found.ids
}

// regrouped reports whether a change of a product may change what others are related to.
func regrouped(old, new *Product) bool {
	return old == nil || new == nil || (old.Status == StatusPublish) != (new.Status == StatusPublish) ||
		!slices.Equal(old.CategoryIDs, new.CategoryIDs) || !slices.Equal(old.TagIDs, new.TagIDs)
}

func (p *Product) related(v View) Related {
	var related Related
	count := 0
	pick := func(rows iter.Seq[*Product]) {
		for other := range rows {
			if count == len(related) {
				return
			}
			if other.ID != p.ID && other.Status == StatusPublish && !slices.Contains(related[:count], other.ID) {
				related[count] = other.ID
				count++
			}
		}
	}
	for _, id := range p.CategoryIDs {
		pick(Products.Category.Rows(&v.Products, strconv.FormatInt(id, 10)))
	}
	for _, id := range p.TagIDs {
		pick(Products.Tag.Rows(&v.Products, strconv.FormatInt(id, 10)))
	}
	return related
}
