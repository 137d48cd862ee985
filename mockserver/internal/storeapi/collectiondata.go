package storeapi

import (
	"slices"
	"strconv"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/state"
)

// Figures over a list of products, for filters of a shop window: what the list would hold, not its records.

// collectionDataWire holds what was asked for, null for the rest. Counts by taxonomy show only where they were asked for, as
// in live shops.
type collectionDataWire struct {
	PriceRange    *collectionPrices `json:"price_range"`
	Attributes    []termCount       `json:"attribute_counts"`
	Ratings       []ratingCount     `json:"rating_counts"`
	StockStatuses []stockCount      `json:"stock_status_counts"`
	Taxonomies    []termCount       `json:"taxonomy_counts,omitempty"`
}

type collectionPrices struct {
	Min string `json:"min_price"`
	Max string `json:"max_price"`
	currency
}

type termCount struct {
	Term  int64 `json:"term"`
	Count int   `json:"count"`
}

type ratingCount struct {
	Rating int64 `json:"rating"`
	Count  int   `json:"count"`
}

// stockCount counts in a string, as shops of this family do.
type stockCount struct {
	Status string `json:"status"`
	Count  string `json:"count"`
}

var collectionDataParams = []rest.Param{
	{Name: "calculate_price_range", Type: rest.Boolean, Default: false},
	{Name: "calculate_stock_status_counts", Type: rest.Boolean, Default: false},
	{Name: "calculate_attribute_counts", Type: rest.Array, Max: rest.Bound(20), Items: &rest.Param{Type: rest.Object, Fields: []rest.Param{
		{Name: "taxonomy", Type: rest.String, Required: true},
		{Name: "query_type", Type: rest.String, Enum: []string{"and", "or"}},
	}}},
	{Name: "calculate_rating_counts", Type: rest.Boolean, Default: false},
	{Name: "calculate_taxonomy_counts", Type: rest.Array, Max: rest.Bound(20), Items: &rest.Param{Type: rest.String, Enum: []string{
		shop.TaxonomyCategory, shop.TaxonomyTag, shop.TaxonomyBrand,
	}}},
}

func collectionDataEndpoints() []rest.Endpoint {
	return []rest.Endpoint{getEndpoint("/products/collection-data", collectionData, slices.Concat(collectionDataParams, productFilters)...)}
}

func collectionData(s *scene, r *rest.Request) (any, error) {
	goods := goodsOf(s, r.Args)
	where, err := goods.conditions(s, r.Args)
	if err != nil {
		return nil, err
	}
	rows, _ := goods.table.Select(state.Query[*shop.Product]{Where: where})
	data := &collectionDataWire{}
	if r.Args.Bool("calculate_price_range") {
		data.PriceRange = s.priceSpan(rows)
	}
	for _, wanted := range r.Args.Objects("calculate_attribute_counts") {
		data.Attributes = orEmpty(data.Attributes)
		data.Attributes = append(data.Attributes, s.attributeCounts(rows, wanted.String("taxonomy"))...)
	}
	if r.Args.Bool("calculate_rating_counts") {
		data.Ratings = ratingCounts(rows)
	}
	if r.Args.Bool("calculate_stock_status_counts") {
		data.StockStatuses = stockCounts(rows)
	}
	for _, taxonomy := range r.Args.Strings("calculate_taxonomy_counts") {
		data.Taxonomies = orEmpty(data.Taxonomies)
		data.Taxonomies = append(data.Taxonomies, taxonomyCounts(rows, taxonomy)...)
	}
	return data, nil
}

func (s *scene) priceSpan(rows []*shop.Product) *collectionPrices {
	low, high, found := shop.Zero, shop.Zero, false
	for _, p := range rows {
		if !p.Prices.Set {
			continue
		}
		if !found || p.Prices.Min.LessThan(low) {
			low = p.Prices.Min
		}
		if high.LessThan(p.Prices.Max) {
			high = p.Prices.Max
		}
		found = true
	}
	return &collectionPrices{s.minor(low), s.minor(high), s.currency()}
}

func (s *scene) attributeCounts(rows []*shop.Product, taxonomy string) []termCount {
	counts := map[int64]int{}
	for _, p := range rows {
		for _, a := range p.Attributes {
			if a.Slug != taxonomy {
				continue
			}
			for _, option := range a.Options {
				if term, ok := s.optionTerm(a.ID, taxonomy, option); ok {
					counts[term.ID]++
				}
			}
		}
	}
	return termCounts(counts)
}

func taxonomyCounts(rows []*shop.Product, taxonomy string) []termCount {
	counts := map[int64]int{}
	for _, p := range rows {
		for _, id := range map[string][]int64{
			shop.TaxonomyCategory: p.CategoryIDs, shop.TaxonomyTag: p.TagIDs, shop.TaxonomyBrand: p.BrandIDs,
		}[taxonomy] {
			counts[id]++
		}
	}
	return termCounts(counts)
}

func termCounts(counts map[int64]int) []termCount {
	listed := make([]termCount, 0, len(counts))
	for id, count := range counts {
		listed = append(listed, termCount{id, count})
	}
	slices.SortFunc(listed, func(a, b termCount) int { return int(a.Term - b.Term) })
	return listed
}

func ratingCounts(rows []*shop.Product) []ratingCount {
	var counts [6]int
	for _, p := range rows {
		counts[min(5, max(0, p.AverageRating.Stars()))]++
	}
	listed := []ratingCount{}
	for rating := int64(1); rating <= 5; rating++ {
		if counts[rating] > 0 {
			listed = append(listed, ratingCount{rating, counts[rating]})
		}
	}
	return listed
}

func stockCounts(rows []*shop.Product) []stockCount {
	counts := map[string]int{}
	for _, p := range rows {
		counts[p.StockStatus]++
	}
	listed := make([]stockCount, len(stockStates))
	for i, status := range stockStates {
		listed[i] = stockCount{status, strconv.Itoa(counts[status])}
	}
	return listed
}
