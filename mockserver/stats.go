package mockserver

import "net/http"

// Stats are counts of a server at one moment. Requests are those of its sandboxes, too, and of those that are gone; calls of the mock's own
// API are not among them, and without a journal none is counted.
type Stats struct {
	Requests    map[int]uint64 // by the first digit of the answer's status; 0: the connection was ended without an answer
	Faulty      uint64         // requests to which something was done on purpose
	AnswerBytes uint64         // of the bodies of answers

	Sandboxes int
	Waiting   int            // deliveries of webhooks that wait or are under way, of the server's own shop
	Records   map[string]int // of the server's own shop: "products", "variations", "orders", "customers", "coupons", "carts", "webhooks"
}

// Stats counts.
func (s *Server) Stats() Stats {
	counted := s.shop.Stats()
	requests := make(map[int]uint64, len(counted.ByClass))
	for class, count := range counted.ByClass {
		requests[class] = count
	}
	return Stats{
		Requests: requests, Faulty: counted.Faulty, AnswerBytes: counted.Bytes,
		Sandboxes: counted.Sandboxes, Waiting: counted.Waiting, Records: counted.Records,
	}
}

// ServeMetrics lets a handler answer /_mock/metrics, under the rules that hold for all of the mock's own API. Package
// shopcheck/mockserver/metrics has what it may tell.
func (s *Server) ServeMetrics(handler http.Handler) { s.shop.ServeMetrics(handler) }

// Addresses returns where other machines reach a server that listens at all addresses of this one, as tried out now; nothing for a server
// that listens at one.
func (s *Server) Addresses() []string { return s.shop.Addresses() }
