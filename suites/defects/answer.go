package defects

// An answer that was caught on its way out, so that it can be bent.

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
)

// answer is what a handler answered. Its body can be changed as a tree.
type answer struct {
	Status int
	Header http.Header
	Body   []byte
}

// record lets a handler answer into memory.
func record(handler http.Handler, r *http.Request) *answer {
	w := &recorder{header: http.Header{}}
	handler.ServeHTTP(w, r)
	w.WriteHeader(http.StatusOK)
	return &answer{Status: w.status, Header: w.sent, Body: w.body.Bytes()}
}

// recorder is a ResponseWriter in memory.
type recorder struct {
	header, sent http.Header
	status       int
	body         bytes.Buffer
}

// Header implements http.ResponseWriter.
func (w *recorder) Header() http.Header { return w.header }

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(status int) {
	if w.status == 0 {
		w.status, w.sent = status, w.header.Clone()
	}
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(p []byte) (int, error) {
	w.WriteHeader(http.StatusOK)
	return w.body.Write(p)
}

// ok reports whether the status is a success.
func (a *answer) ok() bool { return a.Status >= 200 && a.Status < 300 }

// writeTo sends the answer on.
func (a *answer) writeTo(w http.ResponseWriter) {
	for name, values := range a.Header {
		w.Header()[name] = values
	}
	if w.Header().Get("Content-Length") != "" {
		w.Header().Set("Content-Length", strconv.Itoa(len(a.Body)))
	}
	w.WriteHeader(a.Status)
	_, _ = w.Write(a.Body) // a client that has gone away is no concern of ours
}

// tree is the body as JSON; nil when it is none. Numbers keep their digits.
func (a *answer) tree() any { return parse(a.Body) }

func parse(text []byte) any {
	var tree any
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if decoder.Decode(&tree) != nil {
		return nil
	}
	return tree
}

// setTree makes the tree the body. A body that says the same already stays as it is written.
func (a *answer) setTree(tree any) { a.Body = rewrite(a.Body, tree) }

// rewrite is the tree as JSON, or the text as it was where that is the same.
func rewrite(text []byte, tree any) []byte {
	after, err := json.Marshal(tree)
	if err != nil { // what was read from JSON can be written as JSON
		return text
	}
	if before, err := json.Marshal(parse(text)); err == nil && bytes.Equal(before, after) {
		return text
	}
	return after
}

// places calls visit for every object and key that a path of names leads to; # stands for all items of an array.
func places(tree any, path string, visit func(object map[string]any, key string)) {
	name, rest, more := strings.Cut(path, ".")
	if list, isList := tree.([]any); isList && name == "#" {
		for _, item := range list {
			places(item, rest, visit)
		}
		return
	}
	object, isObject := tree.(map[string]any)
	if !isObject {
		return
	}
	if !more {
		visit(object, name)
		return
	}
	places(object[name], rest, visit)
}
