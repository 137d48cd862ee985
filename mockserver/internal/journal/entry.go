package journal

// What is kept of a request and its answer, and its form in memory.

import (
	"bytes"
	"encoding/binary"
	"net/http"
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
	sentLength, answeredLength int64
}

const (
	maxBody   = 64 << 10 // bytes that are kept of a body
	maxHeader = 64 << 10 // bytes that are kept of the headers of a message
	maxText   = 16 << 10 // bytes that are kept of any other text
)

// append encodes an entry, but for the body of its answer.
func (e *raw) append(b []byte) []byte {
	for _, number := range [...]int64{e.started, e.took, int64(e.status), e.sentLength, e.answeredLength} {
		b = binary.AppendVarint(b, number)
	}
	for _, text := range [...]string{e.method, e.path, e.target, e.host, e.client, e.fault} {
		b = appendText(b, text[:min(len(text), maxText)])
	}
	b = appendHeader(appendHeader(b, e.sent), e.answered)
	return appendText(b, e.sentBody)
}

func appendText[T string | []byte](b []byte, text T) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

// appendHeader encodes headers as a list of names and values that ends with an empty name. Those that are too much are left out.
func appendHeader(b []byte, header http.Header) []byte {
	end := len(b) + maxHeader
	for name, values := range header {
		for _, value := range values {
			if name != "" && len(b)+len(name)+len(value)+3*binary.MaxVarintLen64 < end {
				b = appendText(appendText(b, name), value)
			}
		}
	}
	return append(b, 0)
}

// decoder reads what append wrote. It is never given anything else, so nothing can be wrong.
type decoder []byte

func (d *decoder) number() int64 {
	number, size := binary.Varint(*d)
	*d = (*d)[size:]
	return number
}

func (d *decoder) bytes() []byte {
	length, size := binary.Uvarint(*d)
	text := (*d)[size : size+int(length)]
	*d = (*d)[size+int(length):]
	return text
}

func (d *decoder) text() string { return string(d.bytes()) }

func (d *decoder) header() http.Header {
	header := http.Header{}
	for name := d.text(); name != ""; name = d.text() {
		header[name] = append(header[name], d.text())
	}
	return header
}

// decode reads an entry from what append wrote, which the body of the answer follows: there, or as a constant. Nothing but that is shared.
func decode(blob, constant []byte) raw {
	d := decoder(blob)
	e := raw{started: d.number(), took: d.number(), status: int(d.number()), sentLength: d.number(), answeredLength: d.number()}
	for _, text := range [...]*string{&e.method, &e.path, &e.target, &e.host, &e.client, &e.fault} {
		*text = d.text()
	}
	e.sent, e.answered = d.header(), d.header()
	e.sentBody, e.answeredBody = bytes.Clone(d.bytes()), constant
	if len(d) > 0 {
		e.answeredBody = bytes.Clone(d)
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
