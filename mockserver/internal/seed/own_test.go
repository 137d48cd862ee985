package seed

// Seeds of one's own: what files leave to the shop, and what the shop says of files that are wrong.

import (
	"strings"
	"testing"

	"shopcheck/fixtures/seedfile"
	"shopcheck/mockserver/internal/shop"
)

func open(t *testing.T, document string) shop.View {
	t.Helper()
	seed, err := Open(Source{Data: []byte(document)}, noon)
	if err != nil {
		t.Fatal(err)
	}
	state, err := seed.State(noon)
	if err != nil {
		t.Fatal(err)
	}
	return shop.View{State: &state, Now: noon}
}

const ownShop = `
settings: {title: Tea Shop, currency: EUR}
attributes: {Size: [S, M]}
products:
  Tea: 4.50
  Pot: {price: 30, categories: [Home > Pots, Gifts], tags: new, shipping_class: Heavy, upsells: Tea, pictures: https://x.test/pot.jpg}
  Tee:
    sku: TEE
    attributes: {Colour: [Red, Blue], Size: S, Care: Wash}
    variations:
      - {options: {colour: Red, size: M}, price: 20, stock: 4}
      - {options: {Colour: Blue, Size: ""}, price: 21}
  Cap:
    attributes: {Colour: [Red, Blue]}
    variations: {Red: 9, Green: {price: 10, sku: CAP-G}}
  Set: {grouped: [Tea, TEE]}
  Link: {price: 5, url: "https://x.test/"}
coupons: {TEN: {amount: 10, products: [Tea, CAP-G], categories: Gifts}}
customers: {ann@example.test: Ann Lee}
orders:
  - {via: rest-api, customer: ann@example.test, status: completed, days_ago: 9, lines: {Tea: 2, "Cap: Red": 1}}
  - {via: rest-api, customer: ann@example.test, days_ago: 8, lines: [{sku: Tea, total: 6.00, quantity: 2}], fees: {Old cup: 1.00}}
reviews:
  - {product: Tea, author: Ann, email: ann@example.test, rating: 5, text: Good.}
`

func TestASeedOfOnesOwn(t *testing.T) {
	t.Parallel()
	v := open(t, ownShop)
	byName := map[string]*shop.Product{}
	for product := range v.Products.All() {
		byName[product.Name] = product
	}
	for name, wanted := range map[string]shop.ProductType{
		"Tea": shop.Simple, "Tee": shop.Variable, "Cap": shop.Variable, "Set": shop.Grouped, "Link": shop.External,
	} {
		if byName[name] == nil || byName[name].Type != wanted {
			t.Fatalf("%s: %+v", name, byName[name])
		}
	}
	pot := byName["Pot"]
	if len(pot.CategoryIDs) != 2 || len(pot.TagIDs) != 1 || pot.ShippingClassID == 0 || pot.Extra().UpsellIDs[0] != byName["Tea"].ID ||
		pot.Images[0].Src != "https://x.test/pot.jpg" {
		t.Errorf("pot: %+v", pot)
	}
	if pots, _ := v.Terms.Get(pot.CategoryIDs[0]); pots.Name != "Pots" || pots.ParentID == 0 {
		t.Errorf("category: %+v", pots)
	}
	tee := byName["Tee"]
	if a := tee.Attributes; len(a) != 3 || !a[0].Variation || !a[1].Variation || a[2].Variation || a[1].ID == 0 || len(a[1].Options) != 2 {
		t.Errorf("attributes: %+v", a)
	}
	if children := v.Children(tee.ID); len(children) != 2 || len(children[0].Choices) != 2 || children[1].Choices[1].Option != "" {
		t.Errorf("variations: %+v", children)
	}
	if options := byName["Cap"].Attributes[0].Options; len(options) != 3 {
		t.Errorf("options: %q", options)
	}
	if coupon, known := shop.Coupons.Code.Find(&v.Coupons, "ten"); !known || len(coupon.ProductIDs) != 2 || len(coupon.CategoryIDs) != 1 {
		t.Errorf("coupon: %+v", coupon)
	}
	if v.Orders.Len() != 2 || v.Reviews.Len() != 1 || v.Config.Title != "Tea Shop" || v.Config.CurrencySymbol != "€" {
		t.Errorf("%d orders, %d reviews, %+v", v.Orders.Len(), v.Reviews.Len(), v.Config)
	}
	for order := range v.Orders.All() {
		if total := order.Totals.Total.String(); total != "18" && total != "7" {
			t.Errorf("an order of %s: %+v", total, order.Lines)
		}
	}
}

func TestRecordsThatCannotBeAreToldWithTheirLine(t *testing.T) {
	t.Parallel()
	for document, wanted := range map[string]string{
		"settings: {currency: XYZ}":                                        "currency",
		"products:\n  Tea: 4\n  Pot: {upsells: [Cup]}":                     `line 3: product Pot: there is no product "Cup"`,
		"products:\n- {name: A, sku: X}\n- {name: B, sku: X}":              "line 3: product X: ",
		"products:\n\n  Tea: {variations: {Red: 4}}":                       `line 3: product Tea: variation 1: "Red" has 1 options`,
		"products:\n  Tea: {type: simple, variations: [{price: 4}]}":       "line 2: product Tea: it has variations, and is simple",
		"coupons: {A: 5,\n a: 6}":                                          "line 2: coupon a: ",
		"coupons:\n  A: {amount: 5, products: [Nope]}":                     `line 2: coupon A: there is no product "Nope"`,
		"customers:\n  nobody: Ann":                                        "line 2: customer nobody: ",
		"orders:\n- {customer: x@example.test}":                            `line 2: order 1: there is no customer "x@example.test"`,
		"orders:\n- {lines: {Tea: 1}}":                                     "line 2: order 1: it needs a customer, or the billing address",
		"tax_rates:\n  DE: {rate: 19, class: luxury}":                      "line 2: tax rate DE 19: ",
		"zones:\n  W: {locations: DE, methods: {Van: cheap}}":              `line 2: zone W: method Van: cost cannot be "cheap"`,
		"reviews:\n- {product: Nope, author: Ann, rating: 3, text: Good.}": `line 2: review by Ann: there is no product "Nope"`,
		"tax_classes:\n- Luxury\n- Luxury":                                 "line 3: tax class Luxury: ",
		"attributes: [Size,\n Size]":                                       "line 2: attribute Size: ",
	} {
		_, err := Open(Source{Data: []byte(document)}, noon)
		if err == nil || !strings.Contains(err.Error(), wanted) {
			t.Errorf("%s\ngives %v; want %s", document, err, wanted)
		}
	}
}

// TestATableBecomesAShop reads what references by ids and by SKUs become.
func TestATableBecomesAShop(t *testing.T) {
	t.Parallel()
	data, _, err := seedfile.ReadCSV([]byte(`ID,Type,SKU,Name,Regular price,Parent,Grouped products,` +
		`Attribute 1 name,Attribute 1 value(s),Attribute 1 global
1,variable,,Tee,,,,Size,"S, M",1
2,variation,,Tee S,5,id:1,,Size,S,1
3,simple,CUP,Cup,4,,,,,
4,grouped,,Set,,,"CUP, id:1",,,
`))
	if err != nil {
		t.Fatal(err)
	}
	state, err := Build(data, noon)
	if err != nil {
		t.Fatal(err)
	}
	v := shop.View{State: &state, Now: noon}
	cup := find(t, v, "CUP")
	for product := range v.Products.All() {
		switch {
		case product.Name == "Set" && (len(product.Extra().GroupedIDs) != 2 || product.Extra().GroupedIDs[0] != cup.ID):
			t.Errorf("grouped: %+v", product.Extra().GroupedIDs)
		case product.Name == "Tee" && (len(v.Children(product.ID)) != 1 || product.Attributes[0].ID == 0 || product.SKU != ""):
			t.Errorf("tee: %+v", product)
		}
	}
}

func TestALargeShopIsTheSameEachTime(t *testing.T) {
	t.Parallel()
	var orders [2][]string
	for i := range orders {
		seed, err := Open(Source{Name: "demo", Scale: "products=300,orders=120"}, noon)
		if err != nil {
			t.Fatal(err)
		}
		state, err := seed.State(noon)
		if err != nil {
			t.Fatal(err)
		}
		if state.Products.Len() != 300 || state.Orders.Len() != 120 {
			t.Errorf("%d products, %d orders", state.Products.Len(), state.Orders.Len())
		}
		for order := range state.Orders.All() {
			orders[i] = append(orders[i], order.Key+order.Totals.Total.String()+string(order.Status)+order.Created.String())
		}
	}
	if strings.Join(orders[0], "\n") != strings.Join(orders[1], "\n") {
		t.Error("two large shops of equal size differ")
	}
}

func BenchmarkLargeShop(b *testing.B) {
	for b.Loop() {
		if _, err := Open(Source{Name: "demo", Scale: "products=100000,orders=50000"}, noon); err != nil {
			b.Fatal(err)
		}
	}
}
