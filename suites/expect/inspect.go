package expect

// What is checked on every answer, whichever spec asked for it.

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"shopcheck/reports"
	"shopcheck/suites/client"
	"shopcheck/suites/contract"
)

// InspectAnswer inspects an answer for everything that the contract says of all answers of its endpoint: the records in it,
// its headers, and the envelope of an error. query is what the request has asked for. Answers that a request has trimmed on purpose are
// left alone.
func InspectAnswer(a *client.Answer, endpoint string, query url.Values) Inspection {
	return newInspector().answer(a, endpoint, query)
}

func (i *inspector) answer(a *client.Answer, endpoint string, query url.Values) Inspection {
	switch {
	case a.Err != nil || a.Status == 0 || a.Method == "HEAD" || a.Method == "OPTIONS":
	case a.OK():
		i.status(a)
		i.mediaType(a)
		i.headers(a, contract.Headers(endpoint))
		i.sightings(a.JSON(), endpoint)
		if contract.IsOrderLookup(endpoint) {
			i.lookup(a.JSON(), "")
		}
		i.paging(a, endpoint, query)
		i.pageSize(a, endpoint, query)
	case a.Status >= 400:
		i.mediaType(a)
		i.headers(a, contract.RefusalHeaders(endpoint, a.Code()))
		i.errorBody(a)
	}
	about(a, i.Findings)
	return i.Inspection
}

// status: what is read comes with 200.
func (i *inspector) status(a *client.Answer) {
	r, _ := contract.All().Get("general.method-get")
	if a.Method == "GET" && a.Status != 200 {
		i.report(r, "", "what was read comes with another status", "200", strconv.Itoa(a.Status))
	}
}

func (i *inspector) mediaType(a *client.Answer) {
	if len(a.Body) == 0 {
		return
	}
	r, _ := contract.All().Get("general.json-answers")
	i.Checked.Add(r.ID)
	if a.MediaType() != "application/json" {
		i.report(r, "Content-Type", "the answer does not say that it is JSON", "application/json", quote(a.Header.Get("Content-Type")))
	}
	if err := a.TooDeep(); err != nil {
		i.report(r, "", "the body cannot be read: "+err.Error(), "one JSON document, as deep as its records need", quote(a.Body))
		return
	}
	if !a.IsJSON() {
		i.report(r, "", "the body is not JSON", "one JSON document", quote(a.Body))
	}
}

func (i *inspector) headers(a *client.Answer, rules []contract.HeaderRule) {
	for _, rule := range rules {
		r, _ := contract.All().Get(rule.Requirement)
		i.Checked.Add(r.ID)
		value := a.Header.Get(rule.Name)
		switch {
		case value == "":
			i.report(r, rule.Name, "the header is missing", "a header "+rule.Name, "none")
		case rule.Whole && !isWhole(value):
			i.report(r, rule.Name, "the header is no number", "a whole number", quote(value))
		}
	}
}

func isWhole(text string) bool {
	n, err := strconv.Atoi(text)
	return err == nil && n >= 0
}

func (i *inspector) sightings(body gjson.Result, endpoint string) {
	for _, s := range contract.Sightings(endpoint) {
		place := body
		if s.Path != "" {
			place = body.Get(s.Path)
		}
		switch {
		case !s.Each:
			i.record(place, s.Shape, s.Path)
			switch s.Shape {
			case contract.Cart():
				i.cart(place, s.Path)
			case contract.Checkout():
				i.payment(place)
			}
		case s.Path == "":
			i.list(place, s.Shape)
		default:
			i.batch(place, s.Shape, s.Path)
		}
	}
}

func (i *inspector) list(body gjson.Result, shape *contract.Shape) {
	id := "general.collections-are-arrays"
	if shape.Feature == contract.FeatureStoreProducts {
		id = "general.store-collections-are-arrays"
	}
	r, _ := contract.All().Get(id)
	i.Checked.Add(r.ID)
	if !body.IsArray() {
		i.report(r, "", reports.NoArray, "a JSON array", describe(body))
		return
	}
	for n, record := range itemsOf(body) {
		i.record(record, shape, strconv.Itoa(n))
	}
}

// batch: what a batch answers is not documented, but where it shows records, they are records.
func (i *inspector) batch(records gjson.Result, shape *contract.Shape, path string) {
	for n, record := range records.Array() {
		if record.Get("id").Exists() && !record.Get("error").Exists() {
			i.record(record, shape, path+"."+strconv.Itoa(n))
		}
	}
}

func (i *inspector) errorBody(a *client.Answer) {
	body := a.JSON()
	i.record(body, contract.ErrorEnvelope(), "")
	if message := body.Get("message"); message.Type == gjson.String {
		i.Checked.Add("errors.message-told")
		if strings.TrimSpace(message.Str) == "" {
			i.tells("errors.message-told", "message", "the error says nothing", "a message for whoever reads it", message.Raw)
		}
	}
	if status := body.Get("data.status"); status.Exists() {
		r, _ := contract.All().Get("errors.status-repeated")
		i.Checked.Add(r.ID)
		if status.Int() != int64(a.Status) {
			i.report(r, "data.status", "data.status is another than the HTTP status", strconv.Itoa(a.Status), status.Raw)
		}
	}
	if a.Code() == "rest_invalid_param" {
		i.faultyParams(body.Get("data.params"))
	}
	if a.Status == 409 && body.Get("data.cart").Exists() {
		i.record(body.Get("data.cart"), contract.Cart(), "data.cart")
		i.cart(body.Get("data.cart"), "data.cart")
	}
}

// faultyParams: which parameters are wrong, and why.
func (i *inspector) faultyParams(params gjson.Result) {
	r, _ := contract.All().Get("errors.params")
	i.Checked.Add(r.ID)
	if !params.IsObject() || params.Get("@keys.#").Int() == 0 {
		i.report(r, "data.params", "the error does not say which parameters are wrong", "an object of parameters and messages",
			describe(params))
	}
}

// Worst is the most binding level among findings, "" for none.
func Worst(findings []reports.Finding) reports.Level {
	worst := reports.Level("")
	for _, f := range findings {
		switch {
		case f.Level == reports.Must:
			return reports.Must
		case f.Level == reports.Should:
			worst = reports.Should
		case worst == "":
			worst = f.Level
		}
	}
	return worst
}
