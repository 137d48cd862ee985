package contract

// Statements of "Management API: collection conventions", and pagination of both APIs.

import "shopcheck/reports"

const sectionCollections = "Endpoints / Management API: collection conventions"

func collectionRequirements() []Requirement {
	g := &group{section: sectionCollections, feature: FeatureManagement}
	for _, c := range ManagementLists() {
		g.with(c.Feature, func() {
			g.must("pagination."+c.ID+".total", "Lists of "+c.ID+" carry X-Shop-Total, the number of records that match.")
			g.must("pagination."+c.ID+".total-pages", "Lists of "+c.ID+" carry X-Shop-TotalPages, the number of pages.")
			g.must("pagination."+c.ID+".link-next", "Link names the next page of "+c.ID+" where there is one.")
			g.must("pagination."+c.ID+".link-prev", "Link names the previous page of "+c.ID+" where there is one.")
			g.must(c.ID+".update.empty-values", "PUT takes an empty text, a zero or a false as a value of "+c.ID+".")
			g.must(c.ID+".list.filters-together", "The list of "+c.ID+" holds what every given filter holds.")
			g.must(c.ID+".one-record", "A record of "+c.ID+" is the same in the answers to its creation and to an update, in lists "+
				"and under its id.")
		})
	}
	g.must("pagination.no-next-on-last", "Link names no next page on the last page.")
	g.must("pagination.no-prev-on-first", "Link names no previous page on the first page.")
	g.must("pagination.pages-disjoint", "Every record is on exactly one page.")
	g.must("pagination.link-keeps-filters", "The addresses in Link keep the filters of the request.")
	g.observed("pagination.past-the-end", "What a page after the last holds.")
	g.must("collections.create-status", "A create answers 201 with the created record.")
	g.must("collections.force-default", "force is false unless given.")
	g.add(reports.Observed, "collections.location", "Whether a create names the record's address in Location.")
	g.with(FeatureStoreProducts, func() {
		g.must("pagination.store-products.page", "Store API products are paged by page.")
		g.must("pagination.store-products.per-page", "Store API products are paged by per_page.")
		g.should("pagination.store-products.total", "Store API lists carry the paging headers.")
	})
	return g.list
}
