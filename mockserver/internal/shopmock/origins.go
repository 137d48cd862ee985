package shopmock

// Which pages of a browser may do what: a shop on a developer's machine is in reach of every page that the developer visits.

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rs/cors"

	"shopcheck/fixtures/dialects"
	"shopcheck/mockserver/internal/advice"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/rest"
)

// origins know whose pages may use the shop as the visitor: those of this machine, of the shop's own site, and those that its owner names.
type origins struct {
	site    string             // Options.Site
	allowed []string           // Options.AllowOrigins
	proxied bool               // Options.TrustProxy: a proxy in front says, and answers for, which host was dialled
	spoken  []dialects.Dialect // whose headers pages may read
	last    atomic.Pointer[dialled]
}

// dialled is a trusted host that a client dialled, and what home says of it: most dial the same one.
type dialled struct{ scheme, host, home string }

// crossOrigin answers browsers what pages of other origins may do. Pages that are known may send cookies; all others may use the APIs
// without any, as clients that are no browsers can: they see what everybody sees.
type crossOrigin struct {
	*origins
	next http.Handler

	pages          sync.Once // that the two below were made: most shops never hear of one
	known, unknown http.Handler
}

func (c *crossOrigin) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Header["Origin"] == nil && r.Method != http.MethodOptions { // as most requests: all that the library does then
		w.Header()["Vary"] = varyOrigin
		c.next.ServeHTTP(w, r)
		return
	}
	c.pages.Do(func() {
		exposed := exposedHeaders(c.spoken)
		c.known, c.unknown = corsFor(true, exposed).Handler(c.next), corsFor(false, exposed).Handler(c.next)
	})
	if origin := r.Header.Get("Origin"); origin == "" || c.knows(origin) {
		c.known.ServeHTTP(w, r)
		return
	}
	c.unknown.ServeHTTP(w, r)
}

var varyOrigin = []string{"Origin"}

// corsFor lets pages of any origin send any header: tracing and retrying clients add their own.
func corsFor(credentials bool, exposed []string) *cors.Cors {
	options := cors.Options{
		AllowedMethods: []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete,
			http.MethodOptions},
		AllowedHeaders: []string{"*"},
		ExposedHeaders: exposed,
	}
	if credentials {
		options.AllowCredentials = true
		options.AllowOriginFunc = func(string) bool { return true }
	}
	return cors.New(options)
}

// exposedHeaders are those that the APIs answer with, under their names in every dialect.
func exposedHeaders(spoken []dialects.Dialect) []string {
	exposed := []string{"Etag", "Link", "Location", "Retry-After", advice.HeaderName}
	for _, name := range []string{"X-Shop-Total", "X-Shop-TotalPages", "Nonce", "Nonce-Timestamp", "Cart-Token", "Cart-Hash", "User-ID"} {
		for _, d := range spoken {
			if own := http.CanonicalHeaderKey(d.Headers[name]); !slices.Contains(exposed, own) {
				exposed = append(exposed, own)
			}
		}
	}
	return exposed
}

// knows reports whether an origin is one of this machine, the site's, or one that was named.
func (o *origins) knows(origin string) bool {
	address, err := url.Parse(origin)
	if err != nil || address.Host == "" {
		return false // "null" is what pages without an origin say
	}
	return isThisMachine(address.Hostname()) || origin == o.site || slices.Contains(o.allowed, origin)
}

// isThisMachine reports whether a host is a name or an address of the machine that asks.
func isThisMachine(host string) bool {
	if address, err := netip.ParseAddr(host); err == nil {
		return address.Unmap().IsLoopback()
	}
	host = strings.ToLower(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// privateSuffixes end names that nobody can register and that people give to machines of their own, so that no page of a stranger comes
// from them. Names below .example and .invalid stand for strangers wherever somebody writes of them.
var privateSuffixes = []string{".localhost", ".local", ".internal", ".test", ".home.arpa"}

// trustsHost reports whether the host that a client dialled cannot be a stranger's name that was pointed at this machine: it is an
// address, a name without a dot or of a private domain, the site's, or one that was named.
func (o *origins) trustsHost(host string) bool {
	if o.proxied {
		return true
	}
	name := (&url.URL{Host: host}).Hostname()
	if name == "" || strings.ContainsAny(host, "/?#@\\ ") {
		return false
	}
	if _, err := netip.ParseAddr(name); err == nil || !strings.Contains(name, ".") {
		return true
	}
	name = strings.ToLower(name)
	return slices.ContainsFunc(privateSuffixes, func(suffix string) bool { return strings.HasSuffix(name, suffix) }) ||
		slices.ContainsFunc(append([]string{o.site}, o.allowed...), func(named string) bool { return hostOf(named) == host })
}

func hostOf(origin string) string {
	address, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	return address.Host
}

// mayControl reports whether a request may use the mock's own API: it comes from no page, or from a page that is known, and was sent to
// a host of ours. Browsers say Sec-Fetch-Site where they say no Origin.
func (o *origins) mayControl(r *http.Request, dial rest.Dial) bool {
	if !inProcess(r) && !o.trustsHost(dial.Host) {
		return false
	}
	if origin := r.Header.Get("Origin"); origin != "" {
		return o.knows(origin) || origin == dial.Origin()
	}
	return r.Header.Get("Sec-Fetch-Site") != "cross-site"
}

// guardControl refuses calls of the mock's own API that a stranger's page may have made.
func (o *origins) guardControl(w http.ResponseWriter, r *http.Request, dial rest.Dial) (refused bool) {
	if !control.Owns(r.URL.Path) || o.mayControl(r, dial) {
		return false
	}
	rest.WriteError(w, strangersPage())
	return true
}

// strangersPage is the answer to a call that steers the mock and may come from a page of another site.
func strangersPage() *rest.Error {
	return rest.Errorf(http.StatusForbidden, "rest_forbidden",
		"Pages of other sites cannot use %s: name their origin with --allow-origin, or the address of this shop with --site.",
		control.Root)
}

// home is the address that links begin with where no site is set: the one that the client dialled, or the address of the socket if
// that is a name that a stranger may have chosen.
func (o *origins) home(ctx context.Context, dial rest.Dial) string {
	if last := o.last.Load(); last != nil && last.host == dial.Host && last.scheme == dial.Scheme {
		return last.home
	}
	if o.trustsHost(dial.Host) {
		home := dial.Origin()
		o.last.Store(&dialled{dial.Scheme, dial.Host, home})
		return home
	}
	socket, served := ctx.Value(http.LocalAddrContextKey).(net.Addr)
	if !served {
		return dial.Origin()
	}
	return dial.Scheme + "://" + socket.String()
}

// isNoOrigin reports whether a text is not just scheme and host, as browsers write origins.
func isNoOrigin(text string) bool {
	address, err := url.Parse(text)
	return err != nil || !isSite(text) || address.Path != "" || address.User != nil || address.Host != strings.ToLower(address.Host)
}
