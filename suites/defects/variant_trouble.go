package defects

// Variants of what hosting does to a shop: it is too busy now and then, and connections break.

import (
	"net/http"
	"sync/atomic"
	"time"

	"shopcheck/suites/profile"
)

// seldom is how many requests pass between two that meet trouble.
const seldom = 40

func troubleVariants() []Variant {
	busy := func(status int, retryAfter string) bend {
		return nowAndThen(anywhere, func(w http.ResponseWriter, r *http.Request) {
			a := newAnswer(status, map[string]any{"code": "busy", "message": "Please try again.", "data": map[string]any{"status": status}})
			a.Header.Set("Retry-After", retryAfter)
			a.writeTo(w)
		})
	}
	gateway := func(status int) bend {
		return nowAndThen(repeatable, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			w.WriteHeader(status)
			_, _ = w.Write([]byte("<html><h1>Bad gateway</h1></html>")) // a client that has gone away is no concern of ours
		})
	}
	return []Variant{
		{ID: "fair.busy-503", What: "Now and then the shop is busy: 503 with Retry-After.", bend: busy(http.StatusServiceUnavailable, "0"),
			adapt: patient},
		{ID: "fair.busy-429", What: "Now and then there were too many requests: 429 with a date in Retry-After.",
			bend: busy(http.StatusTooManyRequests, "Wed, 11 Jan 1984 05:00:00 GMT"), adapt: patient},
		{ID: "fair.gateway-502", What: "Now and then a gateway answers a read with 502.", bend: gateway(http.StatusBadGateway),
			adapt: patient},
		{ID: "fair.gateway-504", What: "Now and then a gateway answers a read with 504.", bend: gateway(http.StatusGatewayTimeout),
			adapt: patient},
		{ID: "fair.connections-break", What: "Now and then the connection breaks before a read is answered.", wire: true,
			bend: nowAndThen(repeatable, func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }), adapt: patient},
	}
}

// patient waits a moment only: the shop is in this process.
func patient(p *profile.Profile) { p.Limits.RetryWait = time.Millisecond }

// repeatable requests may be sent again without asking: they change nothing, or come to the same.
func repeatable(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Method == http.MethodHead
}

// nowAndThen does something else to one of many requests.
func nowAndThen(when match, do http.HandlerFunc) bend {
	return func(inner http.Handler) http.Handler {
		var count atomic.Int64
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if when(r) && count.Add(1)%seldom == 0 {
				do(w, r)
				return
			}
			inner.ServeHTTP(w, r)
		})
	}
}
