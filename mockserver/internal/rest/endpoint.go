package rest

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"shopcheck/mockserver/internal/shop"
)

// Access tells who may call an endpoint. What it takes is up to the API that the endpoint belongs to.
type Access int

// The kinds of access.
const (
	Public  Access = iota // anybody
	Read                  // may read the management API
	Write                 // may change things through the management API
	Guarded               // Store API: needs a nonce or a cart token
)

// Endpoint declares one operation: it is the single source of routing, validation, the OPTIONS answer and the
// API's description.
type Endpoint struct {
	Methods []string // the first is the canonical one
	Path    string   // below the namespace, mux syntax: "/products/{id:[0-9]+}"
	Access  Access
	Params  []Param
	Do      func(*Request) (Answer, error)
	Schema  func() *Schema // of the records that it shows, for OPTIONS; nil: it shows none
	Shows   Shows          // how it shows them
	Empties bool           // a good answer may be 204 without a body
	Status  int            // of a good answer that names none itself; 0: 200
	Summary string         // one line for people; empty: what the path says

	// Check looks at parameters beyond their declarations, before the call is authorised; nil: there is nothing more to check.
	Check func(*Request) error

	// Keeps says that the answer depends on the address and shop.View.Basis alone, so that it may be kept.
	Keeps bool

	// HidesMethods leaves Allow out of the answer where there is no record that the caller may use, or none any more.
	HidesMethods bool
}

// Schema describes a record: its name and its fields, each with the contexts in which it is shown.
type Schema struct {
	Title  string
	Fields []SchemaField
}

// SchemaField is one field of a Schema.
type SchemaField struct {
	Param
	Edit bool // shown in the edit context only
}

// Request is one call of an endpoint, its parameters validated.
type Request struct {
	*Call
	HTTP     *http.Request
	API      *API
	Endpoint *Endpoint
	Args     Args
	Header   http.Header // of the answer

	Caller  Caller       // who makes a Guarded call
	UserID  int64        // the user whose credentials the call brought; 0: none
	Shopper shop.Shopper // who buys, in the Store API

	input    input
	good     bool // the parameters were checked
	fleeting bool // the answer depends on more than Endpoint.Keeps says
	lasting  bool // the answer is one that is kept: nothing but shop.View.Basis can change it
	foreign  bool // the query has names that nobody declares
}

// Caller is somebody who may make Guarded calls, or may not.
type Caller interface{ Authorise() error }

// Understood says whether the call got past the check of its parameters.
func (r *Request) Understood() bool { return r.good }

// ID gives the integer variable of the path, 0 when it is none or out of range.
func (r *Request) ID(name string) int64 {
	id, _ := toInteger(r.Path[name])
	n, _ := id.(int64)
	return n
}

// Site tells under which addresses the shop is reached, without trailing slashes.
type Site struct {
	Home string // "http://127.0.0.1:8080": product pages, pictures
	Root string // where the APIs begin; usually Home
}

// Answer is what an endpoint returns. Status 0 is the endpoint's own.
type Answer struct {
	Status int
	Body   any // Raw, or what encoding/json encodes; nil: no body
}

// OK is the answer 200.
func OK(body any) (Answer, error) { return Answer{Body: body}, nil }

// Absolute gives a link that begins with a slash its place on the site; other links stay.
func (s Site) Absolute(link string) string {
	if strings.HasPrefix(link, "/") {
		return s.Home + link
	}
	return link
}

// The pages that a payment sends the customer to, below the site. OrderPage gives the whole address.
const (
	ReceivedPage = "/checkout/order-received/" // the order is confirmed
	PayPage      = "/checkout/order-pay/"      // the test gateway's page, which completes the payment
)

// OrderPage is where the site shows one of the pages of an order, ReceivedPage or PayPage, to whoever has its key.
func (s Site) OrderPage(page string, o *shop.Order) string {
	return s.Home + page + strconv.FormatInt(o.ID, 10) + "/?key=" + url.QueryEscape(o.Key)
}

// DownloadLink is where a customer fetches a file that an order holds.
func (s Site) DownloadLink(d *shop.PaidDownload) string {
	query := url.Values{"download_file": {strconv.FormatInt(d.Product.ID, 10)}, "order": {d.Order.Key}, "email": {d.Order.Billing.Email},
		"key": {d.File.ID}}
	return s.Home + "/?" + query.Encode()
}
