package shopmock

// How long a client may take to read an answer over HTTP/2. The deadline of the connection does not see that: a client that leaves no room
// for answers on its streams, and keeps the connection alive, would keep every handler and its answer for as long as it likes.

import (
	"net/http"
	"time"
)

// pacing ends a stream of HTTP/2 whose client takes no step of an answer within the limit. What HTTP/1 sends, patientConn watches.
func pacing(next http.Handler, limit time.Duration) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ProtoMajor != 2 {
			next.ServeHTTP(w, r)
			return
		}
		stream := &patientStream{w, http.NewResponseController(w), limit}
		next.ServeHTTP(stream, r)
		stream.renew() // for what net/http still has to send
	})
}

// patientStream gives each step of an answer some time, and what the handler does between two steps as much as it takes.
type patientStream struct {
	http.ResponseWriter
	socket *http.ResponseController
	limit  time.Duration
}

// Unwrap lets http.ResponseController reach the stream.
func (s *patientStream) Unwrap() http.ResponseWriter { return s.ResponseWriter }

// Write ends with an error when the client has not taken a step of p within the limit.
func (s *patientStream) Write(p []byte) (sent int, err error) {
	defer s.lift()
	for {
		s.renew()
		step := p[sent:min(len(p), sent+writeStep)]
		n, err := s.ResponseWriter.Write(step)
		if sent += n; err != nil || sent == len(p) {
			return sent, err
		}
	}
}

// FlushError sends what was written so far.
func (s *patientStream) FlushError() error {
	defer s.lift()
	s.renew()
	return s.socket.Flush()
}

func (s *patientStream) renew() { s.socket.SetWriteDeadline(time.Now().Add(s.limit)) } //nolint:errcheck // it can be set on streams

func (s *patientStream) lift() { s.socket.SetWriteDeadline(time.Time{}) } //nolint:errcheck // see above
