package client

// What the target answered.

import (
	"fmt"
	"mime"
	"net/http"
	"sync"

	"github.com/tidwall/gjson"

	"shopcheck/reports/nesting"
)

// Answer is one answer of the target, whole.
type Answer struct {
	Method   string
	Path     string
	Status   int // 0 when no answer came; Err then says why
	Header   http.Header
	Body     string // what is parsed and what is recorded of it share its memory
	Err      error
	Retries  int
	Exchange int // its place among the spec's recorded exchanges

	parsing sync.Once
	parsed  gjson.Result
	tooDeep error
}

// Moved returns the same answer as the record of another spec has it: its exchange is further behind there. Of nil it is nil.
func (a *Answer) Moved(by int) *Answer {
	if a == nil {
		return nil
	}
	return &Answer{Method: a.Method, Path: a.Path, Status: a.Status, Header: a.Header, Body: a.Body, Err: a.Err, Retries: a.Retries,
		Exchange: a.Exchange + by}
}

// Part returns the answer with nothing in its body but the value at a gjson path: a record of a list.
func (a *Answer) Part(path string) *Answer {
	part := a.Moved(0)
	part.Body = a.Get(path).Raw
	return part
}

// JSON is the parsed body. A body that is not JSON, or nested too deep, gives a result that does
// not exist.
func (a *Answer) JSON() gjson.Result {
	a.parsing.Do(func() {
		if a.tooDeep = nesting.Check(a.Body); a.tooDeep == nil && gjson.Valid(a.Body) {
			a.parsed = gjson.Parse(a.Body)
		}
	})
	return a.parsed
}

// TooDeep returns an error for a body that is nested too deep to be parsed.
func (a *Answer) TooDeep() error {
	a.JSON()
	return a.tooDeep
}

// IsJSON reports whether the body is one JSON document.
func (a *Answer) IsJSON() bool { return a.JSON().Exists() }

// Get returns the value at a gjson path of the body.
func (a *Answer) Get(path string) gjson.Result {
	if path == "" {
		return a.JSON()
	}
	return a.JSON().Get(path)
}

// ID is the record's id, 0 without one.
func (a *Answer) ID() int64 { return a.Get("id").Int() }

// Code is the error code of an error body.
func (a *Answer) Code() string { return a.Get("code").String() }

// OK reports whether the status is a success.
func (a *Answer) OK() bool { return a.Status >= 200 && a.Status < 300 }

// Refused reports whether the target turned the request down: a 4xx.
func (a *Answer) Refused() bool { return a.Status >= 400 && a.Status < 500 }

// redirects reports whether the target sends the client elsewhere.
func (a *Answer) redirects() bool {
	return a.Status >= 300 && a.Status < 400 && a.Header.Get("Location") != ""
}

// MediaType is the content type without its parameters.
func (a *Answer) MediaType() string {
	kind, _, err := mime.ParseMediaType(a.Header.Get("Content-Type"))
	if err != nil {
		return a.Header.Get("Content-Type")
	}
	return kind
}

// String names the request that the answer is to, with its outcome.
func (a *Answer) String() string {
	if a.Err != nil {
		return fmt.Sprintf("%s %s: %v", a.Method, a.Path, a.Err)
	}
	return fmt.Sprintf("%s %s → %d", a.Method, a.Path, a.Status)
}
