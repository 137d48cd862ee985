package rest

// Conditional reads: the answer to a GET has an ETag, and whoever has that answer already is told so.

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/cespare/xxhash/v2"
)

// conditional is an answer to a request that may hold what it answers already.
type conditional struct {
	http.ResponseWriter
	held string // what If-None-Match says
}

// Unwrap lets http.ResponseController reach the socket.
func (c *conditional) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// answerTo returns where the answer to a read goes; to that of any other request nothing is done.
func (c *conditional) answerTo(w http.ResponseWriter, r *http.Request) http.ResponseWriter {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		return w
	}
	c.ResponseWriter = w
	if held := r.Header["If-None-Match"]; held != nil {
		c.held = strings.Join(held, ",")
	}
	return c
}

// WriteConstant hands bytes that never change to the writer below, which may make use of that.
func (c *conditional) WriteConstant(p []byte) (int, error) {
	return PassConstant(c.ResponseWriter, p)
}

// tagOf makes the tag of an answer. It is a weak one: the same answer may be compressed, or be said in the words of a dialect.
func tagOf(encoded []byte) string {
	var room [24]byte
	return string(append(strconv.AppendUint(append(room[:0], 'W', '/', '"'), xxhash.Sum64(encoded), 36), '"'))
}

// holds gives an answer its tag, and reports whether the client has it.
func (c *conditional) holds(tag []string) bool {
	c.Header()["Etag"] = tag
	return c.held != "" && (c.held == "*" || strings.Contains(c.held, tag[0][len("W/"):]))
}
