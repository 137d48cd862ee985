package reports

// The report document as JSON: written, read back, and the schema that describes it.

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"shopcheck/reports/nesting"
)

// maxDocument bounds what Read takes in, in bytes. A run of a thousand specs with all its exchanges is a tenth of it.
const maxDocument = 512 << 20

// shownFaults is how many places of a document that doesn't fit are named: the first ones are enough to act on.
const shownFaults = 5

//go:embed report.schema.json
var schemaText string

// Schema returns the JSON Schema (draft 2020-12) of the report document.
func Schema() []byte { return []byte(schemaText) }

// WriteJSON writes the report document, complete. Lists that are nil are written as empty ones.
func WriteJSON(w io.Writer, r *Report) error {
	if err := Encode(w, Rewritten(Complete(r), strings.Clone)); err != nil {
		return fmt.Errorf("write the report document: %w", err)
	}
	return nil
}

// Encode writes a value as JSON that people read, too.
func Encode(w io.Writer, value any) error {
	encoder := json.NewEncoder(w)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	return encoder.Encode(value)
}

// Read reads a report document. It refuses one of another format version, and one that doesn't fit the schema:
// unknown fields, missing fields, unknown words.
func Read(from io.Reader) (*Report, error) {
	text, err := readBounded(from)
	if err != nil {
		return nil, err
	}
	if err := nesting.Check(text); err != nil {
		return nil, fmt.Errorf("this is not a report document (%w): give the report.json that a run wrote", err)
	}
	if err := checkVersion(text); err != nil {
		return nil, err
	}
	if err := checkSchema(text); err != nil {
		return nil, err
	}
	report := new(Report)
	if err := json.Unmarshal(text, report); err != nil {
		return nil, fmt.Errorf("read the report document: %w", err)
	}
	return report, nil
}

func readBounded(from io.Reader) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(from, maxDocument+1))
	if err != nil {
		return nil, fmt.Errorf("read the report document: %w", err)
	}
	if len(text) > maxDocument {
		return nil, fmt.Errorf("the report document is larger than %d MiB: give the report.json of one run", maxDocument>>20)
	}
	return text, nil
}

// checkVersion comes before the schema, so that a report of another time gets the one message that helps.
func checkVersion(text []byte) error {
	var head struct {
		FormatVersion *int `json:"format_version"`
	}
	if err := json.Unmarshal(text, &head); err != nil {
		return fmt.Errorf("this is not a report document (%w): give the report.json that a run wrote", err)
	}
	switch {
	case head.FormatVersion == nil:
		return errors.New("this is not a report document (it has no format_version): give the report.json that a run wrote")
	case *head.FormatVersion > FormatVersion:
		return fmt.Errorf("the report has format version %d and this program reads version %d: use a newer shopcheck",
			*head.FormatVersion, FormatVersion)
	case *head.FormatVersion < FormatVersion:
		return fmt.Errorf("the report has format version %d and this program reads version %d: run the suites again with this shopcheck",
			*head.FormatVersion, FormatVersion)
	}
	return nil
}

func checkSchema(text []byte) error {
	schema, err := compiledSchema()
	if err != nil {
		return err
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("read the report document: %w", err)
	}
	var misfit *jsonschema.ValidationError
	if err := schema.Validate(document); errors.As(err, &misfit) {
		return fmt.Errorf("the report doesn't fit format version %d: %s; write it again with this shopcheck instead of editing it",
			FormatVersion, strings.Join(faults(misfit), "; "))
	}
	return nil
}

func compiledSchema() (*jsonschema.Schema, error) {
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(schemaText))
	if err != nil {
		return nil, fmt.Errorf("read the report schema: %w", err)
	}
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	if err := compiler.AddResource("report.schema.json", document); err != nil {
		return nil, fmt.Errorf("load the report schema: %w", err)
	}
	return compiler.Compile("report.schema.json")
}

// faults names the places that don't fit, at most shownFaults of them. The text may hold names from the document,
// which may come from anywhere.
func faults(misfit *jsonschema.ValidationError) []string {
	leaves := leavesOf(misfit)
	lines := make([]string, 0, shownFaults+1)
	for _, leaf := range leaves[:min(len(leaves), shownFaults)] {
		place := "/" + strings.Join(leaf.InstanceLocation, "/")
		lines = append(lines, SanitizeLine("at "+place+" "+describe(leaf)))
	}
	if more := len(leaves) - len(lines); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return lines
}

func describe(leaf *jsonschema.ValidationError) string {
	if extra, ok := leaf.ErrorKind.(*kind.AdditionalProperties); ok {
		return "unknown field " + strings.Join(extra.Properties, ", ")
	}
	return leaf.ErrorKind.LocalizedString(message.NewPrinter(language.English))
}

// leavesOf returns the errors that have no cause of their own: those that name a value instead of a rule.
func leavesOf(misfit *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(misfit.Causes) == 0 {
		return []*jsonschema.ValidationError{misfit}
	}
	var leaves []*jsonschema.ValidationError
	for _, cause := range misfit.Causes {
		leaves = append(leaves, leavesOf(cause)...)
	}
	return leaves
}
