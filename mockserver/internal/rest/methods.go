package rest

import "net/http"

// Methods is an address outside the APIs: what it does, by method. HEAD is answered as GET; any other method is answered as an
// unknown route is, in the contract's envelope, which lists the methods that there are.
type Methods map[string]http.HandlerFunc

// ServeHTTP answers a request by its method.
func (m Methods) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	method := r.Method
	if method == http.MethodHead {
		method = http.MethodGet
	}
	do, known := m[method]
	if !known {
		WriteError(w, wrongMethod(m.allowed()))
		return
	}
	do(w, r)
}
