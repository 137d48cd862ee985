package rest

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"sync"
)

// deferred is JSON that is encoded when the answer is written, into a buffer that is used again: on a hot path its bytes would
// be most of what the collector has to collect.
type deferred func(b []byte) []byte

// MarshalJSON encodes it as part of something else.
func (d deferred) MarshalJSON() ([]byte, error) { return d(nil), nil }

// now encodes it into bytes of its own.
func (d deferred) now() []byte {
	scratch := borrowBuffer()
	defer scratch.giveBack()
	scratch.bytes = d(scratch.bytes)
	return bytes.Clone(scratch.bytes)
}

// maxKept bounds the buffers that are kept for the next answer.
const maxKept = 1 << 20

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// buffer is room to encode into that many answers use, one after the other.
type buffer struct{ bytes []byte }

// borrowBuffer returns an empty buffer. What is in it is nobody's any more once it has been given back.
func borrowBuffer() *buffer {
	b := buffers.Get().(*buffer)
	b.bytes = b.bytes[:0]
	return b
}

// readFrom fills the buffer with all that there is to read.
func (b *buffer) readFrom(r io.Reader) error {
	room := bytes.NewBuffer(b.bytes)
	_, err := room.ReadFrom(r)
	b.bytes = room.Bytes()
	return err
}

func (b *buffer) giveBack() {
	if cap(b.bytes) <= maxKept {
		buffers.Put(b)
	}
}

// WriteJSON writes an answer with a JSON body.
func WriteJSON(w http.ResponseWriter, status int, body any) {
	if encoded, ok := body.(Raw); ok {
		writeBytes(w, status, encoded)
		return
	}
	scratch := borrowBuffer()
	defer scratch.giveBack()
	scratch.bytes = AppendAny(scratch.bytes, body)
	writeBytes(w, status, scratch.bytes)
}

func writeBytes(w http.ResponseWriter, status int, encoded []byte) {
	header := w.Header()
	header["Content-Type"] = jsonType
	header["X-Content-Type-Options"] = noSniff
	if read, ok := w.(*conditional); ok && status == http.StatusOK && read.holds(encoded) {
		w.WriteHeader(http.StatusNotModified)
		return
	}
	header["Content-Length"] = []string{strconv.Itoa(len(encoded))}
	w.WriteHeader(status)
	w.Write(encoded) //nolint:errcheck // a client that went away is no fault of ours
}

// Header values that every answer shares.
var (
	jsonType = []string{"application/json; charset=UTF-8"}
	noSniff  = []string{"nosniff"}
)
