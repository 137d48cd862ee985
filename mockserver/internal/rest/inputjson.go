package rest

// Bodies in JSON, read as values of Go.

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func parseJSON(text []byte) (Args, error) {
	reader := jsonReaders.Get().(*jsonReader)
	defer reader.giveBack()
	read, err := reader.read(text)
	if err != nil {
		return nil, bodyFault(text, err)
	}
	switch body := read.(type) {
	case Args:
		return body, nil
	case []any:
		return Args{{WholeBody, body}}, nil
	case nil:
		return nil, nil // nothing was sent, as with an empty list: clients write so that they have nothing to say
	}
	return nil, notAnObject()
}

// bodyFault is what an error of reading a text is answered with. Faults of syntax are told in the words of the standard library.
func bodyFault(text []byte, err error) error {
	var ours *Error
	if errors.As(err, &ours) {
		return ours
	}
	var nothing any
	return notJSON(jsonFault(json.Unmarshal(text, &nothing)))
}

// jsonReader reads JSON as text, float64, bool, nil, []any and Args.
type jsonReader struct {
	source  bytes.Buffer // what the tokens are of
	tokens  jsontext.Decoder
	names   []string // of members so far: those of one list, and of bodies to one endpoint, mostly have the same
	items   []any    // of lists that are being read
	members []Extra  // of objects that are being read
}

var jsonReaders = sync.Pool{New: func() any { return new(jsonReader) }}

// giveBack lets the next body use the room of the reader, unless it is much.
func (r *jsonReader) giveBack() {
	r.source = bytes.Buffer{}
	r.tokens.Reset(&r.source)
	if cap(r.items) > maxRoom || cap(r.members) > maxRoom {
		r.items, r.members = nil, nil
	}
	clear(r.items) // of what could not be read
	clear(r.members)
	r.items, r.members = r.items[:0], r.members[:0]
	if len(r.names) == maxNames { // others may come more often
		r.names = r.names[:0]
	}
	jsonReaders.Put(r)
}

const (
	maxNames = 32 // that a reader knows
	longName = 32 // bytes of one that is no longer worth knowing
)

// maxRoom is how many items and members a reader has room for when it is given back.
const maxRoom = 1 << 8

// read reads a text that holds one value.
func (r *jsonReader) read(text []byte) (any, error) {
	r.source = *bytes.NewBuffer(text)
	r.tokens.Reset(&r.source, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	value, err := r.value(maxDepth)
	if err != nil {
		return nil, err
	}
	if _, err := r.tokens.ReadToken(); !errors.Is(err, io.EOF) {
		return nil, cmp.Or(err, io.ErrUnexpectedEOF)
	}
	return value, nil
}

// value reads a value that nests no deeper than some levels of objects and lists.
func (r *jsonReader) value(levels int) (any, error) {
	switch kind := r.tokens.PeekKind(); kind {
	case '{', '[':
		if levels == 0 {
			return nil, tooDeep()
		}
		if _, err := r.tokens.ReadToken(); err != nil {
			return nil, err
		}
		if kind == '{' {
			return r.object(levels - 1)
		}
		return r.list(levels - 1)
	case '"':
		quoted, err := r.tokens.ReadValue()
		if err != nil {
			return nil, err
		}
		return textOf(quoted), nil
	case '0':
		number, err := r.tokens.ReadValue()
		if err != nil {
			return nil, err
		}
		value, err := strconv.ParseFloat(string(number), 64)
		if err != nil {
			return nil, notJSON(undecodable)
		}
		return value, nil
	}
	token, err := r.tokens.ReadToken()
	if err != nil || token.Kind() == 'n' {
		return nil, err
	}
	return token.Bool(), nil
}

// list reads what follows a bracket.
func (r *jsonReader) list(levels int) (any, error) {
	begin := len(r.items)
	for r.tokens.PeekKind() != ']' {
		item, err := r.value(levels)
		if err != nil {
			return nil, err
		}
		r.items = append(r.items, item)
	}
	list := append(make([]any, 0, len(r.items)-begin), r.items[begin:]...)
	clear(r.items[begin:])
	r.items = r.items[:begin]
	_, err := r.tokens.ReadToken()
	return list, err
}

// object reads what follows a brace. Of two members of one name the last counts.
func (r *jsonReader) object(levels int) (any, error) {
	begin := len(r.members)
	var places map[string]int
	for r.tokens.PeekKind() != '}' {
		quoted, err := r.tokens.ReadValue()
		if err != nil {
			return nil, err
		}
		name := r.name(quoted)
		value, err := r.value(levels)
		if err != nil {
			return nil, err
		}
		read := r.members[begin:]
		if at := placeOf(name, read, &places); at < len(read) {
			read[at].Value = value
		} else {
			r.members = append(r.members, Extra{name, value})
		}
	}
	object := append(make(Args, 0, len(r.members)-begin), r.members[begin:]...)
	clear(r.members[begin:])
	r.members = r.members[:begin]
	_, err := r.tokens.ReadToken()
	return object, err
}

// fewMembers is how many members are looked through for a name; of more it is remembered where they are.
const fewMembers = 16

// placeOf finds the member with a name, or the place of the next one.
func placeOf(name string, among []Extra, places *map[string]int) int {
	if len(among) < fewMembers {
		at := slices.IndexFunc(among, func(m Extra) bool { return m.Name == name })
		if at < 0 {
			return len(among)
		}
		return at
	}
	if *places == nil {
		*places = make(map[string]int, 2*fewMembers)
		for at, member := range among {
			(*places)[member.Name] = at
		}
	}
	at, known := (*places)[name]
	if !known {
		at = len(among)
		(*places)[name] = at
	}
	return at
}

// name is the name of a member as a text of its own.
func (r *jsonReader) name(quoted []byte) string {
	for _, known := range r.names {
		if known == string(quoted[1:len(quoted)-1]) {
			return known
		}
	}
	name := textOf(quoted)
	if len(r.names) < maxNames && len(name) < longName && name == string(quoted[1:len(quoted)-1]) {
		r.names = append(r.names, name)
	}
	return name
}

// textOf reads a quoted text. What is no UTF-8 becomes U+FFFD.
func textOf(quoted []byte) string {
	if inner := quoted[1 : len(quoted)-1]; bytes.IndexByte(inner, '\\') < 0 && utf8.Valid(inner) {
		return string(inner)
	}
	text, _ := jsontext.AppendUnquote(nil, quoted)
	return string(text)
}

// The numbers by which live shops call the faults of a body.
const (
	depthFault  = 1
	syntaxFault = 4 // every fault of syntax
)

// maxDepth is how deep a JSON body may nest, as in live shops. Far deeper ones could be read, and would make records that JSON
// libraries, ours among them, refuse in an answer.
const maxDepth = 512

func tooDeep() *Error {
	fault := "it nests deeper than " + strconv.Itoa(maxDepth) + " levels"
	return Errorf(http.StatusBadRequest, "rest_invalid_json", "The request body cannot be read: %s.", fault).
		With("json_error_code", depthFault).With("json_error_message", fault)
}

// WholeBody is the parameter that takes a body which is an array. Endpoints that do not declare it take objects only.
const WholeBody = "[]"

func notAnObject() *Error {
	return Errorf(http.StatusBadRequest, "rest_invalid_json", "The request body must be a JSON object.")
}

func jsonFault(err error) string {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return syntax.Error()
	}
	return undecodable
}

// undecodable is the fault of JSON that is none of syntax: a number that is too large.
const undecodable = "it cannot be decoded"

func notJSON(fault string) *Error {
	return Errorf(http.StatusBadRequest, "rest_invalid_json", "The request body is not valid JSON: %s.", fault).
		With("json_error_code", syntaxFault).With("json_error_message", fault)
}
