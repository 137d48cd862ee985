package shopmock

// What a server can be asked about itself: counts for whoever watches it.

import (
	"net/http"

	"shopcheck/mockserver/internal/journal"
)

// Stats are counts of a server at one moment. Requests and bytes are those of its sandboxes, too, and of those that are gone.
type Stats struct {
	journal.Counts
	Sandboxes int
	Waiting   int            // deliveries of webhooks of the server's own shop that wait or are under way
	Records   map[string]int // of the server's own shop, by their kind
}

// Stats counts.
func (s *Server) Stats() Stats {
	state := s.shop.Snapshot()
	counted := Stats{Counts: s.totals.Counts(), Waiting: s.hooks.Waiting(), Records: map[string]int{
		"products": state.Products.Len(), "variations": state.Variations.Len(), "orders": state.Orders.Len(),
		"customers": state.Customers.Len(), "coupons": state.Coupons.Len(), "carts": state.Carts.Len(), "webhooks": state.Webhooks.Len(),
	}}
	if s.sandboxes != nil {
		counted.Sandboxes = s.sandboxes.count()
	}
	return counted
}

// ServeMetrics lets a handler answer /_mock/metrics.
func (s *Server) ServeMetrics(handler http.Handler) { s.metrics.Store(&handler) }

// metricsHandler is what answers /_mock/metrics; nil for nothing.
func (s *Server) metricsHandler() http.Handler {
	if handler := s.metrics.Load(); handler != nil {
		return *handler
	}
	return nil
}
