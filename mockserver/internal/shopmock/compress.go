package shopmock

// Compressed answers, for clients that ask for them. An answer in the process or on this machine is not worth it, unless Options.Gzip says
// so: the network is quicker than the compressor there.

import (
	"compress/gzip"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

// leastCompressed is how long an answer must be to become smaller: below it fits one packet anyway.
const leastCompressed = 1400

// compressing compresses answers that are worth it.
func (s *Server) compressing(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !s.options.Gzip && (isLoopback(r.RemoteAddr) || inProcess(r)) || r.Method == http.MethodHead {
			next.ServeHTTP(w, r)
			return
		}
		answer := &compressed{ResponseWriter: w, asked: asksForGzip(r.Header.Values("Accept-Encoding"))}
		next.ServeHTTP(answer, r) // when it panics the answer ends where it is
		answer.end()
	})
}

// asksForGzip reports whether a client takes gzip: it names it, or anything, and not with a quality of 0.
func asksForGzip(accepted []string) bool {
	taken := map[string]bool{}
	for part := range strings.SplitSeq(strings.Join(accepted, ","), ",") {
		coding, weight, _ := strings.Cut(part, ";")
		name, quality, _ := strings.Cut(strings.TrimSpace(weight), "=")
		value, err := strconv.ParseFloat(strings.TrimSpace(quality), 64)
		taken[strings.ToLower(strings.TrimSpace(coding))] = !strings.EqualFold(strings.TrimSpace(name), "q") || err == nil && value > 0
	}
	if gzip, named := taken["gzip"]; named {
		return gzip
	}
	return taken["*"]
}

// compressed is an answer that is sent in gzip if it is worth it: its length is known and large, and it is text.
type compressed struct {
	http.ResponseWriter
	asked bool
	begun bool
	zip   *gzip.Writer // nil: sent as it is
}

var zips = sync.Pool{New: func() any {
	zip, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed) // fails for unknown levels only
	return zip
}}

// Unwrap lets http.ResponseController reach the socket.
func (c *compressed) Unwrap() http.ResponseWriter { return c.ResponseWriter }

// WriteHeader decides.
func (c *compressed) WriteHeader(status int) {
	header := c.Header()
	length, _ := strconv.Atoi(header.Get("Content-Length"))
	if !c.begun && status >= http.StatusOK && length >= leastCompressed && isText(header.Get("Content-Type")) {
		header.Add("Vary", "Accept-Encoding")
		if c.asked {
			header.Del("Content-Length")
			header.Set("Content-Encoding", "gzip")
			c.zip = zips.Get().(*gzip.Writer)
			c.zip.Reset(c.ResponseWriter)
		}
	}
	c.begun = c.begun || status >= http.StatusOK
	c.ResponseWriter.WriteHeader(status)
}

func isText(kind string) bool {
	return strings.HasPrefix(kind, "text/") || strings.HasPrefix(kind, "application/json") || strings.HasPrefix(kind, "image/svg+xml")
}

// Write sends a part of the body.
func (c *compressed) Write(p []byte) (int, error) {
	if !c.begun {
		c.WriteHeader(http.StatusOK)
	}
	if c.zip != nil {
		return c.zip.Write(p)
	}
	return c.ResponseWriter.Write(p)
}

// FlushError sends what was written so far.
func (c *compressed) FlushError() error {
	if c.zip != nil {
		if err := c.zip.Flush(); err != nil {
			return err
		}
	}
	return http.NewResponseController(c.ResponseWriter).Flush()
}

// end completes the body.
func (c *compressed) end() {
	if c.zip == nil {
		return
	}
	c.zip.Close() //nolint:errcheck // a client that went away is no fault of ours
	zips.Put(c.zip)
	c.zip = nil
}
