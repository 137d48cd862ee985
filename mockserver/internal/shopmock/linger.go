package shopmock

// Answers to clients that are not yet through with sending.

import (
	"context"
	"io"
	"net/http"
	"time"
)

const (
	readByHTTP = 256 << 10 // bytes of a body that net/http reads itself when its handler has not
	mostUnread = 64 << 20  // bytes of a body that are read although nobody wants them
)

// lingering reads what a client still sends when its answer is complete, and throws it away. Else the connection is closed before a client
// that sends first and reads then comes to reading, and what it finds is a connection that was reset, not why: that its body is too large,
// or its key wrong. Bodies have a deadline, and one that is promised longer than what is read is not begun.
func lingering(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body // those that handlers put in its place stop where too much has come
		next.ServeHTTP(w, r)
		if !mayStillSend(r) {
			return
		}
		socket := http.NewResponseController(w)
		if socket.Flush() != nil {
			return
		}
		closing := context.AfterFunc(r.Context(), func() { socket.SetReadDeadline(time.Now()) }) //nolint:errcheck // it could be set before
		defer closing()
		io.CopyN(io.Discard, body, mostUnread) //nolint:errcheck // the answer is on its way
	})
}

// mayStillSend reports whether the client of a request that is answered may still send more of its body than net/http reads. Who was told
// to wait for being asked does not send, and streams of HTTP/2 end one by one.
func mayStillSend(r *http.Request) bool {
	long := r.ContentLength < 0 || r.ContentLength > readByHTTP
	return long && r.ContentLength <= mostUnread && r.ProtoMajor == 1 && r.Header.Get("Expect") == ""
}
