package client

// Reading bodies: resty takes them in pieces of 512 bytes into memory that grows as they come, which is a seventh of all that a run
// allocates.

import (
	"context"
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

// wholeReader reads the bodies of answers whole, as long as they may be, into memory of their length, and leaves an empty one to the
// client, or the error with which the body ended. What the target has compressed without being asked is left to the client.
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
	if err != nil || !wanted || response.Header.Get("Content-Encoding") != "" {
		return response, err
	}
	*into, err = w.read(response)
	response.Body = spent{response.Body, err}
	return response, nil
}

// read returns a whole body, or nothing and why.
func (w *wholeReader) read(response *http.Response) (string, error) {
	piece := w.pieces.Get().(*[]byte)
	defer w.pieces.Put(piece)
	var body strings.Builder
	if response.Body != http.NoBody {
		body.Grow(int(min(max(response.ContentLength, 0), maxAnswer)))
	}
	length, err := io.CopyBuffer(&body, io.LimitReader(response.Body, maxAnswer+1), *piece)
	if err == nil && length > maxAnswer {
		err = resty.ErrResponseBodyTooLarge
	}
	if err != nil {
		return "", err
	}
	return body.String(), nil
}

// spent is a body that was read, with the error in which that ended, nil for none.
type spent struct {
	io.Closer
	err error
}

// Read implements io.Reader.
func (s spent) Read([]byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	return 0, io.EOF
}
