package rest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Clients that cannot read status and headers ask for them in the body with ?_envelope=1. What is said to browsers and caches on
// the way (Date, Vary, CORS) stays outside; Allow, which belongs to the enveloped status, is inside only.

func wantsEnvelope(r *http.Request) bool {
	if !strings.Contains(r.URL.RawQuery, "_envelope") {
		return false
	}
	query, _ := url.ParseQuery(r.URL.RawQuery)
	return query.Has("_envelope")
}

func enveloped(status int, header http.Header, body any) Pairs {
	headers := Pairs{}
	for _, name := range slices.Sorted(maps.Keys(header)) {
		if name != "Vary" && name != "Date" && !strings.HasPrefix(name, "Access-Control-") {
			headers = append(headers, Extra{name, strings.Join(header[name], ", ")})
		}
	}
	header.Del("Allow")
	return Pairs{{"body", body}, {"status", status}, {"headers", headers}}
}
