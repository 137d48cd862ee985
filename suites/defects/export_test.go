package defects

import "net/http"

// Rewriting is a variant of a test.
func Rewriting(id string, bend func(http.Handler) http.Handler) Variant {
	return Variant{ID: id, bend: bend}
}
