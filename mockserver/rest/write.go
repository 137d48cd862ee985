package rest

import (
	"net/http"
	"strconv"
	"sync"
)

// records is a JSON array whose items are encoded already. Lists are joined in a buffer that is used again: on a hot path their
// bytes would be most of what the collector has to collect.
type records [][]byte

// MarshalJSON joins the records.
func (list records) MarshalJSON() ([]byte, error) { return list.appendTo(nil), nil }

func (list records) appendTo(b []byte) []byte {
	b = append(b, '[')
	for i, record := range list {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, record...)
	}
	return append(b, ']')
}

// maxKept bounds the buffers that are kept for the next answer.
const maxKept = 1 << 20

var buffers = sync.Pool{New: func() any { return new(buffer) }}

// buffer is room to encode into that many answers use, one after the other.
type buffer struct{ bytes []byte }

// borrowBuffer gives an empty buffer. What is in it is nobody's any more once it has been given back.
func borrowBuffer() *buffer {
	b := buffers.Get().(*buffer)
	b.bytes = b.bytes[:0]
	return b
}

func (b *buffer) giveBack() {
	if cap(b.bytes) <= maxKept {
		buffers.Put(b)
	}
}

// WriteJSON writes an answer with a JSON body.
func WriteJSON(w http.ResponseWriter, status int, body any) {
	switch v := body.(type) {
	case Raw:
		writeBytes(w, status, v)
	case records:
		list := borrowBuffer()
		defer list.giveBack()
		list.bytes = v.appendTo(list.bytes)
		writeBytes(w, status, list.bytes)
	default:
		writeBytes(w, status, AppendAny(nil, body))
	}
}

func writeBytes(w http.ResponseWriter, status int, encoded []byte) {
	header := w.Header()
	header["Content-Type"] = jsonType
	header["X-Content-Type-Options"] = noSniff
	header["Content-Length"] = []string{strconv.Itoa(len(encoded))}
	w.WriteHeader(status)
	w.Write(encoded) //nolint:errcheck // a client that went away is no fault of ours
}

// Header values that every answer shares.
var (
	jsonType = []string{"application/json; charset=UTF-8"}
	noSniff  = []string{"nosniff"}
)
