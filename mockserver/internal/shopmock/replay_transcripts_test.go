package shopmock_test

// From transcripts of a live shop to the facts that the repository keeps of them.

import (
	"errors"
	"fmt"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"
)

// transcriptFolder is where they are found beside a working copy; a plain clone has none.
const transcriptFolder = "../../../../shared/reference/transcripts"

// transcript is one recorded call, whole.
type transcript struct {
	name    string
	method  string
	target  string // path and query
	header  http.Header
	body    string
	status  int
	answer  http.Header
	content string
}

// json is the body of the answer, or a value that does not exist where it was no JSON.
func (t *transcript) json() gjson.Result {
	if !gjson.Valid(t.content) {
		return gjson.Result{}
	}
	return gjson.Parse(t.content)
}

func readTranscripts(folder string) ([]*transcript, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.txt"))
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("there is no transcript in " + folder)
	}
	slices.Sort(files)
	var all []*transcript
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		one, err := parseTranscript(strings.TrimSuffix(filepath.Base(file), ".txt"), string(text))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		all = append(all, one)
	}
	return all, nil
}

func parseTranscript(name, text string) (*transcript, error) {
	request, answer, found := strings.Cut(text, "\n-----\n")
	if !found {
		return nil, errors.New("no line of dashes between request and answer")
	}
	t := &transcript{name: name}
	line, header, body := parseMessage(request)
	t.method, t.target, _ = strings.Cut(line, " ")
	t.header, t.body = header, body
	line, t.answer, t.content = parseMessage(answer)
	words := strings.Fields(line)
	if len(words) < 2 {
		return nil, errors.New("no status line")
	}
	var err error
	t.status, err = strconv.Atoi(words[1])
	return t, err
}

// parseMessage splits a message into its first line, headers and body.
func parseMessage(text string) (line string, header http.Header, body string) {
	head, body, _ := strings.Cut(strings.TrimLeft(text, "\n"), "\n\n")
	line, fields, _ := strings.Cut(head, "\n")
	header = http.Header{}
	for _, field := range strings.Split(strings.TrimSpace(fields), "\n") {
		if name, value, found := strings.Cut(field, ":"); found {
			name = textproto.CanonicalMIMEHeaderKey(name)
			header[name] = append(header[name], strings.TrimSpace(value))
		}
	}
	return line, header, strings.TrimSpace(body)
}

// factsOf turns transcripts into recorded calls: what belongs to the live shop alone becomes a reference.
func factsOf(transcripts []*transcript) []*recordedCall {
	known := newSources()
	calls := make([]*recordedCall, len(transcripts))
	for i, t := range transcripts {
		calls[i] = &recordedCall{
			Name: t.name, Method: t.method, As: credentialsOf(t),
			Path: known.inTarget(t.target), Header: known.inHeader(t.header), Body: known.inBody(t),
			Answer: outlineOf(t.status, t.answer, t.content),
		}
		known.learn(t)
	}
	return calls
}

// outlineOf looks at an answer, recorded or given by the mock.
func outlineOf(status int, header http.Header, content string) outline {
	o := outline{Status: status}
	for _, name := range comparedHeaders {
		if _, there := header[textproto.CanonicalMIMEHeaderKey(name)]; there {
			o.Header = append(o.Header, name)
		}
	}
	switch {
	case gjson.Valid(content):
		body := gjson.Parse(content)
		o.shape = shapeOf(body, "")
		o.Items = itemVerdicts(body)
		if status >= http.StatusBadRequest {
			o.Code = body.Get("code").String()
		}
	case strings.HasPrefix(header.Get("Content-Type"), "application/json") && content != "":
		o.shape = &shape{scalars: map[string]bool{cutShort: true}}
	}
	return o
}

// itemVerdicts tells how each item of a batch came out: "create 201", "update 404 code".
func itemVerdicts(body gjson.Result) []string {
	var verdicts []string
	for _, list := range []string{"create", "update", "delete"} {
		for _, item := range body.Get(list).Array() {
			verdicts = append(verdicts, fmt.Sprintf("%s %s", list, itemVerdict(item.Get("error.data.status"), item.Get("error.code"))))
		}
	}
	for _, item := range body.Get("responses").Array() {
		verdicts = append(verdicts, "request "+itemVerdict(item.Get("status"), item.Get("body.code")))
	}
	return verdicts
}

func itemVerdict(status, code gjson.Result) string {
	if !status.Exists() {
		return "done"
	}
	return strings.TrimSpace(status.String() + " " + code.String())
}
