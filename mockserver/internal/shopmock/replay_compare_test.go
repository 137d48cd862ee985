package shopmock_test

// The replay's own means: what counts as a difference, and how references are made and filled.

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestReplayFindsDifferences(t *testing.T) {
	const record = `{"id":1,"name":"a","price":2,"sale":null,"lines":[{"id":1,"price":1.5}],"links":{"self":"x"}}`
	for name, test := range map[string]struct{ of, mock, want string }{ // what is in the place of a part of the record
		"none":                  {"", "", ""},
		"fractions":             {`"price":2,`, `"price":2.5,`, ""},
		"more than null":        {`"sale":null`, `"sale":"now"`, "body.sale: live null, mock string"},
		"a field less":          {`"name":"a",`, "", "body.name: live string, mock absent"},
		"a field more":          {`"price":1.5`, `"price":1.5,"x":1`, "body.lines[].x: live absent, mock int"},
		"null":                  {`"name":"a"`, `"name":null`, "body.name: live string, mock null"},
		"another type":          {`"price":2`, `"price":"2"`, "body.price: live int, mock string"},
		"no entries":            {`[{"id":1,"price":1.5}]`, "[]", "body.lines: live list, mock []"},
		"an object for a list":  {`[{"id":1,"price":1.5}]`, "{}", "body.lines: live list, mock object"},
		"a list for an object":  {`{"self":"x"}`, "[]", "body.links: live object, mock []"},
		"order":                 {`"id":1,"name":"a"`, `"name":"a","id":1`, "order of body: live id, name, price, mock name, id, price"},
		"order in a list":       {`"id":1,"price":1.5`, `"price":1.5,"id":1`, "order of body.lines[]: live id, price, mock price, id"},
		"a list for the record": {record, "[" + record + "]", "body: live object, mock list"},
		"no body":               {record, "", "body: live object, mock no JSON"},
	} {
		t.Run(name, func(t *testing.T) {
			mock := strings.Replace(record, test.of, test.mock, 1)
			var got []string
			for _, d := range compare(outlineOf(200, nil, record), outlineOf(200, nil, mock)) {
				got = append(got, d.String())
			}
			if strings.Join(got, "; ") != test.want {
				t.Errorf("%s: %q, want %q", mock, got, test.want)
			}
		})
	}
}

func TestReplayComparesVerdictsBeforeBodies(t *testing.T) {
	header := func(names ...string) outline { return outline{Status: 200, Header: names} }
	failed := func(status int, code string) outline { return outlineOf(status, nil, `{"code":"`+code+`"}`) }
	batch := func(item string) outline { return outlineOf(200, nil, `{"create":[`+item+`]}`) }
	for _, test := range []struct {
		live, mock outline
		want       string
	}{
		{failed(404, "a"), failed(404, "b"), "answer: live 404 a, mock 404 b"},
		{failed(404, "a"), failed(400, "a"), "answer: live 404 a, mock 400 a"},
		{header("Link"), header(), "header Link: live sent, mock absent"},
		{header(), header("Nonce"), "header Nonce: live absent, mock sent"},
		{batch(`{"id":1}`), batch(`{"id":0,"error":{"code":"c","data":{"status":400}}}`), "item 0: live create done, mock create 400 c"},
	} {
		if got := compare(test.live, test.mock); len(got) != 1 || got[0].String() != test.want {
			t.Errorf("%v, want %s", got, test.want)
		}
	}
}

func TestReplayShapesSurviveTheirText(t *testing.T) {
	pool := newShapePool()
	before := shapeOf(gjson.Parse(`[{"a":[1,null,"x"],"b":{},"c":[[{"d":1.5}],[]],"2026-01-02":1},{"a":[],"b":{},"c":[]}]`), "")
	text := pool.text(before)
	after, err := pool.shape(text)
	if err != nil {
		t.Fatal(err)
	}
	if again := pool.text(after); again != text {
		t.Errorf("%s became %s", text, again)
	}
	c := new(comparison)
	if c.bodies(before, after); len(c.found) > 0 {
		t.Errorf("differences: %v", c.found)
	}
}

func TestReplayReferences(t *testing.T) {
	known := newSources()
	known.learn(&transcript{name: "made", target: "/shop/v3/orders",
		content: `{"id":41,"order_key":"order_abc","line_items":[{"id":7,"product_id":22}]}`})
	for _, test := range []struct{ target, body, wantTarget, wantBody string }{
		{"/shop/v3/orders/41?dp=2", `{"line_items":[{"id":7,"product_id":22}]}`,
			"/shop/v3/orders/<<made id>>?dp=2", `{"line_items":[{"id":<<made line_items.0.id>>,"product_id":<<seed product.SIMPLE-12>>}]}`},
		{"/shop/v3/products/41", `{"name":"41","weight":"7"}`, "/shop/v3/products/<<made id>>", `{"name":"41","weight":"7"}`},
		{"/shop/v3/customers/41", `{"id":`, "/shop/v3/customers/41", `{"id":`},
		{"/shop/store/v1/order/41?key=order_abc", ``, "/shop/store/v1/order/<<made id>>?key=<<made order_key>>", ``},
	} {
		if got := known.inTarget(test.target); got != test.wantTarget {
			t.Errorf("%s became %s, want %s", test.target, got, test.wantTarget)
		}
		if got := known.inBody(&transcript{target: test.target, body: test.body}); got != test.wantBody {
			t.Errorf("%s became %s, want %s", test.body, got, test.wantBody)
		}
	}
	given := answers{"made": {body: `{"id":9}`}}
	if filled, missing := given.fill("/orders/<<made id>>/<<made key>>/<<other id>>"); filled != "/orders/9/"+missingValue+"/"+
		missingValue || len(missing) != 2 {
		t.Errorf("filled: %s, missing: %q", filled, missing)
	}
}

func TestReplayTableNamesWhatIsStale(t *testing.T) {
	one := &listing{Calls: []string{"a-*", "b"}, At: "answer", Live: "201", Mock: "400 *", Authority: "contract", used: map[string]bool{}}
	table := &differenceTable{Listings: []*listing{one}}
	results := []*result{{call: &recordedCall{Name: "a-1", Path: "/shop/v3/x"},
		differences: []difference{{"answer", "201", "400 c"}, {"order", "x", "y"}}}}
	table.account(results)
	if reasons := results[0].reasons; reasons[0] != one || reasons[1] != nil || results[0].standing() != unmatched {
		t.Errorf("reasons: %v", reasons)
	}
	if stale := table.stale(); len(stale) != 1 {
		t.Errorf("stale: %q", stale)
	}
}
