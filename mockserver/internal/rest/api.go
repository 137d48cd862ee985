package rest

import (
	"cmp"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/mux"
)

// API is one namespace: its endpoints and what it adds to each call. All its functions are shared by every shop of
// the process and hold none.
type API struct {
	Namespace string            // "shop/v3"
	Endpoints func() []Endpoint // always the same ones; most processes serve few of all APIs
	Faults    FaultTable
	BatchPath string // of the endpoint that runs all others; "": there is none

	// Authenticate runs before the parameters are read. It tells the request who calls, and may refuse the call. It may set
	// headers of the answer, which an error answer carries too. The Caller of a Guarded call is authorised after the parameters.
	Authenticate func(*Request) error

	// Greet sets the headers that an answer to a read has for its sender alone, as Authenticate does; nil: there are none. lent is what
	// Host lends.
	Greet func(lent any, now time.Time, sent, answer http.Header) error

	// Refine may add to the answer that an error becomes before it is written (the cart, on a conflict).
	Refine func(*Request, error, *Error)
}

// route is all endpoints of one path.
type route struct {
	api     *API
	path    string
	methods map[string]*operation
	allow   string
	told    []string // allow as the value of a header, which all answers share
	untold  bool     // OPTIONS says in its body alone what allow says: a route of single records of the management API

	variables []Param // of the path
}

// operation is an endpoint, made ready to check what it is sent.
type operation struct {
	*Endpoint
	checks *checklist
	trims  bool // its answers are cut down to _fields when they are done; others see to it themselves
}

func newOperation(endpoint *Endpoint) *operation {
	trims := !slices.ContainsFunc(endpoint.Params, func(p Param) bool { return p.Name == fieldsParam.Name })
	checks := newChecklist(endpoint.Params)
	checks.add(&fieldsParam)
	return &operation{endpoint, checks, trims}
}

// Mount adds the API's routes to a router. Endpoints of one path are one route; paths without variables come first. Patterns are
// costly to try, so namespaces, resources and routes are told apart by what their paths begin with. They are costly to make, too, so
// those of a namespace, of a resource and of a path with variables are made when somebody asks for them.
func (api *API) Mount(router *Router) {
	root := "/" + api.Namespace
	MountLazily(router.Router, root, func(namespace *mux.Router) {
		for head, endpoints := range api.resources() {
			MountLazily(namespace, root+"/"+head, func(resource *mux.Router) { api.mount(resource, endpoints) })
		}
		index := map[string]*operation{http.MethodGet: newOperation(api.index())}
		namespace.MatcherFunc(begins(root)).Handler(&route{api: api, methods: index, allow: http.MethodGet, told: []string{http.MethodGet}})
	})
}

func (api *API) endpoints() []*Endpoint {
	made := api.Endpoints()
	endpoints := make([]*Endpoint, len(made))
	for i := range made {
		endpoints[i] = &made[i]
	}
	return endpoints
}

// resources are the endpoints by what their paths begin with.
func (api *API) resources() map[string][]*Endpoint {
	resources := map[string][]*Endpoint{}
	for _, endpoint := range api.endpoints() {
		head, _, _ := strings.Cut(strings.TrimPrefix(endpoint.Path, "/"), "/")
		resources[head] = append(resources[head], endpoint)
	}
	return resources
}

// mount adds the routes of endpoints to a router.
func (api *API) mount(router *mux.Router, endpoints []*Endpoint) {
	root := "/" + api.Namespace
	for _, r := range api.routes(endpoints) {
		meant := begins(root + r.path)
		if len(r.variables) == 0 {
			router.MatcherFunc(meant).Handler(r)
			continue
		}
		lazily(router, meant, func(one *mux.Router) { one.Path(root + r.path).Handler(r) })
	}
}

// under matches a path and all below it.
func under(want string) mux.MatcherFunc {
	return func(r *http.Request, _ *mux.RouteMatch) bool {
		rest, found := strings.CutPrefix(r.URL.Path, want)
		return found && (rest == "" || rest[0] == '/')
	}
}

// begins matches paths that begin as a pattern does, up to its first variable; one without variables it matches whole.
func begins(pattern string) mux.MatcherFunc {
	want, _, open := strings.Cut(pattern, "{")
	return func(r *http.Request, _ *mux.RouteMatch) bool {
		rest, found := strings.CutPrefix(r.URL.Path, want)
		return found && (open || rest == "")
	}
}

// routes groups endpoints by path, paths without variables first.
func (api *API) routes(endpoints []*Endpoint) []*route {
	var routes []*route
	byPath := map[string]*route{}
	for _, endpoint := range endpoints {
		r, known := byPath[endpoint.Path]
		if !known {
			r = &route{api: api, path: endpoint.Path, variables: variablesOf(endpoint.Path), methods: map[string]*operation{}}
			byPath[endpoint.Path] = r
			routes = append(routes, r)
		}
		ready := newOperation(endpoint)
		for _, method := range endpoint.Methods {
			r.methods[method] = ready
		}
	}
	for _, r := range routes {
		r.allow = r.allowed()
		r.told = []string{r.allow}
		r.untold = len(r.variables) > 0 && r.managed()
	}
	slices.SortStableFunc(routes, func(a, b *route) int { return strings.Count(a.path, "{") - strings.Count(b.path, "{") })
	return routes
}

var methodOrder = []string{http.MethodGet, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

func (r *route) allowed() string {
	var allowed []string
	for _, method := range methodOrder {
		if r.methods[method] != nil {
			allowed = append(allowed, method)
		}
	}
	return strings.Join(allowed, ", ")
}

// managed reports whether some method of the route needs a permission of the management API.
func (r *route) managed() bool {
	for _, called := range r.methods {
		if called.Access == Read || called.Access == Write {
			return true
		}
	}
	return false
}

func (r *route) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	method := request.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	if method == http.MethodOptions {
		if !r.untold {
			w.Header().Set("Allow", r.allow)
		}
		WriteJSON(w, http.StatusOK, r.describe(CallOf(request).Site))
		return
	}
	called := r.methods[method]
	if called == nil {
		WriteError(w, wrongMethod(strings.Split(r.allow, ", ")))
		return
	}
	r.api.serve(w, request, called, r.told)
}

// serve runs one call. Answer and headers are written in one place, here.
func (api *API) serve(w http.ResponseWriter, request *http.Request, called *operation, allow []string) {
	call := &Request{Call: CallOf(request), HTTP: request, API: api, Endpoint: called.Endpoint, Header: w.Header()}
	status, body := api.outcome(w, call, called, allow)
	if wantsEnvelope(request) {
		status, body = http.StatusOK, enveloped(status, w.Header(), body)
	}
	call.keepRead(status, body, allow)
	if body == nil {
		w.WriteHeader(status)
		return
	}
	WriteJSON(w, status, body)
}

// outcome runs a call and gives status and body of its answer, nil for none; headers are set already.
func (api *API) outcome(w http.ResponseWriter, call *Request, called *operation, allow []string) (int, any) {
	answer, err := call.run(w, called.checks, allow)
	if err != nil {
		envelope := api.Faults.errorFrom(err)
		if called.HidesMethods && nothingToUse[envelope.Status] {
			call.Header.Del("Allow")
		}
		if api.Refine != nil {
			api.Refine(call, err, envelope)
		}
		return envelope.Status, Raw(envelope.Encode(nil))
	}
	if called.HidesMethods && call.deletes() {
		call.Header.Del("Allow")
	}
	if called.trims && answer.Body != nil {
		answer.Body = fieldsOf(call.Args).cut(answer.Body)
	}
	return cmp.Or(answer.Status, called.Status, http.StatusOK), answer.Body
}

// nothingToUse are the statuses of calls that found no record, or none for the caller.
var nothingToUse = map[int]bool{http.StatusUnauthorized: true, http.StatusForbidden: true, http.StatusNotFound: true}

// deletes says whether the call deletes its record for good.
func (r *Request) deletes() bool {
	return r.Endpoint.Methods[0] == http.MethodDelete && r.Args.Bool(forceParam)
}

func (r *Request) run(w http.ResponseWriter, checks *checklist, allow []string) (Answer, error) {
	if r.API.Authenticate != nil {
		if err := r.API.Authenticate(r); err != nil {
			return Answer{}, err
		}
	}
	r.Header["Allow"] = allow // strangers are not told what there is
	if r.HTTP.URL.RawQuery != "" {
		r.noticeQuery(checks)
	}
	if !r.keepsAnswer() {
		return r.answered(w, checks)
	}
	if kept, known := r.keptAnswer(); known {
		return kept, nil
	}
	answer, err := r.answered(w, checks)
	if err != nil {
		return answer, err
	}
	return r.keeping(answer), nil
}

// answered reads and checks what was sent, and carries the call out.
func (r *Request) answered(w http.ResponseWriter, checks *checklist) (Answer, error) {
	var err error
	if r.input, err = readInput(w, r.HTTP); err != nil {
		return Answer{}, err
	}
	if list, is := r.input.body.Value(WholeBody).([]any); is && checks.byName[WholeBody] == nil {
		if len(list) > 0 {
			return Answer{}, notAnObject()
		}
		r.input.body = nil
	}
	unknown := r.undeclaredFields(checks)
	if r.Args, err = checks.validate(r.input, r.Path); err != nil {
		return Answer{}, err
	}
	if len(unknown) > 0 {
		r.Unknown(Undeclared{Fields: unknown})
	}
	if r.Endpoint.Check != nil {
		if err := r.Endpoint.Check(r); err != nil {
			return Answer{}, err
		}
	}
	r.good = true
	if r.ValidateOnly {
		return Answer{Status: http.StatusNoContent}, nil
	}
	if r.Endpoint.Access == Guarded { // what is malformed is refused whoever sends it
		if err := r.Caller.Authorise(); err != nil {
			return Answer{}, err
		}
	}
	return r.Endpoint.Do(r)
}

// WriteError writes the error envelope.
func WriteError(w http.ResponseWriter, e *Error) { WriteJSON(w, e.Status, Raw(e.Encode(nil))) }
