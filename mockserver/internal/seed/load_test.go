package seed

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"shopcheck/fixtures"
	"shopcheck/mockserver/internal/shop"
	"shopcheck/mockserver/internal/shop/pricing"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func load(name string, now time.Time) (shop.State, error) {
	seed, err := Named(name)
	if err != nil {
		return shop.State{}, err
	}
	return seed.State(now)
}

func viewOf(t testing.TB, name string) shop.View {
	t.Helper()
	state, err := load(name, noon)
	if err != nil {
		t.Fatal(err)
	}
	return shop.View{State: &state, Now: noon}
}

func find(t *testing.T, v shop.View, sku string) *shop.Product {
	t.Helper()
	product, ok := v.BySKU(sku)
	if !ok {
		t.Fatalf("no product %s", sku)
	}
	return product
}

func TestEveryProductOfTheDemoIsThere(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	data, err := fixtures.Demo()
	if err != nil {
		t.Fatal(err)
	}
	variations := 0
	for _, product := range data.Products {
		row := find(t, v, product.SKU)
		if row.Name != product.Name || len(row.CategoryIDs) == 0 || len(row.Images) == 0 || len(row.TagIDs) != len(product.Tags) {
			t.Errorf("%s is not whole: %+v", product.SKU, row)
		}
		if children := v.Children(row.ID); len(children) != len(product.Variations) {
			t.Errorf("%s has %d variations, want %d", product.SKU, len(children), len(product.Variations))
		}
		variations += len(product.Variations)
	}
	if v.Products.Len() != len(data.Products) || v.Variations.Len() != variations {
		t.Errorf("%d products and %d variations, want %d and %d", v.Products.Len(), v.Variations.Len(), len(data.Products), variations)
	}
}

func TestWhatCanBeBought(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	unsellable := []string{"FH-BREAKFAST", "PM-DESK", "EX-HAMMOCK", "EX-KAYAK", "FH-SCARF", "PM-CALENDAR", "PM-ORGANISER", "GF-ENGRAVE",
		"FH-TEE-OAT-XL"}
	for product := range v.Products.All() {
		if product.Purchasable() == slices.Contains(unsellable, product.SKU) {
			t.Errorf("%s: purchasable is %t", product.SKU, product.Purchasable())
		}
	}
	for variation := range v.Variations.All() {
		if variation.Purchasable() == slices.Contains(unsellable, variation.SKU) {
			t.Errorf("%s: purchasable is %t", variation.SKU, variation.Purchasable())
		}
	}
}

func TestPricesAndStock(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	for _, want := range []struct {
		sku, price string
		onSale     bool
		stock      string
	}{
		{"FH-KETTLE", "39.00", true, shop.InStock},
		{"NL-LANTERN", "21.00", true, shop.InStock},
		{"TC-PONCHO", "54.00", false, shop.InStock},
		{"TC-HEADLAMP", "34.00", false, shop.InStock},
		{"NL-LAMP", "89.00", false, shop.InStock},
		{"FH-PAN", "64.00", false, shop.OutOfStock},
		{"FH-CUSHION", "26.00", false, shop.OutOfStock},
		{"TC-TENT", "289.00", false, shop.OnBackorder},
		{"FH-TEE", "22.00", true, shop.InStock},
		{"FH-TEE-CLAY-XL", "30.00", false, shop.OutOfStock},
		{"FH-TEE-OAT-L", "22.00", true, shop.OnBackorder},
		{"FH-JAR", "11.00", false, shop.InStock},
		{"DL-PATTERN", "0.00", false, shop.InStock},
	} {
		product := find(t, v, want.sku)
		if product.Price != want.price || product.Prices.OnSale != want.onSale || product.StockStatus != want.stock {
			t.Errorf("%s: price %s, on sale %t, %s; want %+v", want.sku, product.Price, product.Prices.OnSale, product.StockStatus, want)
		}
	}
	if lamp := find(t, v, "NL-LAMP"); *lamp.StockQuantity != 3 || *lamp.Extra().LowStockAmount != 5 {
		t.Errorf("the lamp's stock: %d, low at %d", *lamp.StockQuantity, *lamp.Extra().LowStockAmount)
	}
}

func TestRatingsComeFromTheReviews(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	for sku, want := range map[string]shop.Rating{"FH-MUG": 467, "FH-TEE": 400, "TC-STOVE": 200, "NL-LAMP": 0, "FH-SOCKS": 0} {
		if product := find(t, v, sku); product.AverageRating != want {
			t.Errorf("%s is rated %s (%d reviews), want %s", sku, product.AverageRating, product.RatingCount, want)
		}
	}
}

func TestReviewsKnowWhoHasBought(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	verified := 0
	for review := range v.Reviews.All() {
		if review.Verified {
			verified++
		}
		if review.Created.After(v.Now) {
			t.Errorf("review %d is of %s", review.ID, review.Created)
		}
	}
	if v.Reviews.Len() != 14 || verified == 0 || verified == v.Reviews.Len() {
		t.Errorf("%d reviews, %d by buyers", v.Reviews.Len(), verified)
	}
}

func TestVariationsKnowTheirChoices(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	for sku, want := range map[string]string{
		"FH-TEE-INK-M":      "pa_colour=Ink pa_size=M",
		"FH-BELT-105-BRASS": "Length=105 cm Buckle=Brass",
		"FH-BELT-85":        "Length=85 cm Buckle=",
		"FH-BEANIE-ANY":     "pa_colour=",
	} {
		var got []string
		for _, choice := range find(t, v, sku).Choices {
			got = append(got, choice.Slug+"="+choice.Option)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %q, want %q", sku, got, want)
		}
	}
	if tee := find(t, v, "FH-TEE"); len(tee.Extra().DefaultAttributes) != 2 || tee.Extra().DefaultAttributes[0].Option != "Ink" {
		t.Errorf("preselected: %+v", tee.Extra().DefaultAttributes)
	}
}

func TestLinksBetweenProducts(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	table := find(t, v, "FH-BREAKFAST")
	if len(table.Extra().GroupedIDs) != 4 || table.Extra().GroupedIDs[0] != find(t, v, "FH-MUG").ID {
		t.Errorf("grouped: %v", table.Extra().GroupedIDs)
	}
	mug := find(t, v, "FH-MUG")
	if !slices.Equal(mug.Extra().UpsellIDs, []int64{find(t, v, "FH-KETTLE").ID}) || len(mug.Extra().CrossSellIDs) != 2 {
		t.Errorf("the mug goes with %v and %v", mug.Extra().UpsellIDs, mug.Extra().CrossSellIDs)
	}
}

func TestWhereTheShopShips(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	for _, want := range []struct {
		place  shop.Address
		zone   string
		method string
		cost   string
	}{
		{shop.Address{Country: "US", State: "CA", Postcode: "94103"}, "California", pricing.FlatRate, "5.00"},
		{shop.Address{Country: "US", State: "CA", Postcode: "90012"}, "Los Angeles", pricing.FlatRate, "4.00"},
		{shop.Address{Country: "US", State: "NY", Postcode: "10011"}, "United States", pricing.FlatRate, "8.50"},
		{shop.Address{Country: "DE", Postcode: "10997"}, "Europe", pricing.FlatRate, "16.00"},
		{shop.Address{Country: "JP", State: "13"}, "Rest of the world", pricing.FlatRate, "28.00"},
	} {
		zone, ok := v.Zones.Get(v.ZoneFor(want.place))
		if !ok || zone.Name != want.zone {
			t.Errorf("%+v lies in %+v, want %s", want.place, zone, want.zone)
			continue
		}
		if method := firstMethod(v, zone.ID); method == nil || method.MethodID != want.method || method.Settings["cost"] != want.cost {
			t.Errorf("%s begins with %+v", zone.Name, method)
		}
	}
}

func firstMethod(v shop.View, zone int64) *shop.ShippingMethod {
	for method := range v.Methods.All() {
		if method.ZoneID == zone {
			return method
		}
	}
	return nil
}

func TestTheEmptyShop(t *testing.T) {
	v := viewOf(t, fixtures.EmptySeed)
	if v.Products.Len()+v.Variations.Len()+v.Orders.Len()+v.Coupons.Len()+v.TaxRates.Len()+v.Methods.Len() != 0 {
		t.Error("the empty shop is not empty")
	}
	if _, ok := v.Zones.Get(0); !ok || v.Zones.Len() != 1 || v.Gateways.Len() != 4 || v.TaxClasses.Len() != 3 || v.Customers.Len() != 1 ||
		v.Terms.Len() != 1 {
		t.Error("a new shop has zone 0, four payment methods, three tax classes, one user and one category")
	}
	if v.Config.CurrencySymbol != "$" || v.Config.Country != "US" || v.Config.State != "CA" || v.Config.TaxesEnabled {
		t.Errorf("settings: %+v", v.Config)
	}
}

func TestWhoMaySignIn(t *testing.T) {
	for _, name := range fixtures.Seeds() {
		v := viewOf(t, name)
		admin, ok := shop.Customers.Username.Find(&v.Customers, "admin")
		if !ok || admin.Role != "administrator" || !admin.HasPassword("password") || admin.HasPassword("Password") {
			t.Errorf("%s: administrator %+v", name, admin)
		}
		key, ok := shop.Keys.Key.Find(&v.Keys, "ck_mock_rw")
		if !ok || key.Secret != "cs_mock_rw" || key.Permission != shop.ReadWrite || key.UserID != admin.ID {
			t.Errorf("%s: key %+v", name, key)
		}
		if key, ok := shop.Keys.Key.Find(&v.Keys, "ck_mock_revoked"); !ok || !key.Revoked {
			t.Errorf("%s: revoked key %+v", name, key)
		}
	}
}

func TestCouponsKnowWhatTheyAreFor(t *testing.T) {
	v := viewOf(t, fixtures.DemoSeed)
	for code, fits := range map[string]func(*shop.Coupon) bool{
		"save10":    func(c *shop.Coupon) bool { return c.Type == pricing.PercentCoupon && c.Amount == "10" },
		"lastyear":  func(c *shop.Coupon) bool { return c.Expires.Before(noon) },
		"endofweek": func(c *shop.Coupon) bool { return c.Expires.After(noon) },
		"firstten":  func(c *shop.Coupon) bool { return *c.UsageLimit == 10 && c.UsageCount == 10 },
		"mugs3":     func(c *shop.Coupon) bool { return slices.Equal(c.ProductIDs, []int64{find(t, v, "FH-MUG").ID}) },
		"kitchen15": func(c *shop.Coupon) bool { return len(c.CategoryIDs) == 1 && len(c.ExcludedProductIDs) == 1 },
	} {
		if coupon, ok := shop.Coupons.Code.Find(&v.Coupons, code); !ok || !fits(coupon) {
			t.Errorf("coupon %s: %+v", code, coupon)
		}
	}
}

func TestOneDayIsOneState(t *testing.T) {
	first, second := viewOf(t, fixtures.DemoSeed), viewOf(t, fixtures.DemoSeed)
	if first.Products.Version() != second.Products.Version() {
		t.Error("the seed was built twice for one day")
	}
	next, err := load(fixtures.DemoSeed, noon.AddDate(0, 0, 1))
	if err != nil {
		t.Fatal(err)
	}
	v := shop.View{State: &next, Now: noon.AddDate(0, 0, 1)}
	if today, tomorrow := find(t, first, "FH-MUG").Created, find(t, v, "FH-MUG").Created; !tomorrow.Equal(today.AddDate(0, 0, 1)) {
		t.Errorf("the seed does not follow the clock: %s, then %s", today, tomorrow)
	}
}

func TestLoadsFromManySides(t *testing.T) {
	var group sync.WaitGroup
	for range 8 {
		for _, name := range fixtures.Seeds() {
			group.Go(func() {
				if _, err := load(name, noon); err != nil {
					t.Error(err)
				}
			})
		}
	}
	group.Wait()
}

func TestUnknownSeed(t *testing.T) {
	if _, err := load("nope", noon); err == nil || !strings.Contains(err.Error(), "nope") {
		t.Errorf("got %v", err)
	}
}

func BenchmarkBuildDemo(b *testing.B) {
	data, err := fixtures.Demo()
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := Build(data, noon.Truncate(24*time.Hour)); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkLoadAgain(b *testing.B) {
	for b.Loop() {
		if _, err := load(fixtures.DemoSeed, noon); err != nil {
			b.Fatal(err)
		}
	}
}
