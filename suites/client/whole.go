package client

// Reading bodies: resty takes them in pieces of 512 bytes into memory that grows as they come, which is a seventh of all that a run
// allocates.

import (
	"cmp"
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/go-resty/resty/v2"
)

// bodyKey is where the context of a request says what its answer's body is to be put into.
type bodyKey struct{}

// withBody makes a wholeReader put the body of the answer into a text.
func withBody(ctx context.Context, into *string) context.Context {
	return context.WithValue(ctx, bodyKey{}, into)
}

// wholeReader lets the bodies of answers be read whole, as long as they may be, into memory of their length. What the target has
// compressed without being asked is left to the client.
type wholeReader struct {
	http.RoundTripper
	pieces sync.Pool // of *[]byte
}

func newWholeReader(next http.RoundTripper) *wholeReader {
	return &wholeReader{RoundTripper: next, pieces: sync.Pool{New: func() any { piece := make([]byte, 16<<10); return &piece }}}
}

// RoundTrip implements http.RoundTripper.
func (w *wholeReader) RoundTrip(r *http.Request) (*http.Response, error) {
	into, wanted := r.Context().Value(bodyKey{}).(*string)
	if wanted {
		*into = "" // of an attempt before this one
	}
	response, err := w.RoundTripper.RoundTrip(r)
	if err == nil && response.StatusCode == http.StatusSwitchingProtocols { // its body is the connection, which no deadline ends any more
		response.Body.Close()
		response.Body = http.NoBody
	}
	if err == nil && wanted && response.Header.Get("Content-Encoding") == "" && response.Body != http.NoBody {
		response.Body = &wholeBody{ReadCloser: response.Body, length: response.ContentLength, into: into, pieces: &w.pieces}
	}
	return response, err
}

// wholeBody is a body that the first Read takes whole. To its reader it is empty, or ends with the error with which the body ended.
type wholeBody struct {
	io.ReadCloser
	length int64 // as the target says, -1: it does not
	into   *string
	pieces *sync.Pool
	end    error // nil: nothing was read
}

// Read implements io.Reader.
func (b *wholeBody) Read([]byte) (int, error) {
	if b.end == nil {
		*b.into, b.end = b.whole()
		b.end = cmp.Or(b.end, io.EOF)
	}
	return 0, b.end
}

// maxPromised is how much memory is taken for a body because the target says that it is as long, in bytes. More is taken for one of which
// as much has come.
const maxPromised = 1 << 20

// whole returns a whole body, or nothing and why.
func (b *wholeBody) whole() (string, error) {
	piece := b.pieces.Get().(*[]byte)
	defer b.pieces.Put(piece)
	var body strings.Builder
	for _, limit := range []int64{maxPromised, maxAnswer} {
		has := int64(body.Len())
		body.Grow(int(max(min(b.length, limit)-has, 0)))
		if _, err := io.CopyBuffer(&body, io.LimitReader(b.ReadCloser, limit-has), *piece); err != nil {
			return "", err
		}
	}
	switch more, err := io.CopyN(io.Discard, b.ReadCloser, 1); {
	case more > 0:
		return "", resty.ErrResponseBodyTooLarge
	case !errors.Is(err, io.EOF):
		return "", err
	}
	return body.String(), nil
}
