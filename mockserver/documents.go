package mockserver

// What is served, described for other programs.

import "shopcheck/mockserver/internal/shopmock"

// OpenAPI returns an OpenAPI 3.1 document of all that a server at an address serves: both APIs, and the mock's own under /_mock. A server
// answers it at /_mock/openapi.json.
func OpenAPI(address string) ([]byte, error) { return shopmock.OpenAPI(address) }

// Collection returns a collection of the calls that a server at an address answers: "postman" for Postman (a JSON document), "bruno" for
// Bruno (a folder, as a ZIP archive). It returns an error for another kind.
func Collection(kind, address string) ([]byte, error) { return shopmock.Collection(kind, address) }
