package topics_test

// A target that answers creates with ids of records that the run has not made loses none of them.

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"shopcheck/mockserver"
	"shopcheck/reports"
	"shopcheck/suites"
	"shopcheck/suites/client"
	"shopcheck/suites/profile"
	"shopcheck/suites/topics"
)

// hostileKind is a kind of records whose creates are answered with other ids.
type hostileKind struct {
	name   string
	create string         // regular expression: method and path of the creates
	field  string         // gjson path of the id in the answer; "#" stands for each entry of a list
	label  string         // of the specs that make such records
	others string         // collection of records of others, below the management API
	record map[string]any // one of somebody else's
}

func hostileKinds() []hostileKind {
	product := map[string]any{"name": "Somebody's lamp", "manage_stock": true, "stock_quantity": 40, "regular_price": "5.00"}
	order := map[string]any{"billing": map[string]any{"email": "somebody@example.com"}, "customer_note": "somebody's"}
	customer := map[string]any{"email": "somebody@example.com", "username": "somebody"}
	term := map[string]any{"name": "Somebody's term"}
	return []hostileKind{
		{"products", `^POST /shop/v\d/products$`, "id", "products", "products", product},
		{"products that are bought", `^POST /shop/v\d/products$`, "id", "orders || orderstate", "products", product},
		{"products of a batch", `^POST /shop/v\d/products/batch$`, "create.#.id", "batch", "products", product},
		{"variations", `^POST /shop/v\d/products/\d+/variations$`, "id", "products", "products/{id}/variations",
			map[string]any{"regular_price": "5.00"}},
		{"attributes", `^POST /shop/v\d/products/attributes$`, "id", "products", "products/attributes", term},
		{"categories", `^POST /shop/v\d/products/categories$`, "id", "products", "products/categories", term},
		{"tags", `^POST /shop/v\d/products/tags$`, "id", "products", "products/tags", term},
		{"orders", `^POST /shop/v\d/orders$`, "id", "orders || orderstate", "orders", order},
		{"orders of a batch", `^POST /shop/v\d/orders/batch$`, "create.#.id", "batch", "orders", order},
		{"orders of a checkout", `/store/v1/checkout$`, "order_id", "checkout || orderstate", "orders", order},
		{"notes", `^POST /shop/v\d/orders/\d+/notes$`, "id", "orders", "orders/{id}/notes", map[string]any{"note": "somebody's"}},
		{"customers", `^POST /shop/v\d/customers$`, "id", "customers", "customers", customer},
		{"customers of a batch", `^POST /shop/v\d/customers/batch$`, "create.#.id", "batch", "customers", customer},
		{"accounts of a checkout", `^POST /shop/store/v1/checkout$`, "customer_id", "checkout", "customers", customer},
		{"webhooks", `^POST /shop/v\d/webhooks$`, "id", "webhooks", "webhooks",
			map[string]any{"name": "somebody's", "topic": "coupon.restored", "delivery_url": "https://example.com/hook"}},
	}
}

// swapper changes the ids of the answers to creates on their way. Its answers come in the order of the requests.
type swapper struct {
	kind   hostileKind
	create *regexp.Regexp
	other  func() int64 // the next id of another record; 0 leaves the answer's own

	mu      sync.Mutex
	last    int64 // the record that was made last
	swapped int
}

// RoundTrip implements http.RoundTripper.
func (s *swapper) RoundTrip(r *http.Request) (*http.Response, error) {
	answer, err := http.DefaultTransport.RoundTrip(r)
	if err != nil || answer.StatusCode >= 300 || !s.create.MatchString(r.Method+" "+r.URL.Path) {
		return answer, err
	}
	body, err := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if err != nil {
		return nil, err
	}
	body = s.swap(body)
	answer.Body, answer.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	answer.Header.Del("Content-Length")
	return answer, nil
}

func (s *swapper) swap(body []byte) []byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	fields := []string{s.kind.field}
	if list, field, isList := strings.Cut(s.kind.field, ".#."); isList {
		fields = nil
		for i := range gjson.GetBytes(body, list).Array() {
			fields = append(fields, fmt.Sprintf("%s.%d.%s", list, i, field))
		}
	}
	for _, field := range fields {
		if !gjson.GetBytes(body, field).Exists() {
			continue
		}
		id := s.other()
		if own := gjson.GetBytes(body, field).Int(); own != 0 { // a guest's checkout names no account
			s.last = own
		}
		if id == 0 {
			continue
		}
		body, _ = sjson.SetBytes(body, field, id)
		s.swapped++
	}
	return body
}

// ask sends a request of the management API, which succeeds.
func ask(t *testing.T, p profile.Profile, req client.Request) gjson.Result {
	t.Helper()
	api := client.New(p, client.NewRedactor(p), func(reports.Exchange) int { return 0 }, nil)
	defer api.Close()
	req.Path = client.Management + "/" + req.Path
	req.Auth = client.Auth{Credentials: p.Credentials.ReadWrite, Way: client.BasicWay}
	a := api.Do(context.Background(), req)
	if !a.OK() {
		t.Fatalf("%v %s", a, a.Body)
	}
	return a.JSON()
}

func TestAHostileTargetLosesNothing(t *testing.T) {
	for _, kind := range hostileKinds() {
		for _, mode := range []string{"existing ids", "ids of new records of others", "ids answered twice"} {
			t.Run(kind.name+"/"+mode, func(t *testing.T) { checkHostile(t, kind, mode) })
		}
	}
}

func checkHostile(t *testing.T, kind hostileKind, mode string) {
	server := mockserver.Start(t)
	p := profileOf(t, server.URL())
	if parents, below, belongs := strings.Cut(kind.others, "/{id}/"); belongs {
		query := map[string][]string{"type": {"variable"}}
		if parents == "orders" {
			query = nil
		}
		parent := ask(t, p, client.Request{Method: http.MethodGet, Path: parents, Query: query}).Get("0.id")
		kind.others = fmt.Sprintf("%s/%d/%s", parents, parent.Int(), below)
	}
	somebodys := ask(t, p, client.Request{Method: http.MethodPost, Path: kind.others, Body: kind.record}).Get("id").Int()
	before := export(t, server)
	s := &swapper{kind: kind, create: regexp.MustCompile(kind.create)}
	switch mode {
	case "existing ids":
		query := map[string][]string{"per_page": {"100"}}
		if kind.others == "customers" {
			query["role"] = []string{"all"} // the administrator is one
		}
		existing := ask(t, p, client.Request{Method: http.MethodGet, Path: kind.others, Query: query}).Get("#.id").Array()
		next := 0
		s.other = func() int64 {
			next++
			return existing[next%len(existing)].Int()
		}
	case "ids of new records of others":
		s.other = func() int64 {
			if somebodys != 0 { // above all that was there when the run began
				meanwhile := export(t, server)
				renewed := maps.Clone(kind.record)
				for field, value := range map[string]string{"email": "newcomer@example.com", "username": "newcomer",
					"name": "A newcomer's"} {
					if renewed[field] != nil {
						renewed[field] = value
					}
				}
				somebodys = -ask(t, p, client.Request{Method: http.MethodPost, Path: kind.others, Body: renewed}).Get("id").Int()
				for key, row := range export(t, server) {
					if meanwhile[key] != row {
						before[key] = row
					}
				}
			}
			id := -somebodys
			somebodys = 0
			s.other = func() int64 { return id }
			return id
		}
	case "ids answered twice":
		again := false
		s.other = func() int64 {
			if again = !again && s.last != 0; again {
				return s.last
			}
			return 0
		}
	}
	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All(), Label: kind.label, Transport: s})
	if err != nil || s.swapped == 0 {
		t.Fatalf("%v, %d ids were changed", err, s.swapped)
	}
	told := report.Verdict == reports.NotConformant
	if kind.name == "notes" || kind.name == "webhooks" { // their records are not documented
		told = report.Verdict != reports.Conformant
	}
	if !told && kind.field != "customer_id" { // the specs ask for one account, and may be answered with its own id
		t.Error("nothing says that the target answered with ids of others:", report.Verdict, report.Reasons)
	}
	checkUntouched(t, before, export(t, server))
}

func TestAForeignIDIsAFindingAboutIDs(t *testing.T) {
	p := profileOf(t, mockserver.Start(t).URL())
	foreign := ask(t, p, client.Request{Method: http.MethodGet, Path: "products"}).Get("0.id").Int()
	path := fmt.Sprintf("/shop/v3/products/%d", foreign)
	kind := hostileKinds()[0]
	s := &swapper{kind: kind, create: regexp.MustCompile(kind.create), other: func() int64 { return foreign }}
	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All(), Label: "products", Focus: "update",
		Transport: s})
	if err != nil {
		t.Fatal(err)
	}
	said := false
	for _, spec := range report.Specs {
		said = said || slices.ContainsFunc(spec.Findings, func(f reports.Finding) bool {
			return f.Requirement == "product.field.id" && f.Level == reports.Must && strings.Contains(f.Message, "was not sent") &&
				strings.HasPrefix(f.Got, path+":")
		})
	}
	if !said {
		t.Error("no finding names the id")
	}
	if !slices.ContainsFunc(report.Leftovers, func(left string) bool { return strings.HasPrefix(left, path+" is left") }) {
		t.Errorf("left %v", report.Leftovers)
	}
}

// Coupons are made for one spec, which asks for their codes only: nothing tells of the id, but the coupon of the other stays, and that of
// the run goes.
func TestACouponOfAnotherIsLeft(t *testing.T) {
	server := mockserver.Start(t)
	p := profileOf(t, server.URL())
	foreign := ask(t, p, client.Request{Method: http.MethodPost, Path: "coupons",
		Body: map[string]any{"code": "somebodys", "discount_type": "percent", "amount": "1"}}).Get("id").Int()
	before := export(t, server)
	s := &swapper{kind: hostileKind{field: "id"}, create: regexp.MustCompile(`^POST /shop/v\d/coupons$`),
		other: func() int64 { return foreign }}
	report, err := suites.Run(context.Background(), suites.Options{Profile: p, Topics: topics.All(),
		Label: "req:orders.create.coupon-lines", Transport: s})
	if err != nil || s.swapped == 0 {
		t.Fatalf("%v, %d ids were changed", err, s.swapped)
	}
	if len(report.Leftovers) != 1 || !strings.Contains(report.Leftovers[0], fmt.Sprintf("/coupons/%d is left", foreign)) {
		t.Errorf("left %v", report.Leftovers)
	}
	checkUntouched(t, before, export(t, server))
}

func TestCleanupLeavesOtherRunsAlone(t *testing.T) {
	server := mockserver.Start(t)
	p := profileOf(t, server.URL())
	for i, kind := range hostileKinds() {
		for _, field := range []string{"name", "username", "customer_note"} {
			if strings.Contains(kind.others, "{id}") || kind.record[field] == nil {
				continue
			}
			record := maps.Clone(kind.record)
			record[field] = "shopcheck-89abcdef-" + strconv.Itoa(i)
			if record["email"] != nil {
				record["email"] = fmt.Sprintf("buyer-89abcdef-%d@example.test", i)
			}
			ask(t, p, client.Request{Method: http.MethodPost, Path: kind.others, Body: record})
		}
	}
	before := export(t, server)
	report, err := suites.Run(context.Background(),
		suites.Options{Profile: p, Topics: topics.All(), Label: "products || orders || customers"})
	if err != nil || report.Verdict != reports.Conformant {
		t.Fatalf("%v %v", err, report.Reasons)
	}
	if _, _, err := (suites.Cleanup{Profile: p, RunID: "01234567", Agree: agree}).Run(context.Background()); err != nil {
		t.Error(err)
	}
	checkUntouched(t, before, export(t, server))
}
