package shopmock

// Answers to clients that are not yet through with sending.

import (
	"context"
	"io"
	"net/http"
	"time"
)

const (
	readByHTTP = 256 << 10       // bytes of a body that net/http reads itself when its handler has not
	mostUnread = 64 << 20        // bytes of a body that are read although nobody wants them
	lingerTime = 2 * time.Second // in which something of them must come
)

// lingering reads what a client still sends when its answer is complete, and throws it away. Else the connection is closed before a client
// that sends first and reads then comes to reading, and what it finds is a connection that was reset, not why: that its body is too large,
// or its key wrong. A body that is promised longer than what is read is not begun. A body has the limit until it is answered and again
// from then on, also where nobody reads it: net/http reads some of it before it sends the answer.
func lingering(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body := r.Body // those that handlers put in its place stop where too much has come
		if body == nil || body == http.NoBody {
			next.ServeHTTP(w, r)
			return
		}
		socket := http.NewResponseController(w)
		socket.SetReadDeadline(time.Now().Add(limit)) //nolint:errcheck // it can be set on sockets
		var awaited *awaitedBody
		if r.Header.Get("Expect") != "" {
			awaited = &awaitedBody{ReadCloser: body}
			r.Body = awaited
		}
		next.ServeHTTP(w, r)
		r.Body = body // by which net/http knows whether the client was told to send
		if (awaited == nil || awaited.begun) && mayBeLeft(r) && socket.Flush() == nil {
			readOn(r.Context(), socket, body, limit)
		}
	})
}

// awaitedBody is one that is not sent until somebody begins to read it.
type awaitedBody struct {
	io.ReadCloser
	begun bool
}

func (b *awaitedBody) Read(p []byte) (int, error) {
	b.begun = true
	return b.ReadCloser.Read(p)
}

// mayBeLeft reports whether there may be more of a body than net/http reads. Streams of HTTP/2 end one by one.
func mayBeLeft(r *http.Request) bool {
	return r.ProtoMajor == 1 && (r.ContentLength < 0 || r.ContentLength > readByHTTP && r.ContentLength <= mostUnread)
}

// readOn reads the rest of a body for some time, as long as it comes and the server is not closing.
func readOn(open context.Context, socket *http.ResponseController, body io.Reader, limit time.Duration) {
	room := make([]byte, 32<<10)
	end := time.Now().Add(limit)
	for left := mostUnread; left > 0 && open.Err() == nil && time.Now().Before(end); {
		socket.SetReadDeadline(time.Now().Add(lingerTime)) //nolint:errcheck // reading tells
		n, err := body.Read(room)
		if err != nil {
			return
		}
		left -= n
	}
}
