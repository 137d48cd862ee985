package contract

// Which documented record is where in which answer: how every record that passes by is checked, and not only
// those that a spec looks at.

import (
	"slices"
	"strings"
	"sync"
)

// Sighting is one place in the answers of an endpoint where records of a shape stand.
type Sighting struct {
	Shape *Shape
	Path  string // gjson path of the record or of the array of records; empty for the body itself
	Each  bool   // Path holds an array of records
}

// HeaderRule is a header that answers of an endpoint carry.
type HeaderRule struct {
	Requirement string
	Name        string
	Whole       bool // its value is a whole number
}

// Paging names the requirements on the headers of a list that is paged.
type Paging struct {
	Total, Pages, Next, Prev, NoNext, NoPrev string
	Filters                                  string // that links keep them
	Linked                                   bool   // said to have links: those of any other list need only lead to where they say
}

// pagingOf is the paging of a list whose headers have one requirement.
func pagingOf(requirement string) Paging {
	return Paging{Total: requirement, Pages: requirement, Next: requirement, Prev: requirement, NoNext: requirement, NoPrev: requirement,
		Filters: requirement}
}

// PagingOf returns the requirements on the paging headers of an endpoint, if it is a list that is paged.
func PagingOf(endpoint string) (Paging, bool) {
	p, isList := pagings()[endpoint]
	return p, isList
}

var pagings = sync.OnceValue(func() map[string]Paging {
	table := map[string]Paging{}
	for _, c := range ManagementLists() {
		prefix := "pagination." + c.ID + "."
		table["GET "+c.Path] = Paging{prefix + "total", prefix + "total-pages", prefix + "link-next", prefix + "link-prev",
			"pagination.no-next-on-last", "pagination.no-prev-on-first", "pagination.link-keeps-filters", true}
	}
	for endpoint, requirement := range map[string]string{"products/{id}/variations": "variations.paging",
		"orders/{id}/notes": "orders.notes.paging", "customers/{id}/downloads": "customers.downloads.paging"} {
		table["GET /shop/v3/"+endpoint] = pagingOf(requirement)
	}
	for _, root := range storeRoots() {
		table["GET "+root+"/products"] = pagingOf("pagination.store-products.total")
	}
	return table
})

// PageLimits names the requirements on how many records a page of a list holds: unless asked otherwise, and at most.
type PageLimits struct{ Default, Maximum string }

// StorePageLimits returns the requirements on the size of a page of an endpoint, if it is a list of the Store API.
func StorePageLimits(endpoint string) (PageLimits, bool) {
	p, isList := storePageLimits()[endpoint]
	return p, isList
}

var storePageLimits = sync.OnceValue(func() map[string]PageLimits {
	table := map[string]PageLimits{}
	for _, root := range storeRoots() {
		table["GET "+root+"/products"] = PageLimits{"limits.store-per-page-default", "limits.store-per-page-maximum"}
		for _, list := range StoreRoots() {
			table["GET "+root+"/products/"+list] = PageLimits{"limits.store-per-page." + list, "limits.store-per-page." + list}
		}
	}
	return table
})

// IsOrderLookup reports whether an endpoint is that by which the Store API shows an order.
func IsOrderLookup(endpoint string) bool {
	return slices.ContainsFunc(storeRoots(), func(root string) bool { return endpoint == "GET "+root+"/order/{id}" })
}

// Sightings lists what a successful answer of the endpoint ("GET /shop/v3/products/{id}") shows.
func Sightings(endpoint string) []Sighting { return sightings()[endpoint] }

// Headers lists the headers that a successful answer of the endpoint carries.
func Headers(endpoint string) []HeaderRule {
	if rules, listed := headerRules()[endpoint]; listed || !isOfStore(endpoint) {
		return rules
	}
	return otherStoreHeaders()
}

// RefusalHeaders lists the headers that an error of the endpoint with that code carries. That there is no such address, or that a request
// does not fit the schema, may be found out before the Store API hears of it: such errors have no code of its own.
func RefusalHeaders(endpoint, code string) []HeaderRule {
	_, path, _ := strings.Cut(endpoint, " ")
	if !isOfStore(endpoint) || !strings.HasPrefix(code, "shop_rest_") {
		return nil
	}
	nonce := HeaderRule{Requirement: "nonce.on-refusals", Name: "Nonce"}
	for _, root := range storeRoots() {
		switch {
		case path == root+"/cart" || strings.HasPrefix(path, root+"/cart/"):
			return []HeaderRule{nonce, {Requirement: "carttoken.issued", Name: "Cart-Token"}}
		case path == root+"/checkout":
			return []HeaderRule{nonce}
		}
	}
	return otherStoreHeaders()
}

func otherStoreHeaders() []HeaderRule {
	return []HeaderRule{{Requirement: "nonce.on-products", Name: "Nonce"}}
}

// isOfStore reports whether an endpoint is one of the Store API's, below its root.
func isOfStore(endpoint string) bool {
	_, path, _ := strings.Cut(endpoint, " ")
	return slices.ContainsFunc(storeRoots(), func(root string) bool {
		below, is := strings.CutPrefix(path, root+"/")
		return is && below != "" && below != "v1"
	})
}

var sightings = sync.OnceValue(func() map[string][]Sighting {
	table := map[string][]Sighting{}
	addResource(table, "/shop/v3/products", Product())
	addResource(table, "/shop/v3/products/{id}/variations", Variation())
	addResource(table, "/shop/v3/orders", Order())
	table["POST /jwt-auth/v1/token"] = []Sighting{{Shape: LoginToken()}}
	addResource(table, "/shop/v3/customers", Customer())
	table["GET /shop/v3/customers/{id}/downloads"] = []Sighting{{Shape: CustomerDownload(), Each: true}}
	for _, root := range storeRoots() {
		table["GET "+root+"/products"] = []Sighting{{Shape: StoreProduct(), Each: true}}
		table["GET "+root+"/products/{id}"] = []Sighting{{Shape: StoreProduct()}}
		table["GET "+root+"/cart"] = []Sighting{{Shape: Cart()}}
		for _, op := range CartWrites() {
			table["POST "+root+"/cart/"+op] = []Sighting{{Shape: Cart()}}
		}
		for _, method := range []string{"GET", "PUT", "POST"} {
			table[method+" "+root+"/checkout"] = []Sighting{{Shape: Checkout()}}
		}
	}
	return table
})

// storeRoots: if the version is left out of a Store API address, v1 is served.
func storeRoots() []string { return []string{"/shop/store/v1", "/shop/store"} }

func addResource(table map[string][]Sighting, path string, shape *Shape) {
	one, all := []Sighting{{Shape: shape}}, []Sighting{{Shape: shape, Each: true}}
	table["GET "+path] = all
	table["POST "+path] = one
	table["GET "+path+"/{id}"] = one
	table["PUT "+path+"/{id}"] = one
	table["POST "+path+"/batch"] = []Sighting{{Shape: shape, Path: "create", Each: true}, {Shape: shape, Path: "update", Each: true}}
}

var headerRules = sync.OnceValue(func() map[string][]HeaderRule {
	table := map[string][]HeaderRule{}
	for _, c := range ManagementLists() {
		table["GET "+c.Path] = []HeaderRule{
			{Requirement: "pagination." + c.ID + ".total", Name: "X-Shop-Total", Whole: true},
			{Requirement: "pagination." + c.ID + ".total-pages", Name: "X-Shop-TotalPages", Whole: true},
		}
	}
	for _, root := range storeRoots() {
		nonce := HeaderRule{Requirement: "nonce.on-cart", Name: "Nonce"}
		token := HeaderRule{Requirement: "carttoken.issued", Name: "Cart-Token"}
		table["GET "+root+"/cart"] = []HeaderRule{nonce, token, {Requirement: "cart.get.issues-token", Name: "Cart-Token"}}
		for _, op := range CartWrites() {
			table["POST "+root+"/cart/"+op] = []HeaderRule{nonce, token}
		}
		for _, method := range []string{"GET", "PUT", "POST"} {
			table[method+" "+root+"/checkout"] = []HeaderRule{{Requirement: "nonce.on-checkout", Name: "Nonce"}}
		}
		table["POST "+root+"/batch"] = []HeaderRule{{Requirement: "nonce.on-batch", Name: "Nonce"}}
		table["GET "+root+"/order/{id}"] = []HeaderRule{{Requirement: "nonce.on-order-lookup", Name: "Nonce"}}
	}
	return table
})
