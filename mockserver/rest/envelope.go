package rest

import (
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// Clients that cannot read status and headers ask for them in the body with ?_envelope=1.

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
		headers = append(headers, Extra{name, strings.Join(header[name], ", ")})
	}
	return Pairs{{"body", body}, {"status", status}, {"headers", headers}}
}
