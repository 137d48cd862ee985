package defects

// Variants of time and of how visitors are known again.

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

func sessionVariants() []Variant {
	return []Variant{
		{ID: "fair.nonce-stable", What: "A visitor's nonce never changes.", setup: Setup{StableNonce: true}},
		{ID: "fair.no-cookies", What: "The shop sets no cookies.", bend: headers(func(h http.Header) { h.Del("Set-Cookie") })},
		{ID: "fair.token-opaque", What: "A cart token is an opaque word.", bend: pseudonyms(false)},
		{ID: "fair.token-renewed", What: "Each answer has a new cart token; older ones stay good.", bend: pseudonyms(true)},
		{ID: "fair.clock-ahead", What: "The shop's clock is nine minutes ahead.", setup: Setup{Clock: shifted(9 * time.Minute)}},
		{ID: "fair.clock-behind", What: "The shop's clock is nine minutes behind.", setup: Setup{Clock: shifted(-9 * time.Minute)}},
		{ID: "fair.one-moment", What: "The shop's clock stands still: all records of a run are made in the same second.",
			setup: Setup{Clock: func() time.Time {
				return time.Now().Truncate(10 * time.Minute)
			}}},
	}
}

func shifted(by time.Duration) func() time.Time {
	return func() time.Time { return time.Now().Add(by) }
}

// pseudonyms shows clients other words for cart tokens: one for each token or, if renewed, one for each answer.
func pseudonyms(renewed bool) bend {
	return func(inner http.Handler) http.Handler {
		var mu sync.Mutex
		tokens, words := map[string]string{}, map[string]string{}
		word := func(token string) string {
			mu.Lock()
			defer mu.Unlock()
			if known, ok := words[token]; ok && !renewed {
				return known
			}
			made := fmt.Sprintf("%x", len(tokens)+0x5c0ffee)
			tokens[made], words[token] = token, made
			return made
		}
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			if token, ok := tokens[r.Header.Get("Cart-Token")]; ok {
				r.Header.Set("Cart-Token", token)
			}
			inBatch(r, tokens)
			mu.Unlock()
			a := record(inner, r)
			if token := a.Header.Get("Cart-Token"); token != "" {
				a.Header.Set("Cart-Token", word(token))
			}
			a.writeTo(w)
		})
	}
}

// inBatch puts the shop's own tokens into the requests of a batch.
func inBatch(r *http.Request, tokens map[string]string) {
	body := fields(r)
	if body == nil || !at("POST /shop/store/v1/batch", "POST /shop/store/batch")(r) {
		return
	}
	places(body, "requests.#.headers.Cart-Token", func(headers map[string]any, name string) {
		if token, ok := tokens[textOf(headers[name])]; ok {
			headers[name] = token
		}
	})
	setFields(r, body)
}
