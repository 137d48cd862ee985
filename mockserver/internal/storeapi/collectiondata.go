package storeapi

import (
	"net/http"
	"slices"
	"strconv"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Figures over a list of products, for filters of a shop window: what the list would hold, not its records.

// figures are what was asked about a list of products; what is nil was not.
type figures struct {
	prices     *shop.PriceSpan
	attributes []*termCount
	ratings    []*ratingCount
	stock      []*stockCount
	taxonomies []*termCount
}

type (
	termCount   struct{ term, count int64 }
	ratingCount struct{ rating, count int64 }
	stockCount  struct {
		status string
		count  int
	}
)

// figuresRecord holds what was asked for, null for the rest. Counts by taxonomy show only where there are any, as in live
// shops.
var figuresRecord = rest.Lazily(func() *rest.Record[figures] {
	return rest.Shown(fields(
		rest.NestedOf("price_range", func(_ *rest.Encoding, f *figures) *shop.PriceSpan { return f.prices }, rest.Shown(
			fields(
				amountOf("min_price", func(s *shop.PriceSpan) shop.Amount { return s.Min }),
				amountOf("max_price", func(s *shop.PriceSpan) shop.Amount { return s.Max }),
			),
			currency[shop.PriceSpan](),
		), rest.OrNull),
		rest.RowsOf("attribute_counts", func(_ *rest.Encoding, f *figures) []*termCount { return f.attributes },
			termCountRecord, rest.OrNull),
		rest.RowsOf("rating_counts", func(_ *rest.Encoding, f *figures) []*ratingCount { return f.ratings }, rest.Shown(fields(
			rest.Int("rating", func(c *ratingCount) *int64 { return &c.rating }),
			rest.Int("count", func(c *ratingCount) *int64 { return &c.count }),
		)), rest.OrNull),
		rest.RowsOf("stock_status_counts", func(_ *rest.Encoding, f *figures) []*stockCount { return f.stock }, rest.Shown(fields(
			rest.Text("status", func(c *stockCount) *string { return &c.status }),
			// A count in a string, as shops of this family have it.
			rest.TextOf("count", func(_ *rest.Encoding, c *stockCount) string { return strconv.Itoa(c.count) }),
		)), rest.OrNull),
		withoutNone(rest.RowsOf("taxonomy_counts", func(_ *rest.Encoding, f *figures) []*termCount { return f.taxonomies },
			termCountRecord)),
	))
})

func withoutNone(taxonomies rest.Field[figures]) rest.Field[figures] {
	taxonomies.Absent = func(_ *rest.Encoding, f *figures) bool { return len(f.taxonomies) == 0 }
	return taxonomies
}

var termCountRecord = rest.Lazily(func() *rest.Record[termCount] {
	return rest.Shown(fields(
		rest.Int("term", func(c *termCount) *int64 { return &c.term }),
		rest.Int("count", func(c *termCount) *int64 { return &c.count }),
	))
})

func collectionDataParams() []rest.Param {
	return []rest.Param{
		{Name: "calculate_price_range", Type: rest.Boolean, Default: false},
		{Name: "calculate_stock_status_counts", Type: rest.Boolean, Default: false},
		{Name: "calculate_attribute_counts", Type: rest.Array, Max: rest.Bound(20), Items: &rest.Param{
			Type: rest.Object,
			Fields: []rest.Param{
				{Name: "taxonomy", Type: rest.String, Required: true},
				{Name: "query_type", Type: rest.String, Enum: []string{"and", "or"}},
			}}},
		{Name: "calculate_rating_counts", Type: rest.Boolean, Default: false},
		{Name: "calculate_taxonomy_counts", Type: rest.Array, Max: rest.Bound(20), Items: &rest.Param{Type: rest.String, Enum: []string{
			shop.TaxonomyCategory, shop.TaxonomyTag, shop.TaxonomyBrand,
		}}},
	}
}

func collectionDataEndpoints() []rest.Endpoint {
	return []rest.Endpoint{{
		Methods: []string{http.MethodGet}, Path: "/products/collection-data", Access: rest.Public,
		Params: reading(slices.Concat(collectionDataParams(), productFilters())...), Do: collectionData,
	}}
}

func collectionData(r *rest.Request) (rest.Answer, error) {
	goods := goodsOf(r.View, r.Args)
	where, err := goods.conditions(r.View, r.Args)
	if err != nil {
		return rest.Answer{}, err
	}
	rows, _ := goods.table.Select(state.Query[*product]{Where: where})
	return rest.OK(figuresRecord.Body(rest.NewEncoding(r), figuresOf(r.View, rows, r.Args)))
}

// figuresOf works out what is asked for.
func figuresOf(v shop.View, rows []*product, args rest.Args) *figures {
	found := &figures{attributes: attributeCounts(v, rows, args.Objects("calculate_attribute_counts"))}
	if args.Bool("calculate_price_range") {
		found.prices = priceSpan(rows)
	}
	if args.Bool("calculate_rating_counts") {
		found.ratings = ratingCounts(rows)
	}
	if args.Bool("calculate_stock_status_counts") {
		found.stock = stockCounts(rows)
	}
	for _, taxonomy := range args.Strings("calculate_taxonomy_counts") {
		found.taxonomies = append(found.taxonomies, taxonomyCounts(rows, taxonomy)...)
	}
	return found
}

func priceSpan(rows []*product) *shop.PriceSpan {
	span := new(shop.PriceSpan)
	for _, p := range rows {
		if !p.Prices.Set {
			continue
		}
		if !span.Set || p.Prices.Min.LessThan(span.Min) {
			span.Min = p.Prices.Min
		}
		if span.Max.LessThan(p.Prices.Max) {
			span.Max = p.Prices.Max
		}
		span.Set = true
	}
	return span
}

// attributeCounts counts the products by their options of some attributes; nil: none was named.
func attributeCounts(v shop.View, rows []*product, named []rest.Args) []*termCount {
	var counts []*termCount
	for _, one := range named {
		counts = append(orEmpty(counts), optionCounts(v, rows, one.String("taxonomy"))...)
	}
	return counts
}

func optionCounts(v shop.View, rows []*product, taxonomy string) []*termCount {
	counts := map[int64]int64{}
	for _, p := range rows {
		for _, a := range p.Attributes {
			if a.Slug != taxonomy {
				continue
			}
			for _, option := range a.Options {
				if term, ok := optionTerm(v, a.ID, taxonomy, option); ok {
					counts[term.ID]++
				}
			}
		}
	}
	return termCounts(counts)
}

func taxonomyCounts(rows []*product, taxonomy string) []*termCount {
	counts := map[int64]int64{}
	for _, p := range rows {
		for _, id := range map[string][]int64{
			shop.TaxonomyCategory: p.CategoryIDs, shop.TaxonomyTag: p.TagIDs, shop.TaxonomyBrand: p.Extra().BrandIDs,
		}[taxonomy] {
			counts[id]++
		}
	}
	return termCounts(counts)
}

// orEmpty gives a list that is shown as [] rather than null.
func orEmpty[E any](list []E) []E {
	if list == nil {
		return []E{}
	}
	return list
}

func termCounts(counts map[int64]int64) []*termCount {
	listed := make([]*termCount, 0, len(counts))
	for id, count := range counts {
		listed = append(listed, &termCount{id, count})
	}
	slices.SortFunc(listed, func(a, b *termCount) int { return int(a.term - b.term) })
	return listed
}

func ratingCounts(rows []*product) []*ratingCount {
	var counts [6]int64
	for _, p := range rows {
		counts[min(5, max(0, p.AverageRating.Stars()))]++
	}
	listed := []*ratingCount{}
	for rating := int64(1); rating <= 5; rating++ {
		if counts[rating] > 0 {
			listed = append(listed, &ratingCount{rating, counts[rating]})
		}
	}
	return listed
}

func stockCounts(rows []*product) []*stockCount {
	counts := map[string]int{}
	for _, p := range rows {
		counts[p.StockStatus]++
	}
	listed := make([]*stockCount, len(stockStates))
	for i, status := range stockStates {
		listed[i] = &stockCount{status, counts[status]}
	}
	return listed
}
