package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
)

// copied copies the shop at an address, and returns the file with what was told meanwhile.
func copied(t *testing.T, address string, more ...string) (document, told string) {
	t.Helper()
	folder := t.TempDir()
	profile, file := filepath.Join(folder, "shop.yaml"), filepath.Join(folder, "copy.json")
	text := "target: " + address + "\ncredentials:\n  read: {key: ck_mock_r, secret: cs_mock_r}\nlimits: {retries: 0}\n" +
		strings.Join(more, "\n")
	if err := os.WriteFile(profile, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	run := command()
	run.SetArgs([]string{"import", "--profile", profile, "--out", file})
	run.SetErr(&out)
	if err := run.ExecuteContext(t.Context()); err != nil {
		fmt.Fprintln(&out, err)
	}
	told = out.String()
	content, err := os.ReadFile(file)
	if err != nil {
		return "", told
	}
	return string(content), told
}

// served is a shop made of a copy.
func served(t *testing.T, document string) *mockserver.Server {
	t.Helper()
	shop := mockserver.StartWith(t, mockserver.Options{SeedData: []byte(document)})
	for _, note := range shop.SeedNotes() {
		t.Error(note)
	}
	return shop
}

// listed is a list of a shop's management API, with its address taken out.
func listed(t *testing.T, shop *mockserver.Server, path string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, shop.URL()+"/shop/v3"+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.SetBasicAuth("ck_mock_rw", "cs_mock_rw")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatalf("%s: %d %s, %v", path, answer.StatusCode, body, err)
	}
	return strings.ReplaceAll(string(body), shop.URL(), "")
}

// withoutMembers takes members out of a list of records, wherever they are.
func withoutMembers(value any, names ...string) any {
	switch value := value.(type) {
	case []any:
		for i := range value {
			value[i] = withoutMembers(value[i], names...)
		}
	case map[string]any:
		for _, name := range names {
			delete(value, name)
		}
		for name := range value {
			value[name] = withoutMembers(value[name], names...)
		}
	}
	return value
}

func less(t *testing.T, list string, names []string) string {
	t.Helper()
	var tree any
	if err := json.Unmarshal([]byte(list), &tree); err != nil {
		t.Fatal(err)
	}
	text, err := json.MarshalIndent(withoutMembers(tree, names...), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// notCopied are the members of lists that a copy does not keep.
var notCopied = map[string][]string{
	"/products": {"file"}, "/coupons": {"description", "email_restrictions", "used_by"},
	"/customers": {"billing", "shipping", "email", "first_name", "last_name", "username"},
	"/orders": {"billing", "shipping", "order_key", "payment_url", "transaction_id", "customer_ip_address", "customer_user_agent",
		"customer_note", "cart_hash", "meta_data", "reason"},
	"/refunds": {"reason", "refunded_by", "meta_data"}, "/products/reviews": {"review", "reviewer", "reviewer_email"},
}

func TestACopyShowsWhatTheShopShows(t *testing.T) {
	t.Parallel()
	source := mockserver.Start(t)
	document, told := copied(t, source.URL())
	copy := served(t, strings.ReplaceAll(document, source.URL(), ""))
	if strings.Contains(told, "left out") || strings.Contains(document, "cs_mock") {
		t.Errorf("told: %s", told)
	}
	paths := []string{"/products?per_page=100", "/products/categories?per_page=100", "/products/tags", "/products/brands",
		"/products/shipping_classes", "/products/attributes", "/coupons?per_page=100", "/taxes?per_page=100", "/taxes/classes",
		"/shipping/zones", "/settings/general", "/settings/products", "/settings/tax", "/settings/shipping", "/settings/account",
		"/products/reviews?per_page=100", "/customers?role=customer&per_page=100&orderby=id", "/orders?per_page=100",
		"/refunds?per_page=100"}
	below := func(list, after string) {
		for _, id := range gjson.Get(listed(t, source, list), "#.id").Array() {
			path, _, _ := strings.Cut(list, "?")
			paths = append(paths, path+"/"+id.Raw+after)
		}
	}
	below("/products?type=variable&per_page=100", "/variations")
	below("/products/attributes", "/terms?per_page=100")
	below("/shipping/zones", "/methods")
	below("/shipping/zones", "/locations")
	for _, path := range paths {
		name, _, _ := strings.Cut(path, "?")
		wanted, got := less(t, listed(t, source, path), notCopied[name]), less(t, listed(t, copy, path), notCopied[name])
		if name == "/orders" { // which have no words of anybody's own, and not what a buyer chose where a variation leaves it open
			wanted = strings.NewReplacer(`"Gift wrapping"`, `"Fee"`, "Leather Belt - 95 cm, Steel", "Leather Belt - 95 cm",
				"Knit Beanie - Moss", "Knit Beanie").Replace(wanted)
		}
		if wanted != got {
			t.Errorf("%s differs: %s", path, firstDifference(wanted, got))
		}
	}
}

func firstDifference(wanted, got string) string {
	a, b := strings.Split(wanted, "\n"), strings.Split(got, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d: %s, and got %s", i, strings.Join(a[max(0, i-3):i+1], " "), b[i])
		}
	}
	return fmt.Sprintf("%d and %d lines", len(a), len(b))
}

// between is a server that changes what a shop answers. It lets nothing but reads pass.
func between(t *testing.T, shop *mockserver.Server, change func(path string, list []any) any) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet {
			t.Errorf("%s %s is no read", r.Method, r.URL.Path)
		}
		answer := httptest.NewRecorder()
		shop.Handler().ServeHTTP(answer, r)
		body := answer.Body.Bytes()
		var list []any
		if answer.Code == http.StatusOK && json.Unmarshal(body, &list) == nil {
			body, _ = json.Marshal(change(strings.TrimPrefix(r.URL.Path, "/shop/v3"), list))
		}
		for _, name := range []string{"Content-Type", "X-Shop-Total", "X-Shop-TotalPages"} {
			w.Header().Set(name, answer.Header().Get(name))
		}
		w.WriteHeader(answer.Code)
		w.Write(body) //nolint:errcheck // a client that has gone
	}))
	t.Cleanup(server.Close)
	return server.URL
}

const mark = "Q7zmarked"

// marked puts a mark into every text of a value, and more of it where nobody looks for it.
func marked(value any, keep func(name string) bool) any {
	switch value := value.(type) {
	case string:
		return value + mark
	case []any:
		for i := range value {
			value[i] = marked(value[i], keep)
		}
	case map[string]any:
		for name := range value {
			if !keep(name) {
				value[name] = marked(value[name], keep)
			}
		}
		value[mark], value["meta_data"] = mark, []any{map[string]any{"id": 1, "key": mark, "value": mark}}
		value["national_id"] = map[string]any{"number": mark}
	}
	return value
}

func TestNothingOfAPersonIsInACopy(t *testing.T) {
	t.Parallel()
	people := []string{"/customers", "/orders", "/refunds", "/reviews"}
	personal := func(path string) bool {
		for _, name := range people {
			if strings.HasPrefix(path, name) || strings.HasSuffix(path, name) {
				return true
			}
		}
		return false
	}
	for name, keep := range map[string]func(string) bool{
		"every text is marked": func(string) bool { return false },
		"the texts of people are marked": func(name string) bool {
			return strings.HasPrefix(name, "date_") || strings.Contains(name, "total") || strings.Contains(name, "tax") ||
				name == "status" || name == "currency" || name == "amount" || name == "rate_percent" || name == "nominal_amount"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			source := mockserver.Start(t)
			document, told := copied(t, between(t, source, func(path string, list []any) any {
				switch {
				case personal(path):
					marked(list, keep)
				case path == "/coupons":
					for _, coupon := range list {
						coupon.(map[string]any)["used_by"] = []any{mark + "@example.test"}
						coupon.(map[string]any)["email_restrictions"] = []any{mark + "@example.test"}
						coupon.(map[string]any)["description"] = mark
					}
				case path == "/payment_gateways":
					for _, gateway := range list {
						gateway.(map[string]any)["settings"] = map[string]any{"key": map[string]any{"value": mark}}
					}
				case path == "/products":
					for _, product := range list {
						product.(map[string]any)["post_password"], product.(map[string]any)["downloads"] = mark, []any{map[string]any{
							"id": "1", "name": "Pattern", "file": "https://example.test/" + mark}}
						product.(map[string]any)["meta_data"] = []any{map[string]any{"id": 1, "key": "_" + mark, "value": 1},
							map[string]any{"id": 2, "key": "vendor", "value": mark + "@example.test"}}
					}
				}
				return list
			}))
			if at := strings.Index(strings.ToLower(document), strings.ToLower(mark)); at >= 0 || document == "" {
				t.Fatalf("the copy has %q; told: %s", document[max(0, at-200):min(len(document), at+50)], told)
			}
			for _, list := range []string{"customers", "orders", "refunds", "reviews"} {
				if len(gjson.Get(document, list).Array()) == 0 {
					t.Errorf("the copy has no %s", list)
				}
			}
			for _, there := range []string{"maya", "torres", "cs_mock", "larkfield", "415-555", "94103\",\"state", "parcel took"} {
				if strings.Contains(strings.ToLower(document), there) {
					t.Errorf("the copy has %q", there)
				}
			}
		})
	}
}

func TestAPersonHasOnePseudonymInACopy(t *testing.T) {
	t.Parallel()
	shop := mockserver.Start(t)
	first, _ := copied(t, shop.URL())
	second, _ := copied(t, shop.URL())
	known := map[int64]string{}
	for _, customer := range gjson.Get(first, "customers").Array() {
		known[customer.Get("id").Int()] = customer.Get("email").Str
	}
	met := 0
	for _, order := range gjson.Get(first, "orders").Array() {
		if email, registered := known[order.Get("customer_id").Int()]; registered {
			met++
			if got := order.Get("billing.email").Str; got != email {
				t.Errorf("%s is %s in order %d", email, got, order.Get("id").Int())
			}
		}
	}
	if met == 0 || len(known) == 0 {
		t.Errorf("%d orders of %d customers", met, len(known))
	}
	if a, b := gjson.Get(first, "customers.0.email").Str, gjson.Get(second, "customers.0.email").Str; a == b {
		t.Errorf("%s is told by guessing: another copy has the same", a)
	}
}

func TestACopyOfAShopThatSpeaksADialect(t *testing.T) {
	t.Parallel()
	source := mockserver.Start(t)
	document, told := copied(t, source.URL(), "dialect: woocommerce")
	if !strings.Contains(document, `"id":"shop_currency"`) || len(gjson.Get(document, "products").Array()) != 48 {
		t.Errorf("told: %s", told)
	}
	served(t, document)
}

func TestACopyOfABrokenShop(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`[`, 20_000) + strings.Repeat(`]`, 20_000)
	for name, broken := range map[string]struct {
		path   string
		answer func([]any) any
		tells  string
		has    int // products in the file; -1: there is none
	}{
		"records that are none": {"/products", func(list []any) any { return append(list, "product", nil, 7) },
			"no object is left out", 48},
		"a product that cannot be": {"/products", func(list []any) any {
			list[0].(map[string]any)["type"] = "\x1b[2Jbundle"
			return list
		}, "is left out: type must be one of simple", 48},
		"a product twice": {"/products", func(list []any) any { return append(list, list...) }, "products: 48", 48},
		"texts where there are objects": {"/products", func(list []any) any {
			list[0].(map[string]any)["images"], list[0].(map[string]any)["categories"] = "none", map[string]any{"a": "b"}
			list[0].(map[string]any)["downloads"] = map[string]any{"a": []any{}}
			return list
		}, "is left out", 48},
		"a number that fits no number": {"/products", func(list []any) any {
			list[0].(map[string]any)["menu_order"] = json.Number("1e400")
			return list
		}, "is left out", 48},
		"no list":  {"/products", func([]any) any { return map[string]any{"products": 1} }, "does not answer with a list", -1},
		"no end":   {"/products", func([]any) any { return json.RawMessage(deep) }, "does not answer with a list", -1},
		"no terms": {"/products/brands", func([]any) any { return []any{} }, "brands: 0", 48},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			document, told := copied(t, between(t, mockserver.Start(t), func(path string, list []any) any {
				if path == broken.path && len(list) > 1 {
					return broken.answer(list)
				}
				return list
			}))
			if has := len(gjson.Get(document, "products").Array()); has != max(0, broken.has) || (document == "") != (broken.has < 0) {
				t.Errorf("%d products", has)
			}
			if !strings.Contains(told, broken.tells) || strings.Contains(told, "\x1b") {
				t.Errorf("told: %s", told)
			}
		})
	}
}

// A shop that does not know pages shows the same list again and again.
func TestACopyOfAShopWithoutPages(t *testing.T) {
	t.Parallel()
	source := mockserver.Start(t)
	pages := 0
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		query := r.URL.Query()
		if r.URL.Path == "/shop/v3/products" && query.Get("page") != "" {
			pages++
			query.Set("page", "1")
			r.URL.RawQuery = query.Encode()
		}
		answer := httptest.NewRecorder()
		source.Handler().ServeHTTP(answer, r)
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(answer.Code)
		io.Copy(w, bytes.NewReader(answer.Body.Bytes())) //nolint:errcheck // a client that has gone
	}))
	defer server.Close()
	document, told := copied(t, server.URL)
	if has := len(gjson.Get(document, "products").Array()); has != 48 || pages > 4 {
		t.Errorf("%d products of %d pages; told: %s", has, pages, told)
	}
}

// TestACopyKeepsNoPages looks what stays in memory of pages of which a few bytes are needed.
func TestACopyKeepsNoPages(t *testing.T) {
	const pages, size = 64, 1 << 20
	rest := strings.Repeat("x", size)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Shop-TotalPages", strconv.Itoa(pages))
		fmt.Fprintf(w, `[{"id": %s1, "name": "Pot", "rest": %q}]`, r.URL.Query().Get("page"), rest)
	}))
	defer server.Close()
	p := profile.New(server.URL)
	shop := client.New(p, client.NewRedactor(p), func(reports.Exchange) int { return 0 }, nil)
	defer shop.Close()
	c := &copier{ctx: t.Context(), shop: shop, progress: io.Discard, known: map[string]map[string]string{}}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if err := c.plain("products", "/products", nil, keep("id name"), c.named("product", "id", "name")); err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if stayed := int64(after.HeapAlloc) - int64(before.HeapAlloc); len(c.known["product"]) != pages || stayed > pages*size/4 {
		t.Errorf("%d bytes stay of %d products", stayed, len(c.known["product"]))
	}
}

func TestImportSaysWhatItNeeds(t *testing.T) {
	t.Parallel()
	for args, wanted := range map[string]string{
		"import": "give either a FILE", "import file.json --from http://127.0.0.1:1": "give either a FILE",
		"import --from nowhere": "is not an http or https URL", "import --profile nowhere.yaml": "nowhere.yaml",
	} {
		if got := ran(t, strings.Fields(args)...); !strings.Contains(got, wanted) {
			t.Errorf("%s: %s", args, got)
		}
	}
}
