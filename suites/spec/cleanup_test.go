package spec

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"shopcheck/suites/client"
)

func answered(status int, body string) *client.Answer {
	return &client.Answer{Status: status, Body: body, Header: http.Header{}}
}

func TestWhatPassesByAsMadeIsClaimed(t *testing.T) {
	m := NewMade("0a1b2c3d")
	watch := func(method, path string, body any, a *client.Answer) []string {
		return m.Watch(client.Request{Method: method, Path: path, Body: body}, a)
	}
	watch("POST", "/shop/v3/products", nil, answered(201, `{"id":5}`))
	if twice := watch("POST", "/shop/v3/products", nil, answered(201, `{"id":5}`)); !slices.Equal(twice, []string{"/shop/v3/products/5"}) {
		t.Errorf("answered twice: %v", twice)
	}
	watch("POST", "/shop/v3/products/5/variations", nil, answered(200, `{"id":6}`)) // goes with its product
	watch("POST", "/shop/v2/orders/", nil, answered(201, `{"id":7}`))
	watch("POST", "/shop/v3/products/batch", nil, answered(200, `{"create":[{"id":8},{"id":0,"error":{}}],"update":[{"id":99}]}`))
	watch("GET", "/shop/store/v1/checkout", nil, answered(200, `{"order_id":9}`))
	watch("POST", "/shop/store/v1/checkout", Fields{"create_account": true}, answered(200, `{"order_id":9,"customer_id":10}`))
	watch("POST", "/shop/store/v1/checkout", nil, answered(200, `{"order_id":11,"customer_id":104}`))
	watch("POST", "/shop/store/v1/batch", nil, answered(207, `{"responses":[{"body":{"order_id":12}}]}`))
	watch("POST", "/?rest_route=/shop/v3/coupons", nil, answered(201, `{"id":13}`))
	watch("POST", "/shop/v3/products", nil, answered(400, `{"id":100}`))
	watch("PUT", "/shop/v3/products/101", nil, answered(200, `{"id":101}`))
	watch("POST", "/shop/v3/products/102", nil, answered(200, `{"id":102}`))
	watch("POST", "/shop/store/v1/cart/add-item", nil, answered(201, `{"id":103}`))

	want := []Claim{{Path: "/shop/v3/coupons/13"}, {Path: "/shop/v3/orders/12"}, {Path: "/shop/v3/orders/11"},
		{Path: "/shop/v3/customers/10"},
		{Path: "/shop/v3/orders/9"}, {Path: "/shop/v3/products/8"}, {Path: "/shop/v3/orders/7"}, {Path: "/shop/v3/products/5"}}
	if got := m.Claims(); !slices.Equal(got, want) {
		t.Errorf("claimed\n%v, want\n%v", got, want)
	}
	if !m.Unconfirmed().Writes {
		t.Error("what the second create has made is not looked for")
	}
}

func TestAnIDMayBeUsedAgainAfterItsRecordIsDeleted(t *testing.T) {
	m := NewMade("0a1b2c3d")
	create := client.Request{Method: "POST", Path: "/shop/v3/products"}
	m.Watch(create, answered(201, `{"id":5}`))
	m.NoteProven("/shop/v3/products/5")
	m.Watch(client.Request{Method: "DELETE", Path: "/shop/v3/products/5", Query: url.Values{"force": {"true"}}}, answered(200, `{"id":5}`))
	if claims := m.Claims(); !slices.Equal(claims, []Claim{{Path: "/shop/v3/products/5", Deleted: true}}) {
		t.Errorf("after the deletion %v", claims)
	}
	if twice := m.Watch(create, answered(201, `{"id":5}`)); len(twice) > 0 || m.standing("/shop/v3/products/5").proven {
		t.Errorf("%v; the proof of the deleted record holds for the new one: %v", twice, m.standing("/shop/v3/products/5").proven)
	}
}

// A draft is answered again and again, but what a checkout places is no order that specs share already.
func TestAnOrderIsPlacedOnce(t *testing.T) {
	m := NewMade("0a1b2c3d")
	checkout := func(method string) []string {
		return m.Watch(client.Request{Method: method, Path: client.Store + "/checkout"}, answered(200, `{"order_id":5}`))
	}
	for _, method := range []string{"GET", "PUT", "POST", "POST"} { // the second after a payment that was declined
		if twice := checkout(method); len(twice) > 0 {
			t.Errorf("%s of the order's own checkout: %v", method, twice)
		}
	}
	m.Share(0)
	if twice := append(checkout("GET"), checkout("PUT")...); len(twice) > 0 {
		t.Errorf("the draft of a shared cart: %v", twice)
	}
	if twice := checkout("POST"); !slices.Equal(twice, []string{"/shop/v3/orders/5"}) || !m.Unconfirmed().Writes {
		t.Errorf("placed with the id of a shared one: %v", twice)
	}
}

func TestWhatARequestChanges(t *testing.T) {
	for _, c := range []struct {
		req  client.Request
		want []string
	}{
		{client.Request{Method: "PUT", Path: "/shop/v3/products/5"}, []string{"/shop/v3/products/5"}},
		{client.Request{Method: "DELETE", Path: "/shop/v1/orders/5/"}, []string{"/shop/v3/orders/5"}},
		{client.Request{Method: "PATCH", Path: "/?rest_route=/shop/v2/coupons/5"}, []string{"/shop/v3/coupons/5"}},
		{client.Request{Method: "POST", Path: "/", Query: url.Values{"rest_route": {"/shop/v3/products/5"}}},
			[]string{"/shop/v3/products/5"}},
		{client.Request{Method: "POST", Path: "/shop/v3/orders/5/notes"}, []string{"/shop/v3/orders/5"}},
		{client.Request{Method: "DELETE", Path: "/shop/v3/orders/5/notes/6"}, []string{"/shop/v3/orders/5", "/shop/v3/orders/5/notes/6"}},
		{client.Request{Method: "POST", Path: "/shop/v3/products/batch", Body: Fields{"create": []Fields{{"name": "n"}},
			"update": []Fields{{"id": 5}}, "delete": []int64{6, 7}}},
			[]string{"/shop/v3/products/5", "/shop/v3/products/6", "/shop/v3/products/7"}},
		{client.Request{Method: "DELETE", Path: "/shop/v3/customers/5", Query: url.Values{"force": {"true"}, "reassign": {"6"}}},
			[]string{"/shop/v3/customers/5", "/shop/v3/customers/6"}},
		{client.Request{Method: "POST", Path: "/shop/v3/products"}, nil},
		{client.Request{Method: "POST", Path: "/shop/store/v1/cart/add-item", Body: Fields{"id": 5}}, nil},
	} {
		if got := changed(c.req); !slices.Equal(got, c.want) {
			t.Errorf("%s %s: %v, want %v", c.req.Method, c.req.Path, got, c.want)
		}
	}
}

// shelf is a target with products that are deleted for good, by batches where it has them.
type shelf struct {
	names    map[int64]string
	batches  bool
	listed   bool // lists narrow by id
	requests int
}

func (s *shelf) send(_ context.Context, req client.Request) *client.Answer {
	s.requests++
	collection, id := splitPath(req.Path)
	record := func(id int64) string { return fmt.Sprintf(`{"id":%d,"name":%q}`, id, s.names[id]) }
	switch {
	case req.Method == "DELETE":
		delete(s.names, id)
		return answered(200, `{}`)
	case strings.HasSuffix(collection, "/batch"):
		if !s.batches {
			return answered(404, `{}`)
		}
		for _, id := range req.JSON().Get("delete").Array() {
			delete(s.names, id.Int())
		}
		return answered(200, `{}`)
	case id != 0 && s.names[id] != "":
		return answered(200, record(id))
	case id != 0:
		return answered(404, `{}`)
	case req.Query.Get("status") != "" || !s.listed:
		return answered(200, `[]`)
	}
	var records []string
	for text := range strings.SplitSeq(req.Query.Get("include"), ",") {
		if id, _ := strconv.ParseInt(text, 10, 64); s.names[id] != "" {
			records = append(records, record(id))
		}
	}
	return answered(200, "["+strings.Join(records, ",")+"]")
}

func TestCleanerDeletesWhatIsProven(t *testing.T) {
	for _, c := range []struct {
		name            string
		batches, listed bool
		most            int // requests
	}{
		{"lists and batches", true, true, 70},
		{"no batches", false, true, 1070},
		{"no lists by id", true, false, 1070},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := &shelf{names: map[int64]string{2001: "Mug", 2002: "shopcheck-99999999-1"}, batches: c.batches, listed: c.listed}
			claims := []Claim{{Path: "/shop/v3/products/2001"}, {Path: "/shop/v3/products/2002"}, {Path: "/shop/v3/products/2003"},
				{Path: "/shop/v3/zones/1"}}
			for id := int64(1); id <= 1000; id++ {
				s.names[id] = fmt.Sprintf("shopcheck-0a1b2c3d-%d", id)
				claims = append(claims, Claim{Path: recordPath("/shop/v3/products", id)})
			}
			var mu sync.Mutex
			told := [2]int{}
			left, unproven := Cleaner{Nonce: "0a1b2c3d", Told: func(done, all int) { told = [2]int{done, all} },
				Send: func(ctx context.Context, req client.Request) *client.Answer {
					mu.Lock()
					defer mu.Unlock()
					return s.send(ctx, req)
				}}.Delete(context.Background(), claims)
			if !maps.Equal(s.names, map[int64]string{2001: "Mug", 2002: "shopcheck-99999999-1"}) {
				t.Errorf("%d records are there", len(s.names))
			}
			if len(left) != 3 || unproven != 4 {
				t.Errorf("%d not proven, left %v", unproven, left)
			}
			if told != [2]int{1003, 1004} {
				t.Errorf("told %v", told)
			}
			if t.Logf("%d requests", s.requests); s.requests > c.most {
				t.Errorf("%d requests", s.requests)
			}
		})
	}
}

// What a target shows and where it leads decides nothing but whose a record is: no other id than those that were claimed is deleted,
// no record that is read as another, and no order of a stranger who bought what the run had made.
func TestAHostileTargetLeadsCleanupNowhere(t *testing.T) {
	const ours = `"name":"shopcheck-0a1b2c3d-1"`
	const theirs = `"billing":{"email":"somebody@example.com"},"line_items":[{"sku":"sc-0a1b2c3d-1"}]`
	for name, c := range map[string]struct {
		claim, list, read string
		want              []string // what is deleted
	}{
		"ours":                      {"/shop/v3/products/5", `[]`, `{"id":5,` + ours + `}`, []string{"/shop/v3/products/5"}},
		"others in the list":        {"/shop/v3/products/5", `[{"id":6,` + ours + `},{"id":7,` + ours + `}]`, `{"id":6,` + ours + `}`, nil},
		"read as another":           {"/shop/v3/products/5", `[]`, `{"id":6,` + ours + `}`, nil},
		"a stranger's order":        {"/shop/v3/orders/5", `[]`, `{"id":5,` + theirs + `}`, nil},
		"a stranger's order listed": {"/shop/v3/orders/5", `[{"id":5,` + theirs + `}]`, ``, nil},
		"an order of nobody": {"/shop/v3/orders/5", `[{"id":5,"billing":{"email":""},"line_items":[{"sku":"sc-0a1b2c3d-1"}]}]`, ``,
			[]string{"/shop/v3/orders/5"}},
	} {
		var deleted []string
		left, _ := Cleaner{Nonce: "0a1b2c3d", Told: func(int, int) {}, Send: func(_ context.Context, req client.Request) *client.Answer {
			switch _, id := splitPath(req.Path); {
			case req.Method == http.MethodGet && id == 0:
				return answered(200, c.list)
			case req.Method == http.MethodGet:
				return answered(200, c.read)
			case req.Method == http.MethodDelete:
				deleted = append(deleted, req.Path)
				return &client.Answer{Status: 307, Header: http.Header{"Location": {"/shop/v3/products/99"}}}
			}
			t.Errorf("%s: %s %s", name, req.Method, req.Path)
			return answered(500, "")
		}}.Delete(context.Background(), []Claim{{Path: c.claim}})
		if !slices.Equal(deleted, c.want) || len(left) != 1 { // a deletion that leads elsewhere deletes nothing, and is told
			t.Errorf("%s: deleted %v, left %v", name, deleted, left)
		}
	}
}

func TestWhatLeavesAWriteUnconfirmed(t *testing.T) {
	broken, refused := answered(500, ""), answered(400, `{}`)
	for _, c := range []struct {
		method, path string
		a            *client.Answer
		want         Unconfirmed
	}{
		{"POST", "/shop/v3/products", broken, Unconfirmed{Writes: true}},
		{"POST", "/shop/v3/products", refused, Unconfirmed{}},
		{"PUT", "/shop/v3/products/1", broken, Unconfirmed{}},
		{"POST", "/shop/store/v1/checkout", refused, Unconfirmed{Checkouts: true}},
		{"GET", "/shop/store/v1/checkout", broken, Unconfirmed{Checkouts: true, Writes: true}}, // it makes a draft order
		{"OPTIONS", "/shop/store/v1/checkout", broken, Unconfirmed{}},
		{"POST", "/shop/store/v1/batch", broken, Unconfirmed{Checkouts: true, Writes: true}},
	} {
		m := NewMade("0a1b2c3d")
		m.Watch(client.Request{Method: c.method, Path: c.path}, c.a)
		if got := m.Unconfirmed(); got != c.want {
			t.Errorf("%s %s, %d: %+v, want %+v", c.method, c.path, c.a.Status, got, c.want)
		}
	}
}

// What a batch answers is not documented: where it does not tell what it made, that is looked for.
func TestABatchThatTellsNoIDsLeavesItsWritesUnconfirmed(t *testing.T) {
	create := client.Request{Method: "POST", Path: "/shop/v3/products/batch", Body: Fields{"create": []Fields{{}, {}}}}
	for body, want := range map[string]bool{
		`{}`:                             true,
		`{"create":[{"id":5}]}`:          true,
		`{"create":[{"id":5},{"id":6}]}`: false,
		`{"create":[{"id":5},{"id":0,"error":{}}]}`: false,
	} {
		m := NewMade("0a1b2c3d")
		m.Watch(create, answered(200, body))
		if got := m.Unconfirmed().Writes; got != want {
			t.Errorf("%s: unconfirmed: %v, want %v", body, got, want)
		}
	}
}
