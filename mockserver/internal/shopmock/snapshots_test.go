package shopmock_test

// What a shop knows: kept, put back, cloned, written to a document and read from one.

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"shopcheck/mockserver/internal/shopmock"
)

// products is how many products a shop has.
func products(shop *shopmock.Server) string {
	return direct(shop, "GET", "/shop/v3/products?per_page=1", "").Header().Get("X-Shop-Total")
}

// exported is the document of a shop.
func exported(t *testing.T, shop *shopmock.Server) string {
	t.Helper()
	var text bytes.Buffer
	if err := shop.Export(&text); err != nil {
		t.Fatal(err)
	}
	return text.String()
}

func TestASnapshotIsRestored(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	noon(t, shop)
	token := asking(shop, "GET", "/shop/store/v1/cart", "").Header().Get("Cart-Token")
	asking(shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":2}`, "Cart-Token", token)
	before := exported(t, shop)
	if answer := direct(shop, "POST", "/_mock/snapshots", `{"name":"full-cart"}`); answer.Code != 201 ||
		gjson.Get(answer.Body.String(), "taken_at").Str != "2026-03-01T12:00:00Z" {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	direct(shop, "POST", "/shop/v3/products", `{"name":"later"}`)
	asking(shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Cart-Token", token)
	clocked(t, shop, `{"advance":"30d"}`)
	if direct(shop, "GET", "/_mock/snapshots", "").Body.String() != `[{"name":"full-cart","taken_at":"2026-03-01T12:00:00Z"}]` {
		t.Error("the list")
	}
	if answer := direct(shop, "POST", "/_mock/snapshots/full-cart/restore", ""); answer.Code != 200 {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	if after := exported(t, shop); after != before {
		t.Error("the shop is not what it was")
	}
	cart := asking(shop, "GET", "/shop/store/v1/cart", "", "Cart-Token", token)
	if got := gjson.Get(cart.Body.String(), "items_count").Int(); got != 2 {
		t.Errorf("the visitor's cart has %d pieces", got)
	}
	for _, want := range []int{204, 404} {
		if answer := direct(shop, "DELETE", "/_mock/snapshots/full-cart", ""); answer.Code != want {
			t.Errorf("DELETE: %d, want %d", answer.Code, want)
		}
	}
}

func TestSnapshotsThatCannotBeAreRefused(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{Seed: "empty"})
	for body, want := range map[string]int{`{"name":"A"}`: 400, `{"nme":"a"}`: 400, `[`: 400, `{} {}`: 400, `{"name":"-"}`: 400} {
		if answer := direct(shop, "POST", "/_mock/snapshots", body); answer.Code != want || !isEnvelope(want, answer.Body.String()) {
			t.Errorf("%s: %d %s", body, answer.Code, answer.Body)
		}
	}
	if answer := direct(shop, "POST", "/_mock/snapshots/none/restore", ""); answer.Code != 404 {
		t.Errorf("an unknown one: %d", answer.Code)
	}
	for number := range 100 {
		if answer := direct(shop, "POST", "/_mock/snapshots", ""); answer.Code != 201 {
			t.Fatalf("snapshot %d: %d", number, answer.Code)
		}
	}
	if answer := direct(shop, "POST", "/_mock/snapshots", ""); answer.Code != 409 || !isEnvelope(409, answer.Body.String()) {
		t.Errorf("one too many: %d", answer.Code)
	}
	if answer := direct(shop, "POST", "/_mock/snapshots", `{"name":"snapshot-1"}`); answer.Code != 201 {
		t.Errorf("in the place of another: %d", answer.Code)
	}
}

func TestASandboxBeginsWithWhatItIsToldTo(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	if _, err := shop.TakeSnapshot("before"); err != nil {
		t.Fatal(err)
	}
	direct(shop, "POST", "/shop/v3/products", `{"name":"in the server"}`)
	first := shop.SandboxFrom(t, "first", shopmock.Origin{Clone: "."})
	direct(first, "POST", "/shop/v3/products", `{"name":"in the first"}`)
	for body, want := range map[string]string{
		`{"seed":"empty"}`: "0", `{"snapshot":"before"}`: "48", `{"clone":"."}`: "49", `{"clone":"first"}`: "50", `{}`: "48",
	} {
		answer := direct(shop, "POST", "/_mock/sandboxes", body)
		at := "/s/" + gjson.Get(answer.Body.String(), "name").Str
		count := func() string {
			return direct(shop, "GET", at+"/shop/v3/products?per_page=1", "").Header().Get("X-Shop-Total")
		}
		if got := count(); got != want {
			t.Errorf("%s: %s products, want %s (%d %s)", body, got, want, answer.Code, answer.Body)
		}
		direct(shop, "POST", at+"/shop/v3/products", `{"name":"in the new one"}`)
		direct(shop, "POST", at+"/_mock/reset", "")
		if got := count(); got != want {
			t.Errorf("%s, after a reset: %s products, want %s", body, got, want)
		}
		key := gjson.Get(answer.Body.String(), "consumer_key").Str + "&consumer_secret=" +
			gjson.Get(answer.Body.String(), "consumer_secret").Str
		if got := asking(shop, "GET", "/shop/v3/products?per_page=1&consumer_key="+key, ""); got.Header().Get("X-Shop-Total") != want {
			t.Errorf("%s, by its key alone: %d", body, got.Code)
		}
	}
	if products(first) != "50" || products(shop) != "49" {
		t.Errorf("what was cloned has changed: %s, %s", products(first), products(shop))
	}
	key, secret := first.Key()
	clone := shop.SandboxFrom(t, "", shopmock.Origin{Clone: "first"})
	if answer := asking(clone, "GET", "/shop/v3/products?consumer_key="+key+"&consumer_secret="+secret, ""); answer.Code != 401 {
		t.Errorf("a clone takes the key of what it is a clone of: %d", answer.Code)
	}
	for body, want := range map[string]int{
		`{"clone":"nobody"}`: 400, `{"snapshot":"nothing"}`: 404, `{"seed":"demo","clone":"first"}`: 400, `{"clone":7}`: 400,
	} {
		if answer := direct(shop, "POST", "/_mock/sandboxes", body); answer.Code != want || !isEnvelope(want, answer.Body.String()) {
			t.Errorf("%s: %d %s", body, answer.Code, answer.Body)
		}
	}
}

// TestANonceOrABearerTokenNamesTheSandbox sends each alone to the server.
func TestANonceOrABearerTokenNamesTheSandbox(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	one, other := shop.Sandbox(t), shop.Sandbox(t)
	nonce := asking(one, "GET", "/shop/store/v1/cart", "").Header().Get("Nonce")
	if answer := asking(other, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Nonce", nonce); answer.Code != 403 {
		t.Errorf("another sandbox takes the nonce: %d", answer.Code)
	}
	added := asking(shop, "POST", "/shop/store/v1/cart/add-item", `{"id":1,"quantity":1}`, "Nonce", nonce)
	if state := one.Shop().Snapshot(); added.Code != 201 || state.Carts.Len() != 1 {
		t.Errorf("by the nonce alone: %d %s", added.Code, added.Body)
	}
	signedIn := asking(one, "POST", "/jwt-auth/v1/token", `{"username":"admin","password":"password"}`)
	bearer := "Bearer " + gjson.Get(signedIn.Body.String(), "token").Str
	made := asking(shop, "POST", "/shop/v3/products", `{"name":"by bearer"}`, "Authorization", bearer)
	if made.Code != 201 || products(one) != "49" || products(shop) != "48" {
		t.Errorf("by the bearer token alone: %d, %s products", made.Code, products(one))
	}
	if answer := asking(other, "GET", "/shop/v3/products", "", "Authorization", bearer); answer.Code != 401 {
		t.Errorf("another sandbox takes the bearer token: %d", answer.Code)
	}
}

func TestHowLongASandboxMayBeIdle(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	shop := withoutSocket(t, shopmock.Options{Seed: "empty", SandboxIdle: 10 * time.Minute, Clock: func() time.Time { return now }})
	direct(shop, "POST", "/_mock/sandboxes", `{"name":"idle"}`)
	clocked(t, shop, `{"advance":"1d"}`) // the shop's clock ends no sandbox
	now = now.Add(9 * time.Minute)
	direct(shop, "POST", "/_mock/sandboxes", `{"name":"second"}`)
	if got := gjson.Get(direct(shop, "GET", "/_mock/sandboxes", "").Body.String(), "#").Int(); got != 2 {
		t.Errorf("after 9 minutes: %d", got)
	}
	now = now.Add(2 * time.Minute)
	direct(shop, "POST", "/_mock/sandboxes", `{"name":"third"}`)
	if got := gjson.Get(direct(shop, "GET", "/_mock/sandboxes", "").Body.String(), "#.name").Raw; got != `["second","third"]` {
		t.Errorf("after 11 minutes: %s", got)
	}
	if _, err := shopmock.New(shopmock.Options{SandboxIdle: -1}); err == nil {
		t.Error("a negative time is taken")
	}
}

func TestAnExportIsImported(t *testing.T) {
	t.Parallel()
	shop, other := withoutSocket(t, shopmock.Options{}), withoutSocket(t, shopmock.Options{Seed: "empty"})
	for _, one := range []*shopmock.Server{shop, other} {
		clocked(t, one, `{"set":"2026-03-01T12:00:00Z","freeze":true}`)
	}
	if err := shop.Reset(""); err != nil {
		t.Fatal(err)
	}
	ordered(t, shop, "pending")
	document := exported(t, shop)
	if answer := direct(other, "POST", "/_mock/import", direct(shop, "GET", "/_mock/export", "").Body.String()); answer.Code != 200 {
		t.Fatalf("%d %.500s", answer.Code, answer.Body)
	}
	if got := exported(t, other); got != document {
		t.Error("what was imported is not what was exported")
	}
	for _, path := range []string{"/shop/v3/products?per_page=100", "/shop/v3/orders?per_page=100", "/shop/store/v1/products"} {
		if direct(shop, "GET", path, "").Body.String() != direct(other, "GET", path, "").Body.String() {
			t.Errorf("%s differs", path)
		}
	}
	sandbox := shop.Sandbox(t)
	if err := sandbox.Import([]byte(document)); err != nil {
		t.Fatal(err)
	}
	key, secret := sandbox.Key()
	if answer := asking(shop, "GET", "/shop/v3/orders?consumer_key="+key+"&consumer_secret="+secret, ""); answer.Code != 200 {
		t.Errorf("the sandbox has lost its key: %d", answer.Code)
	}
	sold := direct(other, "POST", "/shop/v3/products", `{"name":"next"}`)
	next := direct(shop, "POST", "/shop/v3/products", `{"name":"next"}`)
	if gjson.Get(sold.Body.String(), "id").Int() != gjson.Get(next.Body.String(), "id").Int() {
		t.Errorf("the next ids differ: %s, %s", gjson.Get(sold.Body.String(), "id"), gjson.Get(next.Body.String(), "id"))
	}
}

// TestSalesGoOnAfterAnImport imports before, and after, a sale ends.
func TestSalesGoOnAfterAnImport(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{Seed: "empty"})
	clocked(t, shop, `{"set":"2026-03-01T12:00:00Z","freeze":true}`)
	made := direct(shop, "POST", "/shop/v3/products",
		`{"name":"Mug","regular_price":"10.00","sale_price":"5.00","date_on_sale_from_gmt":"2026-03-01T00:00:00",`+
			`"date_on_sale_to_gmt":"2026-03-02T12:00:00"}`)
	path := "/shop/v3/products/" + gjson.Get(made.Body.String(), "id").Raw
	document := exported(t, shop)
	for moment, want := range map[string]string{
		"2026-02-01T12:00:00Z": "10.00", "2026-03-01T13:00:00Z": "5.00", "2026-04-01T12:00:00Z": "10.00",
	} {
		other := withoutSocket(t, shopmock.Options{Seed: "empty"})
		clocked(t, other, `{"set":"`+moment+`","freeze":true}`)
		if err := other.Import([]byte(document)); err != nil {
			t.Fatal(err)
		}
		if got := gjson.Get(direct(other, "GET", path, "").Body.String(), "price").Str; got != want {
			t.Errorf("%s: %s, want %s", moment, got, want)
		}
	}
}

// TestRareFieldsOfAProductAreExportedAsItsFields imports a product as it was exported when rare fields had no place of their own.
func TestRareFieldsOfAProductAreExportedAsItsFields(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	document := exported(t, shop)
	if gjson.Get(document, "Products.1.Extras").Exists() || !gjson.Get(document, "Products.1.UpsellIDs").IsArray() {
		t.Errorf("exported: %s", gjson.Get(document, "Products.1"))
	}
	for field, value := range map[string]any{"PurchaseNote": "Thanks", "PricedAt": "2026-01-02T03:04:05Z", "SaleFrom": nil} {
		var err error
		if document, err = sjson.Set(document, "Products.1."+field, value); err != nil {
			t.Fatal(err)
		}
	}
	if answer := direct(shop, "POST", "/_mock/import", document); answer.Code != http.StatusOK {
		t.Fatalf("%d %s", answer.Code, answer.Body)
	}
	shown := direct(shop, "GET", "/shop/v3/products/1?"+rwKey, "").Body.String()
	if got := gjson.GetMany(shown, "purchase_note", "upsell_ids"); fmt.Sprint(got) != "[Thanks [2]]" {
		t.Errorf("shown: %v", got)
	}
}

func TestAnImportThatCannotBeNamesTheLine(t *testing.T) {
	t.Parallel()
	shop := withoutSocket(t, shopmock.Options{})
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(exported(t, shop)), "", " "); err != nil {
		t.Fatal(err)
	}
	good := pretty.String()
	lineOf := func(text, part string) int { return 1 + strings.Count(text[:strings.Index(text, part)], "\n") }
	changed := func(path string, value any) string {
		text, err := sjson.Set(good, path, value)
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	cases := map[string]struct {
		document string
		part     string // what the line has that is named; "": the error need not name one
	}{
		"nothing":                 {"", ""},
		"no object":               {"[1]", ""},
		"cut off":                 {good[:len(good)/2], ""},
		"something behind":        {good + "x", ""},
		"another layout":          {changed("shopmock", 2), ""},
		"no layout":               {`{"Config":{}}`, ""},
		"no settings":             {`{"shopmock":1}`, ""},
		"an unknown table":        {strings.Replace(good, `"Reviews": {`, `"Critics": {`, 1), `"Critics"`},
		"an unknown field":        {changed("Products.1.Hue", "red"), `"Hue"`},
		"a field of another type": {changed("Products.1.MenuOrder", "first"), `"first"`},
		"a row that is null":      {changed("Products.1", nil), `"1": null`},
		"a row under another id":  {changed("Products.1.ID", 7777), ""},
		"an id of 0":              {changed("Products.0", map[string]int{"ID": 0}), ""},
		"an id that is no number": {changed("Products.one", map[string]int{"ID": 1}), ""},
		"a SKU twice":             {changed("Products.2.SKU", gjson.Get(good, "Products.1.SKU").Str), ""},
		"a broken row":            {strings.Replace(good, `"MenuOrder": `, `"MenuOrder" `, 1), `"MenuOrder" `},
	}
	before := shop.Shop().Version()
	for name, c := range cases {
		answer := direct(shop, "POST", "/_mock/import", c.document)
		reason := gjson.Get(answer.Body.String(), "data.params.body").Str
		if answer.Code != http.StatusBadRequest || !isEnvelope(400, answer.Body.String()) || !strings.HasPrefix(reason, "line ") {
			t.Errorf("%s: %d %.300s", name, answer.Code, answer.Body)
		}
		if c.part != "" && !strings.HasPrefix(reason, fmt.Sprintf("line %d: ", lineOf(c.document, c.part))) {
			t.Errorf("%s: %s; want line %d", name, reason, lineOf(c.document, c.part))
		}
	}
	unshowable := changed("Orders."+gjson.Get(good, "Orders.@keys.0").Str+".Lines", []any{map[string]any{"Taxes": nil, "Quantity": -1}})
	if answer := direct(shop, "POST", "/_mock/import", unshowable); answer.Code >= 500 {
		t.Errorf("an odd order: %d %s", answer.Code, answer.Body)
	} else if answer.Code == 400 && shop.Shop().Version() != before {
		t.Error("a refused document changed something")
	}
}

// TestWhatIsPutBackIsKept restores and imports in a shop that lasts, and in a sandbox of it, which does not.
func TestWhatIsPutBackIsKept(t *testing.T) {
	t.Parallel()
	kept := &memory{}
	shop := kept.open(t)
	if _, err := shop.TakeSnapshot("before"); err != nil {
		t.Fatal(err)
	}
	token := asking(shop, "GET", "/shop/store/v1/cart", "").Header().Get("Cart-Token")
	direct(shop, "POST", "/shop/v3/products", `{"name":"later"}`)
	document := exported(t, shop)
	for what, c := range map[string]struct {
		change func() error
		want   string
	}{
		"restored": {func() error { return shop.RestoreSnapshot("before") }, "48"},
		"imported": {func() error { return shop.Import([]byte(document)) }, "49"},
	} {
		saves := kept.saves
		if err := c.change(); err != nil || kept.saves != saves+1 {
			t.Errorf("%s: %v, %d changes were kept, want 1", what, err, kept.saves-saves)
		}
		next := kept.open(t)
		if products(next) != c.want || export(t, next) != export(t, shop) {
			t.Errorf("%s: the next process finds another shop", what)
		}
		if got := asking(next, "GET", "/shop/store/v1/cart", "", "Cart-Token", token); got.Header().Get("Cart-Token") != token {
			t.Errorf("%s: the visitor's token is no longer good", what)
		}
	}
	saves := kept.saves
	if err := shop.Sandbox(t).Import([]byte(document)); err != nil || kept.saves != saves {
		t.Errorf("a sandbox was imported: %v, %d changes of it were kept", err, kept.saves-saves)
	}
}

func TestWhatCannotBeKeptIsNotPutBack(t *testing.T) {
	t.Parallel()
	kept := &memory{}
	shop := kept.open(t)
	noon(t, shop)
	if _, err := shop.TakeSnapshot("before"); err != nil {
		t.Fatal(err)
	}
	document := exported(t, shop)
	direct(shop, "POST", "/shop/v3/products", `{"name":"later"}`)
	clocked(t, shop, `{"advance":"1d"}`)
	want := exported(t, shop)
	kept.refuse = errors.New("no space left")
	for path, body := range map[string]string{"/_mock/snapshots/before/restore": "", "/_mock/import": document} {
		answer := direct(shop, "POST", path, body)
		if answer.Code != http.StatusServiceUnavailable || !isEnvelope(503, answer.Body.String()) ||
			strings.Contains(answer.Body.String(), "no space") {
			t.Errorf("%s: %d %s", path, answer.Code, answer.Body)
		}
	}
	if exported(t, shop) != want {
		t.Error("the shop or its clock has changed")
	}
}
