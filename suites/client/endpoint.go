package client

// Naming the endpoint of a request, so that latencies of one route are summed up together.

import (
	"net/url"
	"regexp"
	"strings"
	"sync"
)

var hashSegment = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9a-f]{32}$`) })

// Endpoint is method and route, values replaced: "GET /shop/v3/products/{id}".
func Endpoint(method, path string) string {
	route, query, _ := strings.Cut(path, "?")
	if values, err := url.ParseQuery(query); err == nil && values.Get("rest_route") != "" {
		route = values.Get("rest_route")
	}
	segments := strings.Split(strings.TrimSuffix(route, "/"), "/")
	for i, segment := range segments {
		switch {
		case isNumber(segment):
			segments[i] = "{id}"
		case hashSegment().MatchString(segment):
			segments[i] = "{key}"
		}
	}
	return method + " " + strings.Join(segments, "/")
}

func isNumber(s string) bool {
	for _, c := range s {
		if c < '0' || c > '9' {
			return false
		}
	}
	return s != ""
}
