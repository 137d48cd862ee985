package defects

// The vocabulary of bends: what can be done to requests on their way in and to answers on their way out.

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"shopcheck/suites/client"
	"shopcheck/suites/expect"
)

// bend makes a handler that deviates from the one inside it.
type bend func(inner http.Handler) http.Handler

// match reports whether a request is one that a bend is about.
type match func(r *http.Request) bool

// at matches requests of endpoints such as "GET /shop/v3/products/{id}".
func at(endpoints ...string) match {
	return func(r *http.Request) bool { return slices.Contains(endpoints, endpointOf(r)) }
}

func endpointOf(r *http.Request) string {
	return client.Endpoint(r.Method, r.URL.Path+"?"+r.URL.RawQuery)
}

// below matches requests whose path starts with one of the prefixes.
func below(prefixes ...string) match {
	return func(r *http.Request) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(r.URL.Path, p) })
	}
}

func anywhere(*http.Request) bool { return true }

func (m match) and(other match) match {
	return func(r *http.Request) bool { return m(r) && other(r) }
}

// asked changes requests before the shop sees them.
func asked(when match, edit func(r *http.Request)) bend {
	return func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if when(r) {
				edit(r)
			}
			inner.ServeHTTP(w, r)
		})
	}
}

// answered changes answers before the client sees them.
func answered(when match, edit func(r *http.Request, a *answer)) bend {
	return func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !when(r) {
				inner.ServeHTTP(w, r)
				return
			}
			again := copyOf(r)
			a := record(inner, r)
			edit(again, a)
			a.writeTo(w)
		})
	}
}

// succeeded changes successful answers.
func succeeded(when match, edit func(a *answer)) bend {
	return answered(when, func(_ *http.Request, a *answer) {
		if a.ok() {
			edit(a)
		}
	})
}

// instead lets the shop do something else. do gets the shop, to ask it what it likes.
func instead(when match, do func(inner http.Handler, r *http.Request) *answer) bend {
	return func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !when(r) {
				inner.ServeHTTP(w, r)
				return
			}
			do(inner, r).writeTo(w)
		})
	}
}

// refused answers with an error where the shop should not.
func refused(when match, status int) bend {
	return instead(when, func(http.Handler, *http.Request) *answer { return failure(status, "shop_rest_defect") })
}

func failure(status int, code string) *answer {
	return newAnswer(status, map[string]any{"code": code, "message": "This is a defect.", "data": map[string]any{"status": status}})
}

func newAnswer(status int, body any) *answer {
	a := &answer{Status: status, Header: http.Header{"Content-Type": {"application/json"}}}
	a.setTree(body)
	return a
}

// ignored: a write is answered with what is there, and not done.
func ignored(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer { return lookedAt(inner, r) })
}

// lenient: what the shop refuses is answered with what is there, as if it had been done.
func lenient(when match) bend {
	return instead(when, func(inner http.Handler, r *http.Request) *answer {
		again := copyOf(r)
		if a := record(inner, r); a.Status < 400 {
			return a
		}
		return lookedAt(inner, again)
	})
}

// lookedAt reads what a write is about: the cart for cart operations, else the record at the same address.
func lookedAt(inner http.Handler, r *http.Request) *answer {
	look := copyOf(r)
	look.Method, look.Body, look.ContentLength = http.MethodGet, http.NoBody, 0
	if i := strings.Index(look.URL.Path, "/cart/"); i >= 0 {
		look.URL.Path, look.URL.RawQuery = look.URL.Path[:i]+"/cart", ""
	}
	return record(inner, look)
}

// withStatus gives answers another status. Error bodies say the new one too.
func withStatus(when match, was func(status int) bool, status int) bend {
	return answered(when, func(_ *http.Request, a *answer) {
		if was(a.Status) {
			a.setStatus(status)
		}
	})
}

func (a *answer) setStatus(status int) {
	a.Status = status
	if tree, ok := a.tree().(map[string]any); ok && tree["code"] != nil {
		places(tree, "data.status", func(data map[string]any, key string) { data[key] = status })
		a.setTree(tree)
	}
}

func is(wanted int) func(int) bool { return func(status int) bool { return status == wanted } }
func success(status int) bool      { return status < 300 }
func anError(status int) bool      { return status >= 400 }

// shows puts a value into all answers, at a path of names and #.
func shows(when match, path string, value any) bend {
	return succeeded(when, func(a *answer) { a.set(path, func(any) any { return value }) })
}

// set replaces the values at a path by what change makes of them.
func (a *answer) set(path string, change func(old any) any) {
	tree := a.tree()
	places(tree, path, func(object map[string]any, key string) { object[key] = change(object[key]) })
	a.setTree(tree)
}

// plusOne adds one to an amount or a count, in the type that it has.
func plusOne(old any) any {
	switch value := old.(type) {
	case json.Number:
		n, _ := value.Int64()
		return n + 1
	case string:
		n, _ := strconv.ParseFloat(value, 64)
		if strings.Contains(value, ".") {
			return strconv.FormatFloat(n+1, 'f', 2, 64)
		}
		return strconv.FormatInt(int64(n)+1, 10)
	}
	return old
}

// copyOf is a request that can be sent once more.
func copyOf(r *http.Request) *http.Request {
	body, _ := io.ReadAll(r.Body) // a body in memory: reading it does not fail
	r.Body = io.NopCloser(bytes.NewReader(body))
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	return again
}

// requestBody is the body of a request, which can be read again.
func requestBody(r *http.Request) []byte {
	body, _ := io.ReadAll(copyOf(r).Body) // a body in memory: reading it does not fail
	return body
}

// fields is the request's JSON body, nil when it has none.
func fields(r *http.Request) map[string]any {
	object, _ := parse(requestBody(r)).(map[string]any)
	return object
}

// setFields makes the object the request's body.
func setFields(r *http.Request, object map[string]any) {
	text := rewrite(requestBody(r), object)
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(text)), int64(len(text))
	r.Header.Set("Content-Length", strconv.Itoa(len(text)))
}

// sent changes the JSON body of requests.
func sent(when match, edit func(body map[string]any)) bend {
	return asked(when, func(r *http.Request) {
		if body := fields(r); body != nil {
			edit(body)
			setFields(r, body)
		}
	})
}

// unsent drops a field from requests.
func unsent(when match, path string) bend {
	return sent(when, func(body map[string]any) {
		places(body, path, func(object map[string]any, key string) { delete(object, key) })
	})
}

// assumed sends a value for a field that a request leaves out.
func assumed(when match, path string, value any) bend {
	return sent(when, func(body map[string]any) {
		places(body, path, func(object map[string]any, key string) {
			if _, given := object[key]; !given {
				object[key] = value
			}
		})
	})
}

// holds matches requests whose body has a value at a path.
func holds(path string, test func(value any) bool) match {
	return func(r *http.Request) bool {
		found := false
		places(fields(r), path, func(object map[string]any, key string) {
			value, given := object[key]
			found = found || given && test(value)
		})
		return found
	}
}

// lacks matches requests whose body does not have a field.
func lacks(path string) match {
	given := holds(path, func(any) bool { return true })
	return func(r *http.Request) bool { return !given(r) }
}

func equals(wanted any) func(any) bool { return func(value any) bool { return value == wanted } }

// queried changes the query of requests. The links to other pages say what was asked, and so nothing of the change.
func queried(when match, edit func(query map[string][]string)) bend {
	return func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if !when(r) {
				inner.ServeHTTP(w, r)
				return
			}
			sent := r.URL.Query()
			a := record(inner, withQuery(r, func(query url.Values) { edit(query) }))
			if len(a.Header["Link"]) > 0 {
				l := links(expect.Links(a.Header))
				l.ask(sent)
				a.Header["Link"] = l.lines()
			}
			a.writeTo(w)
		})
	}
}
