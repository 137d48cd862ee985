package control

// Whether the server lives and takes requests, for whoever starts and watches it, and its metrics.

import (
	"net/http"

	"shopcheck/mockserver/internal/rest"
)

// Where a server says that it lives, and that it takes requests.
const (
	livePath  = "/livez"
	readyPath = "/readyz"
)

// IsProbe reports whether a path is asked again and again by whoever watches the server.
func IsProbe(path string) bool { return path == livePath || path == readyPath }

func mountProbes(router *rest.Router, services ServicesOf) {
	router.Path(livePath).Handler(rest.Methods{http.MethodGet: answerProbe})
	router.Path(readyPath).Handler(rest.Methods{http.MethodGet: services.run((*Services).ready)})
}

func metricsCalls() []call {
	return []call{{rest.Operation{Method: http.MethodGet, Path: "/_mock/metrics", Summary: "Metrics for Prometheus",
		Answer: &rest.Param{Type: rest.String}, Media: "text/plain"}, (*Services).metrics}}
}

func answerProbe(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	rest.WriteJSON(w, http.StatusOK, rest.Pairs{{Name: "status", Value: "ok"}})
}

// ready answers 503 when the server is about to end, or cannot answer.
func (s *Services) ready(w http.ResponseWriter, r *http.Request) {
	if refusal := s.Ready(); refusal != nil {
		rest.WriteError(w, refusal)
		return
	}
	answerProbe(w, r)
}

func (s *Services) metrics(w http.ResponseWriter, r *http.Request) {
	handler := s.Metrics()
	if handler == nil {
		rest.WriteError(w, rest.Errorf(http.StatusNotFound, "mock_no_metrics",
			"Nobody counts here: shopmock serve does, for the server itself, and mockserver.Server.ServeMetrics."))
		return
	}
	handler.ServeHTTP(w, r)
}
