package shopmock

import (
	"shopcheck/mockserver/internal/control"
	"shopcheck/mockserver/internal/openapi"
)

// OpenAPI returns an OpenAPI 3.1 document of all that is served at an address.
func OpenAPI(site string) ([]byte, error) { return openapi.Document(site, control.Operations(apis())) }

// Collection returns a collection of all calls to an address, of one of openapi's kinds.
func Collection(kind, site string) ([]byte, error) {
	return openapi.Collection(kind, site, control.Operations(apis()))
}
