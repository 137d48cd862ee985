package journal

import (
	"encoding/json"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
)

// WriteHAR writes entries as an HTTP archive, version 1.2, which browsers' developer tools and proxies open.
func WriteHAR(w io.Writer, entries []Entry) error {
	type creator struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	}
	type log struct {
		Version string     `json:"version"`
		Creator creator    `json:"creator"`
		Entries []harEntry `json:"entries"`
	}
	archive := struct {
		Log log `json:"log"`
	}{log{"1.2", creator{"shopmock", "1"}, make([]harEntry, len(entries))}}
	for i := range entries {
		archive.Log.Entries[i] = harOf(&entries[i])
	}
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	return encoder.Encode(archive)
}

type harEntry struct {
	Started  time.Time   `json:"startedDateTime"`
	Time     float64     `json:"time"` // milliseconds
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Comment  string      `json:"comment,omitempty"`
}

type harTimings struct {
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harMessage struct {
	Version     string    `json:"httpVersion"`
	Cookies     []harPair `json:"cookies"`
	Headers     []harPair `json:"headers"`
	HeadersSize int       `json:"headersSize"` // -1: not known
	BodySize    int64     `json:"bodySize"`
}

type harRequest struct {
	Method string    `json:"method"`
	URL    string    `json:"url"`
	Query  []harPair `json:"queryString"`
	Body   *harBody  `json:"postData,omitempty"`
	harMessage
}

type harResponse struct {
	Status   int     `json:"status"`
	Text     string  `json:"statusText"`
	Content  harBody `json:"content"`
	Redirect string  `json:"redirectURL"`
	harMessage
}

type harBody struct {
	Size int64  `json:"size,omitempty"`
	Type string `json:"mimeType"`
	Text string `json:"text"`
}

func harOf(e *Entry) harEntry {
	took := float64(e.Took) / float64(time.Millisecond)
	made := harEntry{
		Started: e.Time, Time: took, Timings: harTimings{Wait: took}, Comment: e.Fault,
		Request: harRequest{Method: e.Method, URL: "http://" + e.Host + e.Target, Query: harQuery(e.Target),
			harMessage: harMessageOf(e.Request)},
		Response: harResponse{
			Status: e.Status, Text: http.StatusText(e.Status), Redirect: e.Answer.Header.Get("Location"),
			harMessage: harMessageOf(e.Answer), Content: harBody{e.Answer.Size, e.Answer.Header.Get("Content-Type"), e.Answer.Body},
		},
	}
	if e.Request.Body != "" {
		made.Request.Body = &harBody{Type: e.Request.Header.Get("Content-Type"), Text: e.Request.Body}
	}
	return made
}

func harMessageOf(m Message) harMessage {
	made := harMessage{Version: "HTTP/1.1", Cookies: []harPair{}, Headers: []harPair{}, HeadersSize: -1, BodySize: m.Size}
	for _, name := range slices.Sorted(maps.Keys(m.Header)) {
		for _, value := range m.Header[name] {
			made.Headers = append(made.Headers, harPair{name, value})
		}
	}
	return made
}

func harQuery(target string) []harPair {
	pairs := []harPair{}
	_, query, _ := strings.Cut(target, "?")
	for pair := range strings.SplitSeq(query, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if name, value := plain(name), plain(value); name != "" {
			pairs = append(pairs, harPair{name, value})
		}
	}
	return pairs
}

func plain(text string) string {
	if decoded, err := url.QueryUnescape(text); err == nil {
		return decoded
	}
	return text
}
