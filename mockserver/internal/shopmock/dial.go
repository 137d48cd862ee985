package shopmock

// How a client reached the shop: through which address, over TLS or not, from this machine or another.

import (
	"cmp"
	"net/http"
	"net/netip"
	"strings"

	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/rest"
)

// dialOf reads it off a request. With trustProxy the headers of a proxy in front have the last word: X-Forwarded-Proto, -Host
// and -For.
func dialOf(r *http.Request, trustProxy bool) rest.Dial {
	forwarded := func(string) string { return "" }
	if trustProxy {
		forwarded = func(name string) string { return lastOf(r.Header.Values("X-Forwarded-" + name)) }
	}
	return rest.Dial{
		Method: r.Method,
		Scheme: cmp.Or(webScheme(forwarded("Proto")), scheme(r)),
		Host:   cmp.Or(forwarded("Host"), r.Host),
		Target: journal.TargetOf(r),
		Local:  isLoopback(cmp.Or(forwarded("For"), r.RemoteAddr)) || inProcess(r),
	}
}

// lastOf returns what the nearest proxy said: proxies append.
func lastOf(values []string) string {
	if len(values) == 0 {
		return ""
	}
	all := values[len(values)-1]
	return strings.TrimSpace(all[strings.LastIndex(all, ",")+1:])
}

// webScheme returns the scheme that a header names, "" for anything else.
func webScheme(said string) string {
	switch said = strings.ToLower(said); said {
	case "http", "https":
		return said
	}
	return ""
}

func scheme(r *http.Request) string {
	if r.TLS != nil {
		return "https"
	}
	return "http"
}

// inProcess reports whether the request came without any server: a test called the handler.
func inProcess(r *http.Request) bool { return r.Context().Value(http.ServerContextKey) == nil }

// isLoopback reports whether an address, with or without a port, is this machine's own.
func isLoopback(address string) bool {
	if port, usual := strings.CutPrefix(address, "127.0.0.1:"); usual && port != "" && strings.Trim(port, "0123456789") == "" {
		return true
	}
	if withPort, err := netip.ParseAddrPort(address); err == nil {
		return withPort.Addr().Unmap().IsLoopback()
	}
	alone, err := netip.ParseAddr(address)
	return err == nil && alone.Unmap().IsLoopback()
}
