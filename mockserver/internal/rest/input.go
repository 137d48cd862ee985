package rest

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"mime"
	"mime/multipart"
	"net/http"
	"net/url"
	"os"
	"slices"
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
	p := treeBuilder{tree: branch{}}
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
	return p.tree.args(), nil
}

func splitName(name string) []string {
	root, rest, nested := strings.Cut(name, "[")
	if !nested || root == "" || !strings.HasSuffix(rest, "]") {
		return []string{name}
	}
	return append([]string{root}, strings.Split(strings.TrimSuffix(rest, "]"), "][")...)
}

// branch is a part of the tree of a query or form: texts and branches by name.
type branch map[string]any

// args are the branch and all below it, ordered by name.
func (b branch) args() Args {
	args := make(Args, 0, len(b))
	for _, name := range slices.Sorted(maps.Keys(b)) {
		value := b[name]
		if below, is := value.(branch); is {
			value = below.args()
		}
		args = append(args, Extra{name, value})
	}
	return args
}

// treeBuilder builds the tree of a query or form.
type treeBuilder struct {
	tree branch
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
		below, is := at[name].(branch)
		if !is {
			below = branch{}
			at[name] = below
		}
		at, place = below, place+"]["+name
	}
	at[p.numbered(at, place, path[last])] = value
}

func (p *treeBuilder) numbered(list branch, place, name string) string {
	if name != "" {
		return name
	}
	free := max(len(list), p.next[place])
	for list[strconv.Itoa(free)] != nil {
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
	p := treeBuilder{tree: branch{}}
	for parts := multipart.NewReader(bytes.NewReader(text), boundary); ; {
		part, err := parts.NextPart()
		if err == io.EOF {
			return p.tree.args(), nil
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
