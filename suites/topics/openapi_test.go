package topics_test

// The mock's OpenAPI document, judged by libraries of others: it is one, and all that happens in a run of the suites is as it says.

import (
	"context"
	"errors"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/tidwall/gjson"

	"shopcheck/mockserver"
	"shopcheck/reports/validation"
	"shopcheck/suites"
	"shopcheck/suites/topics"
)

func openAPI(t *testing.T) []byte {
	t.Helper()
	text, err := mockserver.OpenAPI("http://shop.example.test")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestTheOpenAPIDocumentIsOne(t *testing.T) {
	t.Parallel()
	sound := string(openAPI(t))
	if err := judged(t, sound); err != nil {
		t.Error(err)
	}
	for old, broken := range map[string]string{
		`"openapi":"3.1.0"`:         `"openapi":"3.0.0"`,
		`"type":"string"`:           `"type":"text"`,
		`"$ref":"#/components/`:     `"$ref":"#/components/missing/`,
		`"/shop/v3/products/{id}":`: `"/shop/v3/products/{number}":`,
		`"operationId":"` + operationID(sound, "products") + `"`: `"operationId":"` + operationID(sound, "orders") + `"`,
	} {
		if changed := strings.Replace(sound, old, broken, 1); changed == sound || judged(t, changed) == nil {
			t.Errorf("with %s for %s it counts as sound", broken, old)
		}
	}
}

// judged says what is wrong with an OpenAPI document.
func judged(t *testing.T, text string) error {
	document, err := openapi3.NewLoader().LoadFromData([]byte(text))
	if err != nil {
		return err
	}
	return document.Validate(t.Context())
}

// operationID is that of a list of the management API.
func operationID(document, resource string) string {
	return gjson.Get(document, `paths./shop/v3/`+resource+`.get.operationId`).String()
}

// leastJudged is how many of a hundred exchanges of a run the document must say something about.
const leastJudged = 95

func TestTheOpenAPIDocumentSaysWhatHappens(t *testing.T) {
	t.Parallel()
	shop := mockserver.StartWith(t, mockserver.Options{Journal: mockserver.JournalOptions{Requests: 1_000_000, Bytes: 1 << 30}})
	report, err := suites.Run(context.Background(), suites.Options{Profile: profileOf(t, shop.URL()), Topics: topics.All(), Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	checkVerdict(t, report)
	requests, err := shop.Requests(mockserver.RequestFilter{})
	if err != nil {
		t.Fatal(err)
	}
	d := newDescription(t, openAPI(t))
	judged, faults := 0, map[string]int{}
	for i := range requests {
		found, wrong := d.judge(&requests[i])
		if found {
			judged++
		}
		for _, fault := range wrong {
			faults[digits.ReplaceAllString(fault, "N")]++
		}
	}
	for fault, times := range faults {
		t.Errorf("%d × %s", times, fault)
	}
	if len(requests) == 0 || 100*judged < leastJudged*len(requests) {
		t.Errorf("%d of %d exchanges are described, want %d %%", judged, len(requests), leastJudged)
	}
}

var digits = regexp.MustCompile(`[0-9]+`)

// description is an OpenAPI document, made ready to judge exchanges by.
type description struct {
	tree     any
	paths    []describedPath
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema // by their place in the document
}

type describedPath struct {
	address string
	form    *regexp.Regexp
}

const documentName = "file:///openapi.json"

func newDescription(t *testing.T, text []byte) *description {
	t.Helper()
	tree, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	if err != nil {
		t.Fatal(err)
	}
	d := &description{tree: tree, compiler: jsonschema.NewCompiler(), schemas: map[string]*jsonschema.Schema{}}
	if err := d.compiler.AddResource(documentName, tree); err != nil {
		t.Fatal(err)
	}
	variables := regexp.MustCompile(`\\\{[^}]*\\\}`)
	for address := range gjson.GetBytes(text, "paths").Map() {
		form := variables.ReplaceAllString(regexp.QuoteMeta(address), "[^/]+")
		d.paths = append(d.paths, describedPath{address, regexp.MustCompile("^" + form + "$")})
	}
	return d
}

// operation finds the place of what describes a request; "" if nothing does. Addresses without variables come first.
func (d *description) operation(method, path string) string {
	best := ""
	for _, known := range d.paths {
		if known.form.MatchString(path) && (best == "" || strings.Count(known.address, "{") < strings.Count(best, "{")) {
			best = known.address
		}
	}
	place := "/paths/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(best) + "/" + strings.ToLower(method)
	if best == "" || d.at(place) == nil {
		return ""
	}
	return place
}

// at is what stands at a place of the document, nil for nothing.
func (d *description) at(place string) any {
	found := d.tree
	for name := range strings.SplitSeq(place[1:], "/") {
		branch, _ := found.(map[string]any)
		found = branch[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]
	}
	return found
}

// isCut reports whether the journal kept the beginning of a body only, which it says at its end.
func isCut(body string) bool { return strings.HasSuffix(body, " bytes in all]") }

// judge says whether an exchange is described, and what of it is otherwise than described.
func (d *description) judge(r *mockserver.Request) (found bool, faults []string) {
	if r.Method == http.MethodHead || r.Method == http.MethodOptions || isCut(r.Body) || isCut(r.AnswerBody) {
		return false, nil
	}
	operation := d.operation(r.Method, strings.TrimSuffix(r.Path, "/"))
	if operation == "" {
		if r.Status < http.StatusBadRequest && strings.HasPrefix(r.Path, "/shop/") {
			return true, []string{r.Method + " " + r.Path + " is not described"}
		}
		return false, nil
	}
	status, answer := r.Status, r.AnswerBody
	if strings.Contains(r.Target, "_envelope=1") {
		status, answer = int(gjson.Get(answer, "status").Int()), gjson.Get(answer, "body").Raw
	}
	place := operation + "/responses/" + strconv.Itoa(status)
	if status >= http.StatusBadRequest {
		place = strings.TrimPrefix(d.at(operation+"/responses/default/$ref").(string), "#")
	}
	named := r.Method + " " + r.Path + " " + strconv.Itoa(status)
	if d.at(place) == nil {
		return true, []string{named + ": the status is not described"}
	}
	faults = d.compare(named, place+"/content/application~1json/schema", answer)
	if status < http.StatusMultipleChoices && strings.HasPrefix(r.Header.Get("Content-Type"), "application/json") && r.Body != "" {
		faults = append(faults, d.compare(named+" (sent)", operation+"/requestBody/content/application~1json/schema", r.Body)...)
	}
	return true, faults
}

// compare says how a body is otherwise than the schema at a place describes. What has no schema has no body.
func (d *description) compare(named, place, body string) []string {
	if d.at(place) == nil {
		if strings.HasSuffix(named, "(sent)") || body == "" {
			return nil
		}
		return []string{named + ": no body is described"}
	}
	schema := d.schemas[place]
	if schema == nil {
		var err error
		if schema, err = d.compiler.Compile(documentName + "#" + place); err != nil {
			return []string{err.Error()}
		}
		d.schemas[place] = schema
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
	if err != nil {
		return []string{named + ": " + err.Error()}
	}
	var misfit *jsonschema.ValidationError
	if !errors.As(schema.Validate(value), &misfit) {
		return nil
	}
	var faults []string
	for _, leaf := range validation.Leaves(misfit) {
		faults = append(faults, named+": "+leaf.Error())
	}
	return faults
}

func TestWhatIsOtherwiseThanDescribedIsTold(t *testing.T) {
	t.Parallel()
	d := newDescription(t, openAPI(t))
	get := mockserver.Request{Method: "GET", Path: "/shop/v3/products/1", Status: 200, AnswerBody: `{"id":1,"name":"x"}`}
	for name, c := range map[string]struct {
		change func(*mockserver.Request)
		want   string
	}{
		"nothing":             {func(*mockserver.Request) {}, ""},
		"a type":              {func(r *mockserver.Request) { r.AnswerBody = `{"id":"1"}` }, "want integer"},
		"a type in a list":    {func(r *mockserver.Request) { r.Path, r.AnswerBody = "/shop/v3/products", `[{"name":1}]` }, "want string"},
		"a list for a record": {func(r *mockserver.Request) { r.AnswerBody = `[]` }, "want object"},
		"a status":            {func(r *mockserver.Request) { r.Status = 201 }, "the status is not described"},
		"an error":            {func(r *mockserver.Request) { r.Status, r.AnswerBody = 404, `{"code":"x"}` }, "missing properties"},
		"an address":          {func(r *mockserver.Request) { r.Path = "/shop/v3/unheard-of" }, "is not described"},
		"an error in an envelope": {func(r *mockserver.Request) {
			r.Target, r.AnswerBody = "/x?_envelope=1", `{"status":404,"body":{"code":1},"headers":{}}`
		}, "want string"},
		"what was sent": {func(r *mockserver.Request) {
			r.Method, r.Body, r.Header = "PUT", `{"name":5}`, http.Header{"Content-Type": {"application/json"}}
		}, "want string"},
	} {
		t.Run(name, func(t *testing.T) {
			changed := get
			c.change(&changed)
			found, faults := d.judge(&changed)
			if told := strings.Join(faults, "; "); !found || (told == "") != (c.want == "") || !strings.Contains(told, c.want) {
				t.Errorf("%v, %q, want %q", found, told, c.want)
			}
		})
	}
}
