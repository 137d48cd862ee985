package shop

// Related products: what else a shop shows beside a product.

import (
	"slices"
	"strconv"

	"shopcheck/mockserver/internal/state"
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
	var found Related
	count := 0
	for _, id := range p.CategoryIDs {
		count = found.fill(count, p, v, Products.Category, id)
	}
	for _, id := range p.TagIDs {
		count = found.fill(count, p, v, Products.Tag, id)
	}
	return found
}

// mostLookedAt is how many products of a group are looked at one by one. Where hardly any of them is published, to intersect the group with
// all that are published costs less.
const mostLookedAt = 50

// fill appends the ids of other published products of a group to the first count ids, and returns how many they are then.
func (r *Related) fill(count int, p *Product, v View, groups *state.Facet[*Product], group int64) int {
	key, lookedAt := strconv.FormatInt(group, 10), 0
	for other := range groups.Rows(&v.Products, key) {
		if lookedAt++; count == len(r) || lookedAt > mostLookedAt {
			break
		}
		count = r.take(count, p, other)
	}
	if count == len(r) || lookedAt <= mostLookedAt {
		return count
	}
	published, _ := v.Products.Select(state.Query[*Product]{
		Where: []state.Condition[*Product]{groups.Is(key), Products.Status.Is(StatusPublish)}, Limit: len(r) + 1, // p may be among them
	})
	for _, other := range published {
		count = r.take(count, p, other)
	}
	return count
}

// take appends the id of another product, if it is to be seen and there is room for it.
func (r *Related) take(count int, p, other *Product) int {
	if count < len(r) && other.ID != p.ID && other.Status == StatusPublish && !slices.Contains(r[:count], other.ID) {
		r[count] = other.ID
		count++
	}
	return count
}
