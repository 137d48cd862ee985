package shopmock

// What net/http sends in two pieces, sent in one. It writes an answer by way of a buffer: of an answer that is longer than that, the
// first piece leaves when the buffer is full, and the rest when the handler is through. A piece is a system call, and wakes the client.

import (
	"bytes"
	"net/http"
	"strconv"
	"sync"
	"time"
)

// httpBuffer is the size of the buffer by way of which net/http writes, in bytes.
const httpBuffer = 4 << 10

// firstPiece is the beginning of an answer that waits for the rest of it.
type firstPiece [httpBuffer]byte

var firstPieces = sync.Pool{New: func() any { return new(firstPiece) }}

func keepFirst(p []byte) *firstPiece {
	first := firstPieces.Get().(*firstPiece)
	copy(first[:], p)
	return first
}

func (f *firstPiece) giveBack() { firstPieces.Put(f) }

// promisesMore reports whether p is a full buffer of net/http, and its head promises more of the body than p has.
func promisesMore(p []byte) bool {
	if len(p) != httpBuffer || !bytes.HasPrefix(p, []byte("HTTP/1.")) {
		return false
	}
	head, body, _ := bytes.Cut(p, []byte("\r\n\r\n"))
	_, length, _ := bytes.Cut(head, []byte("\r\nContent-Length: "))
	digits, _, _ := bytes.Cut(length, []byte("\r\n"))
	promised, err := strconv.Atoi(string(digits))
	return err == nil && promised > len(body)
}

// flush sends what was written of an answer of a promised length, also a first piece that waits for the rest.
func flush(socket *http.ResponseController) {
	socket.Flush()                       //nolint:errcheck // the next write tells
	socket.SetWriteDeadline(time.Time{}) //nolint:errcheck // see above
}
