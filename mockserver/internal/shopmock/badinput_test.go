package shopmock_test

// Bad input: every parameter of every endpoint is sent everything that it must refuse. The cases are made from the endpoints'
// own declarations, so that a parameter that is added is tested without a word.

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/rest/resttest"
	"shopcheck/mockserver/internal/shopmock"
	"shopcheck/mockserver/internal/storeapi"
	"shopcheck/mockserver/internal/testkit"
)

// badInput is a demo shop that is sent bad requests.
type badInput struct {
	*testkit.Shop
	sent int
}

func newBadInput(t *testing.T) *badInput {
	return &badInput{Shop: testkit.Open(t, testkit.Options{Server: shopmock.Options{Nonce: auth.StableNonce}})}
}

func allAPIs() []*rest.API {
	return append(management.APIs(nil), storeapi.API(nil, nil), auth.TokenAPI(nil))
}

func TestEveryParameterRefusesWhatItsDeclarationRulesOut(t *testing.T) {
	if testing.Short() {
		t.Skip("tens of thousands of requests: the race detector, which CI runs with -short, makes that a minute")
	}
	test := newBadInput(t)
	for _, api := range allAPIs() {
		for i := range api.Endpoints() {
			test.endpoint(api, &api.Endpoints()[i])
		}
	}
	const atLeast = 20000
	if test.sent < atLeast {
		t.Errorf("only %d requests were sent: are the endpoints still found?", test.sent)
	}
}

func (b *badInput) endpoint(api *rest.API, endpoint *rest.Endpoint) {
	path := "/" + api.Namespace + resttest.Path(endpoint.Path, "1")
	batch := batchWith(api, endpoint)
	required := resttest.Required(endpoint.Params)
	seen := map[string]bool{}
	for _, param := range endpoint.Params {
		inPath := strings.Contains(endpoint.Path, "{"+param.Name+":")
		if seen[param.Name] || param.ReadOnly || inPath {
			continue
		}
		seen[param.Name] = true
		for _, bad := range resttest.Refused(param) {
			b.inBody(endpoint.Methods[0], path, param, bad, required)
			b.inQuery(endpoint.Methods[0], path, param, bad, required)
			if batch != nil && !reads[param.Name] {
				b.inBatch(batch, param, bad, required)
			}
		}
	}
}

// TestNullMeansNotGiven sends null for every parameter of every endpoint, alone and in batches: none is wrong then, and those that
// must be given are missing.
func TestNullMeansNotGiven(t *testing.T) {
	test := newBadInput(t)
	for _, api := range allAPIs() {
		for i := range api.Endpoints() {
			endpoint := &api.Endpoints()[i]
			path, batch := "/"+api.Namespace+resttest.Path(endpoint.Path, "1"), batchWith(api, endpoint)
			for _, param := range endpoint.Params {
				if param.ReadOnly || param.Type&rest.Null != 0 || strings.Contains(endpoint.Path, "{"+param.Name+":") ||
					endpoint.Methods[0] == http.MethodGet {
					continue
				}
				body := resttest.Required(endpoint.Params)
				body[param.Name] = nil
				answer := test.Call(endpoint.Methods[0], path, resttest.JSON(body))
				test.notGiven(param, endpoint.Methods[0]+" "+path, answer.Result)
				if batch != nil {
					body["id"] = 1
					answer = test.Post(batch.path, resttest.JSON(resttest.Object{batch.operation: []any{body}}))
					test.notGiven(param, batch.path+" "+batch.operation, answer.Get(batch.operation+".0.error"))
				}
			}
		}
	}
}

// notGiven checks an answer to a call with null for a parameter.
func (b *badInput) notGiven(param rest.Param, call string, answer gjson.Result) {
	b.T.Helper()
	missing := slices.ContainsFunc(answer.Get("data.params").Array(), func(name gjson.Result) bool { return name.Str == param.Name })
	if param.Required && (answer.Get("code").Str != "rest_missing_callback_param" || !missing) {
		b.T.Errorf("%s: null for %s is not missing: %.200s", call, param.Name, answer.Raw)
	}
	if !param.Required && answer.Get("data.params."+param.Name).Exists() {
		b.T.Errorf("%s: null for %s is wrong: %.200s", call, param.Name, answer.Raw)
	}
}

// inBody sends the bad value as JSON, alone and after a good one of the same name: the last counts.
func (b *badInput) inBody(method, path string, param rest.Param, bad resttest.Bad, required resttest.Object) {
	if method == http.MethodGet {
		return
	}
	body := maps.Clone(required)
	delete(body, param.Name)
	rest := strings.TrimPrefix(resttest.JSON(body), "{")
	if rest != "}" {
		rest = "," + rest
	}
	member := resttest.JSON(param.Name) + ":" + resttest.JSON(bad.Value)
	b.refused(method, path, "{"+member+rest, param.Name, bad.What)
	b.refused(method, path, "{"+resttest.JSON(param.Name)+":"+resttest.JSON(resttest.Sample(param))+","+member+rest, param.Name,
		bad.What+", duplicated")
}

// inQuery sends the bad value in the query, alone and, where it is one text, after a good one.
func (b *badInput) inQuery(method, path string, param rest.Param, bad resttest.Bad, required resttest.Object) {
	if !bad.Text || param.Name == rest.WholeBody {
		return
	}
	query := url.Values{}
	for name, value := range required {
		if name != param.Name {
			maps.Copy(query, resttest.Query(name, value))
		}
	}
	maps.Copy(query, resttest.Query(param.Name, bad.Value))
	b.refused(method, path+"?"+query.Encode(), "", param.Name, bad.What+", in the query")
	if query.Has(param.Name) {
		first := resttest.Query(param.Name, resttest.Sample(param)).Encode()
		b.refused(method, path+"?"+first+"&"+query.Encode(), "", param.Name, bad.What+", in the query, duplicated")
	}
}

// batch is where a batch does what an endpoint does.
type batch struct{ path, operation string }

// batchWith finds the batch that creates or changes records as the endpoint does, nil if there is none.
func batchWith(api *rest.API, endpoint *rest.Endpoint) *batch {
	collection, ofItem := strings.CutSuffix(endpoint.Path, "/{id:[0-9]+}")
	operation := map[string]string{http.MethodPost: "create", http.MethodPut: "update"}[endpoint.Methods[0]]
	exists := slices.ContainsFunc(api.Endpoints(), func(e rest.Endpoint) bool { return e.Path == collection+"/batch" })
	if operation == "" || !exists || ofItem != (operation == "update") || api.Namespace == storeapi.API(nil, nil).Namespace {
		return nil
	}
	return &batch{"/" + api.Namespace + resttest.Path(collection, "1") + "/batch", operation}
}

// reads are parameters of an answer as a whole, which the items of a batch do not have.
var reads = map[string]bool{"_fields": true, "dp": true}

// inBatch sends the bad value in the item of a batch, which answers for each item.
func (b *badInput) inBatch(to *batch, param rest.Param, bad resttest.Bad, required resttest.Object) {
	b.T.Helper()
	item := maps.Clone(required)
	item[param.Name] = bad.Value
	if to.operation == "update" {
		item["id"] = 1
	}
	b.sent++
	before := b.Version()
	body := resttest.JSON(resttest.Object{to.operation: []any{item}})
	answer := b.Post(to.path, body)
	fault := answer.Get(to.operation + ".0.error")
	if answer.Status != http.StatusOK || fault.Get("code").Str != "rest_invalid_param" ||
		fault.Get("data.params").Map()[param.Name].Str == "" {
		b.T.Errorf("%s %.200s: %s (%s): answered %d %.200s", to.path, body, param.Name, bad.What, answer.Status, answer.Body)
	}
	if b.Version() != before {
		b.T.Errorf("%s %.200s: %s (%s) was refused, but something changed", to.path, body, param.Name, bad.What)
	}
}

// refused checks that a request is refused for a parameter in the contract's envelope, and that nothing changed.
func (b *badInput) refused(method, target, body, param, what string) {
	b.T.Helper()
	b.sent++
	before := b.Version()
	answer := b.Call(method, target, body)
	envelope := answer.Result
	if answer.Status != http.StatusBadRequest || envelope.Get("code").Str != "rest_invalid_param" ||
		envelope.Get("data.status").Int() != http.StatusBadRequest || envelope.Get("message").Str == "" {
		b.T.Errorf("%s %s %.200s: %s (%s): answered %d %.200s", method, target, body, param, what, answer.Status, envelope.Raw)
		return
	}
	if reason, named := envelope.Get("data.params").Map()[param]; !named || reason.Str == "" {
		b.T.Errorf("%s %s %.200s: data.params does not name %s (%s): %s", method, target, body, param, what, envelope.Get("data.params"))
	}
	if b.Version() != before {
		b.T.Errorf("%s %s %.200s: %s (%s) was refused, but something changed", method, target, body, param, what)
	}
}
