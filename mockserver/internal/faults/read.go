package faults

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"
)

// Read reads a document in JSON or YAML. Fields that there are not are errors; each error tells where it is.
func Read(text []byte) (Document, error) {
	var d Document
	if err := yaml.UnmarshalWithOptions(text, &d, yaml.Strict(), yaml.UseJSONUnmarshaler()); err != nil {
		return Document{}, fmt.Errorf("this is no list of rules: %s", strings.TrimSpace(yaml.FormatError(err, false, false)))
	}
	return d, nil
}

// ReadJSON reads a document in JSON: {"rules": […]}, {"scenario": "rate-limited"}, or a single rule.
func ReadJSON(text []byte) (Document, error) {
	var single struct{ Effect *Effect }
	if json.Unmarshal(text, &single) == nil && single.Effect != nil {
		var rule Rule
		err := decodeJSON(text, &rule)
		return Document{Rules: []Rule{rule}}, err
	}
	var d Document
	err := decodeJSON(text, &d)
	return d, err
}

func decodeJSON(text []byte, into any) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(into); err != nil {
		return fmt.Errorf("line %d: %w", 1+bytes.Count(text[:min(int64(len(text)), decoder.InputOffset())], []byte("\n")), err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return errors.New("there is more than one document")
	}
	return nil
}

// Header is the header by which a client asks for a fault of one request.
const Header = "X-Shop-Mock"

// ReadHeader reads "fault=status; status=503", or "fault=sold-out": an effect, with what it needs to know.
func ReadHeader(text string) (Fault, error) {
	var rule Rule
	texts := map[string]*string{"delay": &rule.Delay, "code": &rule.Code, "message": &rule.Message, "fault": &rule.Effect}
	numbers := map[string]*int{"status": &rule.Status, "retry_after": &rule.RetryAfter}
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
		switch {
		case texts[name] != nil:
			*texts[name] = value
		case numbers[name] != nil:
			number, err := strconv.Atoi(value)
			if err != nil {
				return Fault{}, fmt.Errorf("%s: %.50q is no number", name, value)
			}
			*numbers[name] = number
		default:
			return Fault{}, fmt.Errorf("there is no %.50q here; take fault and what it needs: %s", name,
				"code, delay, message, retry_after, status")
		}
	}
	rule.Name = "asked for by " + Header
	return One(rule)
}
