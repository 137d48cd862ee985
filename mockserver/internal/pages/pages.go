// Package pages is what a customer sees of the shop in a browser: the pages that a payment leads to, those that products
// and terms link to, and the files that can be bought. They are plain HTML that works without scripts. A file holds the
// pages of one thing; their texts are in templates.
package pages

import (
	"embed"
	"html/template"
	"net/http"
	"strconv"
	"sync"

	"github.com/gorilla/mux"

	"shopcheck/mockserver/internal/rest"
	"shopcheck/mockserver/internal/shop"
)

// Where the pages live below the site, besides those of an order (rest.PayPage, rest.ReceivedPage).
const (
	productPath  = "/product/"
	categoryPath = "/product-category/"
	tagPath      = "/product-tag/"
	brandPath    = "/brand/"
	filesPath    = "/downloads/"
)

// Mount adds the pages to a router. Addresses come without a trailing slash (rest.Canonical).
func Mount(router *mux.Router) {
	router.Path(rest.PayPage + "{id:[0-9]+}").Handler(rest.Methods{http.MethodGet: page(showPayment), http.MethodPost: page(decidePayment)})
	router.Path(rest.ReceivedPage + "{id:[0-9]+}").Handler(rest.Methods{http.MethodGet: page(showReceived)})
	router.Path(productPath + "{slug}").Handler(rest.Methods{http.MethodGet: page(showProduct)})
	for path, taxonomy := range map[string]string{
		categoryPath + "{above:(?:.*/)?}{slug}": shop.TaxonomyCategory,
		tagPath + "{slug}":                      shop.TaxonomyTag,
		brandPath + "{slug}":                    shop.TaxonomyBrand,
	} {
		router.Path(path).Handler(rest.Methods{http.MethodGet: page(showTerm(taxonomy))})
	}
	router.Path("/").Queries("download_file", "{product:[0-9]+}").Handler(rest.Methods{http.MethodGet: page(fetchDownload)})
	router.Path(filesPath + "{file}").Handler(rest.Methods{http.MethodGet: page(sendFile)})
}

// page answers a request with what a customer sees.
func page(do func(*visit)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		call := rest.CallOf(r)
		do(&visit{View: call.View, call: call, w: w, r: r, site: call.Site, path: call.Path})
	}
}

// visit is one request for a page, with the version of the shop that it found.
type visit struct {
	shop.View
	call *rest.Call
	w    http.ResponseWriter
	r    *http.Request
	site rest.Site
	path map[string]string // values of the variables in the address
}

// id is the number in the address; one that no record can have is 0.
func (v *visit) id(name string) int64 {
	id, err := strconv.ParseInt(v.path[name], 10, 64)
	if err != nil {
		return 0
	}
	return id
}

// frame is what every page shows.
type frame struct {
	Shop  string // title of the shop
	Title string
	Data  any // of the template
}

// show writes a page: the template of a name with its data.
func (v *visit) show(status int, name, title string, data any) {
	v.protect()
	v.w.Header().Set("Content-Type", "text/html; charset=utf-8")
	v.w.WriteHeader(status)
	//nolint:errcheck // a client that went away is no fault of ours
	templates().ExecuteTemplate(v.w, name, frame{v.Config.Title, title, data})
}

// protect sets what keeps a page to itself: nothing runs in it, nothing frames it, no cache keeps it, and its address, which may
// hold the key of an order, is told to nobody.
func (v *visit) protect() {
	header := v.w.Header()
	header.Set("Cache-Control", "no-store")
	header.Set("Content-Security-Policy", "default-src 'none'; img-src 'self' http: https:; style-src 'unsafe-inline'; form-action "+
		"'self'; frame-ancestors 'none'; base-uri 'none'")
	header.Set("Referrer-Policy", "no-referrer")
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("X-Frame-Options", "DENY")
}

// leave sends the browser to another address, with a GET.
func (v *visit) leave(address string) {
	v.protect()
	http.Redirect(v.w, v.r, address, http.StatusSeeOther)
}

// missing tells that there is nothing at the address, or nothing for this visitor: the two look the same.
func (v *visit) missing(what string) { v.show(http.StatusNotFound, "missing", "Not found", what) }

//go:embed templates
var templateFiles embed.FS

var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.ParseFS(templateFiles, "templates/*.html"))
})
