package rest

import (
	"bytes"
	"io"
	"net/http"
	"strconv"
	"sync"

	"shopcheck/mockserver/internal/shop"
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

// buffer is room to encode into that many answers use, one after the other. As the body of an answer it is given back when that is
// written.
type buffer struct{ bytes []byte }

// MarshalJSON returns what is in it.
func (b *buffer) MarshalJSON() ([]byte, error) { return b.bytes, nil }

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
	switch encoded := body.(type) {
	case Raw:
		writeBytes(w, status, encoded)
		return
	case *Constant:
		writeConstant(w, status, encoded)
		return
	case *buffer:
		defer encoded.giveBack()
		writeBytes(w, status, encoded.bytes)
		return
	}
	scratch := borrowBuffer()
	defer scratch.giveBack()
	scratch.bytes = AppendAny(scratch.bytes, body)
	writeBytes(w, status, scratch.bytes)
}

func writeBytes(w http.ResponseWriter, status int, encoded []byte) {
	if writeHeader(w, status, encoded, nil) {
		w.Write(encoded) //nolint:errcheck // a client that went away is no fault of ours
	}
}

func writeConstant(w http.ResponseWriter, status int, c *Constant) {
	if writeHeader(w, status, c.Bytes, c) {
		PassConstant(w, c.Bytes) //nolint:errcheck // see writeBytes
	}
}

// PassConstant writes bytes that never change to a writer, which may make use of that.
func PassConstant(w http.ResponseWriter, p []byte) (int, error) {
	if keeper, ok := w.(constantWriter); ok {
		return keeper.WriteConstant(p)
	}
	return w.Write(p)
}

// writeHeader writes the headers of an answer with a JSON body, and reports whether the body follows. What follows from the body is known
// of a constant, nil for other bodies.
func writeHeader(w http.ResponseWriter, status int, encoded []byte, known *Constant) bool {
	header := w.Header()
	header["Content-Type"] = jsonType
	header["X-Content-Type-Options"] = noSniff
	if read, ok := w.(*conditional); ok && status == http.StatusOK {
		if known == nil {
			known = NewConstant(Tagged(encoded))
		}
		if read.holds(known.tag) {
			w.WriteHeader(http.StatusNotModified)
			return false
		}
	}
	if known == nil {
		header["Content-Length"] = lengthOf(encoded)
	} else {
		header["Content-Length"] = known.length
	}
	w.WriteHeader(status)
	return true
}

// Constant is encoded JSON that nobody will ever change: whoever keeps answers may keep it without copying it.
type Constant struct {
	shop.Encoded
	tag, length []string // as the values of headers, which all answers share
}

// Tagged gives bytes that are not changed any more the tag of an answer.
func Tagged(encoded []byte) shop.Encoded { return shop.Encoded{Bytes: encoded, Tag: tagOf(encoded)} }

// NewConstant makes a constant of what Tagged returned.
func NewConstant(tagged shop.Encoded) *Constant {
	return &Constant{tagged, []string{tagged.Tag}, lengthOf(tagged.Bytes)}
}

// lengthOf is the length of a body as the value of a header.
func lengthOf(body []byte) []string { return []string{strconv.Itoa(len(body))} }

// MarshalJSON returns the bytes as they are.
func (c *Constant) MarshalJSON() ([]byte, error) { return c.Bytes, nil }

// constantWriter is an http.ResponseWriter that keeps what is written to it: what never changes it need not copy.
type constantWriter interface {
	WriteConstant(p []byte) (int, error)
}

// Header values that every answer shares.
var (
	jsonType = []string{"application/json; charset=UTF-8"}
	noSniff  = []string{"nosniff"}
)
