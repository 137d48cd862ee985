package rest

// What a client may have meant that asked for an address that is not served.

import (
	"net/http"
	"slices"
	"strings"
	"sync"

	"github.com/agnivade/levenshtein"
)

// NotFound answers requests for addresses that are not served; data.nearest lists those of the served ones that are most like the one
// that was asked for, as a client would write them: "/shop/v3/products/{id}". Make it the router's NotFoundHandler.
func NotFound(addresses func() []string) http.Handler {
	served := sync.OnceValue(func() []string { return onceEach(addresses()) })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		refusal := NoRoute()
		if near := Nearest(served(), r.URL.Path); len(near) > 0 {
			refusal.With("nearest", near)
		}
		WriteError(w, refusal)
	})
}

// onceEach returns each text once, in their order.
func onceEach(texts []string) []string {
	var all []string
	seen := map[string]bool{}
	for _, text := range texts {
		if !seen[text] {
			seen[text] = true
			all = append(all, text)
		}
	}
	return all
}

const (
	maxNearest  = 3   // addresses that are named
	longestPath = 200 // bytes of a path that is compared
)

// Nearest returns the served addresses that fewest changes make of a path, if these are few. It does the same for other words.
func Nearest(served []string, path string) []string {
	if len(path) > longestPath {
		return nil
	}
	best, found := max(2, len(path)/5), []string(nil)
	for _, address := range served {
		distance := changes(address, path, best)
		if distance < best {
			best, found = distance, nil
		}
		if distance == best && len(found) < maxNearest {
			found = append(found, address)
		}
	}
	return found
}

// changes counts the characters that differ between an address and a path, with anything in the place of a variable for one change.
// What is more than limit is not counted.
func changes(address, path string, limit int) int {
	segments, asked := strings.Split(address, "/"), strings.Split(path, "/")
	variables := 0
	for i := range min(len(segments), len(asked)) {
		if strings.HasPrefix(segments[i], "{") {
			segments[i] = asked[i]
			variables = 1
		}
	}
	filled := strings.Join(segments, "/")
	if difference := len(filled) - len(path); max(difference, -difference) > limit {
		return limit + 1
	}
	return levenshtein.ComputeDistance(filled, path) + variables
}

// wrongMethod is the answer to a method that an address does not take; data.methods lists those that it takes.
func wrongMethod(allowed []string) *Error { return NoRoute().With("methods", allowed) }

// allowed lists the methods of an address in their usual order.
func (m Methods) allowed() []string {
	return slices.DeleteFunc(slices.Clone(methodOrder), func(method string) bool { return m[method] == nil })
}
