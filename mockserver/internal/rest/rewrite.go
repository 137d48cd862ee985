package rest

import (
	"net/http"
	"net/url"
	"strings"
)

// Canonical gives a request its canonical address and method: ?rest_route= becomes the path, a Store API path without a version
// gets v1, a trailing slash goes, and a POST that stands for another method becomes it.
func Canonical(r *http.Request, storeNamespace string) *http.Request {
	path := canonicalPath(r, storeNamespace)
	method := intendedMethod(r)
	if path == r.URL.Path && method == r.Method {
		return r
	}
	changed := *r
	address := *r.URL
	address.Path, address.RawPath = path, ""
	changed.URL, changed.Method = &address, method
	return &changed
}

func canonicalPath(r *http.Request, storeNamespace string) string {
	path := r.URL.Path
	if path == "/" || path == "" || path == "/index.php" {
		if route := restRoute(r.URL.RawQuery); route != "" {
			path = "/" + strings.TrimPrefix(route, "/")
		}
	}
	if bare := strings.Trim(path, "/"); len(path) > 1 && (path[0] != '/' || len(bare) != len(path)-1) {
		path = "/" + bare
	}
	return withStoreVersion(path, storeNamespace)
}

func restRoute(query string) string {
	if !strings.Contains(query, "rest_route=") {
		return ""
	}
	values, _ := url.ParseQuery(query)
	return values.Get("rest_route")
}

// withStoreVersion turns /shop/store/cart into /shop/store/v1/cart.
func withStoreVersion(path, namespace string) string {
	rest, rooted := strings.CutPrefix(path, "/")
	rest, inside := strings.CutPrefix(rest, strings.TrimSuffix(namespace, "v1")) // with the slash before it
	if !rooted || !inside {
		return path
	}
	if version, _, _ := strings.Cut(rest, "/"); isVersion(version) {
		return path
	}
	return "/" + namespace + "/" + rest
}

func isVersion(segment string) bool {
	return len(segment) > 1 && segment[0] == 'v' && strings.Trim(segment[1:], "0123456789") == ""
}

func intendedMethod(r *http.Request) string {
	if r.Method != http.MethodPost {
		return r.Method
	}
	method := r.Header.Get("X-Http-Method-Override")
	if method == "" && strings.Contains(r.URL.RawQuery, "_method=") {
		method = r.URL.Query().Get("_method")
	}
	switch method = strings.ToUpper(method); method {
	case http.MethodGet, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions, http.MethodHead:
		return method
	}
	return r.Method
}
