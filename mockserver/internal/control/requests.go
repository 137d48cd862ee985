package control

// The journal under /_mock/requests: to look at what an app does, to count it, and to wait for it.

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"time"

	"github.com/gorilla/mux"

	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/match"
	"shopcheck/mockserver/internal/rest"
)

func mountRequests(router *mux.Router, services ServicesOf) {
	journaled := func(do func(*Services, http.ResponseWriter, *http.Request)) http.HandlerFunc {
		return services.run(func(s *Services, w http.ResponseWriter, r *http.Request) {
			if s.Journal == nil {
				rest.WriteError(w, rest.Errorf(http.StatusNotFound, "mock_no_journal", "This shop was told to keep no journal."))
				return
			}
			do(s, w, r)
		})
	}
	router.Path("/_mock/requests").Handler(rest.Methods{
		http.MethodGet: journaled((*Services).listRequests), http.MethodDelete: journaled((*Services).clearRequests),
	})
	router.Path("/_mock/requests/{id:[0-9]+}").Handler(rest.Methods{http.MethodGet: journaled((*Services).showRequest)})
	router.Path("/_mock/requests/count").Handler(rest.Methods{http.MethodGet: journaled((*Services).countRequests)})
	router.Path("/_mock/requests/wait").Handler(rest.Methods{http.MethodGet: journaled((*Services).awaitRequests)})
	router.Path("/_mock/requests/events").Handler(rest.Methods{http.MethodGet: journaled((*Services).followRequests)})
	router.Path("/_mock/requests.har").Handler(rest.Methods{http.MethodGet: journaled((*Services).archiveRequests)})
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
