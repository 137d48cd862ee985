package expect

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/onsi/gomega"
	"github.com/onsi/gomega/types"
	"github.com/tidwall/gjson"
	"github.com/tidwall/sjson"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
	"shopcheck/suites/receiver"
)

func answered(status int, body string, headers ...string) *client.Answer {
	h := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	for i := 0; i < len(headers); i += 2 {
		h.Add(headers[i], headers[i+1])
	}
	return &client.Answer{Method: "GET", Path: "/x", Status: status, Body: body, Header: h, Exchange: 3}
}

const notFound = `{"code":"shop_rest_product_invalid_id","message":"m","data":{"status":404}}`

func TestMatchersTakeAndRefuse(t *testing.T) {
	paged := answered(200, `[]`, "X-Shop-Total", "12", "X-Shop-TotalPages", "2",
		"Link", `<http://x/?page=2>; rel="next", <http://x/?page=1>; rel="previous"`)
	cart := answered(201, `{"items":[{"quantity":3,"name":"n","none":null}],"total":"35.00"}`, "Nonce", "abc")
	const token = `{"token":"a.b.c","user_email":"ada@example.test","user_nicename":"ada","user_display_name":"Ada"}`
	cases := []struct {
		name    string
		actual  any
		matcher types.GomegaMatcher
		want    bool
	}{
		{"status", cart, HaveStatus(200, 201), true},
		{"other status", cart, HaveStatus(200), false},
		{"success", cart, BeSuccess(), true},
		{"no success", answered(404, notFound), BeSuccess(), false},
		{"refused", answered(404, notFound), BeRefused(), true},
		{"500 is no refusal", answered(500, notFound), BeRefused(), false},
		{"envelope by the table", answered(404, notFound), BeErrorEnvelope("shop_rest_product_invalid_id"), true},
		{"envelope with the wrong status", answered(400, notFound), BeErrorEnvelope("shop_rest_product_invalid_id"), false},
		{"envelope with another code", answered(404, notFound), BeErrorEnvelope("rest_invalid_param", 404), false},
		{"envelope without data", answered(404, `{"code":"c","message":"m"}`), BeErrorEnvelope("c"), false},
		{"envelope of a code without status", answered(409,
			strings.Replace(notFound, "shop_rest_product_invalid_id", "shop_rest_missing_nonce", 1)),
			BeErrorEnvelope("shop_rest_missing_nonce"),
			true},
		{"a success is no envelope", answered(200, notFound), BeErrorEnvelope(""), false},
		{"envelope with a status beside the table", answered(400, notFound), BeErrorEnvelope("shop_rest_product_invalid_id", 400), true},
		{"400 is a refusal", answered(400, notFound), BeRefused(), true},
		{"399 is none", answered(399, notFound), BeErrorEnvelope(""), false},
		{"400 is an error", answered(400, notFound), BeErrorEnvelope(""), true},
		{"address", "https://x.test", beFormatted(contract.URL, ""), true},
		{"address without a host", "mailto:a", beFormatted(contract.URL, ""), false},
		{"address without a scheme", "//x.test/a", beFormatted(contract.URL, ""), false},
		{"499 is a refusal", answered(499, notFound), BeErrorEnvelope(""), true},
		{"record by its shape", answered(200, token), MatchShape(contract.LoginToken()), true},
		{"broken record by its shape", answered(200, strings.Replace(token, `"ada"`, "7", 1)), MatchShape(contract.LoginToken()), false},
		{"list by its shape", answered(200, "["+token+"]"), MatchShape(contract.LoginToken()), true},
		{"broken list by its shape", answered(200, "["+token+`,{"token":"t"}]`), MatchShape(contract.LoginToken()), false},
		{"whole record", cart, HaveMembers("items.0", someMembers("quantity", "none")), true},
		{"record with a gap", cart, HaveMembers("items.0", someMembers("quantity", "price")), false},
		{"whole body", cart, HaveMembers("", someMembers("total")), true},
		{"above zero", 0.5, BePositive(), true},
		{"zero", 0.0, BePositive(), false},
		{"a text is not above zero", "1", BePositive(), false},
		{"text", "a", BeNonEmpty(), true},
		{"empty text", "", BeNonEmpty(), false},
		{"a number is no text", 7.0, BeNonEmpty(), false},
		{"amount that is none", cart, HaveJSON("total", EqualAmount("much")), false},
		{"amount as a number", answered(200, `{"total":0}`), HaveJSON("total", EqualAmount("0")), false},
		{"not JSON's", cart, HaveJSON("total", func() {}), false},
		{"field", cart, HaveJSON("items.0.quantity", 3), true},
		{"field of another value", cart, HaveJSON("items.0.quantity", 4), false},
		{"field of another type", cart, HaveJSON("items.0.quantity", "3"), false},
		{"missing field", cart, HaveJSON("items.0.price", gomega.Not(gomega.BeNil())), false},
		{"null field", cart, HaveJSON("items.0.none", nil), true},
		{"field by matcher", cart, HaveJSON("items.0.name", gomega.HavePrefix("n")), true},
		{"field by failing matcher", cart, HaveJSON("items.0.name", gomega.HavePrefix("m")), false},
		{"object", cart, HaveJSON("items.0", map[string]any{"none": nil, "name": "n", "quantity": 3}), true},
		{"no field", cart, HaveNoField("items.1"), true},
		{"field that should not be", cart, HaveNoField("items.0"), false},
		{"header", cart, HaveHeader("Nonce", "abc"), true},
		{"delivery", cart, BeDelivered(time.Second), true},
		{"no delivery", answered(0, ""), BeDelivered(time.Second), false},
		{"signature", answered(200, "x", receiver.SignatureHeader, receiver.Signature("s", []byte("x"))), BeSignedWith("s"), true},
		{"signature of other bytes", answered(200, "y", receiver.SignatureHeader, receiver.Signature("s", []byte("x"))), BeSignedWith("s"),
			false},
		{"no signature", answered(200, "x"), BeSignedWith("s"), false},
		{"record", answered(200, token), ShowRecord(contract.LoginToken()), true},
		{"record with a field of another type", answered(200, strings.Replace(token, `"ada"`, "7", 1)),
			ShowRecord(contract.LoginToken()), false},
		{"other header", cart, HaveHeader("Nonce", "abd"), false},
		{"missing header", cart, HaveHeader("Cart-Token", BeNonEmpty()), false},
		{"paging", paged, HavePaging(12, 2), true},
		{"other paging", paged, HavePaging(12, 3), false},
		{"next", paged, HaveLink("next"), true},
		{"previous by its other name", paged, HaveLink("prev"), true},
		{"no link", cart, HaveLink("next"), false},
		{"amount", cart, HaveJSON("total", EqualAmount("35")), true},
		{"other amount", cart, HaveJSON("total", EqualAmount("35.01")), false},
		{"date", "2026-11-20T10:11:12", BeISO8601(), true},
		{"date with zone", "2026-11-20T10:11:12.5+02:00", BeISO8601(), true},
		{"no date", "20 November 2026", BeISO8601(), false},
		{"month 13", "2026-13-20T10:11:12", BeISO8601(), false},
		{"decimal", "12.50", BeDecimalMoney(), true},
		{"decimal with currency", "$12.50", BeDecimalMoney(), false},
		{"decimal as number", 12.5, BeDecimalMoney(), false},
		{"minor", "1250", BeMinorUnits(), true},
		{"minor with point", "12.50", BeMinorUnits(), false},
	}
	for _, c := range cases {
		got, err := c.matcher.Match(c.actual)
		if err != nil || got != c.want {
			t.Errorf("%s: matches %v (%v), want %v", c.name, got, err, c.want)
		}
	}
}

// someMembers is a shape with these fields, and one that may be left out.
func someMembers(names ...string) *contract.Shape {
	shape := &contract.Shape{ID: "some", Title: "record", Fields: []contract.Field{{Name: "optional", Optional: true}}}
	for _, name := range names {
		shape.Fields = append(shape.Fields, contract.Field{Name: name})
	}
	return shape
}

func TestFailuresCarryTheirStructure(t *testing.T) {
	a := answered(200, `{"a":1}`)
	m := HaveJSON("a", 2)
	if ok, _ := m.Match(a); ok {
		t.Fatal("1 is 2")
	}
	message := "described by the spec\n" + m.FailureMessage(a)
	f := Decode(message)[0]
	if f.Path != "a" || f.Want != "2" || f.Got != "1" || f.Exchange != 3 {
		t.Errorf("%+v", f)
	}
}

// A target must not talk a failure away by sending what failures are marked with.
func TestMarksInTextsOfTheTargetChangeNoFailure(t *testing.T) {
	for _, sent := range []string{"\x00findings:[]", "\x00findings:[{}]", "\x00findings:"} {
		found := Decode(Encode(reports.Finding{Requirement: "cart.get", Message: "m", Got: sent}))
		if len(found) != 1 || found[0].Requirement != "cart.get" || found[0].Got != sent {
			t.Errorf("%q: %+v", sent, found)
		}
		if plain := Decode("Expected\n    <string>: " + sent + "\nto equal\n    <string>: a"); len(plain) != 1 || plain[0].Want == "" {
			t.Errorf("%q: %+v", sent, plain)
		}
	}
}

func TestPlainGomegaFailuresAreRead(t *testing.T) {
	f := Decode("the price\nExpected\n    <int>: 3\nto equal\n    <int>: 5")[0]
	if f.Message != "the price" || f.Got != "3" || f.Want != "5" {
		t.Errorf("%+v", f)
	}
	f = Decode("Expected\n    <[]int64 | len:2, cap:2>: [1, 2]\nto equal\n    <[]int64 | len:0, cap:0>: []")[0]
	if !strings.Contains(f.Message, "lists other records") || f.Got != "[1, 2]" || f.Want != "[]" {
		t.Errorf("%+v", f)
	}
	if f = Decode("Expected\n    <bool>: false\nto be true")[0]; f.Message != "" {
		t.Errorf("%+v", f)
	}
	if f := Decode("anything")[0]; f.Message != "anything" {
		t.Errorf("%+v", f)
	}
}

func TestLinks(t *testing.T) {
	for header, want := range map[string]string{
		`<http://x/?page=2>; rel="next", <http://x/?page=1>; rel="previous"`:              "next=http://x/?page=2 prev=http://x/?page=1",
		`<http://x/?page=2>;title="a,b" ; REL = NEXT`:                                     "next=http://x/?page=2",
		`<http://x/2>; title="a <b>, c; \"rel=prev\""; rel="next", <http://x/1>;rel=prev`: "next=http://x/2 prev=http://x/1",
		`<http://x/2>; title="<http://y/>; rel=\"last\", x"; crossorigin; rel="next"`:     "next=http://x/2",
		`<http://x/2>; rel="next"; rel="prev"`:                                            "next=http://x/2",
		`, ,<http://x/2> ; rel = "next" ,`:                                                "next=http://x/2",
		`<http://x/2>; title="never closed; rel="next`:                                    "",
		`<http://x/a,b>; rel="next prev"`:                                                 "next=http://x/a,b prev=http://x/a,b",
		`<http://x/>; relation="next"`:                                                    "",
		`<http://x/>; rel`:                                                                "",
		`<http://x/>`:                                                                     "",
		`http://x/>; rel="next"`:                                                          "",
		`><; rel="next"`:                                                                  "",
		``:                                                                                "",
	} {
		var got []string
		links := Links(http.Header{"Link": {header}})
		for _, rel := range slices.Sorted(maps.Keys(links)) {
			got = append(got, rel+"="+links[rel])
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v", header, got)
		}
	}
}

func TestDatesFollowTheWholeGrammar(t *testing.T) {
	for text, want := range map[string]bool{
		"2026-11-22": true, "2026-11-22T06:14": true, "2026-11-22T06:14:53": true, "2026-11-22T06:14:53.123": true,
		"2026-11-22T06:14:53,5Z": true, "2026-11-22T06:14:53+02:00": true, "2026-11-22T06:14:53-11": true, "2024-02-29": true,
		"2026-12-31T23:59:60Z": true, "2026-11-22T24:00:00": true, "2026-11-22T06:14:53-00:30": true,
		"2026-11-22 06:14:53": false, "2026-02-31T00:00:00": false, "2026-04-31": false, "2025-02-29": false, "0000-00-00T00:00:00": false,
		"2026-11-22T": false, "2026-11-22T06": false, "2026-11-22T25:00:00": false, "2026-11-22T24:00:01": false,
		"2026-11-22T06:60:00": false,
		"2026-11-22T06:14:60": false, "2026-11-22T06:14.5": false, "2026-11-22T06:14:53+0200": false, "2026-11-22T06:14:53+24:00": false,
		"2026-11-22T06:14:53-00:00": false, "2026-11-22T06:14:53+02:60": false, "2026-11-22t06:14:53z": false, "2026-11-22Z": false,
		"2026-11-22T06:14:53 ": false, "26-11-22": false, "": false,
	} {
		if got := Formatted(text, contract.ISO8601); got != want {
			t.Errorf("%q is a date: %v", text, got)
		}
	}
	for text, want := range map[string]bool{"2026-11-22T06:14:53": true, "2026-11-22T06:14:53Z": true,
		"2026-11-22T06:14:53.000+00:00": true,
		"2026-11-22T06:14:53+02:00":     false, "2026-11-22 06:14:53": false, "2026-02-31T06:14:53": false} {
		if got := Formatted(text, contract.UTC); got != want {
			t.Errorf("%q is a date in UTC: %v", text, got)
		}
	}
}

func TestAnAnswerThatIsTooDeepIsToldAndNotRead(t *testing.T) {
	for name, body := range map[string]string{"open": strings.Repeat("[", 6<<20),
		"closed": strings.Repeat(`{"a":[`, 1<<20) + strings.Repeat("]}", 1<<20)} {
		a := answered(200, body)
		found := InspectAnswer(a, "GET /shop/v3/products", nil).Findings
		told := slices.ContainsFunc(found, func(f reports.Finding) bool {
			return f.Requirement == "general.json-answers" && strings.Contains(f.Message, "deeper than 128 levels") && len(f.Got) < 400
		})
		if !told || a.IsJSON() {
			t.Errorf("%s: %+v", name, found)
		}
	}
}

// sampleOf makes a record that has every field of a shape, each array one item.
func sampleOf(shape *contract.Shape) string {
	record := "{}"
	shape.Walk(func(p contract.Place) {
		path := strings.ReplaceAll(p.Path, ".#", ".0")
		if p.Field.Shape == nil && !p.Field.Absent {
			record, _ = sjson.SetRaw(record, path, sampleValue(p.Field))
		}
	})
	return record
}

func sampleValue(f contract.Field) string {
	switch f.Kind {
	case contract.Integer:
		return "1"
	case contract.Number:
		return "1.5"
	case contract.Boolean:
		return "true"
	case contract.Object:
		return "{}"
	case contract.Array:
		return "[]"
	}
	if len(f.Enum) > 0 {
		return `"` + f.Enum[0] + `"`
	}
	return map[contract.Format]string{contract.ISO8601: `"2026-11-20T10:11:12"`, contract.UTC: `"2026-11-20T10:11:12Z"`,
		contract.DecimalMoney: `"1.00"`,
		contract.MinorMoney:   `"100"`, contract.MD5: `"0123456789abcdef0123456789abcdef"`, contract.URL: `"https://example.test/x"`,
		contract.Email: `"a@example.test"`, contract.CurrencyCode: `"USD"`, contract.CountryCode: `"US"`,
		contract.RateID: `"flat_rate:1"`, contract.Plain: `"text"`}[f.Format]
}

func shapes() []*contract.Shape {
	return []*contract.Shape{contract.Product(), contract.Variation(), contract.Order(), contract.Cart(), contract.Checkout(),
		contract.StoreProduct(), contract.ErrorEnvelope()}
}

func TestAWholeRecordHasNoFindings(t *testing.T) {
	for _, shape := range shapes() {
		got := InspectRecord(gjson.Parse(sampleOf(shape)), shape, "")
		if len(got.Findings) > 0 {
			t.Errorf("%s: %+v", shape.Title, got.Findings)
		}
		wanted := 0
		shape.Walk(func(contract.Place) { wanted++ })
		if len(got.Checked.IDs()) < wanted*9/10 { // a shape that stands in two places is counted once
			t.Errorf("%s: %d of %d fields checked", shape.Title, len(got.Checked.IDs()), wanted)
		}
	}
}

// Every field that must not be null, and every item of an array, in a record: each that is wrong is found at its place.
func TestEveryNullAndMistypedItemIsFound(t *testing.T) {
	nulls, items := 0, 0
	for _, shape := range shapes() {
		whole := sampleOf(shape)
		shape.Walk(func(p contract.Place) {
			path := strings.ReplaceAll(p.Path, ".#", ".0")
			null, _ := sjson.SetRaw(whole, path, `null`)
			if !p.Field.Nullable {
				nulls++
				requireOnly(t, shape, null, p, "null")
			} else if found := InspectRecord(gjson.Parse(null), shape, "").Findings; len(found) > 0 {
				t.Errorf("%s with %s null: %+v", shape.Title, p.Path, found)
			}
			if p.Field.Kind == contract.Array && (p.Field.Shape != nil || p.Field.Items != "") {
				items++
				mistyped, _ := sjson.SetRaw(whole, path, `[[]]`)
				requireOnly(t, shape, mistyped, p, "with a wrong item")
			}
		})
	}
	if nulls < 100 || items < 10 {
		t.Errorf("only %d fields that must not be null and %d arrays with items were tried", nulls, items)
	}
}

func TestItemsOfTheRightTypeAreTaken(t *testing.T) {
	tried := 0
	for _, shape := range shapes() {
		whole := sampleOf(shape)
		shape.Walk(func(p contract.Place) {
			good, known := map[contract.Kind]string{contract.Integer: "[1,2]", contract.String: `["a"]`,
				contract.Object: "[{}]"}[p.Field.Items]
			if p.Field.Shape != nil || !known {
				return
			}
			tried++
			record, _ := sjson.SetRaw(whole, strings.ReplaceAll(p.Path, ".#", ".0"), good)
			if found := InspectRecord(gjson.Parse(record), shape, "").Findings; len(found) > 0 {
				t.Errorf("%s with %s at %s: %+v", shape.Title, good, p.Path, found)
			}
		})
	}
	if tried == 0 {
		t.Error("no array was tried")
	}
}

// Every field of every shape, dropped and mistyped: each is found, under its own requirement and no other.
func TestEveryDroppedOrMistypedFieldIsFound(t *testing.T) {
	for _, shape := range shapes() {
		whole := sampleOf(shape)
		shape.Walk(func(p contract.Place) {
			path := strings.ReplaceAll(p.Path, ".#", ".0")
			dropped, _ := sjson.Delete(whole, path)
			mistyped, _ := sjson.SetRaw(whole, path, `[[0]]`)
			if p.Field.Kind == contract.Array {
				mistyped, _ = sjson.SetRaw(whole, path, `"text"`)
			}
			if !p.Field.Optional {
				requireOnly(t, shape, dropped, p, "dropped")
			}
			requireOnly(t, shape, mistyped, p, "mistyped")
		})
	}
}

func requireOnly(t *testing.T, shape *contract.Shape, record string, p contract.Place, how string) {
	t.Helper()
	findings := InspectRecord(gjson.Parse(record), shape, "").Findings
	if len(findings) != 1 || findings[0].Requirement != p.Requirement || findings[0].Level != p.Field.Level {
		t.Errorf("%s with %s %s: %+v", shape.Title, p.Path, how, findings)
	}
}

func TestValuesOutsideTheirEnumOrFormatAreFound(t *testing.T) {
	for _, shape := range shapes() {
		whole := sampleOf(shape)
		shape.Walk(func(p contract.Place) {
			if p.Field.Kind != contract.String || (p.Field.Format == contract.Plain && (len(p.Field.Enum) == 0 || p.Field.Open)) {
				return
			}
			broken, _ := sjson.Set(whole, strings.ReplaceAll(p.Path, ".#", ".0"), "~ no such value ~")
			requireOnly(t, shape, broken, p, "out of its values")
		})
	}
}

func TestWorst(t *testing.T) {
	should, must := reports.Finding{Level: reports.Should}, reports.Finding{Level: reports.Must}
	observed := reports.Finding{Level: reports.Observed}
	if Worst([]reports.Finding{observed}) != reports.Observed || Worst([]reports.Finding{should, observed}) != reports.Should ||
		Worst([]reports.Finding{observed, should}) != reports.Should {
		t.Error("an observation counts for more or less than it should")
	}
	if Worst(nil) != "" || Worst([]reports.Finding{should}) != reports.Should || Worst([]reports.Finding{should, must}) != reports.Must {
		t.Error("the worst of findings is not the most binding")
	}
}

// A thin payload, such as an id alone, is no record that lacks fields.
func TestWhatIsMeantAsARecord(t *testing.T) {
	for text, want := range map[string]bool{
		`{"token":"t","user_email":"e","user_nicename":"n"}`: true,
		`{"token":"t"}`: false, `{}`: false, `[]`: false, `5`: false,
	} {
		if got := IsRecord(gjson.Parse(text), contract.LoginToken()); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

// One finding says that there is no product; thirty would say of each field that it is missing.
func TestWhatIsNoSuchRecordIsToldOnce(t *testing.T) {
	envelope := gjson.Parse(`{"code":"shop_rest_x","message":"m","data":{"status":400}}`)
	found := InspectRecord(envelope, contract.Product(), "").Findings
	if len(found) != 1 || found[0].Requirement != "product.field.id" || found[0].Want != "a product" {
		t.Errorf("%+v", found)
	}
	if found := InspectRecord(gjson.Parse(`{"id":1}`), contract.Product(), "").Findings; len(found) < 10 {
		t.Errorf("a product with an id alone: %d findings", len(found))
	}
}

func TestPlacesAreWrittenForPeople(t *testing.T) {
	for path, want := range map[string]string{
		"": "", "#": "", "price": "price", "items.#": "items", "items.#.id": "items[].id", "#.id": "[].id", "items.0.id": "items.0.id",
		`meta_data.#(key=="shopcheck").value`: `meta_data[key="shopcheck"].value`,
		`data.params.billing_address\.email`:  "data.params.billing_address.email",
		"X-Shop-Total":                        "X-Shop-Total", "#(id==5)": "[id=5]", "#(id==5)#.name": "[id=5].name",
	} {
		if got := place(path); got != want {
			t.Errorf("%s is written %q, want %q", path, got, want)
		}
	}
}

func TestBeSortedBy(t *testing.T) {
	list := answered(200, `[{"n":"2","d":"b"},{"n":"10","d":"a"}]`)
	for _, c := range []struct {
		field, direction string
		sorted           bool
	}{{"n", "asc", true}, {"n", "desc", false}, {"d", "asc", false}, {"d", "desc", true}, {"none", "asc", true}} {
		m := BeSortedBy(c.field, c.direction)
		sorted, err := m.Match(list)
		if err != nil || sorted != c.sorted {
			t.Errorf("%s %s: %v %v", c.field, c.direction, sorted, err)
		}
		if f := Decode(m.FailureMessage(list)); !sorted &&
			(f[0].Path != "[]."+c.field || !strings.Contains(f[0].Want, c.field+" from ") || f[0].Got == "") {
			t.Errorf("%+v", f)
		}
	}
}

func TestTheOrderOfMembersDoesNotMatterAndOfTwinsTheLastCounts(t *testing.T) {
	for record, wanted := range map[string]string{
		`{"code":"c","message":"m","data":{"status":400}}`:                                     "",
		`{"more":1,"data":{"status":400},"most":{},"message":"m","code":"c","code_":1}`:        "",
		`{"code":7,"message":"m","code":"c","data":{"status":400}}`:                            "",
		`{"code":"c","message":"m","code":7,"data":{"status":400}}`:                            "code",
		`{"\u0063ode":"c","data":{"status":"400"},"message":"m"}`:                              "data.status",
		`{"code":"c","message":"m","data":{"status":400,"params":{"status":7}},"data":"none"}`: "data",
	} {
		var paths []string
		for _, f := range InspectRecord(gjson.Parse(record), contract.ErrorEnvelope(), "").Findings {
			paths = append(paths, f.Path)
		}
		if got := strings.Join(paths, " "); got != wanted {
			t.Errorf("%s: findings at %q, want %q", record, got, wanted)
		}
	}
}
