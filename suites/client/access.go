package client

// How the target is talked to: what it calls things, where its API lies, how keys travel. Everything else knows the contract's names only:
// requests are mapped here on their way out, and answers on their way in, after what was really sent has been recorded.

import (
	"net/http"
	"net/url"
	"strings"

	"shopcheck/fixtures/dialects"
)

// Access is how a target is talked to. The zero value stands for the contract's own names below the target's address.
type Access struct {
	Dialect dialects.Dialect `json:"dialect"`
	ByQuery bool             `json:"by_query"` // the route travels in the query of the site's root, where no addresses are rewritten
	Keys    AuthWay          `json:"keys"`     // how keys travel where the usual way is refused; NoAuth: the usual way
}

// String says it for people, "" for what is usual.
func (a Access) String() string {
	var said []string
	if a.Dialect.Name != "" && !a.Dialect.IsNeutral() {
		said = append(said, "the shop speaks the dialect "+a.Dialect.Name)
	}
	if a.ByQuery {
		said = append(said, "its API is reached by /?"+a.Dialect.RouteParameter+"=")
	}
	switch a.Keys {
	case BasicWay:
		said = append(said, "it takes keys by Basic authentication and not in the query")
	case QueryWay:
		said = append(said, "it takes keys in the query and not by Basic authentication")
	case SignedWay:
		said = append(said, "its keys sign requests (OAuth 1.0a), as it takes them in no other way over http")
	}
	return strings.Join(said, "; ")
}

// Access returns how the target is talked to.
func (c *Client) Access() Access { return c.access }

// Use changes how the target is talked to. It must not be called while requests are under way.
func (c *Client) Use(a Access) {
	if a.Dialect.Name == "" {
		a.Dialect = dialects.Contract()
	}
	c.access, c.toWire, c.fromWire = a, a.Dialect.FromNeutral(), a.Dialect.ToNeutral()
}

// maps reports whether anything is called or placed otherwise than in the contract.
func (a Access) maps() bool { return a.ByQuery || a.Dialect.Name != "" && !a.Dialect.IsNeutral() }

// wire is a request as it is sent. The body has its names already.
func (c *Client) wire(req Request) Request {
	if !c.access.maps() {
		return req
	}
	path, query, hasQuery := strings.Cut(req.Path, "?")
	if values, err := url.ParseQuery(query); err == nil && (c.access.ByQuery || values.Has(contractRoute)) {
		req.Query, query, hasQuery = joined(req.Query, values), "", false
	}
	req.Path, req.Query = c.place(path, req.Query)
	if hasQuery {
		req.Path += "?" + query
	}
	header := http.Header{}
	for name, values := range req.Header {
		header[http.CanonicalHeaderKey(name)] = values
	}
	c.toWire.RenameHeaders(header)
	req.Header = header
	return req
}

const contractRoute = "rest_route" // the contract's query parameter that holds the route

// place is where a path of the contract leads at this target.
func (c *Client) place(path string, query url.Values) (string, url.Values) {
	dialect, byQuery := c.access.Dialect, c.access.ByQuery
	if route := query.Get(contractRoute); route != "" && strings.Trim(path, "/") == "" {
		path, byQuery = route, true
		query = withValues(query)
		query.Del(contractRoute)
	}
	if byQuery {
		return "/", withValues(query, dialect.RouteParameter, c.toWire.Path(path))
	}
	return dialect.Root + c.toWire.Path(path), query
}

// joined are the values of both.
func joined(a, b url.Values) url.Values {
	out := withValues(a)
	for name, values := range b {
		out[name] = append(out[name][:len(out[name]):len(out[name])], values...)
	}
	return out
}

// read is an answer with the contract's names.
func (c *Client) read(a *Answer, req Request) *Answer {
	if !c.access.maps() {
		return a
	}
	path := req.Path
	if route := req.Query.Get(contractRoute); route != "" {
		path = route
	}
	header := c.Header(a.Header)
	c.fromWire.MapLinks(header)
	body := c.fromWire.Answer([]byte(a.Body), path, a.Status, req.Query.Has("_envelope"))
	return &Answer{Method: a.Method, Path: a.Path, Status: a.Status, Header: header, Body: string(body), Err: a.Err, Retries: a.Retries,
		Exchange: a.Exchange}
}

// Header returns what the target has sent, with the contract's names.
func (c *Client) Header(h http.Header) http.Header {
	if !c.access.maps() {
		return h
	}
	header := h.Clone()
	c.fromWire.RenameHeaders(header)
	return header
}
