package storeapi

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"strings"

	"shopcheck/mockserver/internal/rest"
)

// Batch runs several requests of this API, one after the other (contract, "Store API: cart"). Each is answered as if it
// had come alone: its failure does not stop the others. Headers of the batch hold for those that do not bring their own.

// maxStoreBatch is how many requests one batch may hold.
const maxStoreBatch = 25

const batchPath = "/batch"

// fullValidation refuses the whole batch if the parameters of one request are malformed.
const fullValidation = "require-all-validate"

func batchEndpoints(inner *rest.Router) []rest.Endpoint {
	request := &rest.Param{Type: rest.Object, Fields: []rest.Param{
		{Name: "path", Type: rest.String, Required: true},
		{Name: "method", Type: rest.String, Enum: []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}},
		{Name: "body", Type: rest.Object | rest.Null},
		{Name: "headers", Type: rest.Object | rest.Null},
	}}
	return []rest.Endpoint{{
		Methods: []string{http.MethodPost}, Path: batchPath, Access: rest.Public, Status: http.StatusMultiStatus,
		Params: []rest.Param{
			{Name: "validation", Type: rest.String, Enum: []string{"normal", fullValidation}, Default: "normal"},
			{Name: "requests", Type: rest.Array, Required: true, Max: rest.Bound(maxStoreBatch), Items: request},
		},
		Do: func(r *rest.Request) (rest.Answer, error) { return runBatch(r, inner) },
	}}
}

// batchAnswer is one entry of the answer.
type batchAnswer struct {
	Body    rest.Raw `json:"body"`
	Status  int      `json:"status"`
	Headers any      `json:"headers"` // rest.Pairs; a list without elements where nothing was run, as in live shops
}

func runBatch(r *rest.Request, inner *rest.Router) (rest.Answer, error) {
	markUser(r, r.Shopper.CustomerID)
	requests, err := batchRequests(r)
	if err != nil {
		return rest.Answer{}, err
	}
	if r.Args.String("validation") == fullValidation {
		if answers, failed := validate(r, requests, inner); failed {
			return rest.OK(rest.Pairs{{Name: "failed", Value: "validation"}, {Name: "responses", Value: answers}})
		}
	}
	answers := make([]*batchAnswer, len(requests))
	for i, request := range requests {
		answers[i] = run(r, request, inner, false)
	}
	return rest.OK(rest.Pairs{{Name: "responses", Value: answers}})
}

// batchRequests makes the requests of a batch. One that leads elsewhere refuses the whole batch before anything runs.
func batchRequests(r *rest.Request) ([]*http.Request, error) {
	sent := r.Args.Objects("requests")
	requests := make([]*http.Request, len(sent))
	for i, one := range sent {
		request, ok := batchRequest(r, one)
		if !ok {
			return nil, rest.Errorf(http.StatusBadRequest, "shop_rest_invalid_path",
				"requests[%d].path must be an address of %s other than its batch.", i, Namespace)
		}
		requests[i] = request
	}
	return requests, nil
}

func batchRequest(r *rest.Request, one rest.Args) (*http.Request, bool) {
	address, err := url.Parse(one.String("path"))
	if err != nil || address.Host != "" || address.Scheme != "" {
		return nil, false
	}
	method := one.String("method")
	if method == "" {
		method = http.MethodPost
	}
	request := (&http.Request{
		Method: method, URL: address, Header: batchHeader(r.HTTP.Header, one.Object("headers")), Host: r.HTTP.Host,
		RemoteAddr: r.HTTP.RemoteAddr, Proto: r.HTTP.Proto, ProtoMajor: r.HTTP.ProtoMajor, ProtoMinor: r.HTTP.ProtoMinor,
		Body: http.NoBody,
	}).WithContext(r.HTTP.Context())
	if body := one.Object("body"); body != nil {
		request.Body = io.NopCloser(bytes.NewReader(rest.AppendAny(nil, body)))
	}
	request = rest.Canonical(request, Namespace)
	inside := strings.HasPrefix(request.URL.Path, "/"+Namespace+"/") && request.URL.Path != "/"+Namespace+batchPath
	return request, inside && request.Method != http.MethodGet
}

// batchHeader gives a request of a batch the headers of the batch, with its own in their place.
func batchHeader(outer http.Header, own rest.Args) http.Header {
	header := outer.Clone()
	header.Set("Content-Type", "application/json")
	header.Del("X-Http-Method-Override")
	for _, sent := range own {
		if text, ok := sent.Value.(string); ok {
			header.Set(sent.Name, text)
		}
	}
	return header
}

// validate checks the parameters of all requests. The answers are null where they are good.
func validate(r *rest.Request, requests []*http.Request, inner *rest.Router) (answers []*batchAnswer, failed bool) {
	answers = make([]*batchAnswer, len(requests))
	for i, request := range requests {
		body, _ := io.ReadAll(request.Body)
		request.Body = io.NopCloser(bytes.NewReader(body))
		answer := run(r, request, inner, true)
		request.Body = io.NopCloser(bytes.NewReader(body))
		if answer.Status != http.StatusNoContent {
			answer.Headers = []any{}
			answers[i], failed = answer, true
		}
	}
	return answers, failed
}

// run answers one request of a batch.
func run(r *rest.Request, request *http.Request, inner *rest.Router, validateOnly bool) *batchAnswer {
	answer := rest.NewRecorder()
	r.Forward(inner, answer, request, validateOnly)
	return &batchAnswer{Body: bodyOf(answer), Status: answer.Status, Headers: batchHeaders(answer.Header())}
}

// shownHeaders are the headers of an answer that a batch passes on; some are numbers there.
var shownHeaders = []struct {
	name   string
	number bool
}{{"Nonce", false}, {"Nonce-Timestamp", true}, {"User-ID", true}, {"Cart-Token", false}, {"Cart-Hash", false}, {"Allow", false}}

func batchHeaders(header http.Header) rest.Pairs {
	shown := rest.Pairs{}
	for _, known := range shownHeaders {
		values, set := header[http.CanonicalHeaderKey(known.name)]
		switch {
		case !set:
		case known.number:
			shown = append(shown, rest.Extra{Name: known.name, Value: json.Number(values[0])})
		default:
			shown = append(shown, rest.Extra{Name: known.name, Value: values[0]})
		}
	}
	return shown
}

// bodyOf gives the body of an answer; one that is empty is null.
func bodyOf(answer *rest.Recorder) rest.Raw {
	if answer.Body.Len() == 0 {
		return rest.Raw("null")
	}
	return answer.Body.Bytes()
}
