package mockserver

// The journal: what a client did, to look at, to count and to wait for.

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/match"
	"shopcheck/mockserver/internal/shop"
)

// JournalOptions say how much is kept of the requests and their answers. The zero value is the usual amount.
type JournalOptions struct {
	Requests int // how many requests, the newest ones; 0: 1000, -1: none
	Bytes    int // how much memory they may take, from 1 MiB to 1 GiB; 0: 8 MiB
}

// RequestFilter says which requests are meant. What is empty means any. Calls of the mock's own API are never among them.
type RequestFilter struct {
	Method string   // "POST"
	Path   string   // as the contract writes it; * is anything within a segment, ** at the end all that follows: "/shop/v3/orders/*"
	Body   []string // what the JSON body holds, by paths of gjson's syntax: "payment_method=bacs", or just "items.0.id"
	Status int      // 404; 4 means all from 400 to 499
	After  int64    // only requests with a larger ID
	Faulty bool     // only those to which something was done on purpose
}

// Request is a request with its answer, as the journal keeps them. Secrets are replaced by marks, which are equal for equal secrets.
type Request struct {
	ID     int64 // from 1, in the order in which requests were answered
	Time   time.Time
	Took   time.Duration
	Method string
	Path   string // as the contract writes it
	Target string // path and query as they were sent
	Host   string
	Client string // address and port
	Status int    // 0: the connection was ended without an answer
	Fault  string // what was done to the request on purpose; "": nothing

	Header       http.Header
	Body         string // its first 64 KiB
	AnswerHeader http.Header
	AnswerBody   string // its first 64 KiB
}

func (f RequestFilter) inner() (journal.Filter, error) {
	meant, err := match.NewRequest(f.Method, f.Path, f.Body...)
	return journal.Filter{Request: meant, Status: f.Status, After: f.After, Faulty: f.Faulty}, err
}

func requestOf(e *journal.Entry) Request {
	return Request{
		ID: e.ID, Time: e.Time, Took: e.Took, Method: e.Method, Path: e.Path, Target: e.Target, Host: e.Host, Client: e.Client,
		Status: e.Status, Fault: e.Fault, Header: e.Request.Header, Body: e.Request.Body,
		AnswerHeader: e.Answer.Header, AnswerBody: e.Answer.Body,
	}
}

// Requests returns the requests that are meant, oldest first. It returns an error for a filter that cannot be, and for a server that keeps
// no journal.
func (s *Server) Requests(filter RequestFilter) ([]Request, error) {
	entries, err := s.entries(filter)
	requests := make([]Request, len(entries))
	for i := range entries {
		requests[i] = requestOf(&entries[i])
	}
	return requests, err
}

func (s *Server) entries(filter RequestFilter) ([]journal.Entry, error) {
	kept, meant, err := s.journal(filter)
	if err != nil {
		return nil, err
	}
	return kept.List(meant), nil
}

func (s *Server) journal(filter RequestFilter) (*journal.Journal, journal.Filter, error) {
	kept := s.shop.Journal()
	if kept == nil {
		return nil, journal.Filter{}, fmt.Errorf("this shop keeps no journal: leave Options.Journal.Requests at 0")
	}
	meant, err := filter.inner()
	return kept, meant, err
}

// CountRequests returns how many requests are meant. The errors are those of Requests.
func (s *Server) CountRequests(filter RequestFilter) (int, error) {
	kept, meant, err := s.journal(filter)
	if err != nil {
		return 0, err
	}
	return kept.Count(meant), nil
}

// AwaitRequest returns the first request that is meant, as soon as it was answered. It returns the context's error if that ends first, and
// the errors of Requests.
func (s *Server) AwaitRequest(ctx context.Context, filter RequestFilter) (Request, error) {
	kept, meant, err := s.journal(filter)
	if err != nil {
		return Request{}, err
	}
	entries, err := kept.Await(ctx, meant, 1)
	if err != nil {
		return Request{}, fmt.Errorf("no such request came: %w", err)
	}
	return requestOf(&entries[0]), nil
}

// AwaitOrder waits until an order has a status, "processing" for one. It returns an error that tells the order's status when the context
// ends first.
func (s *Server) AwaitOrder(ctx context.Context, id int64, status string) error {
	now, err := s.shop.AwaitOrder(ctx, id, shop.OrderStatus(status))
	if err != nil {
		return fmt.Errorf("order %d has the status %q, not %q: %w", id, now, status, err)
	}
	return nil
}

// WriteHAR writes the requests that are meant as an HTTP archive, version 1.2, which browsers' developer tools open. The errors are those
// of Requests, and that of the writer.
func (s *Server) WriteHAR(w io.Writer, filter RequestFilter) error {
	entries, err := s.entries(filter)
	if err != nil {
		return err
	}
	return journal.WriteHAR(w, entries)
}

// ForgetRequests empties the journal; ids go on.
func (s *Server) ForgetRequests() {
	if kept := s.shop.Journal(); kept != nil {
		kept.Clear()
	}
}
