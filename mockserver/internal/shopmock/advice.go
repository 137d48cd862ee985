package shopmock

// What clients do wrong without failing.

import (
	"net/http"
	"slices"
	"time"

	"shopcheck/mockserver/internal/advice"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/faults"
	"shopcheck/mockserver/internal/rest"
)

// Advice gives what watches the clients.
func (s *Server) Advice() *advice.Observer { return s.advice }

// serveWatched answers a request while its client is watched. What the mock's own API is asked is nobody's business.
func (s *Server) serveWatched(came time.Time, found []faults.Fault, w http.ResponseWriter, r *http.Request, host rest.Host) {
	if s.advice.Mode() == advice.Off || control.Owns(r.URL.Path) || control.IsProbe(r.URL.Path) {
		s.serveOnce(found, w, r, host)
		return
	}
	if s.clock.Moved() {
		came = s.clock.Base() // clients wait by the clock that nobody moves
	}
	about := advice.About{Came: came, Now: host.Now, Secure: host.Dial.Scheme == "https", Local: host.Dial.Local,
		Cut: slices.ContainsFunc(found, func(f faults.Fault) bool { return f.Effect == faults.Cut })}
	s.advice.Serve(w, r, about, func(w http.ResponseWriter, r *http.Request, unknown func(rest.Undeclared)) {
		host.Unknown = unknown
		s.serveOnce(found, w, r, host)
	})
}

// serveOnce answers a request, to which something may happen.
func (s *Server) serveOnce(found []faults.Fault, w http.ResponseWriter, r *http.Request, host rest.Host) {
	if len(found) > 0 {
		s.serveWithFaults(found, w, r, host)
		return
	}
	routes().Serve(w, r, host)
}
