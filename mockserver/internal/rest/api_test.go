package rest

import (
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shop"
)

// thing is a row of the tests' own resource.
type thing struct {
	id    int64
	name  string
	inner shop.Dimensions
}

var thingRecord = &Record[thing]{Fields: []Field[thing]{
	Int("id", func(x *thing) *int64 { return &x.id }, ReadOnly),
	Text("name", func(x *thing) *string { return &x.name }, Required),
	Nested("inner", func(x *thing) *shop.Dimensions { return &x.inner }, &Record[shop.Dimensions]{Fields: []Field[shop.Dimensions]{
		Text("length", func(d *shop.Dimensions) *string { return &d.Length }),
		Text("width", func(d *shop.Dimensions) *string { return &d.Width }),
	}}),
}}

// things is a resource of 25 rows that can be read, and changed without being kept.
func things() *Resource[thing] {
	var rows []*thing
	for i := range int64(25) {
		rows = append(rows, &thing{id: i + 1, name: "T" + string(rune('a'+i)), inner: shop.Dimensions{Length: "1", Width: "2"}})
	}
	return &Resource[thing]{
		Path: "/things", Record: thingRecord, Name: func(x *thing) string { return string(AppendInt(nil, x.id)) },
		Select: func(_ shop.View, r *Request) ([]*thing, int, error) { return Slice(PageOf(r), rows), len(rows), nil },
		Find: ByID(func(_ shop.View, _ *Request, id int64) (*thing, error) {
			if id < 1 || id > int64(len(rows)) {
				return nil, shop.Faultf(shop.NoSuchProduct, "There is no thing %d.", id)
			}
			return rows[id-1], nil
		}),
		New:    func(*shop.Tx, *Request) (*thing, error) { return &thing{id: 99}, nil },
		Create: func(_ *shop.Tx, x *thing, _ Args) error { return nil },
		Save: func(_ *shop.Tx, x, _ *thing, _ Args) error {
			if x.name == "taken" {
				return &shop.Fault{Kind: shop.SKUTaken, Message: "Taken.", ID: 7}
			}
			return nil
		},
		Delete: func(*shop.Tx, *thing, Args) error { return nil },
	}
}

// server serves the tests' own resource. It is no shop of the test kit, which serves the real ones and imports this package.
type server struct {
	t      *testing.T
	router *Router
	shop   *shop.Shop
}

func newServer(t *testing.T) *server {
	api := &API{
		Namespace: "shop/v3", Endpoints: things().Endpoints,
		Faults: FaultTable{
			shop.NoSuchProduct: {Status: 404, Code: "no_such_thing"},
			shop.SKUTaken:      {Status: 400, Code: "thing_taken"},
		},
	}
	s := &server{t: t, router: NewRouter()}
	s.shop = shop.New(shop.NewState(&shop.Config{}), shop.Options{Clock: func() time.Time { return time.Unix(1e9, 0) }})
	api.Mount(s.router)
	return s
}

func (s *server) call(method, target, body string) (*httptest.ResponseRecorder, gjson.Result) {
	request := Canonical(httptest.NewRequest(method, target, strings.NewReader(body)), "shop/store/v1")
	recorder := httptest.NewRecorder()
	host := Host{Shop: s.shop, Site: Site{Home: "http://shop.test", Root: "http://shop.test"}}
	s.router.Serve(recorder, request, host)
	return recorder, gjson.Parse(recorder.Body.String())
}

func (s *server) want(status int, method, target, body string) (*httptest.ResponseRecorder, gjson.Result) {
	s.t.Helper()
	recorder, result := s.call(method, target, body)
	if recorder.Code != status {
		s.t.Fatalf("%s %s: %d, want %d: %s", method, target, recorder.Code, status, recorder.Body)
	}
	return recorder, result
}

func TestAddressesAndMethodsAreMadeCanonical(t *testing.T) {
	for _, c := range []struct{ method, target, override, wantMethod, wantPath string }{
		{"GET", "/?rest_route=/shop/v3/things&page=2", "", "GET", "/shop/v3/things"},
		{"GET", "/index.php?rest_route=%2Fshop%2Fv3%2Fthings%2F", "", "GET", "/shop/v3/things"},
		{"GET", "/?rest_route=shop/v3/things", "", "GET", "/shop/v3/things"},
		{"GET", "/other?rest_route=/shop/v3/things", "", "GET", "/other"},
		{"GET", "/shop/v3/things/", "", "GET", "/shop/v3/things"},
		{"GET", "/shop/store/cart", "", "GET", "/shop/store/v1/cart"},
		{"GET", "/?rest_route=/shop/store/cart", "", "GET", "/shop/store/v1/cart"},
		{"GET", "/shop/store/v1/cart", "", "GET", "/shop/store/v1/cart"},
		{"GET", "/shop/store/v9/cart", "", "GET", "/shop/store/v9/cart"},
		{"POST", "/shop/v3/things/1", "DELETE", "DELETE", "/shop/v3/things/1"},
		{"POST", "/shop/v3/things/1?_method=put", "", "PUT", "/shop/v3/things/1"},
		{"POST", "/shop/v3/things/1", "TRACE", "POST", "/shop/v3/things/1"},
		{"GET", "/shop/v3/things/1", "DELETE", "GET", "/shop/v3/things/1"},
	} {
		request := httptest.NewRequest(c.method, c.target, nil)
		if c.override != "" {
			request.Header.Set("X-HTTP-Method-Override", c.override)
		}
		got := Canonical(request, "shop/store/v1")
		if got.Method != c.wantMethod || got.URL.Path != c.wantPath {
			t.Errorf("%s %s (%s): %s %s, want %s %s", c.method, c.target, c.override, got.Method, got.URL.Path, c.wantMethod, c.wantPath)
		}
	}
}

func TestBodiesThatSayNothing(t *testing.T) {
	s := newServer(t)
	for _, body := range []string{"", " ", "{}", "[]", "null"} {
		s.want(200, "GET", "/shop/v3/things", body)
		s.want(200, "PUT", "/shop/v3/things/1", body)
		s.want(400, "POST", "/shop/v3/things", body) // without a name
	}
	for _, body := range []string{"[{}]", "0", `""`, "false"} {
		s.want(400, "PUT", "/shop/v3/things/1", body)
	}
}

func TestPagesAndTheirLinks(t *testing.T) {
	s := newServer(t)
	for query, want := range map[string]struct{ links, first, pages string }{
		"":                         {`next=2`, "1", "3"},
		"?page=2":                  {`prev=1 next=3`, "11", "3"},
		"?page=3":                  {`prev=2`, "21", "3"},
		"?page=9":                  {`prev=3`, "", "3"},
		"?per_page=25":             {``, "1", "1"},
		"?offset=24":               {`next=2`, "25", "3"},
		"?per_page=5&page=2&x=a b": {`prev=1 next=3`, "6", "5"},
		"?consumer_key=k&consumer_secret=s&rest_route=/shop/v3/things": {`next=2`, "1", "3"},
	} {
		recorder, list := s.want(200, "GET", "/shop/v3/things"+strings.ReplaceAll(query, " ", "%20"), "")
		header := recorder.Header()
		if got := linksOf(header.Get("Link")); got != want.links {
			t.Errorf("%s: Link %q reads as %q, want %q", query, header.Get("Link"), got, want.links)
		}
		if strings.Contains(header.Get("Link"), "consumer_") || strings.Contains(header.Get("Link"), "rest_route") {
			t.Errorf("%s: Link holds what it should not: %s", query, header.Get("Link"))
		}
		if list.Get("0.id").String() != want.first || header.Get("X-Shop-Total") != "25" || header.Get("X-Shop-TotalPages") != want.pages {
			t.Errorf("%s: first %s, headers %v", query, list.Get("0.id"), header)
		}
	}
}

// linksOf reads a Link header as "prev=1 next=3".
func linksOf(header string) string {
	var found []string
	for _, link := range strings.Split(header, ", ") {
		address, relation, ok := strings.Cut(link, `; rel=`)
		if !ok || !strings.HasPrefix(address, "<http://shop.test/shop/v3/things?") {
			continue
		}
		request := httptest.NewRequest("GET", strings.Trim(address, "<>"), nil)
		found = append(found, strings.Trim(relation, `"`)+"="+request.URL.Query().Get("page"))
	}
	return strings.Join(found, " ")
}

func TestErrorEnvelopes(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct {
		status             int
		method, path, body string
		want               string
	}{
		{404, "GET", "/shop/v3/things/77", "", `{"code":"no_such_thing","message":"There is no thing 77.","data":{"status":404}}`},
		{404, "GET", "/shop/v3/things/99999999999999999999", "",
			`{"code":"no_such_thing","message":"There is no thing -1.","data":{"status":404}}`},
		{400, "PUT", "/shop/v3/things/1", `{"name":"taken"}`,
			`{"code":"thing_taken","message":"Taken.","data":{"status":400,"resource_id":7}}`},
		{400, "POST", "/shop/v3/things", `{}`,
			`{"code":"rest_missing_callback_param","message":"Missing: name.","data":{"status":400,"params":["name"]}}`},
		{400, "GET", "/shop/v3/things?page=0", "",
			`{"code":"rest_invalid_param","message":"Not valid: page.","data":{"status":400,"params":{"page":"page must be at least ` +
				`1."},"details":{"page":{"code":"rest_out_of_bounds","message":"page must be at least 1.","data":null}}}}`},
		{400, "POST", "/shop/v3/things", `[1]`,
			`{"code":"rest_invalid_json","message":"The request body must be a JSON object.","data":{"status":400}}`},
		{501, "DELETE", "/shop/v3/things/1", "",
			`{"code":"shop_rest_trash_not_supported","message":"These records have no trash: send force=true to delete for ` +
				`good.","data":{"status":501}}`},
		{404, "GET", "/shop/v3/nothing", "",
			`{"code":"rest_no_route","message":"There is no route for this address and method.","data":{"status":404}}`},
		{404, "DELETE", "/shop/v3/things", "",
			`{"code":"rest_no_route","message":"There is no route for this address and method.","data":{"status":404,"methods":["GET",` +
				`"POST"]}}`},
		{404, "GET", "/shop/v3/things/abc", "",
			`{"code":"rest_no_route","message":"There is no route for this address and method.","data":{"status":404}}`},
	} {
		recorder, _ := s.want(c.status, c.method, c.path, c.body)
		if recorder.Body.String() != c.want || recorder.Header().Get("Content-Type") != "application/json; charset=UTF-8" {
			t.Errorf("%s %s: %s\nwant %s", c.method, c.path, recorder.Body, c.want)
		}
	}
}

func TestFieldsAreTrimmedAtEveryDepth(t *testing.T) {
	s := newServer(t)
	for query, want := range map[string]string{
		"_fields=name":                     `[{"name":"Ta"}]`,
		"_fields=id,inner.width":           `[{"id":1,"inner":{"width":"2"}}]`,
		"_fields[]=id&_fields[]=inner":     `[{"id":1,"inner":{"length":"1","width":"2"}}]`,
		"_fields=inner.width,inner":        `[{"inner":{"length":"1","width":"2"}}]`,
		"_fields=inner,inner.width":        `[{"inner":{"length":"1","width":"2"}}]`,
		"_fields=nothing":                  `[{}]`,
		"_fields=name.deeper":              `[{"name":"Ta"}]`,
		"_fields=id,_links.self.href":      `[{"id":1,"_links":{}}]`,
		"_fields=_links.collection,id&x=1": `[{"id":1,"_links":{"collection":[{"href":"http://shop.test/shop/v3/things"}]}}]`,
	} {
		if _, got := s.want(200, "GET", "/shop/v3/things?per_page=1&"+query, ""); got.Raw != want {
			t.Errorf("%s: %s, want %s", query, got.Raw, want)
		}
	}
	const links = `"_links":{"self":[{"href":"http://shop.test/shop/v3/things/1","targetHints":{"allow":["GET","POST","PUT","PATCH",` +
		`"DELETE"]}}],"collection":[{"href":"http://shop.test/shop/v3/things"}]}`
	if _, got := s.want(200, "GET", "/shop/v3/things/1?_fields=name", ""); got.Raw != `{"name":"Ta",`+links+`}` {
		t.Errorf("a record alone keeps its links: %s", got.Raw)
	}
}

func TestMethodsOfARoute(t *testing.T) {
	s := newServer(t)
	for path, want := range map[string]string{"/shop/v3/things": "GET, POST", "/shop/v3/things/1": "",
		"/shop/v3/things/batch": "POST, PUT, PATCH", "/shop/v3": "GET"} {
		recorder, options := s.want(200, "OPTIONS", path, "")
		if recorder.Header().Get("Allow") != want || options.Get("namespace").String() != "shop/v3" ||
			len(options.Get("endpoints").Array()) == 0 {
			t.Errorf("%s: Allow %q, %s", path, recorder.Header().Get("Allow"), options.Raw)
		}
	}
	_, options := s.call("OPTIONS", "/shop/v3/things", "")
	for path, want := range map[string]string{
		"methods": `["GET","POST"]`, "endpoints.0.args.per_page.maximum": "100", "endpoints.0.args.page.default": "1",
		"endpoints.1.args.name.required": "true", "endpoints.1.args.id": "", "endpoints.1.args.inner.properties.width.type": `"string"`,
	} {
		if options.Get(path).Raw != want {
			t.Errorf("OPTIONS: %s is %s, want %s", path, options.Get(path).Raw, want)
		}
	}
	recorder, _ := s.want(200, "HEAD", "/shop/v3/things", "")
	if recorder.Header().Get("X-Shop-Total") != "25" || recorder.Header().Get("Allow") != "GET, POST" {
		t.Errorf("HEAD: %v", recorder.Header())
	}
	for _, method := range []string{"POST", "PUT", "PATCH"} {
		if _, got := s.want(200, method, "/shop/v3/things/2", `{"name":"new","inner":{"width":"9"}}`); got.Get("name").String() != "new" ||
			got.Get("inner").Raw != `{"length":"1","width":"9"}` {
			t.Errorf("%s changes: %s", method, got.Raw)
		}
	}
}

// TestTheIndexTellsWhatItsRoutesAccept: clients that discover an API make their calls from the expressions and endpoints of its routes.
func TestTheIndexTellsWhatItsRoutesAccept(t *testing.T) {
	_, index := newServer(t).want(200, "GET", "/shop/v3", "")
	routes := index.Get("routes").Map()
	for path, want := range map[string]string{"/shop/v3": "GET", "/shop/v3/things": "GET POST", "/shop/v3/things/batch": "POST",
		`/shop/v3/things/(?P<id>[\d]+)`: "GET PUT DELETE"} {
		var methods []string
		for _, endpoint := range routes[path].Get("endpoints").Array() {
			methods = append(methods, endpoint.Get("methods.0").Str)
		}
		if got := strings.Join(methods, " "); got != want || routes[path].Get("namespace").Str != "shop/v3" {
			t.Errorf("%s has endpoints for %q, want %q: %s", path, got, want, routes[path].Raw)
		}
		self := routes[path].Get("_links.self.0.href").Str
		if address := "http://shop.test" + path; self != address && !strings.Contains(path, "(") {
			t.Errorf("%s links to %q", path, self)
		}
	}
	if got := routes["/shop/v3/things"].Get("endpoints.1.args.name.required").Raw; len(routes) != 4 || got != "true" {
		t.Errorf("%d routes; creating a thing needs a name: %q", len(routes), got)
	}
}

func TestEnvelopesCarryStatusAndHeaders(t *testing.T) {
	s := newServer(t)
	_, got := s.want(200, "GET", "/shop/v3/things/77?_envelope=1", "")
	if got.Get("status").Int() != 404 || got.Get("body.code").String() != "no_such_thing" || got.Get("headers.Allow").String() == "" {
		t.Errorf("of an error: %s", got.Raw)
	}
	_, got = s.want(200, "GET", "/shop/v3/things?_envelope&per_page=1", "")
	if got.Get("status").Int() != 200 || len(got.Get("body").Array()) != 1 || got.Get("headers.X-Shop-Total").String() != "25" {
		t.Errorf("of a list: %s", got.Raw)
	}
}

func TestBatchesKeepTheirOrderAndTheirFailures(t *testing.T) {
	s := newServer(t)
	_, got := s.want(200, "POST", "/shop/v3/things/batch",
		`{"create":[{"name":"a"},{"name":1},{}],"update":[{"id":1,"name":"taken"},{"id":"2","name":"b"},{"name":"nobody"}],"delete":[1,`+
			`"77"]}`)
	for path, want := range map[string]string{
		"create.0.name": "a", "create.1.error.code": "rest_invalid_param", "create.1.id": "0",
		"create.2.error.code": "rest_missing_callback_param",
		"update.0.error.code": "thing_taken", "update.0.error.data.resource_id": "7", "update.0.id": "1", "update.1.name": "b",
		"update.2.error.data.status": "404",
		"delete.0.name":              "Ta", "delete.1.error.code": "no_such_thing", "delete.1.id": "77",
	} {
		if got.Get(path).String() != want {
			t.Errorf("%s is %s, want %s", path, got.Get(path), want)
		}
	}
	if _, got := s.want(200, "POST", "/shop/v3/things/batch", `{}`); got.Raw != "[]" {
		t.Errorf("empty: %s", got.Raw)
	}
	s.want(413, "POST", "/shop/v3/things/batch", `{"delete":[`+strings.Repeat("1,", MaxBatch)+`1]}`)
	s.want(400, "POST", "/shop/v3/things/batch", `{"create":["text"]}`)
}

func TestALazyRecordIsDeclaredOnceAndNotBeforeItIsUsed(t *testing.T) {
	t.Parallel()
	times := 0
	record := Lazily(func() *Record[thing] {
		times++
		return &Record[thing]{Fields: thingRecord.All(), AsAsked: true}
	})
	if times != 0 {
		t.Error("it was declared before anybody asked")
	}
	var users sync.WaitGroup
	for range 8 {
		users.Go(func() {
			if got, want := len(record.Params()), len(thingRecord.Params()); got != want {
				t.Errorf("%d parameters, want %d", got, want)
			}
		})
	}
	users.Wait()
	if times != 1 || !record.AsAsked {
		t.Errorf("declared %d times, in the order that was asked for: %v", times, record.AsAsked)
	}
}
