package defects

// A transport without sockets: requests go straight into a handler.

import (
	"bytes"
	"io"
	"net/http"
)

// Transport sends requests into a handler of this process. Hundreds of defective servers need no ports that way.
func Transport(handler http.Handler) http.RoundTripper { return inProcess{handler} }

type inProcess struct{ handler http.Handler }

// RoundTrip implements http.RoundTripper.
func (t inProcess) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	served := r.Clone(r.Context())
	served.RequestURI = r.URL.RequestURI()
	served.RemoteAddr = "127.0.0.1:1"
	if served.Host == "" {
		served.Host = r.URL.Host
	}
	if served.Body == nil {
		served.Body = http.NoBody
	}
	defer served.Body.Close()
	a := record(t.handler, served)
	return &http.Response{
		Status: http.StatusText(a.Status), StatusCode: a.Status, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: a.Header, Body: io.NopCloser(bytes.NewReader(a.Body)), ContentLength: int64(len(a.Body)), Request: r,
	}, nil
}
