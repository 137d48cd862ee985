package control

// The journal under /_mock/requests: to look at what an app does, to count it, and to wait for it.

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"slices"
	"strconv"
	"time"

	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/match"
	"shopcheck/mockserver/internal/rest"
)

// filterParams say which requests are meant.
var filterParams = []rest.Param{
	{Name: "method", Type: rest.String},
	{Name: "path", Type: rest.String,
		Description: "As the contract writes it; * or {id} is anything between two slashes, ** at the end all that follows."},
	{Name: "body", Type: rest.Array, Items: &rest.Param{Type: rest.String},
		Description: "What the JSON body holds, by gjson's paths: payment_method=bacs, or just items.0.id."},
	{Name: "status", Type: rest.String, Description: "404, or 4xx."},
	{Name: "after", Type: rest.Integer, Min: rest.Bound(0), Description: "Only requests with a larger id."},
	{Name: "fault", Type: rest.Boolean, Description: "Only those to which something was done on purpose."},
}

func requestCalls() []call {
	one := rest.Described[exchange]()
	list := &rest.Param{Name: "requests", Type: rest.Array, Items: one}
	limit := rest.Param{Name: "limit", Type: rest.Integer, Min: rest.Bound(0), Description: "Only so many, the newest ones."}
	calls := []call{
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/requests", Summary: "List the requests that came, oldest first",
			Query: append(slices.Clip(filterParams), limit), Answer: list}, (*Services).listRequests},
		{rest.Operation{Method: http.MethodDelete, Path: "/_mock/requests", Summary: "Forget the requests that came",
			Status: http.StatusNoContent}, (*Services).clearRequests},
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/requests/{id:[0-9]+}",
			Summary: "Show a request with its answer, headers and bodies", Answer: one}, (*Services).showRequest},
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/requests/count", Summary: "Count requests",
			Query: filterParams, Answer: object(countParam)}, (*Services).countRequests},
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/requests/wait", Summary: "Wait for requests",
			Query: append(slices.Clip(filterParams), waitedCount, timeoutParam), Answer: waited(*list)}, (*Services).awaitRequests},
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/requests/events", Summary: "Follow the requests, by server-sent events",
			Query: filterParams, Answer: &rest.Param{Type: rest.String}, Media: "text/event-stream"}, (*Services).followRequests},
		{rest.Operation{Method: http.MethodGet, Path: "/_mock/requests.har", Summary: "Write an HTTP archive of the requests",
			Query: filterParams, Answer: object()}, (*Services).archiveRequests},
	}
	for i := range calls {
		calls[i].do = journaled(calls[i].do)
	}
	return calls
}

// journaled is a call that needs a journal.
func journaled(do handler) handler {
	return func(s *Services, w http.ResponseWriter, r *http.Request) {
		if s.Journal == nil {
			rest.WriteError(w, rest.Errorf(http.StatusNotFound, "mock_no_journal", "This shop was told to keep no journal."))
			return
		}
		do(s, w, r)
	}
}

// exchange is the wire form of an entry. A list leaves out headers and bodies.
type exchange struct {
	ID         int64     `json:"id"`
	Time       time.Time `json:"time"`
	DurationMS float64   `json:"duration_ms"`
	Method     string    `json:"method"`
	Path       string    `json:"path"` // as the contract writes it
	Target     string    `json:"target"`
	Host       string    `json:"host"`
	Client     string    `json:"client"`
	Status     int       `json:"status"` // 0: the connection was ended without an answer
	Code       string    `json:"code,omitempty"`
	Fault      string    `json:"fault,omitempty"`
	Request    *message  `json:"request,omitempty"`
	Response   *message  `json:"response,omitempty"`
}

func exchangeOf(e *journal.Entry) exchange {
	return exchange{
		ID: e.ID, Time: e.Time, DurationMS: float64(e.Took) / float64(time.Millisecond), Method: e.Method, Path: e.Path, Target: e.Target,
		Host: e.Host, Client: e.Client, Status: e.Status, Code: e.Code(), Fault: e.Fault,
	}
}

func wholeExchange(e *journal.Entry) exchange {
	shown := exchangeOf(e)
	shown.Request, shown.Response = &message{e.Request.Header, e.Request.Body}, &message{e.Answer.Header, e.Answer.Body}
	return shown
}

func exchangesOf(entries []journal.Entry) []exchange {
	shown := make([]exchange, len(entries))
	for i := range entries {
		shown[i] = exchangeOf(&entries[i])
	}
	return shown
}

// filter reads which requests are meant.
func (p *params) filter() journal.Filter {
	meant, err := match.NewRequest(p.text("method"), p.text("path"), p.all("body")...)
	if err != nil {
		p.refuse("method, path, body", "%v", err)
	}
	return journal.Filter{Request: meant, After: p.number("after", 0, 0, math.MaxInt64), Status: p.status(), Faulty: p.flag("fault")}
}

// status reads a status, "404", or a class of them, "4xx".
func (p *params) status() int {
	text := p.text("status")
	if len(text) == len("4xx") && text[1:] == "xx" && text[0] >= '1' && text[0] <= '5' {
		return int(text[0] - '0')
	}
	status, err := strconv.Atoi(text)
	if text != "" && (err != nil || status < 100 || status > 599) {
		p.refuse("status", "status must be an HTTP status such as 404, or a class of them such as 4xx.")
	}
	return status
}

// listRequests shows the requests that are meant, oldest first; ?limit= leaves the newest ones.
func (s *Services) listRequests(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	filter, limit := p.filter(), int(p.number("limit", math.MaxInt32, 0, math.MaxInt32))
	if p.refused(w) {
		return
	}
	filter.Brief = true
	entries := s.Journal.List(filter)
	rest.WriteJSON(w, http.StatusOK, exchangesOf(entries[max(0, len(entries)-limit):]))
}

func (s *Services) showRequest(w http.ResponseWriter, r *http.Request) {
	id, _ := strconv.ParseInt(rest.CallOf(r).Path["id"], 10, 64) // out of range: there is no such request
	entry, kept := s.Journal.Get(id)
	if !kept {
		rest.WriteError(w, rest.Errorf(http.StatusNotFound, "mock_no_such_request", "The journal keeps no such request, or no longer."))
		return
	}
	rest.WriteJSON(w, http.StatusOK, wholeExchange(&entry))
}

func (s *Services) clearRequests(w http.ResponseWriter, r *http.Request) {
	if paramsOf(r).refused(w) {
		return
	}
	s.Journal.Clear()
	w.WriteHeader(http.StatusNoContent)
}

func (s *Services) countRequests(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	filter := p.filter()
	if p.refused(w) {
		return
	}
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{{Name: "count", Value: s.Journal.Count(filter)}})
}

// awaitRequests answers when as many requests are meant as ?count= says, or after ?timeout=, and says which.
func (s *Services) awaitRequests(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	filter, count, timeout := p.filter(), int(p.number("count", 1, 1, math.MaxInt32)), p.timeout()
	if p.refused(w) {
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), timeout)
	defer cancel()
	filter.Brief = true
	entries, err := s.Journal.Await(ctx, filter, count)
	answerWait(w, err == nil, "requests", exchangesOf(entries))
}

// answerWait says whether what was waited for came, and what came.
func answerWait[T any](w http.ResponseWriter, met bool, name string, came []T) {
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{{Name: "met", Value: met}, {Name: "count", Value: len(came)}, {Name: name, Value: came}})
}

// followRequests sends each request that is meant as a server-sent event, from the one after ?after= on; Last-Event-ID says so, too.
func (s *Services) followRequests(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	filter := p.filter()
	if p.refused(w) {
		return
	}
	if last, err := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64); err == nil {
		filter.After = max(filter.After, last)
	}
	header := w.Header()
	header.Set("Content-Type", "text/event-stream")
	header.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusOK)
	filter.Brief = true
	socket := http.NewResponseController(w)
	socket.Flush()                                                      //nolint:errcheck // Follow finds out
	s.Journal.Follow(r.Context(), filter, func(e journal.Entry) error { //nolint:errcheck // it ends when nobody listens any more
		text, err := json.Marshal(exchangeOf(&e))
		if err != nil {
			return err
		}
		if _, err := fmt.Fprintf(w, "id: %d\nevent: request\ndata: %s\n\n", e.ID, text); err != nil {
			return err
		}
		return socket.Flush()
	})
}

// archiveRequests answers an HTTP archive.
func (s *Services) archiveRequests(w http.ResponseWriter, r *http.Request) {
	p := paramsOf(r)
	filter := p.filter()
	if p.refused(w) {
		return
	}
	header := w.Header()
	header.Set("Content-Type", "application/json")
	header.Set("Content-Disposition", `attachment; filename="shopmock.har"`)
	journal.WriteHAR(w, s.Journal.List(filter)) //nolint:errcheck // a client that went away is no fault of ours
}
