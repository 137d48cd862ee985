package testkit

// How a test calls a shop, and what it expects of the answer.

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"shopcheck/mockserver/internal/shopmock"
)

// Site is where a shop without a socket is reached.
const Site = "http://shop.test"

// Client calls a shop.
type Client struct {
	T      testing.TB // fails when an answer is not what is wanted
	Site   string     // the address that paths begin at, without a trailing slash
	Header http.Header

	Transport http.RoundTripper

	server *shopmock.Server
}

func newClient(t testing.TB, server *shopmock.Server, socket bool) *Client {
	c := &Client{T: t, Site: Site, Header: http.Header{}, server: server, Transport: inProcess{server.Handler()}}
	if socket {
		wire := &http.Transport{}
		t.Cleanup(wire.CloseIdleConnections)
		c.Site, c.Transport = server.URL(), wire
	}
	return c.As("ck_mock_rw", "cs_mock_rw")
}

// inProcess hands requests to a handler.
type inProcess struct{ http.Handler }

// RoundTrip answers a request as if it had come from this machine, unless it says where it comes from.
func (p inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.WithContext(context.WithValue(r.Context(), http.ServerContextKey, &http.Server{}))
	r.RemoteAddr = cmp.Or(r.RemoteAddr, "127.0.0.1:40000")
	r.RequestURI = r.URL.RequestURI()
	if r.Body == nil {
		r.Body = http.NoBody
	}
	recorder := httptest.NewRecorder()
	p.ServeHTTP(recorder, r)
	return recorder.Result(), nil
}

// In is the same client for a subtest: what fails, fails there.
func (c *Client) In(t testing.TB) *Client {
	other := *c
	other.T = t
	return &other
}

// With is a client that also sends these headers, given as names and values. An empty value takes the header away.
func (c *Client) With(header ...string) *Client {
	other := *c
	other.Header = c.Header.Clone()
	set(other.Header, header)
	return &other
}

func set(header http.Header, pairs []string) {
	for i := 0; i < len(pairs); i += 2 {
		if header.Set(pairs[i], pairs[i+1]); pairs[i+1] == "" {
			header.Del(pairs[i])
		}
	}
}

// Under is a client whose paths begin below another.
func (c *Client) Under(path string) *Client {
	other := *c
	other.Site += path
	return &other
}

// As is a client with other credentials, sent by Basic authentication; without any if the name is empty.
func (c *Client) As(name, password string) *Client {
	if name == "" {
		return c.With("Authorization", "")
	}
	signed := http.Request{Header: http.Header{}}
	signed.SetBasicAuth(name, password)
	return c.With("Authorization", signed.Header.Get("Authorization"))
}

// Form is the body of a request that is a form: "a=1&b=2".
type Form string

// Object is a JSON object.
type Object = map[string]any

// Request makes a request of a path, or of an address that an answer gave. The body is nil or "" for none, a text that is sent as
// JSON whatever it holds, a Form, or what JSON can encode.
func (c *Client) Request(method, path string, body any, header ...string) *http.Request {
	c.T.Helper()
	text, kind := "", "application/json"
	switch b := body.(type) {
	case nil:
		kind = ""
	case string:
		if b == "" {
			kind = ""
		}
		text = b
	case Form:
		text, kind = string(b), "application/x-www-form-urlencoded"
	default:
		encoded, err := json.Marshal(b)
		if err != nil {
			c.T.Fatal(err)
		}
		text = string(encoded)
	}
	if !strings.HasPrefix(path, "http://") {
		path = c.Site + path
	}
	request, err := http.NewRequest(method, path, strings.NewReader(text))
	if err != nil {
		c.T.Fatal(err)
	}
	request.Header = c.Header.Clone()
	if kind != "" {
		request.Header.Set("Content-Type", kind)
	}
	set(request.Header, header)
	return request
}

// Call sends a request and returns the answer, whatever it is.
func (c *Client) Call(method, path string, body any, header ...string) *Answer {
	c.T.Helper()
	return c.Do(c.Request(method, path, body, header...))
}

// Get reads a path.
func (c *Client) Get(path string, header ...string) *Answer {
	c.T.Helper()
	return c.Call(http.MethodGet, path, nil, header...)
}

// Post sends a body to a path.
func (c *Client) Post(path string, body any, header ...string) *Answer {
	c.T.Helper()
	return c.Call(http.MethodPost, path, body, header...)
}

// Create adds a record to a collection and returns the record's path.
func (c *Client) Create(collection string, body any) string {
	c.T.Helper()
	return collection + "/" + c.Call(http.MethodPost, collection, body).Want(http.StatusCreated).Get("id").String()
}

// Do sends a request that Request made. It follows no redirect.
func (c *Client) Do(request *http.Request) *Answer {
	c.T.Helper()
	what := request.Method + " " + request.URL.String()
	response, err := c.Transport.RoundTrip(request)
	if err != nil {
		c.T.Fatalf("%s: %v", what, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		c.T.Fatalf("%s: %v", what, err)
	}
	if kind := response.Header.Get("Content-Type"); strings.HasPrefix(cmp.Or(kind, "application/json"), "application/json") &&
		len(body) > 0 && !gjson.ValidBytes(body) {
		c.T.Fatalf("%s answered %d with what is no JSON: %s", what, response.StatusCode, body)
	}
	return &Answer{gjson.ParseBytes(body), response.StatusCode, response.Header, string(body), what, c.T}
}

// Refuses checks that a call fails with a status and a code, in the documented envelope, and changes nothing.
func (c *Client) Refuses(status int, code, method, path string, body any) *Answer {
	c.T.Helper()
	before := c.server.Shop().Version()
	answer := c.Call(method, path, body).Fails(status, code)
	if c.server.Shop().Version() != before {
		c.T.Errorf("%s with %v was refused, but something changed", answer.What, body)
	}
	return answer
}

// Answer is what came back: the JSON value, if it is one, and the rest.
type Answer struct {
	gjson.Result
	Status int
	Header http.Header
	Body   string

	What string // the call: "GET http://shop.test/"

	t testing.TB
}

// Want checks the status.
func (a *Answer) Want(status int) *Answer {
	a.t.Helper()
	if a.Status != status {
		a.t.Fatalf("%s answered %d, want %d: %.400s", a.What, a.Status, status, a.Body)
	}
	return a
}

// Fails checks that the answer is an error with the status and the code, in the contract's envelope.
func (a *Answer) Fails(status int, code string) *Answer {
	a.t.Helper()
	a.Want(status)
	if got := a.Get("code").Str; got != code {
		a.t.Errorf("%s failed with %q, want %q: %s", a.What, got, code, a.Get("message").Str)
	}
	if a.Get("data.status").Int() != int64(status) || a.Get("message").Str == "" {
		a.t.Errorf("%s: not an error envelope: %.300s", a.What, a.Body)
	}
	return a
}

// JSON is a value as it is written.
type JSON = json.RawMessage

// Has checks values of the record, given as paths and values.
func (a *Answer) Has(pairs ...any) *Answer {
	a.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		path := pairs[i].(string)
		want, err := json.Marshal(pairs[i+1])
		if err != nil {
			a.t.Fatal(err)
		}
		if got := a.Get(path); got.Raw != string(want) && (got.Type != gjson.String || got.Str != pairs[i+1]) {
			a.t.Errorf("%s: %s is %.200s, want %s", a.What, path, got.Raw, want)
		}
	}
	return a
}

// HasNo checks that the record has nothing at these paths.
func (a *Answer) HasNo(paths ...string) *Answer {
	a.t.Helper()
	for _, path := range paths {
		if got := a.Get(path); got.Exists() {
			a.t.Errorf("%s: %s is %.200s, want none", a.What, path, got.Raw)
		}
	}
	return a
}

// Fields are the names of the fields of the record at a path, in their order; the path "" is the whole answer.
func (a *Answer) Fields(path string) string {
	var names []string
	a.Get(cmp.Or(path, "@this")).ForEach(func(name, _ gjson.Result) bool { names = append(names, name.Str); return true })
	return strings.Join(names, " ")
}

// HasFields checks which fields the record at a path has, and their order.
func (a *Answer) HasFields(path, want string) *Answer {
	a.t.Helper()
	if got := a.Fields(path); got != want {
		a.t.Errorf("%s: the fields of %q are\n%s, want\n%s", a.What, path, got, want)
	}
	return a
}

// HasHeader checks headers, given as names and values.
func (a *Answer) HasHeader(pairs ...string) *Answer {
	a.t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if got := a.Header.Get(pairs[i]); got != pairs[i+1] {
			a.t.Errorf("%s: %s is %q, want %q", a.What, pairs[i], got, pairs[i+1])
		}
	}
	return a
}
