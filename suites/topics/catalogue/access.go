package catalogue

// What visitors may see and do: only what is published, page by page, and nothing but reading.

import (
	"context"
	"fmt"
	"strconv"

	. "github.com/onsi/ginkgo/v2"

	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	. "shopcheck/suites/spec"
)

func (t topic) visibility() {
	for _, status := range contract.ProductStatuses() {
		if status == "publish" {
			continue
		}
		It("hides a product with status "+status+" or not", Req("catalogue.products.unpublished-hidden"), managed(), func(ctx SpecContext) {
			product := t.GivenProduct(ctx, With(Fields{"status": status}))
			if product.Answer.Get("status").String() != status {
				t.CouldNotRun("the target does not let the status of a product be set to %s", status)
			}

			t.Observe("store-products."+status+".listed", t.found(ctx, product).Get("#").Int() > 0)
			t.Observe("store-products."+status+".shown", t.StoreGet(ctx, productPath(product.ID), nil).OK())
		})
	}
}

func (t topic) paging() {
	It("is by page and per_page", Req("pagination.store-products.page", "pagination.store-products.per-page",
		"pagination.store-products.total"), managed(), func(ctx SpecContext) {
		word := t.Word()
		made := t.GivenProducts(ctx, 3, With(Fields{"name": "Shopcheck " + word}))

		first := t.StoreGet(ctx, products, Query{"search": word, "per_page": "2"})
		second := t.StoreGet(ctx, products, Query{"search": word, "per_page": "2", "page": "2"})

		t.For("pagination.store-products.per-page").Expect(first).To(HaveJSON("#", 2))
		Expect(append(IDs(first), IDs(second)...)).To(ConsistOf(made[0].ID, made[1].ID, made[2].ID), "the ids on both pages")
		t.For("pagination.store-products.total").Expect(first).To(HavePaging(3, 2))
	})
}

func (t topic) roots() {
	for _, root := range contract.StoreRoots() {
		It("answer "+root, Req("catalogue."+root), func(ctx SpecContext) {
			answer := t.StoreGet(ctx, products+"/"+root, nil)

			Expect(answer).To(HaveStatus(200))
			Expect(answer.JSON().IsArray()).To(BeTrue(), "whether %s are a JSON array", root)
		})

		It("page "+root, Req("catalogue."+root+".per-page", "catalogue."+root+".page"), func(ctx SpecContext) {
			if t.StoreGet(ctx, products+"/"+root, nil).Get("#").Int() < 2 {
				t.NotApplicable("the store shows no two %s", root)
			}

			first := t.StoreGet(ctx, products+"/"+root, Query{"per_page": "1"})
			second := t.StoreGet(ctx, products+"/"+root, Query{"per_page": "1", "page": "2"})
			Expect(first).To(HaveJSON("#", 1))
			t.For("catalogue." + root + ".page").Expect(second).To(HaveJSON("#", 1))
			t.For("catalogue." + root + ".page").Expect(second).NotTo(HaveJSON("0", first.Get("0").Value()))
		})

		It("show ten "+root+" a page", Req("limits.store-per-page."+root), func(ctx SpecContext) {
			Expect(t.crowded(ctx, root)).To(HaveJSON("#", BeNumerically("<=", 10)))
		})
	}
}

// filed declares that what published products are filed under is listed.
func (t topic) filed() {
	It("lists the categories of products", Req("catalogue.categories.list"), managed(), func(ctx SpecContext) {
		category, _ := t.SharedTerms(ctx, "categories")
		t.GivenProduct(ctx, With(Fields{"categories": []Fields{{"id": category.ID}}}))

		t.lists(ctx, "categories", category)
	})

	It("lists the attributes of products", Req("catalogue.attributes.list"), managed(), func(ctx SpecContext) {
		t.lists(ctx, "attributes", t.SharedVariable(ctx).Attribute)
	})
}

// lists turns the pages of a root until one of them shows a term.
func (t topic) lists(ctx context.Context, root string, term Term) {
	const size, most = 100, 50
	for page := range most {
		list := t.StoreGet(ctx, products+"/"+root, Query{"per_page": strconv.Itoa(size), "page": strconv.Itoa(page + 1)})
		if list.Get(fmt.Sprintf("#(id==%d)", term.ID)).Exists() {
			return
		}
		if list.Get("#").Int() < size {
			Expect(list).To(HaveText(term.Name)) // what their records hold is not shown
			return
		}
	}
	t.NotApplicable("the store has more than %d %s", size*most, root)
}

// crowded lists a root of which there are more than ten records, as far as they can be made where there are fewer.
func (t topic) crowded(ctx context.Context, root string) *client.Answer {
	list := t.StoreGet(ctx, products+"/"+root, nil)
	if list.Get("#").Int() >= 10 || root == "reviews" || !t.Offers(contract.FeatureManagement) ||
		!t.Profile().Credentials.ReadWrite.Given() {
		return list
	}
	var named []Fields
	for range 11 {
		named = append(named, Fields{"name": t.Unique("sc")})
	}
	t.Collection("products/"+root).Batch(ctx, Fields{"create": named}) // how these are made is not documented: it may be refused
	return t.StoreGet(ctx, products+"/"+root, nil)
}

func (t topic) readOnly() {
	for _, attempt := range []struct {
		method string
		whole  bool // on the collection, not on a product
	}{{POST, true}, {PUT, false}, {POST, false}, {DELETE, false}} {
		place := "a product"
		if attempt.whole {
			place = "the collection"
		}
		It("refuses "+attempt.method+" on "+place, Req("catalogue.read-only"), managed(), Needs(contract.FeatureStoreCart),
			func(ctx SpecContext) {
				product := t.GivenProduct(ctx)
				visitor := t.SharedCart(ctx)
				path := products
				if !attempt.whole {
					path = productPath(product.ID)
				}

				answer := visitor.Send(ctx, client.Request{Method: attempt.method, Path: path,
					Body: Fields{"name": "Changed by shopcheck"}})

				Expect(answer).To(BeRefused())
				Expect(t.Products.Get(ctx, product.ID)).To(HaveJSON("name", product.Name))
			})
	}
}
