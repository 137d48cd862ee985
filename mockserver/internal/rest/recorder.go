package rest

import (
	"bytes"
	"net/http"
)

// Recorder keeps an answer instead of sending it.
type Recorder struct {
	Status int
	Body   bytes.Buffer
	header http.Header
}

// NewRecorder keeps an answer.
func NewRecorder() *Recorder { return &Recorder{Status: http.StatusOK, header: http.Header{}} }

// Header returns the headers of the answer.
func (a *Recorder) Header() http.Header { return a.header }

// WriteHeader keeps the status.
func (a *Recorder) WriteHeader(status int) { a.Status = status }

// Write keeps more of the body.
func (a *Recorder) Write(b []byte) (int, error) { return a.Body.Write(b) }
