package shopmock

import (
	"cmp"
	"errors"
	"net/http"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/mux"

	"shopcheck/fixtures/dialects"
	"shopcheck/mockserver/internal/auth"
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/journal"
	"shopcheck/mockserver/internal/management"
	"shopcheck/mockserver/internal/pages"
	"shopcheck/mockserver/internal/persist"
	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/storeapi"
)

// storeNamespace is where the Store API lives; paths without its version mean it.
const storeNamespace = "shop/store/v1"

// apis are those of the contract, for all servers of the process.
var apis = sync.OnceValue(func() []*rest.API {
	return append(management.APIs(signInOf), storeapi.API(sessionsOf, signInOf), auth.TokenAPI(signInOf))
})

// routes is the router of the whole process: it holds no shop, the request carries one.
var routes = sync.OnceValue(func() *rest.Router {
	router := rest.NewRouter()
	for _, api := range apis() {
		api.Mount(router)
	}
	router.NotFoundHandler = rest.NotFound(func() []string { return control.Addresses(apis()) })
	control.Mount(router, controlOf, apis())
	rest.MountLazily(router.Router, "", func(others *mux.Router) { // whatever no API has
		others.Use(pointing)
		auth.MountOAuth(others, signInOf)
		pages.Mount(others)
		others.Path("/").Handler(rest.Methods{http.MethodGet: index})
	})
	return router
})

// pointing lets the pages of the site say where the REST API is, for the clients of a dialect that look for that.
func pointing(page http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for _, d := range servicesOf(r).server.spoken {
			if d.Relation != "" && isPage(r) {
				w.Header().Add("Link", "<"+rest.CallOf(r).Site.Home+d.Root+`/>; rel="`+d.Relation+`"`)
			}
		}
		page.ServeHTTP(w, r)
	})
}

// isPage tells the site's first page from the index of the APIs, which has its address in the contract's dialect: who sends parameters, or
// goes there by the root of a dialect, wants the index.
func isPage(r *http.Request) bool {
	return r.URL.Path != "/" || r.URL.RawQuery == "" && dialects.Of(r.Context()) == dialects.Neutral
}

// index answers the site's root: which APIs live here, and what their routes accept. That is long: the first page leaves it out. People are
// led to the console.
func index(w http.ResponseWriter, r *http.Request) {
	call := rest.CallOf(r)
	w.Header().Add("Vary", "Accept")
	if isPage(r) && strings.Contains(r.Header.Get("Accept"), "text/html") { // a browser; clients of the APIs want JSON or anything
		http.Redirect(w, r, call.Site.Home+"/_mock/", http.StatusFound)
		return
	}
	wanted := rest.ParseFields(r.URL.Query().Get("_fields"))
	w.Header().Set("Allow", http.MethodGet)
	answer := rest.Pairs{
		{Name: "name", Value: call.View.Config.Title},
		{Name: "url", Value: call.Site.Home},
		{Name: "home", Value: call.Site.Home},
		{Name: "namespaces", Value: []string{"shop/v3", "shop/v2", "shop/v1", storeNamespace, "jwt-auth/v1"}},
	}
	if !isPage(r) && wanted.Has("routes") {
		answer = append(answer, rest.Extra{Name: "routes", Value: allRoutes(call.Site)})
	}
	rest.WriteJSON(w, http.StatusOK, slices.DeleteFunc(answer, func(field rest.Extra) bool { return !wanted.Has(field.Name) }))
}

func allRoutes(site rest.Site) rest.Pairs {
	var all rest.Pairs
	for _, api := range apis() {
		all = append(all, api.Routes(site)...)
	}
	return all
}

// middleware is what wraps the router, which runs middleware only on a match: gzip, journal, recover, log, CORS, dialect, size of the
// headers, canonical address, what other replicas did, faults, advice; then the request gets its shop.
func (s *Server) middleware() http.Handler {
	origins := &origins{site: s.options.Site, allowed: s.options.AllowOrigins, proxied: s.options.TrustProxy, spoken: s.spoken}
	answers, deliveries := rest.NewAnswers(), deliveryHeaders(s.spoken)
	inner := http.Handler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		dial := dialOf(r, s.options.TrustProxy)
		r = rest.Canonical(r, storeNamespace)
		came := journal.NoteRoute(w, r.Method, r.URL.Path)
		if came.IsZero() {
			came = s.clock.Now()
		}
		if isDelivery(r, deliveries) && !control.Catches(r.URL.Path) {
			rest.WriteError(w, errDelivery())
			return
		}
		if origins.guardControl(w, r, dial) || origins.guardHeader(w, r, dial) {
			return
		}
		if err := s.upToDate(r); errors.Is(err, persist.ErrEnded) {
			rest.WriteError(w, errNoSandbox())
			return
		} else if err != nil {
			rest.WriteError(w, auth.Alone())
			return
		}
		site := cmp.Or(s.options.Site, origins.home(r.Context(), dial)) + s.prefix()
		now := came.UTC().Truncate(time.Second)
		if !s.clock.IsSystem() { // else the HTTP library writes the same
			w.Header().Set("Date", now.Format(http.TimeFormat))
		}
		host := rest.Host{Shop: s.shop, Now: now, Site: rest.Site{Home: site, Root: site},
			Dial: dial, Answers: answers, Lent: s.services.Load()}
		if found, err := s.faultsOf(r); err != nil {
			rest.WriteError(w, err)
		} else {
			s.serveWatched(came, found, w, r, host)
		}
	}))
	if s.sandbox != nil && s.replica != nil {
		inner = s.followed(inner)
	}
	spoken := boundingBody(dialects.Handler(boundingHeaders(inner), s.spoken...), bodyTime)
	return s.compressing(s.journaling(s.recovering(s.logging(&crossOrigin{origins: origins, next: s.shaping(spoken)}))))
}

// deliveryHeaders are the headers by which the deliveries of webhooks are known, in every dialect: one is made in another, perhaps, than
// its address is in.
func deliveryHeaders(spoken []dialects.Dialect) []string {
	var names []string
	for _, d := range spoken {
		names = append(names, http.CanonicalHeaderKey(d.Headers["X-Shop-Webhook-Delivery-ID"]))
	}
	return names
}

// isDelivery reports whether a request is the delivery of a webhook.
func isDelivery(r *http.Request, headers []string) bool {
	return r.Method == http.MethodPost && slices.ContainsFunc(headers, func(name string) bool { return r.Header[name] != nil })
}

// errDelivery is the answer to a webhook that would bring itself about: one for product.created, which makes a product, never ends.
func errDelivery() *rest.Error {
	return rest.Errorf(http.StatusLoopDetected, "mock_webhook_loop", "This is the delivery of a webhook, and would bring about the "+
		"next one: let its delivery_url be an address of your app, or of a catcher, such as /_mock/catcher/orders.")
}

// journaling keeps each request and its answer, but not those of the mock's own API.
func (s *Server) journaling(next http.Handler) http.Handler {
	if s.journal == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if control.Owns(r.URL.Path) || control.IsProbe(r.URL.Path) {
			next.ServeHTTP(w, r)
			return
		}
		s.journal.Serve(next, w, r)
	})
}

// How many bytes a request's first line and headers may have together. What is between the two gets an answer of ours; what is
// more is cut off by the HTTP library, whose 431 is plain text.
const (
	maxHeaders    = 64 << 10
	socketHeaders = 1 << 20
)

// boundingHeaders refuses requests whose headers are too large.
func boundingHeaders(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		firstLine := len(r.Method) + len(r.RequestURI) + len(r.Host) + len("  HTTP/1.1\r\nHost: \r\n")
		if firstLine+journal.HeaderSize(w, r) > maxHeaders {
			rest.WriteError(w, rest.Errorf(http.StatusRequestHeaderFieldsTooLarge, "shop_rest_request_headers_too_large",
				"The address and headers of the request are larger than %d bytes.", maxHeaders))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// recovering keeps a defect of ours from closing the connection without a word.
func (s *Server) recovering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			fault := recover()
			if fault == nil {
				return
			}
			if fault == http.ErrAbortHandler { //nolint:errorlint // it is that value, as the HTTP server has it
				panic(fault)
			}
			if s.options.Log != nil {
				s.options.Log.Error("panic", "method", r.Method, "path", r.URL.Path, "fault", fault, "stack", string(debug.Stack()))
			}
			rest.WriteError(w, rest.Errorf(http.StatusInternalServerError, "internal_server_error",
				"The shop failed to answer. This is a defect of the mock."))
		}()
		next.ServeHTTP(w, r)
	})
}

// logging writes one line a request. The query is left out: it may carry credentials.
func (s *Server) logging(next http.Handler) http.Handler {
	if s.options.Log == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := s.clock.Base()
		recorder := &statusRecorder{w, http.StatusOK} // of handlers that name none
		next.ServeHTTP(recorder, r)
		s.options.Log.Info("request", "method", r.Method, "path", r.URL.Path, "status", recorder.status, "took",
			s.clock.Base().Sub(started))
	})
}

type statusRecorder struct {
	http.ResponseWriter
	status int
}

// Unwrap lets http.ResponseController reach the socket.
func (r *statusRecorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

func (r *statusRecorder) WriteHeader(status int) {
	r.status = status
	r.ResponseWriter.WriteHeader(status)
}
