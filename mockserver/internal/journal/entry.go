package journal

// What is kept of a request and its answer.

import (
	"bytes"
	"net/http"
	"strings"
	"time"
)

// Entry is a request with its answer. Secrets are redacted.
type Entry struct {
	ID     int64 // from 1, in the order in which the requests were answered
	Time   time.Time
	Took   time.Duration
	Method string
	Path   string // canonical: as the contract writes it
	Target string // path and query as they were sent
	Host   string
	Client string // address and port
	Status int    // 0: the connection was ended without an answer
	Fault  string // what was done to the request on purpose; "": nothing

	Request, Answer Message
}

// Message is the headers and the body of a request or an answer.
type Message struct {
	Header http.Header
	Body   string
	Size   int64 // of the whole body in bytes; what is kept of it may be less
}

// raw is an entry as it was, secrets included. It does not leave this package.
type raw struct {
	started, took              int64 // nanoseconds
	status                     int
	method, path, target       string
	host, client, fault        string
	sent, answered             http.Header
	sentBody, answeredBody     []byte
	constant                   bool // nobody changes the body of the answer
	sentLength, answeredLength int64
}

const (
	maxBody   = 64 << 10 // bytes that are kept of a body
	maxHeader = 64 << 10 // bytes that are kept of the headers of a message
	maxText   = 16 << 10 // bytes that are kept of any other text

	// bytes that an entry takes in memory besides its texts, and one of its headers besides name and value
	entryWeight, headerWeight = 512, 64
)

// bound cuts off what is too much of an entry, but for its bodies, and returns about how many bytes the rest takes in memory.
func (e *raw) bound(sent extent) (weight int) {
	weight = entryWeight + boundHeader(&e.sent, sent) + boundHeader(&e.answered, extentOf(e.answered))
	texts := [...]*string{&e.method, &e.path, &e.target, &e.host, &e.client, &e.fault}
	cut := false
	for _, text := range texts {
		if len(*text) > maxText {
			*text, cut = (*text)[:maxText], true
		}
		weight += len(*text)
	}
	if cut { // method, target and host are parts of one line, all of which would stay
		for _, text := range texts {
			*text = strings.Clone(*text)
		}
	}
	return weight
}

// boundHeader leaves headers out that are too much, and returns about how many bytes the others take in memory.
func boundHeader(header *http.Header, all extent) int {
	if all.bytes <= maxHeader {
		return all.weight()
	}
	kept, size := http.Header{}, extent{}
	for name, values := range *header {
		for _, value := range values {
			if with := size.with(name, value); with.bytes <= maxHeader {
				kept[name], size = append(kept[name], strings.Clone(value)), with
			}
		}
	}
	*header = kept
	return size.weight()
}

// extent is what headers take.
type extent struct {
	bytes int // in HTTP/1.1
	lines int
}

func extentOf(header http.Header) (all extent) {
	for name, values := range header {
		for _, value := range values {
			all = all.with(name, value)
		}
	}
	return all
}

func (e extent) with(name, value string) extent {
	return extent{e.bytes + len(name) + len(": ") + len(value) + len("\r\n"), e.lines + 1}
}

func (e extent) weight() int { return e.bytes + e.lines*headerWeight }

// shorten leaves headers and bodies out, but for what Code reads.
func (e *raw) shorten() {
	e.sent, e.answered, e.sentBody = nil, nil, nil
	if e.status < http.StatusBadRequest {
		e.answeredBody = nil
	}
}

// lasting returns the entry with bodies of its own.
func (e raw) lasting() raw {
	e.sentBody = bytes.Clone(e.sentBody)
	if !e.constant {
		e.answeredBody = bytes.Clone(e.answeredBody)
	}
	return e
}

// shown returns the entry without its secrets.
func (e *raw) shown(id int64, redact redactor) Entry {
	return Entry{
		ID: id, Time: time.Unix(0, e.started).UTC(), Took: time.Duration(e.took), Method: e.method, Path: redact.target(e.path),
		Target: redact.target(e.target), Host: e.host, Client: e.client, Status: e.status, Fault: e.fault,
		Request: Message{redact.header(e.sent), redact.body(e.sent, e.sentBody, e.sentLength), e.sentLength},
		Answer:  Message{redact.header(e.answered), redact.body(e.answered, e.answeredBody, e.answeredLength), e.answeredLength},
	}
}
