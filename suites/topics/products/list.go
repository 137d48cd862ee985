package products

// Listing products: every documented filter.

import (
	"context"
	"fmt"
	"maps"
	"strconv"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
	"shopcheck/suites/topics/collection"
)

func (t topic) list() {
	It("searches", Req("products.list.search"), func(ctx SpecContext) {
		word := t.Word()
		wanted, other := t.GivenProduct(ctx, With(Fields{"name": "Shopcheck " + word + " lamp"})), t.SharedProduct(ctx)

		ids := t.Products.IDs(ctx, Query{"search": word})

		Expect(ids).To(ContainElement(wanted.ID))
		Expect(ids).NotTo(ContainElement(other.ID))
	})

	It("filters by the dates of publication", Req("products.list.after", "products.list.before"), func(ctx SpecContext) {
		family := t.NewFamily()
		product := t.member(ctx, family)
		t.member(ctx, family)
		past, future := collection.Around(product.Answer)
		long, later := collection.AroundInUTC(product.Answer)

		t.For("products.list.after").Expect(t.listed(ctx, family, Query{"after": past})).To(ContainElement(product.ID))
		t.For("products.list.after").Expect(t.Products.ListedByOne(ctx, family, Query{"after": future})).To(BeEmpty())
		t.For("products.list.before").Expect(t.listed(ctx, family, Query{"before": future})).To(ContainElement(product.ID))
		t.For("products.list.before").Expect(t.Products.ListedByOne(ctx, family, Query{"before": past})).To(BeEmpty())
		t.For("products.list.after").Expect(t.listed(ctx, family, Query{"after": long, "before": later})).To(ContainElement(product.ID))
		t.For("products.list.after").Expect(t.listed(ctx, family, Query{"after": later})).To(BeEmpty())
		t.For("products.list.before").Expect(t.listed(ctx, family, Query{"before": long})).To(BeEmpty())
	})

	for _, status := range contract.ProductStatuses() {
		It("filters by status "+status, Req("products.list.status"), func(ctx SpecContext) {
			family := t.ofEach(ctx, "status", contract.ProductStatuses())

			Expect(t.Products.ListedByOne(ctx, family.Family, Query{"status": status})).To(Equal(t.only(family, "status", status)))
			Expect(t.listed(ctx, family.Family, Query{"status": "any"})).To(ConsistOf(family.IDs))
		})
	}

	It("lists products of any status", Req("products.list.status.default"), func(ctx SpecContext) {
		family := t.NewFamily()
		draft := t.settled(t.member(ctx, family, With(Fields{"status": "draft"})), "status", "draft")
		published := t.member(ctx, family)

		Expect(t.listed(ctx, family, nil)).To(ConsistOf(draft.ID, published.ID))
	})

	for _, kind := range contract.ProductTypes() {
		It("filters by type "+kind, Req("products.list.type"), func(ctx SpecContext) {
			family := t.ofEach(ctx, "type", contract.ProductTypes())

			Expect(t.Products.ListedByOne(ctx, family.Family, Query{"type": kind})).To(Equal(t.only(family, "type", kind)))
		})
	}

	It("finds an exact SKU", Req("products.list.sku"), func(ctx SpecContext) {
		product := t.GivenProduct(ctx)
		t.GivenProduct(ctx, With(Fields{"sku": product.SKU + "-2"}))

		Expect(t.Products.IDs(ctx, Query{"sku": product.SKU})).To(Equal([]int64{product.ID}))
		Expect(t.Products.IDs(ctx, Query{"sku": product.SKU[:len(product.SKU)-1]})).To(BeEmpty())
		Expect(t.Products.Others(ctx, Query{"sku": product.SKU}, product.ID)).To(BeEmpty(), "on the second page")
	})

	It("filters by featured", Req("products.list.featured"), func(ctx SpecContext) {
		family := t.NewFamily()
		featured := t.settled(t.member(ctx, family, With(Fields{"featured": true})), "featured", "true")
		plain := t.member(ctx, family)

		Expect(t.Products.ListedByOne(ctx, family, Query{"featured": "true"})).To(Equal([]int64{featured.ID}))
		Expect(t.Products.ListedByOne(ctx, family, Query{"featured": "false"})).To(Equal([]int64{plain.ID}))
	})

	It("filters by one category and by several", Req("products.list.category"), func(ctx SpecContext) {
		t.filtersByTerm(ctx, "categories", "category")
	})

	It("filters by one tag and by several", Req("products.list.tag"), func(ctx SpecContext) {
		t.filtersByTerm(ctx, "tags", "tag")
	})

	It("filters by on_sale", Req("products.list.on_sale"), func(ctx SpecContext) {
		family := t.NewFamily()
		reduced, regular := t.member(ctx, family, OnSale("20.00", "15.00")), t.member(ctx, family)

		Expect(t.Products.ListedByOne(ctx, family, Query{"on_sale": "true"})).To(Equal([]int64{reduced.ID}))
		Expect(t.Products.ListedByOne(ctx, family, Query{"on_sale": "false"})).To(Equal([]int64{regular.ID}))
	})

	It("filters by price", Req("products.list.min_price", "products.list.max_price"), func(ctx SpecContext) {
		family := t.NewFamily()
		cheap, dear := t.member(ctx, family, OnSale("60.00", "5.00")), t.member(ctx, family, Price("50.00"))

		t.For("products.list.min_price").Expect(t.Products.ListedByOne(ctx, family, Query{"min_price": "20"})).To(Equal([]int64{dear.ID}))
		t.For("products.list.max_price").Expect(t.Products.ListedByOne(ctx, family, Query{"max_price": "20"})).To(Equal([]int64{cheap.ID}))
		t.For("products.list.max_price").Expect(t.listed(ctx, family, Query{"min_price": "10", "max_price": "20"})).To(BeEmpty())
		t.For("products.list.min_price").Expect(t.listed(ctx, family, Query{"min_price": "50.00"})).To(Equal([]int64{dear.ID}))
		t.For("products.list.max_price").Expect(t.listed(ctx, family, Query{"max_price": "5.00"})).To(Equal([]int64{cheap.ID}))
		near := t.NewFamily()
		below, above := t.member(ctx, near, Price("20.25")), t.member(ctx, near, Price("20.75"))
		t.For("products.list.min_price").Expect(t.listed(ctx, near, Query{"min_price": "20.50"})).To(Equal([]int64{above.ID}))
		t.For("products.list.max_price").Expect(t.listed(ctx, near, Query{"max_price": "20.50"})).To(Equal([]int64{below.ID}))
	})

	for _, status := range contract.StockStatuses() {
		It("filters by stock status "+status, Req("products.list.stock_status"), func(ctx SpecContext) {
			family := t.ofEach(ctx, "stock_status", contract.StockStatuses())

			Expect(t.Products.ListedByOne(ctx, family.Family, Query{"stock_status": status})).To(
				Equal(t.only(family, "stock_status", status)))
		})
	}
}

// together declares that several filters narrow the list each: of products that differ from the wanted one in a single respect, none
// comes with it.
func (t topic) together() {
	It("keeps what all filters keep", Req("products.list.filters-together", "products.list.sku"), func(ctx SpecContext) {
		family := t.NewFamily()
		category, _ := t.SharedTerms(ctx, "categories")
		tag, _ := t.SharedTerms(ctx, "tags")
		same := Fields{"type": "simple", "status": "publish", "featured": true, "regular_price": "40.00", "sale_price": "20.00",
			"stock_status": "instock", "categories": []Fields{{"id": category.ID}}, "tags": []Fields{{"id": tag.ID}}}
		others := []Fields{{"status": "draft"}, {"featured": false}, {"type": "external"}, {"sale_price": "10.00"}, {"sale_price": "30.00"},
			{"regular_price": "20.00", "sale_price": ""}, {"stock_status": "outofstock"}, {"categories": []Fields{}}, {"tags": []Fields{}}}
		bodies := []Fields{t.ProductBody(With(same), With(Fields{"name": family.Word()}))}
		for _, differing := range append(others, Fields{}) { // the last one is wanted, too: links hold all filters
			bodies = append(bodies, t.ProductBody(With(same), With(Fields{"name": family.Word()}), With(differing)))
		}
		Expect(t.Products.Batch(ctx, Fields{"create": bodies})).To(BeSuccess())
		wanted := t.Products.List(ctx, Query{"sku": bodies[0]["sku"].(string)}).Get("0")
		if !wanted.Get("featured").Bool() || wanted.Get("tags.0.id").Int() != tag.ID || wanted.Get("categories.0.id").Int() != category.ID {
			t.CouldNotRun("the target does not take all of featured, categories and tags for a product")
		}
		past, future := collection.Around(t.Products.Get(ctx, wanted.Get("id").Int()))
		all := family.Narrowed(Query{"type": "simple", "status": "publish", "featured": "true", "on_sale": "true", "min_price": "15",
			"max_price": "25", "stock_status": "instock", "category": fmt.Sprint(category.ID), "tag": fmt.Sprint(tag.ID), "after": past,
			"before": future})

		Expect(t.Products.IDs(ctx, all)).To(And(HaveLen(2), ContainElement(wanted.Get("id").Int())))
		paged := maps.Clone(all)
		maps.Copy(paged, Query{"per_page": "1", "orderby": "id", "order": "asc"})
		Expect(t.Products.IDs(ctx, paged)).To(HaveLen(1))
		t.For("products.list.sku").Expect(t.Products.IDs(ctx, Query{"sku": bodies[0]["sku"].(string), "status": "publish"})).To(HaveLen(1))
		t.For("products.list.sku").Expect(t.Products.IDs(ctx, Query{"sku": bodies[1]["sku"].(string)})).To(HaveLen(1)) // a draft
		for _, moment := range []Query{{"after": future}, {"before": past}} {
			none := maps.Clone(all)
			maps.Copy(none, moment)
			Expect(t.Products.IDs(ctx, none)).To(BeEmpty())
		}
	})
}

// ofEach is a family with a product of each value of a field, which specs only list.
func (t topic) ofEach(ctx context.Context, field string, values []string) ProductFamily {
	return Share(t.Env, "products of each "+field, func() ProductFamily {
		var products []Fields
		for _, value := range values {
			products = append(products, Fields{field: value})
		}
		return t.GivenProductFamilyOf(ctx, products)
	})
}

// only is the one member whose field has a value. Where the target takes it for none or several, the spec could not run.
func (t topic) only(family ProductFamily, field, value string) []int64 {
	var ids []int64
	for _, p := range family.Products {
		if p.Answer.Get(field).String() == value {
			ids = append(ids, p.ID)
		}
	}
	if len(ids) != 1 {
		t.CouldNotRun("of products of each %s the target takes %d for %s", field, len(ids), value)
	}
	return ids
}

// filtersByTerm checks the filter by category or tag, by one id and by two.
func (t topic) filtersByTerm(ctx context.Context, field, parameter string) {
	family := t.NewFamily()
	one, two := t.SharedTerms(ctx, field)
	if one.ID == two.ID {
		t.CouldNotRun("the target has only one record under products/%s and lets none be made", field)
	}
	in := func(term Term) ProductOption { return With(Fields{field: []Fields{{"id": term.ID}}}) }
	first := t.settled(t.member(ctx, family, in(one)), field+".0.id", strconv.FormatInt(one.ID, 10))
	second := t.member(ctx, family, in(two))
	t.member(ctx, family)

	Expect(t.Products.ListedByOne(ctx, family, Query{parameter: fmt.Sprint(one.ID)})).To(Equal([]int64{first.ID}))
	Expect(t.listed(ctx, family, Query{parameter: fmt.Sprintf("%d,%d", one.ID, two.ID)})).To(ConsistOf(first.ID, second.ID))
	Expect(IDs(t.Products.List(ctx, family.Narrowed(Query{parameter: fmt.Sprint(UnknownID)})))).To(BeEmpty()) // or it is refused
}
