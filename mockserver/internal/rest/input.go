package rest

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
)

// MaxBody is the largest request body that is read, in bytes.
const MaxBody = 1 << 20

// maxNesting bounds how deep a[b][c]… in a query may nest.
const maxNesting = 8

// input is what a request brings: query and body as one tree. Names in the body win over names in the query.
type input struct {
	query Args
	body  Args
}

func readInput(w http.ResponseWriter, r *http.Request) (input, error) {
	query, err := parseQuery(r.URL.RawQuery)
	if err != nil {
		return input{}, err
	}
	body, err := readBody(w, r)
	if err != nil {
		return input{}, err
	}
	return input{query, body}, nil
}

// value finds a parameter: in the body first, then in the query.
func (in input) value(name string) (any, bool) {
	if value, sent := in.body[name]; sent {
		return value, true
	}
	value, sent := in.query[name]
	return value, sent
}

func parseQuery(raw string) (Args, error) {
	if raw == "" {
		return nil, nil
	}
	tree, err := treeOf(raw)
	if err != nil {
		return nil, Errorf(http.StatusBadRequest, "rest_invalid_param", "The query string cannot be read: check its percent-encoding.")
	}
	return tree, nil
}

// treeOf turns the flat names of a query or form (a, a[], a[0], a[b][c]) into a tree. They are read in the order sent: what is
// said twice counts once, as it was said last.
func treeOf(raw string) (Args, error) {
	p := treeBuilder{tree: Args{}}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return nil, err
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return nil, err
		}
		p.put(splitName(name), value)
	}
	return p.tree, nil
}

func splitName(name string) []string {
	root, rest, nested := strings.Cut(name, "[")
	if !nested || root == "" || !strings.HasSuffix(rest, "]") {
		return []string{name}
	}
	return append([]string{root}, strings.Split(strings.TrimSuffix(rest, "]"), "][")...)
}

// treeBuilder builds the tree of a query or form.
type treeBuilder struct {
	tree Args
	next map[string]int // by the place of a list: no number below is free, so that none is looked at twice
}

// put puts a value at its place in the tree. Lists are branches with numbers for names; a[] is the next number.
func (p *treeBuilder) put(path []string, value string) {
	if len(path) > maxNesting {
		return
	}
	at, place, last := p.tree, "", len(path)-1
	for _, name := range path[:last] {
		name = p.numbered(at, place, name)
		branch, ok := at[name].(Args)
		if !ok {
			branch = Args{}
			at[name] = branch
		}
		at, place = branch, place+"]["+name
	}
	at[p.numbered(at, place, path[last])] = value
}

func (p *treeBuilder) numbered(list Args, place, name string) string {
	if name != "" {
		return name
	}
	free := max(len(list), p.next[place])
	for list.Has(strconv.Itoa(free)) {
		free++
	}
	if p.next == nil {
		p.next = map[string]int{}
	}
	p.next[place] = free + 1
	return strconv.Itoa(free)
}

func readBody(w http.ResponseWriter, r *http.Request) (Args, error) {
	if r.Body == nil || r.Body == http.NoBody {
		return nil, nil
	}
	scratch := borrowBuffer()
	defer scratch.giveBack()
	if err := scratch.readFrom(http.MaxBytesReader(w, r.Body, MaxBody)); err != nil {
		return nil, bodyError(err)
	}
	text := scratch.bytes
	if len(bytes.TrimSpace(text)) == 0 {
		return nil, nil
	}
	media := r.Header.Get("Content-Type")
	if media == "application/json" { // as most say, so that it need not be taken apart
		return parseJSON(text)
	}
	switch kind, params, _ := mime.ParseMediaType(media); kind {
	case "application/x-www-form-urlencoded":
		return parseForm(text)
	case "multipart/form-data":
		return parseParts(text, params["boundary"])
	}
	return parseJSON(text)
}

func bodyError(err error) error {
	var tooLarge *http.MaxBytesError
	if errors.As(err, &tooLarge) {
		return Errorf(
			http.StatusRequestEntityTooLarge,
			"shop_rest_request_entity_too_large",
			"The request body is larger than %d bytes.",
			MaxBody,
		)
	}
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return Errorf(http.StatusRequestTimeout, "shop_rest_request_timeout", "The request body did not arrive in time.")
	}
	return Errorf(http.StatusBadRequest, "rest_invalid_json", "The request body ended before it was complete.")
}

func parseForm(text []byte) (Args, error) {
	tree, err := treeOf(string(text))
	if err != nil || text[0] == '{' || text[0] == '[' {
		return parseJSON(text) // clients that forget the content type send JSON as a form
	}
	return tree, nil
}

// parseParts reads a multipart form. Files are left out: no parameter is one.
func parseParts(text []byte, boundary string) (Args, error) {
	p := treeBuilder{tree: Args{}}
	for parts := multipart.NewReader(bytes.NewReader(text), boundary); ; {
		part, err := parts.NextPart()
		if err == io.EOF {
			return p.tree, nil
		}
		if err != nil {
			return nil, unreadableForm()
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, unreadableForm()
		}
		if part.FileName() == "" {
			p.put(splitName(part.FormName()), string(value))
		}
	}
}

func unreadableForm() *Error {
	return Errorf(
		http.StatusBadRequest,
		"rest_invalid_param",
		"The multipart form cannot be read: check its boundary, and that it is complete.",
	)
}

func parseJSON(text []byte) (Args, error) {
	var tree any
	if err := json.Unmarshal(text, &tree); err != nil {
		fault := jsonFault(err)
		return nil, Errorf(http.StatusBadRequest, "rest_invalid_json", "The request body is not valid JSON: %s.", fault).
			With("json_error_code", syntaxFault).With("json_error_message", fault)
	}
	read, shallow := argsOf(tree, maxDepth)
	if !shallow {
		return nil, tooDeep()
	}
	switch body := read.(type) {
	case Args:
		return body, nil
	case []any:
		return Args{WholeBody: body}, nil
	}
	return nil, notAnObject()
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
	return "it cannot be decoded"
}

// argsOf replaces the maps of a decoded tree by Args; false if the tree has more than some levels of objects and lists.
func argsOf(value any, levels int) (_ any, ok bool) {
	switch v := value.(type) {
	case map[string]any:
		object := Args(v)
		for name, member := range object {
			if object[name], ok = argsOf(member, levels-1); !ok {
				return nil, false
			}
		}
		return object, levels > 0
	case []any:
		for i, item := range v {
			if v[i], ok = argsOf(item, levels-1); !ok {
				return nil, false
			}
		}
		return v, levels > 0
	}
	return value, true
}
