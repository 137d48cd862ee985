package defects

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestTheWitnessSeesWhatABendChanges(t *testing.T) {
	shop := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"b": 1, "a": 2}`)) // a recorder takes everything
	})
	for name, c := range map[string]struct {
		bend bend
		want bool
	}{
		"another request":    {unsent(anywhere, "name"), true},
		"another query":      {queried(anywhere, func(q map[string][]string) { delete(q, "page") }), true},
		"another value":      {shows(anywhere, "a", 3), true},
		"another header":     {headers(func(h http.Header) { h.Set("X-Other", "1") }), true},
		"another status":     {withStatus(anywhere, success, http.StatusAccepted), true},
		"another order":      {written(func(b *bytes.Buffer, tree any) { encode(b, tree, true, plainText) }), true},
		"no question at all": {refused(anywhere, http.StatusTeapot), true},
		"two questions": {instead(anywhere, func(inner http.Handler,
			r *http.Request) *answer {
			record(inner, copyOf(r))
			return record(inner, r)
		}), true},
		"a broken connection": {func(http.Handler) http.Handler {
			return http.HandlerFunc(func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) })
		}, true},
		"pieces":          {chunked, true},
		"nothing":         {func(inner http.Handler) http.Handler { return inner }, false},
		"the same value":  {shows(anywhere, "a", 2), false},
		"no such field":   {unsent(anywhere, "nothing"), false},
		"no such request": {refused(at("GET /shop/v3/orders"), http.StatusTeapot), false},
	} {
		t.Run(name, func(t *testing.T) {
			var w witness
			r := httptest.NewRequest(http.MethodPost, "/shop/v3/products?page=2&order=asc", strings.NewReader(`{"name": "x", "age": 7}`))
			func() {
				defer func() { _ = recover() }()
				w.watched(c.bend)(shop).ServeHTTP(httptest.NewRecorder(), r)
			}()
			if w.changed.Load() != c.want {
				t.Errorf("changed: %v, want %v", w.changed.Load(), c.want)
			}
		})
	}
}
