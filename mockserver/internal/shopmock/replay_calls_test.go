package shopmock_test

// The recorded calls as facts: who sent what, and what the answer looked like – statuses, codes, fields and types, not
// one sentence of it. They live in a file of the repository, so that a plain clone can replay them.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

const callsFile = "testdata/replay/calls.json"

// recordedCall is one call to the live shop. Path, headers and body may hold references to earlier answers.
type recordedCall struct {
	Name   string            `json:"name"`
	Method string            `json:"method"`
	Path   string            `json:"path"` // with its query
	As     credentials       `json:"as,omitempty"`
	Header map[string]string `json:"header,omitempty"`
	Body   string            `json:"body,omitempty"`
	Answer outline           `json:"answer"`
}

// outline is what an answer looks like.
type outline struct {
	Status int      `json:"status"`
	Code   string   `json:"code,omitempty"`   // of an error
	Items  []string `json:"items,omitempty"`  // how each item of a batch came out
	Header []string `json:"header,omitempty"` // which of the compared headers were there
	Shape  string   `json:"shape,omitempty"`  // of the body; "" where it was no JSON
	shape  *shape
}

// verdict is status and error code in one text: "201", "400 rest_invalid_param".
func (o outline) verdict() string { return strings.TrimSpace(fmt.Sprintf("%d %s", o.Status, o.Code)) }

// comparedHeaders are those whose presence an answer is judged by.
var comparedHeaders = []string{
	"Allow", "Cart-Hash", "Cart-Token", "Link", "Location", "Nonce", "Nonce-Timestamp", "User-Id", "X-Shop-Total", "X-Shop-TotalPages",
}

// surface names the API that the call belongs to.
func (c *recordedCall) surface() string {
	if strings.Contains(c.Path, "/shop/store") {
		return "store"
	}
	return "management"
}

// resource names the part of the surface: the words of the path, without namespace, ids and query.
func (c *recordedCall) resource() string {
	_, path, found := strings.Cut(c.Path, "/shop/")
	if !found {
		return "root"
	}
	path, _, _ = strings.Cut(referenceForm.ReplaceAllString(path, "0"), "?")
	path, _, _ = strings.Cut(path, "&") // a path in the query rest_route
	words := strings.Split(strings.Trim(strings.TrimPrefix(path, "store/"), "/"), "/")[1:]
	words = slices.DeleteFunc(words, func(word string) bool { return strings.Trim(word, "0123456789") == "" })
	return strings.Join(words, "/")
}

// recording is the file: the calls in their order, and the pool of their shapes.
type recording struct {
	Calls  []*recordedCall   `json:"calls"`
	Shapes []json.RawMessage `json:"shapes"`
}

func newRecording(calls []*recordedCall) *recording {
	pool := newShapePool()
	for _, call := range calls {
		if call.Answer.shape != nil {
			call.Answer.Shape = pool.text(call.Answer.shape)
		}
	}
	r := &recording{Calls: calls}
	for _, object := range pool.objects {
		r.Shapes = append(r.Shapes, json.RawMessage(object))
	}
	return r
}

// encode writes the file with one call and one shape a line, so that a change shows as what it is.
func (r *recording) encode() ([]byte, error) {
	var file bytes.Buffer
	file.WriteString("{\"calls\": [\n")
	for i, call := range r.Calls {
		line, err := marshal(call)
		if err != nil {
			return nil, err
		}
		file.Write(line)
		file.WriteString(separator(i, len(r.Calls)))
	}
	file.WriteString("],\n\"shapes\": [\n")
	for i, object := range r.Shapes {
		file.Write(object)
		file.WriteString(separator(i, len(r.Shapes)))
	}
	file.WriteString("]}\n")
	return file.Bytes(), nil
}

// marshal writes JSON on one line that keeps <, > and & readable.
func marshal(value any) ([]byte, error) {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSpace(line.Bytes()), err
}

func separator(i, count int) string {
	if i == count-1 {
		return "\n"
	}
	return ",\n"
}

// readRecording reads the file of the repository.
func readRecording() (*recording, error) {
	file, err := os.ReadFile(callsFile)
	if err != nil {
		return nil, err
	}
	r := new(recording)
	if err := json.Unmarshal(file, r); err != nil {
		return nil, fmt.Errorf("%s: %w", callsFile, err)
	}
	pool := newShapePool()
	for _, object := range r.Shapes {
		pool.objects = append(pool.objects, string(object))
	}
	for _, call := range r.Calls {
		if call.Answer.Shape == "" {
			continue
		}
		if call.Answer.shape, err = pool.shape(call.Answer.Shape); err != nil {
			return nil, fmt.Errorf("call %s: %w", call.Name, err)
		}
	}
	return r, nil
}
